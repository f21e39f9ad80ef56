#include <numbers>

#include <fmt/format.h>

#include "tests/crowd/crowd_world.h"

// What crowds of each method do, against what people do. The table in docs/local-movement.md has the figures that these
// tests print.
namespace wend {
namespace {

struct Variant {
  AvoidMethod method;
  bool stream = false;
  std::string name() const { return fmt::format("{}{}", methodName(method), stream ? "_stream" : ""); }
  bool is(std::initializer_list<AvoidMethod> methods) const {
    return std::find(methods.begin(), methods.end(), method) != methods.end();
  }
};

CrowdProfile profileOf(const Variant& variant) {
  CrowdProfile profile;
  profile.avoid = variant.method;
  profile.stream = variant.stream;
  profile.follow = FollowMethod::kWaypoints;  // straight to a goal in sight: corridors pull nobody to a line
  return profile;
}

AgentStart startAt(Vec2 at, Vec2 goal) {
  AgentStart start;
  start.at = {at.x, at.y, 0};
  start.goal = {goal.x, goal.y, 0};
  return start;
}

class ValidationSlow : public testing::TestWithParam<Variant> {};

void say(const std::string& line) {
  fmt::print("{}\n", line);
}

// Everybody on a circle goes to the opposite side.
struct CircleResult {
  size_t arrived = 0;
  double time = 0;
  double deepest = 0;
};

CircleResult exchange(const Variant& variant, int n, double radius) {
  Crowd crowd = crowdOn(navigatorOf(built(room(-12, -12, 12, 12))), profileOf(variant));
  for (int k = 0; k < n; ++k) {
    const double angle = 2 * std::numbers::pi * k / n;
    const Vec2 at{radius * std::cos(angle), radius * std::sin(angle)};
    EXPECT_TRUE(crowd.add(startAt(at, {-at.x, -at.y})).ok());
  }
  CircleResult result;
  const Threads one(1);
  while (crowd.time() < 120 && result.arrived < static_cast<size_t>(n)) {
    crowd.step(one, [&](Crowd&, const CrowdEvent& event) {
      if (event.kind == CrowdEventKind::kGoalReached) ++result.arrived;
    });
    result.deepest = std::max(result.deepest, crowd.deepestOverlap());
  }
  result.time = crowd.time();
  return result;
}

TEST_P(ValidationSlow, AntipodalCircle) {
  const Variant& variant = GetParam();
  for (const auto& [n, radius] : {std::pair{8, 4.0}, {24, 8.0}, {40, 10.0}}) {
    const CircleResult result = exchange(variant, n, radius);
    say(fmt::format("circle {:14} n {:2}: {} arrived, {:5.1f} s, deepest overlap {:.1f} %", variant.name(), n,
                    result.arrived, result.time, 100 * result.deepest / 0.48));
    EXPECT_LT(result.deepest, 0.1 * 0.48) << variant.name();
    EXPECT_EQ(result.arrived, static_cast<size_t>(n)) << variant.name();
  }
}

// Moussaid's corridor: 16 x 4 m without ends, half of 60 people each way.
double laneOrder(const Crowd& crowd, const std::vector<bool>& right) {
  std::array<std::array<double, 2>, 8> rows{};
  std::array<double, 2> all{};
  for (const AgentState& agent : crowd.agents()) {
    const auto row = static_cast<size_t>(std::clamp(agent.position.y / 0.5, 0.0, 7.0));
    const size_t way = right[agent.id] ? 1 : 0;
    ++rows[row][way];
    ++all[way];
  }
  double order = 0;
  double mixed = 0;
  for (const auto& row : rows) {
    const double n = row[0] + row[1];
    if (n == 0) continue;
    const double d = (row[1] - row[0]) / n;
    order += n * d * d;
    mixed += 1;  // a shuffled row of n has 1 / n in the mean
  }
  const double n = all[0] + all[1];
  return (order / n - mixed / n) / (1 - mixed / n);
}

struct LaneResult {
  double order = 0;
  double speed = 0;
};

LaneResult walkBothWays(const Variant& variant, uint64_t seed) {
  CrowdSettings settings;
  settings.periodicFrom = 0;
  settings.periodicTo = 16;
  Crowd crowd = crowdOn(navigatorOf(built(room(-60, 0, 76, 4))), profileOf(variant), settings);
  Random random(seed);
  std::vector<bool> right;
  for (int k = 0; k < 60; ++k) {
    const Vec2 at{0.8 + 1.06 * (k % 15) + random.real(-0.2, 0.2), 0.6 + 0.9 * (k / 15) + random.real(-0.15, 0.15)};
    const bool toRight = random.chance(0.5);
    AgentStart start = startAt(at, {toRight ? 75.0 : -59.0, 2});
    start.speed = random.real(1.1, 1.5);
    EXPECT_TRUE(crowd.add(start).ok());
    right.push_back(toRight);
  }
  LaneResult result;
  for (int frame = 0; frame < 600; ++frame) {
    crowd.step(Threads(1));
    if (frame < 300 || frame % 10 != 0) continue;
    result.order += laneOrder(crowd, right) / 30;
    double sum = 0;
    for (const AgentState& agent : crowd.agents()) sum += agent.velocity.x * (right[agent.id] ? 1 : -1);
    result.speed += sum / 60 / 30;
  }
  return result;
}

// Which lanes form is chance: the mean of a few starts counts.
TEST_P(ValidationSlow, LanesFormInACorridor) {
  const Variant& variant = GetParam();
  std::string line = fmt::format("lanes {:14}: order and forward speed in 30-60 s", variant.name());
  LaneResult mean;
  constexpr int kStarts = 4;
  for (uint64_t seed = 31; seed < 31 + kStarts; ++seed) {
    const LaneResult result = walkBothWays(variant, seed);
    line += fmt::format(" {:.2f} {:.2f},", result.order, result.speed);
    mean.order += result.order / kStarts;
    mean.speed += result.speed / kStarts;
  }
  say(line + fmt::format(" mean {:.2f} {:.2f} m/s", mean.order, mean.speed));
  // Without streams, vision-based crowds of this density may lock for good.
  const bool lanes = variant.stream || variant.is({AvoidMethod::kKaramouzas, AvoidMethod::kOrca});
  EXPECT_GT(mean.order, lanes ? 0.6 : -0.2) << variant.name();
  EXPECT_GT(mean.speed, lanes ? 1.0 : 0.1) << variant.name();
}

struct DoorResult {
  size_t through = 0;
  double flow = 0;  // persons per second and metre, of the 20th to the 100th
  double longestGap = 0;
  double deepest = 0;
  double time = 0;
};

DoorResult leave(const Variant& variant, double width, size_t people = 120) {
  Crowd crowd = crowdOn(navigatorOf(built(doorRooms(width))), profileOf(variant));
  Random random(32);
  for (size_t k = 0; k < people; ++k) {
    const double x = -9.4 + 0.6 * static_cast<double>(k % 12) + random.real(-0.05, 0.05);
    const double y = -4.2 + 0.84 * static_cast<double>(k / 12) + random.real(-0.05, 0.05);
    AgentStart start = startAt({x, y}, {8, 0});
    start.goalRadius = 3;
    start.speed = 1.34;
    EXPECT_TRUE(crowd.add(start).ok());
  }
  DoorResult result;
  std::vector<double> crossings;
  std::vector<bool> passed(people, false);
  const Threads one(1);
  while (crowd.time() < 240 && crowd.size() > 0) {
    crowd.step(one, [&](Crowd& c, const CrowdEvent& event) {
      if (event.kind == CrowdEventKind::kGoalReached) c.remove(event.agent);
    });
    for (const AgentState& agent : crowd.agents()) {
      if (agent.position.x < 0 || passed[agent.id]) continue;
      passed[agent.id] = true;
      if (!crossings.empty()) result.longestGap = std::max(result.longestGap, crowd.time() - crossings.back());
      crossings.push_back(crowd.time());
    }
    result.deepest = std::max(result.deepest, crowd.deepestOverlap());
  }
  result.through = crossings.size();
  if (crossings.size() > 100) result.flow = 80 / (crossings[99] - crossings[19]) / width;
  result.time = crowd.time();
  return result;
}

TEST_P(ValidationSlow, DoorFlow) {
  const Variant& variant = GetParam();
  for (const double width : {0.9, 1.2, 2.4}) {
    const DoorResult result = leave(variant, width);
    say(fmt::format(
        "door {:14} {:.1f} m: {} of 120 out in {:5.1f} s, {:.2f} persons/(m s), longest gap {:.1f} s, deepest "
        "overlap {:.1f} %",
        variant.name(), width, result.through, result.time, result.flow, result.longestGap,
        100 * result.deepest / 0.48));
    EXPECT_LT(result.deepest, 0.1 * 0.48) << variant.name() << ' ' << width;
    // Predictive forces keep people too far apart for doors.
    if (variant.is({AvoidMethod::kPredictive})) continue;
    EXPECT_EQ(result.through, 120U) << variant.name() << ' ' << width;
    EXPECT_LT(result.longestGap, 10) << variant.name() << ' ' << width;
    if (variant.is({AvoidMethod::kVision, AvoidMethod::kOrca, AvoidMethod::kSocialForce}) && width < 2) {
      // Social forces keep a distance of their own beside headway.
      const bool isLow = width < 1 || variant.is({AvoidMethod::kSocialForce});
      EXPECT_GT(result.flow, isLow ? 0.8 : 1) << variant.name() << ' ' << width;
      EXPECT_LT(result.flow, 2) << variant.name() << ' ' << width;
      EXPECT_LT(result.deepest, 0.05 * 0.48) << variant.name() << ' ' << width;
    }
  }
}

// A strip of 30 x 3 m without ends, all one way.
double strip(const Variant& variant, double density) {
  CrowdSettings settings;
  settings.periodicFrom = 0;
  settings.periodicTo = 30;
  Crowd crowd = crowdOn(navigatorOf(built(room(-12, 0, 92, 3))), profileOf(variant), settings);
  Random random(33);
  const int rows = density <= 1 ? 3 : (density <= 2 ? 4 : (density <= 3 ? 5 : 6));
  const int columns = static_cast<int>(std::lround(density * 90 / rows));
  for (int k = 0; k < rows * columns; ++k) {
    const double room = 30.0 / columns;
    const double jitter = std::max(0.0, std::min(0.3, (room - 0.5) / 2));
    const double x = (k % columns + 0.5) * room + random.real(-jitter, jitter);
    const double y = 0.25 + 2.5 * (k / columns) / (rows - 1);
    AgentStart start = startAt({x, y}, {91, 1.5});
    start.speed = 1.34;
    EXPECT_TRUE(crowd.add(start).ok());
  }
  double speed = 0;
  int samples = 0;
  for (int frame = 0; frame < 900; ++frame) {
    crowd.step(Threads(1));
    if (frame < 600) continue;
    double sum = 0;
    for (const AgentState& agent : crowd.agents()) sum += agent.velocity.x;
    speed += sum / static_cast<double>(crowd.size());
    ++samples;
  }
  return speed / samples;
}

double weidmann(double density) {
  return 1.34 * (1 - std::exp(-1.913 * (1 / density - 1 / 5.4)));
}

TEST_P(ValidationSlow, SpeedFallsWithDensity) {
  const Variant& variant = GetParam();
  std::string line = fmt::format("strip {:14}:", variant.name());
  double squares = 0;
  double last = 10;
  for (const double density : {0.5, 1.0, 2.0, 3.0, 4.0}) {
    const double speed = strip(variant, density);
    line += fmt::format(" {:.2f} ({:.2f})", speed, weidmann(density));
    squares += (speed - weidmann(density)) * (speed - weidmann(density));
    // People who keep 1 m of personal space hold each other up most where they just begin to notice each other.
    EXPECT_TRUE(speed < last + 0.05 || variant.is({AvoidMethod::kPredictive})) << variant.name() << ' ' << density;
    last = speed;
  }
  say(line + fmt::format("; RMS {:.2f} m/s", std::sqrt(squares / 5)));
}

INSTANTIATE_TEST_SUITE_P(Methods, ValidationSlow,
                         testing::Values(Variant{AvoidMethod::kVision}, Variant{AvoidMethod::kVision, true},
                                         Variant{AvoidMethod::kKaramouzas}, Variant{AvoidMethod::kPredictive},
                                         Variant{AvoidMethod::kPowerLaw}, Variant{AvoidMethod::kOrca},
                                         Variant{AvoidMethod::kSocialForce}, Variant{AvoidMethod::kSpeed}),
                         [](const auto& tested) {
                           std::string name = tested.param.name();
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace wend
