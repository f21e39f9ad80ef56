#include "extract/damage.h"

namespace wend {

TEST(DamagedScenes, GiveValidEnvironments) {
  testing::damageAndExtract(1, 3);
}

}  // namespace wend
