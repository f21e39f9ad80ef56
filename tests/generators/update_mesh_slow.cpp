#include <gtest/gtest.h>

#include "tests/generators/update_any.h"

namespace wend {
namespace {

TEST(UpdateMeshLong, RandomEditsOfEveryMethod) {
  for (const char* name : {"delaunay", "hertel-mehlhorn", "neogen", "pasfv", "wavefront"}) {
    AnyTally tally;
    for (uint64_t seed = 1000; seed < 2000; ++seed) {
      ASSERT_EQ(randomEditsOf(name, seed, 10, tally), "") << name << ", seed " << seed;
    }
    EXPECT_EQ(tally.rebuilt, 0U) << name << ": " << tally.reason;
  }
}

TEST(UpdateMeshLong, CellsDoNotPileUp) {
  for (const char* name : {"delaunay", "hertel-mehlhorn", "neogen", "pasfv", "wavefront"}) {
    AnyTally tally;
    ASSERT_EQ(manyEdits(name, 10'000, tally), "") << name;
    EXPECT_LE(tally.ratio(), 1.3) << name;
    std::printf("%s: %.3f times the cells after 10000 edits\n", name, tally.ratio());
  }
}

}  // namespace
}  // namespace wend
