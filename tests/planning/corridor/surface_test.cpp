#include "tests/planning/corridor/surface.h"

#include <gtest/gtest.h>

namespace wend {
namespace {

TEST(CorridorSurface, AgreesWithLookingAround) {
  const SurfaceCount count = checkSurfaces(0, 150);
  EXPECT_GT(count.worlds, 80);
  EXPECT_GT(count.routes, 300);
}

}  // namespace
}  // namespace wend
