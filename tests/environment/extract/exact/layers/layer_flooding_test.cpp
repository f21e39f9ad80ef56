#include <vector>

#include <wend/extract.h>

#include <gtest/gtest.h>

#include "tests/environment/extract/hand_made.h"

namespace wend {
namespace {

// Two storeys above each other with a ramp beside them: they are linked, and no layer can hold both.
void addHouse(testing::SceneMaker& maker, double z) {
  maker.floor(0, 0, 10, 10, z + 3);
  maker.quad({10, 0, z}, {20, 0, z + 3}, {20, 2, z + 3}, {10, 2, z});
  maker.floor(0, 0, 10, 10, z);
  maker.floor(10, 2, 22, 4, z + 3);
  maker.floor(20, 0, 22, 2, z + 3);
}

std::vector<double> basesOf(const Scene& scene) {
  std::vector<double> bases;
  const Result<Extraction> result = extract(scene, {}, {});
  EXPECT_TRUE(result.ok());
  if (!result.ok()) return bases;
  for (const Layer& layer : result->environment.layers) bases.push_back(layer.heights.base);
  return bases;
}

TEST(Layers, ComeInTheOrderOfTheirLowestFloors) {
  testing::SceneMaker maker;
  for (const double z : {9.0, 0.0, 6.0, 3.0}) maker.floor(0, 0, 10, 10, z);
  const std::vector<double> bases = basesOf(maker.scene);
  ASSERT_EQ(bases.size(), 4U);
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(bases[i], 3.0 * static_cast<double>(i), 1e-5) << i;
}

// Parts that are one layer and parts that need several.
TEST(Layers, ComeInOneOrderWhetherTheyGrowOrNot) {
  testing::SceneMaker maker;
  maker.floor(0, 0, 22, 10, 15);
  addHouse(maker, 9);
  maker.floor(0, 0, 22, 10, 6);
  addHouse(maker, 0);
  maker.floor(0, 0, 22, 10, -3);
  const std::vector<double> bases = basesOf(maker.scene);
  const std::vector<double> expected{-3, 0, 3, 6, 9, 12, 15};
  ASSERT_EQ(bases.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(bases[i], expected[i], 1e-5) << i;
}

// Which of two floors above each other is taken is decided within each part alone: copies get copies of its layers.
TEST(Layers, OfPartsKnowNothingOfEachOther) {
  testing::SceneMaker one;
  addHouse(one, 0);
  const Result<Extraction> alone = extract(one.scene, {}, {});
  ASSERT_TRUE(alone.ok());
  const Environment& single = alone->environment;
  testing::SceneMaker both;
  addHouse(both, 0);
  addHouse(both, 20);
  const Result<Extraction> pair = extract(both.scene, {}, {});
  ASSERT_TRUE(pair.ok());
  const Environment& twice = pair->environment;
  ASSERT_EQ(twice.layers.size(), 2 * single.layers.size());
  for (size_t i = 0; i < twice.layers.size(); ++i) {
    EXPECT_EQ(twice.layers[i].free, single.layers[i % single.layers.size()].free) << i;
  }
}

}  // namespace
}  // namespace wend
