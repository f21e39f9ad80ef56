#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/apps/program.h"
#include "tests/apps/scenario_files.h"

// Criteria that compare several runs, and scenarios that take longer than a second.
namespace {

using Json = nlohmann::json;

constexpr double kFreeSpeed = 1.34;  // m/s, of the scenarios that measure density

Json checked(const std::string& name, const std::string& options = {}) {
  const Workshop w;
  const Outcome outcome = w.wend("simulate '" + scenarioFile(name) + "' --check --json " + options);
  Json json = Json::parse(outcome.out, nullptr, false);
  EXPECT_TRUE(json.is_object() && json.value("ok", false)) << name << ": " << outcome.err;
  return json;
}

double timeOf(const std::string& name) {
  const Json json = checked(name);
  EXPECT_EQ(json["status"], "empty") << name;
  EXPECT_EQ(json["outside"], 0) << name;
  return json["time"].get<double>();
}

double checkOf(const Json& json, const std::string& metric) {
  for (const Json& check : json["checks"]) {
    if (check["metric"] == metric) return check["value"].is_null() ? NAN : check["value"].get<double>();
  }
  ADD_FAILURE() << metric;
  return NAN;
}

// The scenario with one of its lines replaced.
double timeOfVariant(const std::string& name, const std::string& line, const std::string& by) {
  const Workshop w;
  std::ifstream file(scenarioFile(name));
  std::string text((std::istreambuf_iterator<char>(file)), {});
  const size_t at = text.find("\n" + line + "\n");
  if (at == std::string::npos) {
    ADD_FAILURE() << name << " has no line " << line;
    return NAN;
  }
  text.replace(at + 1, line.size(), by);
  w.write("variant.toml", text);
  const Json json = Json::parse(w.wend("simulate variant.toml --check --json").out, nullptr, false);
  EXPECT_TRUE(json.is_object() && json.value("ok", false)) << by;
  EXPECT_EQ(json["status"], "empty") << by;
  EXPECT_EQ(json["outside"], 0) << by;
  return json["time"].get<double>();
}

TEST(ValidationSlow, Rimea4SpeedFallsWithDensityInTheGuidelinesCorridor) {
  double before = kFreeSpeed;
  for (const char* density : {"0_5", "1", "2", "3"}) {
    const double speed = checkOf(checked("rimea-04-" + std::string(density)), "speed");
    EXPECT_LT(speed, before) << density;
    before = speed;
  }
  // Streams hold denser crowds at one speed.
  EXPECT_LT(checkOf(checked("rimea-04-6"), "speed"), 0.2 * kFreeSpeed);
}

TEST(ValidationSlow, Rimea8WhoWalksFasterIsOutSooner) {
  double before = INFINITY;
  for (const char* speed : {"0.5", "0.75", "1.0", "1.25", "1.5"}) {
    const double time = timeOfVariant("rimea-08", "free_speed = 1.0", "free_speed = " + std::string(speed));
    EXPECT_LE(time, before) << speed;
    before = time;
  }
}

TEST(ValidationSlow, Rimea8WhoStartsLaterIsOutLater) {
  double before = 0;
  for (const int mean : {30, 60, 120, 240}) {
    const double time = timeOfVariant("rimea-08", "premovement = 0",
                                      "premovement = { dist = \"uniform\", min = " + std::to_string(mean - 30) +
                                          ", max = " + std::to_string(mean + 30) + " }");
    EXPECT_GE(time, before) << mean;
    before = time;
  }
}

TEST(ValidationSlow, Rimea9HalfTheDoorsTakeTwiceAsLong) {
  const double four = timeOf("rimea-09-four");
  const double two = timeOf("rimea-09-two");
  EXPECT_GE(two / four, 1.7);
  EXPECT_LE(two / four, 2.2);
}

TEST(ValidationSlow, Rimea11ExitChoiceFollowsTheCrowd) {
  const Json nearest = checked("rimea-11-nearest");
  const Json fastest = checked("rimea-11-fastest");
  EXPECT_LE(checkOf(nearest, "exit_share"), 0.05);
  EXPECT_GE(checkOf(fastest, "exit_share"), 0.30);
  EXPECT_LE(checkOf(fastest, "exit_share"), 0.50);
  EXPECT_LE(fastest["time"].get<double>(), 0.75 * nearest["time"].get<double>());
}

TEST(ValidationSlow, Rimea12AFartherGoalOrALongerNeckIsNotFaster) {
  EXPECT_LE(timeOf("rimea-12a-0"), timeOf("rimea-12a-10"));
  EXPECT_LT(timeOf("rimea-12b-short"), timeOf("rimea-12b-long"));
}

TEST(ValidationSlow, Iso12FlowUpAStairRisesWithItsWidth) {
  double before = 0;
  for (const auto& [name, width] :
       std::map<std::string, double>{{"iso-12-10", 1.0}, {"iso-12-14", 1.4}, {"iso-12-18", 1.8}}) {
    const double flow = checkOf(checked(name), "specific_flow") * width;
    EXPECT_GT(flow, before) << name;
    before = flow;
  }
}

TEST(ValidationSlow, Rimea15TheCornerTakesAsLongAsACorridorBetween) {
  const double corner = timeOf("rimea-15-corner");
  EXPECT_LE(timeOf("rimea-15-44"), corner);
  EXPECT_LE(corner, timeOf("rimea-15-75"));
}

TEST(ValidationSlow, BottleneckFlowRisesWithWidth) {
  double before = 0;
  for (const auto& [name, width] : std::map<std::string, double>{{"bottleneck-08", 0.8},
                                                                 {"bottleneck-10", 1.0},
                                                                 {"bottleneck-12", 1.2},
                                                                 {"bottleneck-16", 1.6},
                                                                 {"bottleneck-20", 2.0},
                                                                 {"bottleneck-24", 2.4}}) {
    const Json json = checked(name);
    EXPECT_EQ(json["left"], 200) << name;
    const double flow = checkOf(json, "specific_flow") * width;
    EXPECT_GT(flow, before) << name;
    EXPECT_LE(checkOf(json, "largest_gap"), 10) << name;
    before = flow;
  }
}

// Both files ask for the worst of 20 starts.
TEST(ValidationSlow, CrossingStreamsAndCounterFlowPassFromEveryStart) {
  for (const char* name : {"crossing", "counter-flow"}) {
    const Json json = checked(name);
    EXPECT_EQ(json["runs"], 20) << name;
    EXPECT_EQ(json["runs_blocked"], 0) << name;
    for (const Json& check : json["checks"]) EXPECT_TRUE(check["passed"]) << name << ' ' << check;
  }
}

// Ten starts: without going around the middle all of them end in gridlock.
TEST(ValidationSlow, CrossingStreamsFromFourSidesGoAroundTheMiddle) {
  const Json json = checked("four-way");
  EXPECT_EQ(json["runs"], 10);
  EXPECT_EQ(json["runs_blocked"], 0);
  for (const Json& check : json["checks"]) EXPECT_TRUE(check["passed"]) << check;
}

// What people measure at doors: 1.2 to 1.9 persons per metre and second.
TEST(ValidationSlow, BottlenecksPassWhatRealOnesDo) {
  for (const char* name : {"bottleneck-10", "bottleneck-16", "bottleneck-24"}) {
    const double flow = checkOf(checked(name), "specific_flow");
    EXPECT_GE(flow, 1.2) << name;
    EXPECT_LE(flow, 1.9) << name;
  }
}

TEST(ValidationSlow, OppositeGroupsChangeRooms) {
  for (const char* name : {"door-swap-06-10", "door-swap-09-10"}) EXPECT_EQ(checked(name)["left"], 20) << name;
}

// On the average over eight starts: 25 people differ more from start to start than one of them makes.
TEST(ValidationSlow, Nist210ASlowPersonHoldsTheOthersUp) {
  double mixed = 0;
  double control = 0;
  for (int seed = 1; seed <= 8; ++seed) {
    const std::string start = "--seed " + std::to_string(seed);
    mixed += checked("nist-2-10-mixed", start)["time"].get<double>();
    control += checked("nist-2-10-control", start)["time"].get<double>();
  }
  EXPECT_GT(mixed, control);
}

TEST(ValidationSlow, FiveHundredRoamTheStation) {
  const Json json = checked("station-500");
  EXPECT_EQ(json["outside"], 0);
  EXPECT_LE(checkOf(json, "longest_stuck"), 30);
  EXPECT_LE(checkOf(json, "overlap_share"), 0.25);
}

TEST(ValidationSlow, SpeedFallsWithDensity) {
  const double sparse = checkOf(checked("fundamental-0_5"), "speed");
  const double middle = checkOf(checked("fundamental-1_5"), "speed");
  const double dense = checkOf(checked("fundamental-4"), "speed");
  EXPECT_LT(middle, 0.8 * sparse);
  EXPECT_LT(dense, 0.8 * middle);
}

// Twenty seeds each.
class ValidationSeeds : public testing::TestWithParam<const char*> {};

TEST_P(ValidationSeeds, Hold) {
  const Workshop w;
  const Outcome outcome = w.wend("simulate '" + scenarioFile(GetParam()) + "' --check");
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
}

INSTANTIATE_TEST_SUITE_P(Slow, ValidationSeeds, testing::Values("rimea-14", "nist-2-4", "nist-5-2"),
                         [](const auto& scenario) {
                           std::string name = scenario.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
