#include <gtest/gtest.h>

#include "tests/planning/clearance/check.h"

namespace wend {
namespace {

TEST(ClearanceSlow, TenThousandQueriesEqualTheOracle) {
  ClearanceCount count;
  for (uint64_t world = 0; world < 4000 && !HasFailure(); ++world) {
    checkClearance(101, world, 6, clearanceGenerators(), count);
  }
  EXPECT_GE(count.asked, 10000U);
  EXPECT_LT(count.worst, 0.3);
  RecordProperty("asked", static_cast<int>(count.asked));
  printf(
      "asked %zu, found %zu, critical %zu, corridor missed the optimum %zu times, by %.4f on average, %.4f at worst; "
      "nearest %.3g m\n",
      count.asked, count.found, count.critical, count.missed,
      count.missed > 0 ? count.excess / static_cast<double>(count.missed) : 0.0, count.worst, count.nearest);
}

}  // namespace
}  // namespace wend
