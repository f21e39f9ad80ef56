#include <string>

#include <wend/analysis.h>
#include <wend/simulate.h>

#include <gtest/gtest.h>

#include "tests/crowd/run_file.h"

// The examples of worlds that change, to their end.
namespace wend {
namespace {

SimulationSummary runExample(const std::string& name) {
  const Result<Scenario> scenario = readScenario(WEND_SOURCE_DIR "/examples/crowd/" + name);
  EXPECT_TRUE(scenario.ok()) << (scenario.ok() ? "" : scenario.error().message);
  if (!scenario.ok()) return {};
  const ScratchRecording file;
  SimulateSettings settings;
  settings.output = file.path();
  Context context;
  context.threads = 1;
  const Result<SimulationSummary> summary = simulate(*scenario, settings, context);
  EXPECT_TRUE(summary.ok()) << (summary.ok() ? "" : summary.error().message);
  return summary.ok() ? *summary : SimulationSummary{};
}

TEST(LiveExamples, ThreeWays) {
  const SimulationSummary summary = runExample("three_ways.toml");
  EXPECT_EQ(summary.status, RunStatus::kEmpty);
  EXPECT_EQ(summary.left, 15U);
  EXPECT_EQ(summary.outside, 0U);
}

TEST(LiveExamples, RollingCart) {
  const SimulationSummary summary = runExample("rolling_cart.toml");
  EXPECT_EQ(summary.status, RunStatus::kEmpty);
  EXPECT_EQ(summary.left, 60U);
  EXPECT_EQ(summary.outside, 0U);
}

TEST(LiveExamples, CampWithObstaclesThatComeAndGo) {
  const SimulationSummary summary = runExample("military_live.toml");
  EXPECT_EQ(summary.status, RunStatus::kTime);
  EXPECT_EQ(summary.inside, 1000U);
  EXPECT_EQ(summary.outside, 0U);
  EXPECT_NEAR(summary.time, 120, 1e-6);
}

}  // namespace
}  // namespace wend
