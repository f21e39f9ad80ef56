#include "tests/environment/extract/furniture.h"

#include <array>

namespace wend {
namespace {

using testing::expectStanding;
using testing::Furniture;
using testing::FurnitureTally;
using testing::randomFurniture;

FurnitureTally sum(const FurnitureTally& a, const FurnitureTally& b) {
  return {a.free + b.free, a.blocked + b.blocked, a.inside + b.inside};
}

FurnitureTally runSoup(uint64_t seed, double angle, const ExtractSettings& settings, double margin) {
  const Furniture furniture = randomFurniture(seed, 4 + static_cast<int>(seed % 20));
  const Result<Extraction> result = extract(testing::rotated(furniture.scene(), angle), settings);
  if (!result.ok()) {
    ADD_FAILURE() << "seed " << seed << ": " << result.error().message;
    return {};
  }
  for (const Violation& v : validate(result->environment, 3)) ADD_FAILURE() << "seed " << seed << ": " << v.message;
  if (!result->report.spots.empty()) return {};
  return expectStanding(furniture, result->environment, angle, settings, seed, 100, margin);
}

ExtractSettings settingsOf(uint64_t seed) {
  ExtractSettings settings;
  settings.minArea = 0.001;
  settings.insides = seed % 4 == 1;
  settings.step = seed % 5 == 2 ? 0.1 : 0.4;
  return settings;
}

TEST(Furniture, IsStoodOnWhereItsBoxesSay) {
  constexpr std::array<double, 4> kAngles{0, 17, 45, 203.7};
  FurnitureTally all;
  for (uint64_t seed = 1; seed <= 300 && !HasFailure(); ++seed) {
    all = sum(all, runSoup(seed, kAngles[seed % 4], settingsOf(seed), 0.06));
  }
  EXPECT_GT(all.free, 3000);
  EXPECT_GT(all.blocked, 1000);
  EXPECT_GT(all.inside, 30);
}

TEST(Furniture, IsStoodOnByVoxels) {
  constexpr std::array<double, 4> kAngles{0, 17, 45, 203.7};
  FurnitureTally all;
  for (uint64_t seed = 1; seed <= 24 && !HasFailure(); ++seed) {
    ExtractSettings settings = settingsOf(seed);
    settings.method = ExtractMethod::kVoxel;
    settings.voxel.resolution = 0.02;
    all = sum(all, runSoup(seed, kAngles[seed % 4], settings, 0.12));
  }
  EXPECT_GT(all.free, 100);
}

}  // namespace
}  // namespace wend
