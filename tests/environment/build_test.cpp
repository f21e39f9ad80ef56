#include <cmath>
#include <limits>
#include <string>
#include <thread>

#include <wend/environment.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "tests/environment/hand_made.h"

namespace wend {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<Vec2> rectangle(double x0, double y0, double x1, double y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

LayerDraft room(int32_t id, double x0, double y0, double x1, double y1) {
  LayerDraft layer;
  layer.id = id;
  layer.walkable = {{rectangle(x0, y0, x1, y1)}};
  return layer;
}

EnvironmentDraft oneRoom() {
  EnvironmentDraft draft;
  draft.layers = {room(0, 0, 0, 10, 10)};
  return draft;
}

// Two plain rectangles side by side, with a connection drawn on their common side.
EnvironmentDraft twoRectangles() {
  EnvironmentDraft draft;
  draft.layers = {room(0, 0, 0, 10, 10), room(1, 10, 0, 20, 10)};
  draft.connections = {{0, 1, {{10, 4}, {10, 6}}}};
  return draft;
}

Environment built(const EnvironmentDraft& draft, std::vector<std::string>* notes = nullptr) {
  Context context;
  if (notes != nullptr) context.onNote = [&](std::string_view note) { notes->emplace_back(note); };
  Result<Environment> environment = buildEnvironment(draft, context);
  EXPECT_TRUE(environment.ok()) << environment.error().message;
  if (!environment.ok()) return {};
  for (const Violation& v : validate(*environment)) ADD_FAILURE() << v.message;
  return *environment;
}

// The error's code, and that its sentence has all these words.
void expectError(const EnvironmentDraft& draft, ErrorCode code, const std::vector<std::string>& words = {}) {
  const Result<Environment> environment = buildEnvironment(draft);
  ASSERT_FALSE(environment.ok());
  EXPECT_STREQ(errorName(environment.error().code), errorName(code)) << environment.error().message;
  for (const std::string& word : words) {
    EXPECT_NE(environment.error().message.find(word), std::string::npos) << environment.error().message;
  }
}

double area(const Environment& environment) {
  return environment.lattice.area(topology(environment).doubledArea);
}

// --- Layers ---------------------------------------------------------------------------------------------------------

TEST(BuildTest, NothingWalkable) {
  expectError({}, ErrorCode::kEmpty);
  EnvironmentDraft draft = oneRoom();
  draft.layers[0].walkable.clear();
  expectError(draft, ErrorCode::kEmpty);
  draft.layers[0].walkable = {{{}}, {{{1, 1}}}, {{{1, 1}, {2, 2}}}, {{{1, 1}, {2, 2}, {3, 3}}}};
  expectError(draft, ErrorCode::kEmpty);
  draft = oneRoom();
  draft.layers[0].obstacles = {{rectangle(-1, -1, 11, 11)}};
  expectError(draft, ErrorCode::kEmpty);
}

TEST(BuildTest, BadNumbers) {
  EnvironmentDraft draft = oneRoom();
  draft.layers[0].obstacles = {{rectangle(1, 1, 2, 2)}, {{{1, 1}, {kNaN, 2}, {3, 3}}}};
  expectError(draft, ErrorCode::kOutsideLattice, {"layer 0", "obstacle polygon 1"});
  draft.layers[0].obstacles = {{rectangle(1, 1, 1e9, 2)}};
  expectError(draft, ErrorCode::kOutsideLattice, {"coarser unit"});
  draft = oneRoom();
  draft.layers[0].height = kNaN;
  expectError(draft, ErrorCode::kInvalidGeometry, {"layer 0"});
  draft = oneRoom();
  draft.lattice.unit = 0;
  expectError(draft, ErrorCode::kInvalidSettings);
  draft = twoRectangles();
  draft.layers[1].id = 0;
  expectError(draft, ErrorCode::kInvalidGeometry, {"id 0"});
}

TEST(BuildTest, OpeningsOverruleObstaclesOverruleWalkable) {
  EnvironmentDraft draft = oneRoom();
  draft.layers[0].walkable.push_back({rectangle(5, 5, 15, 10)});                    // overlaps the room: + 25
  draft.layers[0].obstacles = {{rectangle(0, 0, 4, 4)}, {rectangle(2, 2, 4, 4)}};   // - 16
  draft.layers[0].openings = {{rectangle(1, 1, 2, 2)}, {rectangle(-3, 0, -1, 1)}};  // + 1 inside, + 2 outside
  const Environment world = built(draft);
  EXPECT_NEAR(area(world), 112, 1e-9);
  EXPECT_EQ(topology(world).components, 3U);
}

TEST(BuildTest, EvenOddLoopsAndCrossingsAreCleaned) {
  EnvironmentDraft draft = oneRoom();
  draft.layers[0].walkable = {{rectangle(0, 0, 10, 10), rectangle(4, 4, 6, 6)}, {{{20, 0}, {24, 4}, {24, 0}, {20, 4}}}};
  const Environment world = built(draft);
  EXPECT_NEAR(area(world), 96 + 8, 1e-9);
  const Topology found = topology(world);
  EXPECT_EQ(found.components, 3U);
  EXPECT_EQ(found.boundaries, 4U);
}

TEST(BuildTest, EmptyLayersStayWithANote) {
  EnvironmentDraft draft = oneRoom();
  draft.layers.push_back(room(5, 0, 0, 0, 0));
  std::vector<std::string> notes;
  const Environment world = built(draft, &notes);
  ASSERT_EQ(world.layers.size(), 2U);
  EXPECT_EQ(world.layers[1].id, 5);
  EXPECT_TRUE(world.layers[1].free.empty());
  EXPECT_EQ(notes.size(), 2U);  // a loop without area, nothing walkable
}

TEST(BuildTest, SurfacesAreSnappedAndOriented) {
  EnvironmentDraft draft = oneRoom();
  draft.layers[0].height = -1;
  draft.layers[0].surface = {{Vec3{0, 0, 0}, Vec3{10, 10, 2}, Vec3{10, 0, 2}},
                             {Vec3{0, 0, 0}, Vec3{10, 10, 2}, Vec3{0, 10, 0}},
                             {Vec3{0, 0, 0}, Vec3{0, 0, 5}, Vec3{0, 10, 0}}};
  std::vector<std::string> notes;
  const Environment world = built(draft, &notes);
  EXPECT_EQ(notes.size(), 1U);  // the vertical triangle
  const HeightField& field = world.layers[0].heights;
  EXPECT_EQ(field.base, -1);
  EXPECT_EQ(field.points.size(), 4U);
  EXPECT_EQ(field.triangles.size(), 2U);
  EXPECT_NEAR(field.at({25000, 70000}), 0.5, 1e-12);
  draft.layers[0].surface[0][0].z = kNaN;
  expectError(draft, ErrorCode::kInvalidGeometry, {"layer 0", "triangle 0"});
  draft.layers[0].surface[0][0] = {0, kNaN, 0};
  expectError(draft, ErrorCode::kOutsideLattice, {"layer 0", "triangle 0"});
}

TEST(BuildTest, RegionsAreCleanedButNotClipped) {
  EnvironmentDraft draft = oneRoom();
  draft.layers[0].regions = {{"grass", {{rectangle(5, 5, 25, 10)}, {rectangle(20, 5, 30, 10)}}}, {"none", {}}};
  std::vector<std::string> notes;
  const Environment world = built(draft, &notes);
  ASSERT_EQ(world.layers[0].regions.size(), 1U);
  EXPECT_EQ(world.layers[0].regions[0].label, "grass");
  EXPECT_NEAR(polygonArea(world.layers[0].regions[0].area, world.lattice), 125, 1e-9);
  EXPECT_EQ(notes.size(), 1U);
}

TEST(BuildTest, TruthIsCopied) {
  EnvironmentDraft draft = oneRoom();
  draft.truth = Topology{1, 2, 3, 4};
  const Result<Environment> world = buildEnvironment(draft);
  ASSERT_TRUE(world.ok());
  EXPECT_EQ(world->truth, draft.truth);
  ASSERT_EQ(validate(*world).size(), 1U);
  EXPECT_EQ(validate(*world)[0].kind, ViolationKind::kTruth);
}

TEST(BuildTest, StopsWhenCancelled) {
  Context context;
  context.cancel();
  const Result<Environment> world = buildEnvironment(twoRectangles(), context);
  ASSERT_FALSE(world.ok());
  EXPECT_EQ(world.error().code, ErrorCode::kCancelled);
}

TEST(BuildTest, CallbacksComeFromTheCallersThread) {
  EnvironmentDraft draft;
  for (int i = 0; i < 20; ++i) {
    draft.layers.push_back(room(i, 0, 0, 10, 10));
    draft.layers.back().walkable.push_back({{{1, 1}}});
  }
  Context context;
  context.threads = 4;
  const auto caller = std::this_thread::get_id();
  std::vector<std::string> notes;
  context.onNote = [&](std::string_view note) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    notes.emplace_back(note);
  };
  context.onProgress = [&](std::string_view, double) { EXPECT_EQ(std::this_thread::get_id(), caller); };
  ASSERT_TRUE(buildEnvironment(draft, context).ok());
  ASSERT_EQ(notes.size(), 20U);
  EXPECT_EQ(notes[7].find("layer 7:"), 0U);
}

// --- Connections ----------------------------------------------------------------------------------------------------

TEST(BuildTest, ConnectionBecomesVerticesOfBothRooms) {
  const Environment world = built(twoRectangles());
  ASSERT_EQ(world.connections.size(), 1U);
  EXPECT_EQ(world.connections[0], (Connection{0, 1, {{100000, 40000}, {100000, 60000}}}));
  EXPECT_EQ(world.layers[0].free[0].outer.size(), 6U);
  EXPECT_EQ(world.layers[1].free[0].outer.size(), 6U);
  EXPECT_EQ(topology(world).components, 1U);
}

TEST(BuildTest, ConnectionMayBeDrawnEitherWayRound) {
  const Environment world = built(twoRectangles());
  for (const bool swapLayers : {false, true}) {
    for (const bool reverse : {false, true}) {
      EnvironmentDraft draft = twoRectangles();
      if (swapLayers) std::swap(draft.connections[0].layerA, draft.connections[0].layerB);
      if (reverse) std::swap(draft.connections[0].line[0], draft.connections[0].line[1]);
      EXPECT_EQ(built(draft), world);
    }
  }
}

TEST(BuildTest, ConnectionOverTheWholeSide) {
  EnvironmentDraft draft = twoRectangles();
  draft.connections[0].line = {{10, 0}, {10, 10}};
  EXPECT_EQ(topology(built(draft)).boundaries, 1U);
}

// Vertices that only one of the rooms has on the connection.
TEST(BuildTest, VerticesOnTheConnectionAreShared) {
  EnvironmentDraft draft = twoRectangles();
  draft.layers[0].walkable = {{{{0, 0}, {10, 0}, {10, 4.5}, {10, 10}, {0, 10}}}};
  draft.layers[1].walkable = {{{{10, 0}, {20, 0}, {20, 10}, {10, 10}, {10, 5}, {10, 4.25}}}};
  const Environment world = built(draft);
  ASSERT_EQ(world.connections.size(), 1U);
  const std::vector<Point> line{{100000, 40000}, {100000, 42500}, {100000, 45000}, {100000, 50000}, {100000, 60000}};
  EXPECT_EQ(world.connections[0].line, line);
  EXPECT_EQ(topology(world).boundaries, 1U);
}

TEST(BuildTest, RoundedBoundariesMoveOntoTheConnection) {
  EnvironmentDraft draft = twoRectangles();
  draft.layers[0].walkable = {{{{0, 0}, {10, 0}, {10.0001, 4.5}, {10, 10}, {0, 10}}}};
  draft.layers[1].walkable = {{{{10, 0}, {20, 0}, {20, 10}, {10, 10}, {9.9999, 5}}}};
  std::vector<std::string> notes;
  const Environment world = built(draft, &notes);
  ASSERT_EQ(world.connections.size(), 1U);
  EXPECT_EQ(world.connections[0].line, (std::vector<Point>{{100000, 40000}, {100000, 60000}}));
  EXPECT_EQ(notes.size(), 1U);
}

// Any slanted wall rounds its connection's ends off the wall; the connection must still open.
TEST(BuildTest, SlantedConnectionsOpen) {
  Random random(3);
  for (int round = 0; round < 500; ++round) {
    const Vec2 p{random.real(-5, 5), random.real(-20, -10)};
    const Vec2 q{random.real(-5, 5), random.real(10, 20)};
    const auto on = [&](double t) { return Vec2{p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)}; };
    EnvironmentDraft draft;
    draft.layers.resize(2);
    draft.layers[1].id = 1;
    std::vector<Vec2> left{{-30, -20}, p};
    std::vector<Vec2> right{{30, 20}, q};
    for (int i = 1; i < 4; ++i) {
      if (random.chance(0.3)) left.push_back(on(0.25 * i));
      if (random.chance(0.3)) right.push_back(on(1 - 0.25 * i));
    }
    left.insert(left.end(), {q, {-30, 20}});
    right.insert(right.end(), {p, {30, -20}});
    draft.layers[0].walkable = {{left}};
    draft.layers[1].walkable = {{right}};
    const double from = random.real(0.01, 0.4);
    const double to = random.real(0.5, 0.99);
    draft.connections = {{0, 1, {on(from), on(to)}}};
    const Environment world = built(draft);
    EXPECT_EQ(topology(world).components, 1U);
    EXPECT_EQ(topology(world).boundaries, 1U);
    EXPECT_EQ(world.connections.size(), 1U);
    EXPECT_EQ(built(draftOf(world)), world);
  }
}

// Several connections in one slanted wall, drawn in any order; those that share an end are one.
TEST(BuildTest, ManySlantedConnections) {
  Random random(4);
  for (int round = 0; round < 200; ++round) {
    const Vec2 p{random.real(-5, 5), random.real(-20, -10)};
    const Vec2 q{random.real(-5, 5), random.real(10, 20)};
    const auto on = [&](double t) { return Vec2{p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)}; };
    EnvironmentDraft draft;
    draft.layers.resize(2);
    draft.layers[1].id = 1;
    draft.layers[0].walkable = {{{{-30, -20}, p, q, {-30, 20}}}};
    draft.layers[1].walkable = {{{{30, 20}, q, p, {30, -20}}}};
    uint32_t groups = 0;
    bool open = false;
    for (int i = 0; i < 10; ++i) {
      const bool connection = random.chance(0.5);
      if (connection) draft.connections.push_back({0, 1, {on(0.1 * i), on(0.1 * (i + 1))}});
      if (connection && !open) ++groups;
      open = connection;
    }
    random.shuffle(draft.connections);
    const Environment world = built(draft);
    EXPECT_EQ(world.connections.size(), groups);
    EXPECT_EQ(topology(world).components, groups == 0 ? 2U : 1U);
    EXPECT_EQ(topology(world).boundaries, groups == 0 ? 2U : groups);
  }
}

TEST(BuildTest, ConnectionsThatContinueEachOtherBecomeOne) {
  EnvironmentDraft draft = twoRectangles();
  draft.connections = {{0, 1, {{10, 5}, {10, 6}}}, {0, 1, {{10, 4}, {10, 5}}}, {0, 1, {{10, 8}, {10, 9}}}};
  std::vector<std::string> notes;
  const Environment world = built(draft, &notes);
  ASSERT_EQ(world.connections.size(), 2U);
  EXPECT_EQ(world.connections[0].line, (std::vector<Point>{{100000, 40000}, {100000, 50000}, {100000, 60000}}));
  EXPECT_EQ(notes.size(), 1U);
}

TEST(BuildTest, ConnectionsAroundAPlatformBecomeAClosedLine) {
  EnvironmentDraft draft;
  draft.layers = {room(0, 0, 0, 30, 30), room(1, 10, 10, 20, 20)};
  draft.layers[0].obstacles = {{rectangle(10, 10, 20, 20)}};
  draft.connections = {{0, 1, {{10, 10}, {20, 10}}},
                       {0, 1, {{20, 20}, {20, 10}}},
                       {0, 1, {{20, 20}, {10, 20}}},
                       {1, 0, {{10, 20}, {10, 10}}}};
  const Environment world = built(draft);
  ASSERT_EQ(world.connections.size(), 1U);
  EXPECT_EQ(world.connections[0].line.size(), 5U);
  EXPECT_EQ(world.connections[0].line.front(), world.connections[0].line.back());
  EXPECT_EQ(topology(world).boundaries, 1U);
  EXPECT_EQ(built(draftOf(world)), world);
}

TEST(BuildTest, APillarKeepsConnectionsApart) {
  EnvironmentDraft draft = twoRectangles();
  draft.layers[1].obstacles = {{{{10, 5}, {12, 6}, {12, 4}}}};
  draft.connections = {{0, 1, {{10, 4}, {10, 5}}}, {0, 1, {{10, 5}, {10, 6}}}};
  const Environment world = built(draft);
  EXPECT_EQ(world.connections.size(), 2U);
  draft.connections = {{0, 1, {{10, 4}, {10, 6}}}};
  expectError(draft, ErrorCode::kInvalidGeometry,
              {"connection 0", "layers 0 and 1", "(10.0000, 5.0000) m", "obstacle"});
}

TEST(BuildTest, ConnectionsThatLeadNowhere) {
  EnvironmentDraft draft = twoRectangles();
  draft.connections[0].layerB = 9;
  expectError(draft, ErrorCode::kInvalidGeometry, {"connection 0", "layer 9"});
  draft.connections[0].layerB = 0;
  expectError(draft, ErrorCode::kInvalidGeometry, {"connection 0", "itself"});
  draft = twoRectangles();
  draft.layers[1].obstacles = draft.layers[1].walkable;
  expectError(draft, ErrorCode::kInvalidGeometry, {"layer 1", "nothing walkable"});
}

TEST(BuildTest, ConnectionsWithoutLength) {
  for (const std::vector<Vec2>& line : std::vector<std::vector<Vec2>>{
           {}, {{10, 4}}, {{10, 4}, {10, 4}}, {{10, 4}, {10, 4.00001}}, {{10, 4}, {10, 5}, {10, 4}}}) {
    EnvironmentDraft draft = twoRectangles();
    draft.connections[0].line = line;
    expectError(draft, ErrorCode::kInvalidGeometry, {"connection 0", "layers 0 and 1", "length"});
  }
  EnvironmentDraft draft = twoRectangles();
  draft.connections[0].line = {{10, 4}, {10, kNaN}};
  expectError(draft, ErrorCode::kOutsideLattice, {"connection 0"});
}

TEST(BuildTest, ConnectionsBesideTheBoundary) {
  EnvironmentDraft draft = twoRectangles();
  draft.connections[0].line = {{10.0005, 4}, {10, 6}};
  expectError(draft, ErrorCode::kInvalidGeometry, {"connection 0", "layers 0 and 1", "(10.0005, 4.0000) m", "layer 0"});
  draft.connections[0].line = {{10, 4}, {10, 12}};
  expectError(draft, ErrorCode::kInvalidGeometry, {"(10.0000, 12.0000) m", "2.0000 m from"});
  draft = twoRectangles();
  draft.layers[1].obstacles = {{rectangle(10, 4.5, 12, 5.5)}};
  expectError(draft, ErrorCode::kInvalidGeometry, {"layer 1 does not follow"});
}

TEST(BuildTest, ConnectionsWithBothLayersOnOneSide) {
  EnvironmentDraft draft = twoRectangles();
  draft.layers[1].walkable = {{rectangle(5, 0, 10, 10)}};
  expectError(draft, ErrorCode::kInvalidGeometry, {"connection 0", "layers 0 and 1", "same side"});
  draft.layers[1].walkable = draft.layers[0].walkable;
  expectError(draft, ErrorCode::kInvalidGeometry, {"same side"});
}

TEST(BuildTest, ConnectionsListedTwiceOrOverlapping) {
  EnvironmentDraft draft = twoRectangles();
  draft.connections.push_back({1, 0, {{10, 6}, {10, 4}}});
  expectError(draft, ErrorCode::kInvalidGeometry, {"connection"});
  draft.connections[1] = {0, 1, {{10, 5}, {10, 7}}};
  expectError(draft, ErrorCode::kInvalidGeometry, {"connection"});
  draft.connections[1] = {0, 1, {{10, 4}, {10, 5}}};
  expectError(draft, ErrorCode::kInvalidGeometry, {"connection"});
}

TEST(BuildTest, ConnectionsBetweenDifferentHeights) {
  EnvironmentDraft draft = twoRectangles();
  draft.layers[1].height = 3;
  expectError(draft, ErrorCode::kInvalidGeometry, {"connection 0", "0.000 m and 3.000 m"});
}

// Pitfall of drawing: a ramp between two floors, with walls, given by its own surface.
TEST(BuildTest, RampBetweenFloors) {
  EnvironmentDraft draft;
  draft.layers = {room(10, 0, 0, 20, 10), room(20, 0, 0, 20, 10), room(30, 20, 4, 30, 6)};
  draft.layers[1].height = 4;
  draft.layers[1].walkable = {{rectangle(30, 0, 50, 10)}};
  draft.layers[2].surface = {{Vec3{20, 4, 0}, Vec3{30, 4, 4}, Vec3{30, 6, 4}},
                             {Vec3{20, 4, 0}, Vec3{30, 6, 4}, Vec3{20, 6, 0}}};
  draft.connections = {{30, 10, {{20, 4}, {20, 6}}}, {20, 30, {{30, 4}, {30, 6}}}};
  const Environment world = built(draft);
  EXPECT_EQ(topology(world).components, 1U);
  EXPECT_EQ(topology(world).boundaries, 1U);
  EXPECT_NEAR(area(world), 420, 1e-9);
}

// --- Round trip -----------------------------------------------------------------------------------------------------

TEST(BuildTest, BuildingADraftOfAnEnvironmentGivesItBack) {
  for (const Environment& world : {twoRooms(), quadrants(true), quadrants(false), spiral(3), bridgeAndTunnel(),
                                   platform(), environmentOf({layerOf(4, {{box(0, 0, 9, 9), {}}})})}) {
    const Environment once = built(draftOf(world));
    EXPECT_EQ(topology(once), topology(world));
    EXPECT_EQ(built(draftOf(once)), once);
    EXPECT_EQ(hash(built(draftOf(once))), hash(once));
  }
}

TEST(BuildTest, HashSeesEverythingButTheName) {
  EnvironmentDraft draft = twoRectangles();
  draft.layers[0].surface = {{Vec3{0, 0, 0}, Vec3{10, 0, 0}, Vec3{10, 10, 0}}};
  draft.layers[0].regions = {{"grass", {{rectangle(0, 0, 1, 1)}}}};
  const Environment world = built(draft);
  const auto differs = [&](auto change) {
    Environment other = world;
    change(other);
    return hash(other) != hash(world);
  };
  EXPECT_FALSE(differs([](Environment&) {}));
  EXPECT_FALSE(differs([](Environment& e) { e.name = "other"; }));
  EXPECT_FALSE(differs([](Environment& e) { e.layers[0].heights.z[0] = -0.0; }));
  EXPECT_TRUE(differs([](Environment& e) { e.layers[0].heights.z[0] = 1; }));
  EXPECT_TRUE(differs([](Environment& e) { e.layers[0].free[0].outer[0].x = -1; }));
  EXPECT_TRUE(differs([](Environment& e) { e.layers[0].regions[0].label = "road"; }));
  EXPECT_TRUE(differs([](Environment& e) { e.layers[1].id = 7; }));
  EXPECT_TRUE(differs([](Environment& e) { e.connections[0].line[0].y += 1; }));
  EXPECT_TRUE(differs([](Environment& e) { e.truth = Topology{}; }));
  EXPECT_TRUE(differs([](Environment& e) { e.lattice.unit = 1e-3; }));
}

TEST(BuildTest, CountsAndBounds) {
  const Environment world = built(twoRectangles());
  EXPECT_EQ(vertexCount(world), 12U);
  EXPECT_EQ(boundingBox(world), (Box{{0, 0}, {200000, 100000}}));
  EXPECT_TRUE(boundingBox(Environment{}).empty());
}

}  // namespace
}  // namespace wend
