#include "tests/environment/extract/furniture.h"

namespace wend {
namespace {

using testing::Furniture;
using testing::FurnitureTally;

// Minutes: for the soak.
TEST(FurnitureSoak, TenThousandStacksAreStoodOnWhereTheirBoxesSay) {
  FurnitureTally all;
  int left = 0;
  for (uint64_t seed = 1000; seed < 11000 && !HasFailure(); ++seed) {
    const Furniture furniture = testing::randomFurniture(seed, 4 + static_cast<int>(seed % 20));
    Random random(seed, 3);
    const double angle = random.real(0, 360);
    ExtractSettings settings;
    settings.minArea = 0.001;
    settings.insides = seed % 4 == 1;
    settings.step = random.chance(0.5) ? 0.4 : random.real(0.05, 0.5);
    settings.height = random.chance(0.5) ? 2 : random.real(1, 2.5);
    const Result<Extraction> result = extract(testing::rotated(furniture.scene(), angle), settings);
    ASSERT_TRUE(result.ok()) << "seed " << seed << ": " << result.error().message;
    for (const Violation& v : validate(result->environment, 3)) ADD_FAILURE() << "seed " << seed << ": " << v.message;
    if (!result->report.spots.empty()) {
      ++left;
      continue;
    }
    const FurnitureTally tally =
        testing::expectStanding(furniture, result->environment, angle, settings, seed, 100, 0.06);
    all.free += tally.free;
    all.blocked += tally.blocked;
    all.inside += tally.inside;
  }
  EXPECT_LT(left, 500);
  EXPECT_GT(all.free, 100000);
  EXPECT_GT(all.blocked, 30000);
  EXPECT_GT(all.inside, 1000);
}

}  // namespace
}  // namespace wend
