#include <cmath>
#include <map>

#include "crowd/simulation/building/stair_speeds.h"
#include "tests/crowd/run_file.h"

// Stairs, belts, gates, lifts, smoke and queues.
namespace wend {
namespace {

// A corridor of 30 x 3 m from west to east, or back.
std::string corridor(const std::string& extra, bool east = true) {
  return fmt::format(R"toml(format = 1
environment = "POLYGON ((0 0, 30 0, 30 3, 0 3, 0 0))"
end_time = 300
[[stage]]
id = "end"
kind = "exit"
area = {}
[[journey]]
id = "out"
stages = ["end"]
[[source]]
id = "in"
points = [{}]
journey = "out"
{}
)toml",
                     east ? "[[28, 0], [30, 0], [30, 3], [28, 3]]" : "[[0, 0], [2, 0], [2, 3], [0, 3]]",
                     east ? "[2, 1.5]" : "[28, 1.5]", extra);
}

double timeOf(const std::string& text) {
  const ScratchRecording file;
  simulated(text, file);
  return Recording::open(file.path())->persons()[0].exitTime;
}

const std::string kFlight = "[[stair]]\nid = 's'\narea = [[10, 0], [20, 0], [20, 3], [10, 3]]\nup = [1, 0]\n";

TEST(Stairs, UpIsSlowerThanDownAndBothSlowerThanLevel) {
  const double level = timeOf(corridor(""));
  const double up = timeOf(corridor(kFlight));
  const double down = timeOf(corridor(kFlight, false));
  EXPECT_NEAR(up - level, 10 / (1.4 * 0.46) - 10 / 1.4, 1.0);
  EXPECT_NEAR(down - level, 10 / (1.4 * 0.52) - 10 / 1.4, 1.0);
  EXPECT_GT(up, down + 0.5);
  EXPECT_GT(timeOf(corridor(kFlight + "[profile.p]\nstairs_up = 0.5\n")), up + 10);
}

TEST(Stairs, RampsGoByTheirSlope) {
  EXPECT_DOUBLE_EQ(slopeFactor(0), 1);
  EXPECT_DOUBLE_EQ(slopeFactor(-0.05), 1);
  EXPECT_NEAR(slopeFactor(0.1), std::exp(-0.35), 1e-12);
  EXPECT_LT(slopeFactor(-0.3), 0.6);
  const std::string ramp = kFlight + "kind = 'ramp'\nslope = 0.1\n";
  EXPECT_NEAR(timeOf(corridor(ramp)) - timeOf(corridor("")), 10 / (1.4 * slopeFactor(0.1)) - 10 / 1.4, 1.0);
}

TEST(Stairs, BeltsCarryWhoStandsAndSpeedWhoWalks) {
  const double level = timeOf(corridor(""));
  const std::string walk = kFlight + "kind = 'walk'\nbelt = 0.5\n";
  EXPECT_NEAR(timeOf(corridor(walk)) - level, 10 / 0.5 - 10 / 1.4, 2.0);
  EXPECT_LT(timeOf(corridor(walk + "walking = 1\n")), level - 1);
  EXPECT_GT(timeOf(corridor(walk, false)), level + 2);
}

// A wall across the corridor with a gate in it.
std::string gated(const std::string& door, bool east = true) {
  std::string text = corridor("[[door]]\nid = 'gate'\nline = [[15, 1], [15, 2]]\n" + door, east);
  const std::string plan = "POLYGON ((0 0, 30 0, 30 3, 0 3, 0 0))";
  return text.replace(text.find(plan), plan.size(),
                      "POLYGON ((0 0, 14.9 0, 14.9 1, 15.1 1, 15.1 0, 30 0, 30 3, 15.1 3, 15.1 2, 14.9 2, 14.9 3, 0 3, "
                      "0 0))");
}

TEST(Gates, OneWayDoorsPassOneWay) {
  const ScratchRecording file;
  // The line leads north, so that its left is the west: forward is from east to west.
  const SimulationSummary west = simulated(gated("pass = 'forward'", false), file);
  EXPECT_EQ(west.left, 1U);
  EXPECT_EQ(west.outside, 0U);
  const SimulationSummary east = simulated(gated("pass = 'forward'", true), file);
  EXPECT_EQ(east.left, 0U);
  EXPECT_TRUE(says(east.warnings, "find no way to stage 'end'"));
  EXPECT_TRUE(says(east.warnings, "doors that pass the other way only count as walls"));
  EXPECT_EQ(simulated(gated("pass = 'both'", true), file).left, 1U);
}

TEST(Gates, TurnstilesTakeTheirTimeAndKeepTheirFlow) {
  const auto crowd = [](const std::string& door) {
    std::string text = gated(door, false);
    const std::string points = "points = [[28, 1.5]]";
    return text.replace(text.find(points), points.size(),
                        "area = [[20, 0.3], [28, 0.3], [28, 2.7], [20, 2.7]]\ncount = 20");
  };
  const ScratchRecording file;
  const SimulationSummary quick = simulated(crowd("pass = 'forward'"), file);
  EXPECT_EQ(quick.left, 20U);
  const SimulationSummary slow = simulated(crowd("pass = 'forward'\npass_time = 3"), file);
  EXPECT_EQ(slow.left, 20U);
  EXPECT_GT(slow.time, 19 * 3.0);
  EXPECT_GT(slow.time, quick.time + 10);
  const SimulationSummary limited = simulated(crowd("pass = 'forward'\nmax_flow = 0.25"), file);
  EXPECT_EQ(limited.left, 20U);
  EXPECT_GT(limited.time, 19 / 0.25);
  EXPECT_EQ(limited.outside, 0U);
}

TEST(Gates, ShutGatesPassNobodyUntilTheyOpen) {
  const ScratchRecording file;
  const SimulationSummary s = simulated(
      gated("pass = 'both'\nopen = false\n[[event]]\ntime = 40\naction = 'open'\ntarget = 'gate'", true), file);
  EXPECT_EQ(s.left, 1U);
  EXPECT_GT(s.time, 45);
}

// A queue of three slots and twelve persons: the line goes on behind the slots.
TEST(Queues, StayALineWhenTheyOverflow) {
  const ScratchRecording file;
  simulated(R"toml(format = 1
environment = "POLYGON ((0 0, 30 0, 30 10, 0 10, 0 0))"
end_time = 60
end_when = "time"
[[stage]]
id = "desk"
kind = "queue"
slots = [[25, 5], [24.3, 5], [23.6, 5]]
auto = false
[[journey]]
id = "out"
stages = ["desk"]
[[source]]
id = "in"
area = [[1, 1], [12, 1], [12, 9], [1, 9]]
count = 12
journey = "out"
)toml",
            file);
  const Result<Recording> recording = Recording::open(file.path());
  std::vector<Vec3> last;
  ASSERT_TRUE(recording
                  ->forEach([&](int64_t, std::span<const RecordedPosition> persons) {
                    last.clear();
                    for (const RecordedPosition& p : persons) last.push_back(p.place);
                    return true;
                  })
                  .ok());
  ASSERT_EQ(last.size(), 12U);
  double first = 30;
  double width = 0;
  for (const Vec3 p : last) {
    first = std::min(first, p.x);
    width = std::max(width, std::abs(p.y - 5));
  }
  EXPECT_LT(first, 25 - 9 * 0.6) << "twelve persons in a line take nine places more than three";
  EXPECT_LT(width, 1.0);
}

TEST(Smoke, SlowsByVisibilityAndBringsDownByDose) {
  const double clear = timeOf(corridor(""));
  const auto smoke = [](double visibility, double dose) {
    return fmt::format("[[smoke]]\nid = 'fire'\narea = [[10, 0], [20, 0], [20, 3], [10, 3]]\ntable = [[0, {}, {}]]\n",
                       visibility, dose);
  };
  EXPECT_DOUBLE_EQ(timeOf(corridor(smoke(5, 0))), clear);
  // 1.4 - 0.34 * 2 = 0.72 m/s over ten metres.
  EXPECT_NEAR(timeOf(corridor(smoke(1, 0))) - clear, 10 / 0.72 - 10 / 1.4, 1.0);
  const ScratchRecording file;
  const SimulationSummary breathed = simulated(corridor(smoke(5, 0.05)), file);
  EXPECT_EQ(breathed.left, 1U);
  EXPECT_NEAR(Recording::open(file.path())->persons()[0].fed, 0.05 * 10 / 1.4, 0.05);
  const SimulationSummary fell = simulated(corridor(smoke(5, 0.5)), file);
  EXPECT_EQ(fell.fallen, 1U);
  EXPECT_EQ(fell.left, 0U);
  EXPECT_EQ(fell.status, RunStatus::kEmpty);
  EXPECT_TRUE(says(fell.warnings, "fell in smoke"));
}

// Two floors of 3 m; the car stands in a room that both have. Nobody takes the stairs, and a small car goes more often.
TEST(Lifts, CarryPersonsBetweenFloors) {
  const auto text = [](int capacity) {
    return fmt::format(R"toml(format = 1
environment = "make:dormitory floors=2 rooms=4"
end_time = 400
[[source]]
id = "in"
layer = 1
area = [[4, 0.1], [8, 0.1], [8, 0.9], [4, 0.9]]
count = 6
journey = "down"
[[lift]]
id = "A"
area = [[2.5, -3.1], [4.3, -3.1], [4.3, -1.8], [2.5, -1.8]]
lobby = [3.4, -1.0]
floors = [0, 1]
capacity = {}
[[stage]]
id = "ride"
kind = "lift"
lift = "A"
layer = 1
to = 0
[[stage]]
id = "out"
kind = "exit"
area = [[8, 0], [9, 0], [9, 1], [8, 1]]
[[journey]]
id = "down"
stages = ["ride", "out"]
)toml",
                       capacity);
  };
  double times[2];
  for (const int capacity : {2, 6}) {
    const ScratchRecording file;
    const SimulationSummary s = simulated(text(capacity), file);
    EXPECT_EQ(s.left, 6U) << capacity;
    EXPECT_EQ(s.outside, 0U);
    times[capacity == 2 ? 0 : 1] = s.time;
    const Result<Recording> recording = Recording::open(file.path());
    bool stairs = false;
    ASSERT_TRUE(recording
                    ->forEach([&](int64_t, std::span<const RecordedPosition> persons) {
                      for (const RecordedPosition& p : persons) stairs |= p.layer == 2;
                      return true;
                    })
                    .ok());
    EXPECT_FALSE(stairs);
  }
  // Three rides instead of one, and two empty ones between them, of 3 m at 1 m/s with doors of 3 s.
  EXPECT_GT(times[0], times[1] + 2 * 2 * 9.0 - 5);
  EXPECT_FALSE(parseScenario(text(0), "t").ok());
}

TEST(Profiles, PresetsAreSlowerThanAdults) {
  std::map<std::string, double> speeds;
  for (const char* name : {"adult", "child", "elderly", "wheelchair", "assisted"}) {
    const Result<Scenario> scenario = parseScenario(corridor(fmt::format("[profile.p]\nlike = '{}'\n", name)), "t");
    ASSERT_TRUE(scenario.ok()) << scenario.error().message;
    speeds[name] = scenario->profiles[0].freeSpeed.a;
  }
  EXPECT_LT(speeds["child"], speeds["adult"]);
  EXPECT_LT(speeds["elderly"], speeds["adult"]);
  EXPECT_LT(speeds["wheelchair"], speeds["assisted"]);
  const Result<Scenario> own = parseScenario(corridor("[profile.p]\nlike = 'wheelchair'\nfree_speed = 1.1\n"), "t");
  EXPECT_EQ(own->profiles[0].freeSpeed.a, 1.1);
  EXPECT_EQ(own->profiles[0].radius.a, 0.4);
  EXPECT_FALSE(parseScenario(corridor("[profile.p]\nlike = 'robot'\n"), "t").ok());
}

}  // namespace
}  // namespace wend
