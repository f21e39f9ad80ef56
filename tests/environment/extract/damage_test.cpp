#include "tests/environment/extract/damage.h"

#include <set>

#include <wend/make_scene.h>

namespace wend {

TEST(DamagedScenes, GiveValidEnvironments) {
  testing::damageAndExtract(1, 3, ExtractMethod::kExact);
}

TEST(DamagedScenes, GiveValidEnvironmentsByVoxels) {
  testing::damageAndExtract(1, 2, ExtractMethod::kVoxel);
}

// Facets are cut into many patches; their triangles are named once all the same.
TEST(DamagedScenes, BlameEachTriangleOnce) {
  const Scene scene = makeScene({"station", {}, 1}).value().scene;
  size_t spots = 0;
  for (const double amount : {0.005, 0.01, 0.02}) {
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      const Result<Scene> cracked = damageScene(scene, {DamageKind::kCrack, amount}, seed);
      ASSERT_TRUE(cracked.ok());
      const Result<Extraction> result = extract(*cracked, {});
      ASSERT_TRUE(result.ok()) << result.error().message;
      spots += result->report.spots.size();
      for (const ExtractSpot& spot : result->report.spots) {
        const std::set<uint32_t> blamed(spot.triangles.begin(), spot.triangles.end());
        EXPECT_EQ(blamed.size(), spot.triangles.size()) << spot.reason;
        EXPECT_GE(blamed.size(), 1U);
        EXPECT_LE(blamed.size(), ExtractSpot::kMaxBlamed);
      }
    }
  }
  EXPECT_GT(spots, 0U);
}

}  // namespace wend
