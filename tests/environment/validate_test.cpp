#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <string>

#include <wend/environment.h>

#include <gtest/gtest.h>

#include "tests/environment/hand_made.h"

namespace wend {
namespace {

std::string listed(const std::vector<Violation>& found) {
  std::string text;
  for (const Violation& v : found) text += std::string(violationName(v.kind)) + ": " + v.message + "\n";
  return text;
}

// Exactly this kind, once, at this place (lattice units).
void expectOne(const Environment& world, ViolationKind kind, Vec2 place, uint32_t layer) {
  const std::vector<Violation> found = validate(world);
  ASSERT_EQ(found.size(), 1U) << listed(found);
  EXPECT_STREQ(violationName(found[0].kind), violationName(kind));
  EXPECT_NEAR(found[0].place.x, place.x * world.lattice.unit, 1e-12) << found[0].message;
  EXPECT_NEAR(found[0].place.y, place.y * world.lattice.unit, 1e-12) << found[0].message;
  EXPECT_EQ(found[0].layer, layer);
  EXPECT_FALSE(found[0].message.empty());
}

bool has(const Environment& world, ViolationKind kind) {
  for (const Violation& v : validate(world)) {
    if (v.kind == kind) return true;
  }
  return false;
}

Environment room() {
  return environmentOf({layerOf(0, {{box(0, 0, 30, 30), {hole(10, 10, 20, 20)}}})});
}

TEST(ValidateTest, SoundWorldsHaveNoViolation) {
  for (const Environment& world : {Environment{}, room(), twoRooms(), quadrants(true), quadrants(false), spiral(3),
                                   bridgeAndTunnel(), platform()}) {
    EXPECT_TRUE(validate(world).empty()) << listed(validate(world));
  }
}

TEST(ValidateTest, NamesAreUnique) {
  std::set<std::string> names;
  for (int k = 0; k <= static_cast<int>(ViolationKind::kTruth); ++k) {
    EXPECT_TRUE(names.insert(violationName(static_cast<ViolationKind>(k))).second);
  }
  EXPECT_FALSE(names.contains("unknown"));
}

TEST(ValidateTest, RingTooShort) {
  Environment world = room();
  world.layers[0].free[0].holes[0].resize(2);
  EXPECT_TRUE(has(world, ViolationKind::kRingTooShort));
}

TEST(ValidateTest, RepeatedPoint) {
  Environment world = room();
  world.layers[0].free[0].outer.push_back({0, 30});
  EXPECT_TRUE(has(world, ViolationKind::kRepeatedPoint));
}

TEST(ValidateTest, OutsideLattice) {
  Environment world = room();
  world.layers[0].free[0].outer[1].x = kMaxCoordinate + 1;
  EXPECT_TRUE(has(world, ViolationKind::kOutsideLattice));
}

TEST(ValidateTest, Crossing) {
  Environment world = room();
  world.layers[0].free[0].outer = {{0, 0}, {30, 0}, {0, 30}, {30, 30}};
  EXPECT_TRUE(has(world, ViolationKind::kCrossing));
}

TEST(ValidateTest, VertexOnEdge) {
  Environment world = room();
  world.layers[0].free[0].holes[0] = {{0, 10}, {10, 12}, {10, 8}};
  EXPECT_TRUE(has(world, ViolationKind::kVertexOnEdge));
}

TEST(ValidateTest, Orientation) {
  Environment world = room();
  std::swap(world.layers[0].free[0].outer[1], world.layers[0].free[0].outer[3]);
  EXPECT_TRUE(has(world, ViolationKind::kOrientation));
}

TEST(ValidateTest, Nesting) {
  Environment world = room();
  world.layers[0].free[0].holes.push_back(hole(40, 40, 50, 50));
  EXPECT_TRUE(has(world, ViolationKind::kNesting));
}

// Two squares that touch in a point, walked as one ring across the point.
TEST(ValidateTest, BoundaryWalk) {
  Environment world = room();
  world.layers[0].free[0] = {{{0, 0}, {9, 0}, {9, 9}, {18, 9}, {18, 18}, {9, 18}, {9, 9}, {0, 9}}, {}};
  EXPECT_TRUE(has(world, ViolationKind::kBoundaryWalk));
}

TEST(ValidateTest, RegionsAreChecked) {
  Environment world = room();
  world.layers[0].regions.push_back({"grass", {{{{0, 0}, {0, 5}, {5, 0}}, {}}}});
  EXPECT_TRUE(has(world, ViolationKind::kOrientation));
  EXPECT_NE(validate(world)[0].message.find("grass"), std::string::npos);
}

TEST(ValidateTest, ConnectionLayers) {
  Environment world = twoRooms();
  for (const auto& [a, b] : {std::pair(0U, 0U), std::pair(1U, 0U), std::pair(0U, 2U), std::pair(7U, 9U)}) {
    world.connections[0].layerA = a;
    world.connections[0].layerB = b;
    expectOne(world, ViolationKind::kConnectionLayers, {10, 4}, kNone);
  }
}

TEST(ValidateTest, ConnectionTooShort) {
  Environment world = twoRooms();
  world.connections[0].line = {{10, 4}};
  expectOne(world, ViolationKind::kConnectionTooShort, {10, 4}, 0);
  world.connections[0].line = {};
  expectOne(world, ViolationKind::kConnectionTooShort, {0, 0}, 0);
  world.connections[0].line = {{10, 4}, {10, 6}, {10, 6}};
  expectOne(world, ViolationKind::kConnectionTooShort, {10, 6}, 0);
  world.connections[0].line = {{10, 4}, {10, 6}, {10, 4}};
  expectOne(world, ViolationKind::kConnectionTooShort, {10, 4}, 0);
}

TEST(ValidateTest, ConnectionOffBoundary) {
  Environment world = twoRooms();
  world.connections[0].line = {{10, 4}, {10, 10}};
  expectOne(world, ViolationKind::kConnectionOffBoundary, {10, 7}, 0);
  world = twoRooms();
  world.layers[1].free[0].outer.pop_back();
  expectOne(world, ViolationKind::kConnectionOffBoundary, {10, 5}, 1);
}

TEST(ValidateTest, ConnectionAgainstTheWalk) {
  Environment world = twoRooms();
  std::swap(world.connections[0].line[0], world.connections[0].line[1]);
  expectOne(world, ViolationKind::kConnectionOffBoundary, {10, 5}, 0);
}

TEST(ValidateTest, ConnectionFolded) {
  Environment world = twoRooms();
  world.layers[1].free = world.layers[0].free;
  expectOne(world, ViolationKind::kConnectionFolded, {10, 5}, 0);
}

// A pillar stands with one corner on the inner point of the door.
TEST(ValidateTest, ConnectionObstacle) {
  const Environment world =
      environmentOf({layerOf(0, {{{{0, 0}, {10, 0}, {10, 5}, {10, 10}, {0, 10}}, {}}}),
                     layerOf(1, {{{{10, 0}, {20, 0}, {20, 10}, {10, 10}, {10, 5}, {13, 7}, {13, 3}, {10, 5}}, {}}})},
                    {{0, 1, {{10, 0}, {10, 5}, {10, 10}}}});
  expectOne(world, ViolationKind::kConnectionObstacle, {10, 5}, 0);
}

// The same pillar where a line around a ring begins and ends: there it stays an obstacle.
TEST(ValidateTest, ClosedConnectionMayEndAtAnObstacle) {
  Environment world = platform();
  world.layers[1].free[0].outer = {{10, 10}, {20, 10}, {20, 20}, {10, 20}, {10, 10}, {12, 16}, {16, 12}};
  EXPECT_TRUE(validate(world).empty()) << listed(validate(world));
  EXPECT_EQ(topology(world).boundaries, 2U);
}

TEST(ValidateTest, ConnectionShared) {
  Environment world = twoRooms();
  world.connections.push_back(world.connections[0]);
  expectOne(world, ViolationKind::kConnectionShared, {10, 5}, 0);
}

// Two layers above each other claim the same edge of a third.
TEST(ValidateTest, ConnectionSharedByThreeLayers) {
  Environment world = twoRooms();
  world.layers.push_back(layerOf(2, world.layers[1].free));
  world.connections.push_back({0, 2, world.connections[0].line});
  expectOne(world, ViolationKind::kConnectionShared, {10, 5}, 0);
}

TEST(ValidateTest, ConnectionSplit) {
  Environment world =
      environmentOf({layerOf(0, {{{{0, 0}, {10, 0}, {10, 2}, {10, 4}, {10, 6}, {10, 10}, {0, 10}}, {}}}),
                     layerOf(1, {{{{10, 0}, {20, 0}, {20, 10}, {10, 10}, {10, 6}, {10, 4}, {10, 2}}, {}}})},
                    {{0, 1, {{10, 4}, {10, 6}}}, {0, 1, {{10, 2}, {10, 4}}}});
  expectOne(world, ViolationKind::kConnectionSplit, {10, 4}, 0);
}

// Two turns of a spiral whose last layer leads back to the first: around the core the surface winds twice.
TEST(ValidateTest, Winding) {
  Environment world = spiral(2);
  world.connections.push_back({0, 7, {{0, 0}, {9, 0}}});
  expectOne(world, ViolationKind::kWinding, {0, 0}, 0);
  EXPECT_NE(validate(world)[0].message.find("2 times"), std::string::npos);
}

// The same at a core whose corners are cut in all directions, so that no edge runs along an axis.
TEST(ValidateTest, WindingOfSlantedCorners) {
  const std::vector<Point> tips{{7, 3}, {-2, 8}, {-6, 1}, {-3, -9}, {5, -4}};
  const auto world = [&](uint32_t turns) {
    Environment result;
    const auto n = static_cast<uint32_t>(tips.size());
    for (uint32_t i = 0; i < turns * n; ++i) {
      result.layers.push_back(layerOf(static_cast<int32_t>(i), {{{{0, 0}, tips[i % n], tips[(i + 1) % n]}, {}}}));
      if (i > 0) result.connections.push_back({i - 1, i, {tips[i % n], {0, 0}}});
    }
    result.connections.push_back({0, turns * n - 1, {{0, 0}, tips[0]}});
    return result;
  };
  EXPECT_TRUE(validate(world(1)).empty()) << listed(validate(world(1)));
  expectOne(world(3), ViolationKind::kWinding, {0, 0}, 0);
  EXPECT_NE(validate(world(3))[0].message.find("3 times"), std::string::npos);
}

TEST(ValidateTest, Heights) {
  const auto broken = [](const std::function<void(HeightField&)>& change) {
    Environment world = room();
    world.layers[0].heights.points = {{0, 0}, {30, 0}, {30, 30}};
    world.layers[0].heights.z = {0, 1, 2};
    world.layers[0].heights.triangles = {{0, 1, 2}};
    EXPECT_TRUE(validate(world).empty());
    change(world.layers[0].heights);
    return has(world, ViolationKind::kHeights);
  };
  EXPECT_TRUE(broken([](HeightField& f) { f.triangles[0] = {0, 1, 3}; }));
  EXPECT_TRUE(broken([](HeightField& f) { f.triangles[0] = {0, 2, 1}; }));
  EXPECT_TRUE(broken([](HeightField& f) { f.triangles[0] = {0, 0, 1}; }));
  EXPECT_TRUE(broken([](HeightField& f) { f.z.pop_back(); }));
  EXPECT_TRUE(broken([](HeightField& f) { f.z[1] = std::numeric_limits<double>::quiet_NaN(); }));
  EXPECT_TRUE(broken([](HeightField& f) { f.base = std::numeric_limits<double>::infinity(); }));
  EXPECT_TRUE(broken([](HeightField& f) { f.points[1].x = std::numeric_limits<int32_t>::min(); }));
}

TEST(ValidateTest, HeightJump) {
  Environment world = twoRooms();
  world.layers[1].heights.base = kMaxHeightJump;
  EXPECT_TRUE(validate(world).empty());
  world.layers[1].heights.base = kMaxHeightJump + 1e-9;
  expectOne(world, ViolationKind::kHeightJump, {10, 4}, 0);
}

// A ramp that meets the floor at one end of the door and is too high at the other.
TEST(ValidateTest, HeightJumpAlongARamp) {
  Environment world = twoRooms();
  HeightField& ramp = world.layers[1].heights;
  ramp.points = {{10, 0}, {20, 0}, {20, 10}, {10, 10}};
  ramp.z = {-4, -4, 16, 16};  // 4 at y = 4, 8 at y = 6
  ramp.triangles = {{0, 1, 2}, {0, 2, 3}};
  world.layers[0].heights.base = 4.5;
  expectOne(world, ViolationKind::kHeightJump, {10, 6}, 0);
}

TEST(ValidateTest, DuplicateLayer) {
  Environment world = twoRooms();
  world.layers[1].id = 0;
  expectOne(world, ViolationKind::kDuplicateLayer, {10, 0}, 1);
}

TEST(ValidateTest, Unit) {
  Environment world = room();
  for (const double unit : {0.0, 2.0, -1e-4, std::numeric_limits<double>::quiet_NaN()}) {
    world.lattice.unit = unit;
    ASSERT_EQ(validate(world).size(), 1U);
    EXPECT_EQ(validate(world)[0].kind, ViolationKind::kUnit);
  }
}

TEST(ValidateTest, Truth) {
  Environment world = twoRooms();
  world.truth = topology(world);
  EXPECT_TRUE(validate(world).empty());
  world.truth->boundaries = 2;
  expectOne(world, ViolationKind::kTruth, {0, 0}, kNone);
}

TEST(ValidateTest, StopsAtTheLimit) {
  Environment world = twoRooms();
  for (int i = 0; i < 50; ++i) world.connections.push_back(world.connections[0]);
  EXPECT_EQ(validate(world, 7).size(), 7U);
  EXPECT_EQ(validate(world, 0).size(), 0U);
}

}  // namespace
}  // namespace wend
