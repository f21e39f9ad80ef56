#include <gtest/gtest.h>

#include "tests/volume/check_grown.h"

// Laws of grown volumes on random scenes: a few dozen here, 2,000 in volume_worlds_slow.cpp.
namespace wend {
namespace {

TEST(VolumeWorlds, RandomScenesAreFilledExactly) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    test::checkRandomScene(seed, 0);
    if (HasFailure()) return;
  }
}

TEST(VolumeWorlds, TurnedScenesAreFilledExactly) {
  for (uint64_t seed = 1; seed <= 15; ++seed) {
    test::checkRandomScene(seed, 17);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace wend
