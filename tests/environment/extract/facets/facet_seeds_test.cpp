#include "environment/extract/facets/facet_seeds.h"

#include <algorithm>
#include <tuple>

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend::extraction {
namespace {

// As the header says it, for any two.
std::vector<uint32_t> slowOrder(const Soup& soup, bool walls) {
  std::vector<uint32_t> order;
  for (uint32_t t = 0; t < soup.triangles.size(); ++t) {
    if (walls ? soup.triangles[t].wall : soup.triangles[t].walkable) order.push_back(t);
  }
  const auto keyOf = [&](uint32_t t) {
    const Triangle& triangle = soup.triangles[t];
    std::array<std::tuple<int32_t, int32_t, int32_t>, 3> corners;
    for (size_t i = 0; i < 3; ++i) {
      const Point3& p = soup.points[triangle.v[i]];
      corners[i] = {p.x, p.y, p.z};
    }
    auto sorted = corners;
    std::sort(sorted.begin(), sorted.end());
    return std::tuple(walls ? double(triangle.low) - triangle.high : -triangle.area, sorted, corners, t);
  };
  std::sort(order.begin(), order.end(), [&](uint32_t t, uint32_t u) { return keyOf(t) < keyOf(u); });
  return order;
}

// On few places, so that many triangles have equal sizes and common corners, or on many.
Scene randomScene(Random& random, int64_t extent, size_t count) {
  Scene scene;
  scene.labels = {""};
  for (size_t i = 0; i < count; ++i) {
    for (size_t k = 0; k < 3; ++k) {
      const auto coordinate = [&] { return 0.001 * static_cast<double>(random.between(-extent, extent)); };
      scene.vertices.push_back({coordinate(), coordinate(), coordinate()});
    }
    const auto first = static_cast<uint32_t>(3 * i);
    scene.triangles.push_back({{first, first + 1, first + 2}, 0});
  }
  return scene;
}

TEST(FacetSeeds, NothingToOrder) {
  EXPECT_TRUE(floorSeeds(Soup{}).empty());
  EXPECT_TRUE(wallSeeds(Soup{}).empty());
}

TEST(FacetSeeds, LargestFirstThenByPlace) {
  Random random(7);
  size_t seen = 0;
  for (int round = 0; round < 60; ++round) {
    const std::array<int64_t, 4> extents{1, 3, 50, 100'000};
    const Scene scene = randomScene(random, extents[random.below(4)], random.below(3000));
    ExtractSettings settings{.lattice = Lattice{}};
    settings.twoSided = random.chance(0.5);
    const Result<Soup> soup = makeSoup(scene, settings, {});
    ASSERT_TRUE(soup.ok());
    EXPECT_EQ(floorSeeds(*soup), slowOrder(*soup, false)) << round;
    EXPECT_EQ(wallSeeds(*soup), slowOrder(*soup, true)) << round;
    seen += floorSeeds(*soup).size();
  }
  EXPECT_GT(seen, 1000U);
}

}  // namespace
}  // namespace wend::extraction
