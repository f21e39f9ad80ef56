#include "tests/environment/extract/damage.h"

namespace wend {

// A thousand variants.
TEST(ExtractSoak, DamagedScenes) {
  testing::damageAndExtract(100, 116, ExtractMethod::kExact);
}

TEST(ExtractSoak, DamagedScenesByVoxels) {
  testing::damageAndExtract(100, 116, ExtractMethod::kVoxel);
}

}  // namespace wend
