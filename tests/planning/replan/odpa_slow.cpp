#include <gtest/gtest.h>

#include "tests/planning/replan/random_graph.h"

namespace wend {
namespace {

// What odpa_test.cpp does on a few thousand events, on a hundred thousand.
TEST(ReplanSlow, OdpaEqualsAStar) {
  ReplanCounts counts;
  for (uint64_t i = 0; counts.trials < 100'000; ++i) {
    const std::string fault = checkReplanning(2, i, counts);
    ASSERT_EQ(fault, "") << i;
  }
  fmt::print("{} events, {} affected, {} without a way; expansions: A* {}, ODPA* of the source {}, tight {}\n",
             counts.trials, counts.affected, counts.noWay, counts.aStar, counts.source, counts.tight);
  EXPECT_GT(counts.affected, 10'000U);
}

}  // namespace
}  // namespace wend
