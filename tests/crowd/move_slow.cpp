#include "tests/crowd/move_check.h"

namespace wend {
namespace {

TEST(MoveSlow, StaysInRandomWorlds) {
  walkInRandomWorlds(1000, 1400, 1500);
}

}  // namespace
}  // namespace wend
