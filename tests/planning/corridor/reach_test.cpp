#include "tests/planning/corridor/reach.h"

#include <gtest/gtest.h>

namespace wend {
namespace {

TEST(CorridorReach, InStripsIsThatOfTheUncutWorld) {
  EXPECT_GT(checkReachInStrips(0, 60), 500);
}

TEST(CorridorReach, OnLayersAboveEachOtherIsThatOfARaster) {
  EXPECT_GT(checkReachOnSurfaces(0, 25), 100);
}

}  // namespace
}  // namespace wend
