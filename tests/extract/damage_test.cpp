#include "extract/damage.h"

namespace wend {

TEST(DamagedScenes, GiveValidEnvironments) {
  testing::damageAndExtract(1, 3, ExtractMethod::kExact);
}

TEST(DamagedScenes, GiveValidEnvironmentsByVoxels) {
  testing::damageAndExtract(1, 2, ExtractMethod::kVoxel);
}

}  // namespace wend
