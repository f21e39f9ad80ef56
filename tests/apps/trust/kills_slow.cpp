#include "tests/apps/trust/kills.h"

// Two hundred and eighty kills in all: for `make soak`.
namespace {

TEST(KillsLongest, Simulate) {
  kills::expectSimulationSurvives(100);
}
TEST(KillsLongest, Bake) {
  kills::expectOutputIsWhole("bake city.env -o city.wend --quiet", 60);
}
TEST(KillsLongest, Report) {
  kills::expectOutputIsWhole("report run.sqlite -o page --quiet", 60);
}
TEST(KillsLongest, Compare) {
  kills::expectComparisonSurvives(60);
}

}  // namespace
