#include "tests/apps/trust/kills.h"

// A few kills of each command; kills_slow.cpp has hundreds.
namespace {

TEST(Kills, Simulate) {
  kills::expectSimulationSurvives(3);
}
TEST(Kills, Bake) {
  kills::expectOutputIsWhole("bake city.env -o city.wend --quiet", 4);
}
TEST(Kills, Report) {
  kills::expectOutputIsWhole("report run.sqlite -o page --quiet", 3);
}
TEST(Kills, Compare) {
  kills::expectComparisonSurvives(2);
}

}  // namespace
