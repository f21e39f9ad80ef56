#include <cmath>
#include <numbers>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/environment/extract/hand_made.h"

// Each turn of a spiral ends where it begins in top view, and must not touch itself there: every turn gives way a
// little more than the one below it.
namespace wend {
namespace {

struct Spiral {
  int sides = 16;
  int turns = 30;
  int starts = 1;  // ramps that wind around each other
  double rise = 2.5;
  double inner = 2;
  double outer = 4;

  double ring() const { return 0.5 * sides * std::sin(2 * std::numbers::pi / sides) * (outer * outer - inner * inner); }
};

Scene sceneOf(const Spiral& spiral) {
  testing::SceneMaker maker;
  for (int start = 0; start < spiral.starts; ++start) {
    const auto at = [&](double radius, int i) {
      const double angle = 2 * std::numbers::pi * i / spiral.sides;
      const double z =
          spiral.rise * (static_cast<double>(i) / spiral.sides + static_cast<double>(start) / spiral.starts);
      return Vec3{radius * std::cos(angle), radius * std::sin(angle), z};
    };
    for (int i = 0; i < spiral.sides * spiral.turns; ++i) {
      maker.quad(at(spiral.inner, i), at(spiral.outer, i), at(spiral.outer, i + 1), at(spiral.inner, i + 1));
    }
  }
  return maker.scene;
}

double lengthOf(const Environment& environment, const Connection& c) {
  double sum = 0;
  for (size_t i = 0; i + 1 < c.line.size(); ++i) {
    sum += std::hypot(double(c.line[i + 1].x) - c.line[i].x, double(c.line[i + 1].y) - c.line[i].y);
  }
  return sum * environment.lattice.unit;
}

// What must come out: one layer for each turn of each ramp, and as wide as the ramp where they meet.
struct Turns {
  std::string name;
  uint32_t turns = 0;
  uint32_t ramps = 1;
  double width = 2;
  double area = 0;  // of one turn
};

void expectTurns(const Scene& scene, const Turns& expected) {
  const std::string& name = expected.name;
  const Result<Extraction> result = extract(scene, {});
  ASSERT_TRUE(result.ok()) << name << ": " << result.error().message;
  const Environment& environment = result->environment;
  for (const Violation& v : validate(environment, 3)) ADD_FAILURE() << name << ": " << v.message;
  for (const ExtractSpot& spot : result->report.spots) ADD_FAILURE() << name << ": " << spot.reason;
  const uint32_t layers = expected.ramps * expected.turns;
  const Topology t = topology(environment);
  EXPECT_EQ(t.components, expected.ramps) << name;
  EXPECT_EQ(t.boundaries, expected.ramps) << name;
  EXPECT_EQ(environment.layers.size(), layers) << name;
  EXPECT_EQ(environment.connections.size(), layers - expected.ramps) << name;
  for (const Connection& c : environment.connections) {
    EXPECT_NEAR(lengthOf(environment, c), expected.width, 0.01) << name;
  }
  // A strip of 1 mm for each turn; slanting ends make it a little longer or shorter.
  const double lost = layers * expected.area - environment.lattice.area(t.doubledArea);
  EXPECT_NEAR(lost, layers * 0.001 * expected.width, layers * 2e-4 * expected.width) << name;
}

void expectTurns(const Spiral& spiral, double degrees) {
  const std::string name =
      fmt::format("{} ramps of {} turns of {} sides at {}", spiral.starts, spiral.turns, spiral.sides, degrees);
  expectTurns(testing::rotated(sceneOf(spiral), degrees),
              {name, static_cast<uint32_t>(spiral.turns), static_cast<uint32_t>(spiral.starts),
               spiral.outer - spiral.inner, spiral.ring()});
}

TEST(SpiralTurns, OfManyTurns) {
  for (const double degrees : {0.0, 17.0, 61.7}) expectTurns({.turns = 30}, degrees);
  expectTurns({.sides = 12, .turns = 30}, 17);
  expectTurns({.turns = 100}, 123.4);
}

// What is given way crosses several faces in the end.
TEST(SpiralTurns, OfManyShortFaces) {
  for (const double degrees : {0.0, 33.3}) expectTurns({.sides = 192, .turns = 150}, degrees);
}

TEST(SpiralTurns, OfFourSides) {
  for (const double degrees : {0.0, 33.3}) expectTurns({.sides = 4, .turns = 30}, degrees);
}

// Level landings in the corners of a square shaft, and between them flights of stairs or ramps.
Scene stairwell(int turns, int steps) {
  constexpr double kLanding = 2;
  constexpr double kFlight = 3;
  constexpr double kRise = 0.75;
  testing::SceneMaker maker;
  for (int flight = 0; flight < 4 * turns; ++flight) {
    // Turned by a quarter for each flight, about the middle of the shaft.
    const auto at = [&](double x, double y, double z) {
      const double far = 0.5 * kFlight + kLanding;
      Vec3 p{x - far, y - far, kRise * flight + z};
      for (int i = 0; i < flight % 4; ++i) p = {-p.y, p.x, p.z};
      return p;
    };
    const auto part = [&](double x0, double x1, double z0, double z1) {
      maker.quad(at(x0, 0, z0), at(x1, 0, z1), at(x1, kLanding, z1), at(x0, kLanding, z0));
    };
    part(0, kLanding, 0, 0);
    if (steps == 0) part(kLanding, kLanding + kFlight, 0, kRise);
    for (int i = 0; i < steps; ++i) {
      const double z = kRise * (i + 1) / (steps + 1);
      part(kLanding + kFlight * i / steps, kLanding + kFlight * (i + 1) / steps, z, z);
    }
  }
  return maker.scene;
}

TEST(SpiralTurns, OfFlightsAndLandings) {
  for (const int steps : {0, 12}) {
    for (const double degrees : {0.0, 17.0}) {
      const std::string name = fmt::format("flights of {} steps at {}", steps, degrees);
      expectTurns(testing::rotated(stairwell(30, steps), degrees), {.name = name, .turns = 30, .area = 40});
    }
  }
}

TEST(SpiralTurns, OfTwoRamps) {
  for (const double degrees : {0.0, 17.0}) expectTurns({.turns = 20, .starts = 2, .rise = 5}, degrees);
}

}  // namespace
}  // namespace wend
