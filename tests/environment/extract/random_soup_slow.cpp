#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/environment/extract/definition.h"
#include "tests/environment/extract/hand_made.h"
#include "tests/environment/extract/random_soup.h"

namespace wend {
namespace {

// Any soup gives a valid environment, free where it should be, whose polygons say the same about components as the
// links do, a spot where a passage of some millimetres did not survive the drawing of layers, or a clear error. For
// WEND_SOAK_SECONDS (20 if it is not given), from the soup with the number WEND_SOAK_SEED on.
void extractRandomSoups(uint64_t stream, const testing::ChooseSettings& choose) {
  const char* given = std::getenv("WEND_SOAK_SECONDS");
  const double seconds = given != nullptr ? std::atof(given) : 20;
  const auto start = std::chrono::steady_clock::now();
  const char* first = std::getenv("WEND_SOAK_SEED");
  const uint64_t begin = first != nullptr ? std::strtoull(first, nullptr, 10) : 1;
  uint64_t soup = begin;
  uint64_t empty = 0;
  uint64_t withSpots = 0;
  for (; std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds; ++soup) {
    const auto [scene, settings] = testing::randomSoupCase(soup, stream, choose);
    const Result<Extraction> result = extract(scene, settings);
    if (!result.ok()) {
      ASSERT_EQ(result.error().code, ErrorCode::kEmpty) << "soup " << soup << ": " << result.error().message;
      ++empty;
      continue;
    }
    for (const Violation& v : validate(result->environment, 3)) ADD_FAILURE() << "soup " << soup << ": " << v.message;
    SCOPED_TRACE(soup);
    if (settings.method == ExtractMethod::kExact) testing::expectPlacesIn(*result, scene, settings, soup, 200);
    if (result->report.spots.empty()) {
      EXPECT_EQ(topology(result->environment).components, result->report.components) << "soup " << soup;
    } else {
      ++withSpots;
    }
  }
  fmt::print("{} soups, {} of them with nothing to walk on, {} with spots that are told\n", soup - begin, empty,
             withSpots);
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
