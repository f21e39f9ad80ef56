#include "tests/apps/trust/kills.h"

// Two hundred kills in all: for `make soak`.
namespace {

TEST(KillsLongest, Simulate) {
  kills::expectSimulationSurvives(80);
}
TEST(KillsLongest, Bake) {
  kills::expectOutputIsWhole("bake city.env -o city.wend --quiet", "city.wend", 60);
}
TEST(KillsLongest, Report) {
  kills::expectOutputIsWhole("draw city.env -o city.svg --quiet", "city.svg", 20);
}
TEST(KillsLongest, Compare) {
  kills::expectComparisonSurvives(40);
}

}  // namespace
