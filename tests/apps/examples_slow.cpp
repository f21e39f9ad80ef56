#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/apps/program.h"

// The examples that show a method against another one: they show what they say.
namespace {

using Json = nlohmann::json;

Json example(const std::string& name, const std::string& options = {}) {
  const Workshop w;
  const Outcome outcome =
      w.wend("simulate '" WEND_SOURCE_DIR "/examples/crowd/" + name + ".toml' --check --json " + options);
  Json json = Json::parse(outcome.out, nullptr, false);
  EXPECT_TRUE(json.is_object()) << name << ": " << outcome.err;
  return json;
}

double valueOf(const Json& json, const std::string& metric, const std::string& of = {}) {
  for (const Json& check : json["checks"]) {
    if (check["metric"] == metric && (of.empty() || check["of"] == of)) return check["value"].get<double>();
  }
  ADD_FAILURE() << metric;
  return 0;
}

// Oliva, Pelechano 2015: 22 % more flow in a ring of 200 agents; at the same density that is the speed.
TEST(ExamplesSlow, WayPointsBeatCentresInTheDonut) {
  for (const char* seed : {"1", "2"}) {
    const std::string options = std::string("--seed ") + seed;
    const double centres = valueOf(example("donut_centres", options), "mean_speed");
    const double waypoints = valueOf(example("donut_waypoints", options), "mean_speed");
    EXPECT_GE(waypoints, 1.22 * centres) << seed;
  }
}

// Van Toll 2017, chapter 9: 0.67 m/s without weight on density, 1.03 m/s with it.
TEST(ExamplesSlow, DensityPlanningFlowsWhereNoneJams) {
  const Json jams = example("blocks_w0");
  const Json flows = example("blocks_w1");
  EXPECT_LE(valueOf(jams, "mean_speed"), 0.75);
  EXPECT_GE(valueOf(flows, "mean_speed"), 1.0);
  EXPECT_GE(valueOf(flows, "crossings"), 1.5 * valueOf(jams, "crossings"));
}

}  // namespace
