#include "planning/visibility/axis_sight.h"

#include <gtest/gtest.h>

#include "tests/planning/corridor/checks.h"

namespace wend {
namespace {

TEST(CorridorSight, AgreesWithAllWallsOnCoarseWorlds) {
  checkSight(false, 11, 120);
}

TEST(CorridorSight, AgreesWithAllWallsOnFineWorlds) {
  checkSight(true, 12, 120);
}

TEST(CorridorVisibility, AgreesWithRaysOnCoarseWorlds) {
  checkView(false, 21, 100);
}

TEST(CorridorVisibility, AgreesWithRaysOnFineWorlds) {
  checkView(true, 22, 100);
}

}  // namespace
}  // namespace wend
