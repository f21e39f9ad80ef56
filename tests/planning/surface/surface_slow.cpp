#include "tests/planning/surface/surface_check.h"

namespace wend {
namespace {

// Named so that `make test` leaves it to `make soak`.
TEST(ClearanceSlow, SurfaceQueries) {
  QueryCount count;
  for (uint64_t world = 0; count.nearest < 100'000 && !HasFailure(); ++world) checkQueries(11, world, 50, count);
  EXPECT_GT(count.rays, 30'000U);
  EXPECT_GT(count.partial, 50'000U);
}

}  // namespace
}  // namespace wend
