#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>

#include <gtest/gtest.h>

#include "extract/hand_made.h"
#include "extract/random_soup.h"

namespace wend {
namespace {

// Any soup gives a valid environment whose polygons say the same about components as the links do, a spot where a
// passage of some millimetres did not survive the drawing of layers, or a clear error.
void extractRandomSoups(uint64_t stream, const testing::ChooseSettings& choose) {
  const char* given = std::getenv("WEND_SOAK_SECONDS");
  const double seconds = given != nullptr ? std::atof(given) : 20;
  const auto start = std::chrono::steady_clock::now();
  uint64_t soups = 0;
  while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds) {
    const auto [scene, settings] = testing::randomSoupCase(++soups, stream, choose);
    const Result<Extraction> result = extract(scene, settings);
    if (!result.ok()) {
      ASSERT_EQ(result.error().code, ErrorCode::kEmpty) << "soup " << soups << ": " << result.error().message;
      continue;
    }
    for (const Violation& v : validate(result->environment, 3)) ADD_FAILURE() << "soup " << soups << ": " << v.message;
    if (result->report.spots.empty()) {
      EXPECT_EQ(topology(result->environment).components, result->report.components) << "soup " << soups;
    }
  }
  ::testing::Test::RecordProperty("soups", static_cast<int>(soups));
}

TEST(ExtractSoak, RandomSoups) {
  extractRandomSoups(77, [](Random&, ExtractSettings&) {});
}

TEST(ExtractSoak, RandomSoupsByVoxels) {
  extractRandomSoups(78, [](Random& random, ExtractSettings& settings) {
    settings.method = ExtractMethod::kVoxel;
    settings.voxel.resolution = random.real(0.01, 0.3);
    settings.voxel.width = settings.voxel.resolution * std::pow(2, static_cast<double>(random.between(0, 6)));
    settings.voxel.simplify = random.real(0, 4);
    settings.voxel.singleLayer = random.chance(0.1);
  });
}

}  // namespace
}  // namespace wend
