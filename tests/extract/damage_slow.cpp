#include "extract/damage.h"

namespace wend {

// A thousand variants.
TEST(ExtractSoak, DamagedScenes) {
  testing::damageAndExtract(100, 116);
}

}  // namespace wend
