#include "generators/ecm/ecm.h"

#include <array>
#include <cmath>
#include <numbers>

#include <wend/corridor_map.h>
#include <wend/extract.h>
#include <wend/make.h>
#include <wend/make_scene.h>
#include <wend/scene.h>

#include <gtest/gtest.h>

#include "tests/data.h"
#include "tests/generators/ecm/laws.h"
#include "tests/generators/laws.h"
#include "tests/generators/layered_worlds.h"
#include "tests/generators/random_worlds.h"

namespace wend::ecm {
namespace {

void expectMesh(const Environment& world) {
  const auto mesh = wend::generate(world, {"ecm", {}, 1});
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  for (const MeshFault& fault : checkMesh(*mesh, &world, 3)) {
    ADD_FAILURE() << faultName(fault.kind) << ": " << fault.message;
  }
  ASSERT_NE(mesh->corridorMap(), nullptr);
  const CorridorMap& map = *mesh->corridorMap();
  // The axis is what the surface shrinks to.
  EXPECT_EQ(static_cast<int64_t>(map.vertices.size()) - static_cast<int64_t>(map.edges.size()),
            topology(world).euler());
  ASSERT_EQ(map.cellArc.size(), mesh->cellCount());
  for (CellId cell = 0; cell < mesh->cellCount(); ++cell) {
    ASSERT_LT(map.cellArc[cell], map.arcs.size());
    ASSERT_NE(map.arcs[map.cellArc[cell]].left, kNone);
  }
}

TEST(Ecm, CellsOfARectangle) {
  const Environment world = oneLayer({{{{0, 0}, {20, 0}, {20, 10}, {0, 10}}, {}}});
  expectMesh(world);
  EXPECT_EQ(bake(world, "ecm").cellCount(), 5U);
}

// Both ends of the room are needles with a bend in the lower wall where they are less than a thousandth of a unit wide.
TEST(Ecm, NeedlesNarrowerThanAThousandthOfAUnit) {
  expectMesh(oneLayer({{{{0, 0}, {500, 0}, {1000000, -1}, {1000000, 1}}, {}}}));
  expectMesh(oneLayer({{{{0, 0}, {50, 0}, {1000000, -30}, {1999950, 0}, {2000000, 0}, {1000000, 1}}, {}}}));
}

TEST(Ecm, RandomSquares) {
  for (uint64_t seed = 0; seed < 250 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    SquaresSettings settings;
    settings.columns = static_cast<int32_t>(random.between(1, 9));
    settings.rows = static_cast<int32_t>(random.between(1, 9));
    settings.density = random.real(0.3, 1.0);
    settings.jitter = random.chance(0.5) ? 24 : 0;
    const Environment world = SquaresWorld(random, settings).environment();
    if (!world.layers.front().free.empty()) expectMesh(world);
  }
}

TEST(Ecm, RandomLayers) {
  for (uint64_t seed = 0; seed < 250 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const Environment world = anyWorld(seed);
    if (topology(world).components > 0) expectMesh(world);
  }
}

TEST(Ecm, MadeWorlds) {
  for (const char* kind : {"military", "zelda", "maze", "donut", "two-floor-ramp", "ramps", "library", "spiral",
                           "overlap-side", "sliced-ramp", "neogen1", "neogen2", "station"}) {
    SCOPED_TRACE(kind);
    const auto world = makeEnvironment({kind, {}, 1, {}});
    ASSERT_TRUE(world.ok()) << world.error().message;
    expectMesh(*world);
  }
}

// Spirals with a vertex of the axis less than 0.01 units beyond the connection where its layer ends.
TEST(Ecm, VertexBesideAConnection) {
  for (const uint64_t seed : {1012033U, 1015210U}) {
    SCOPED_TRACE(seed);
    const auto world = overlappingWorld(seed);
    ASSERT_TRUE(world);
    expectMesh(*world);
  }
}

// An arc that runs along a connection's line past its end, which is the nearest obstacle point on one side: that half
// of its cell has no width but what rounding gives it.
TEST(Ecm, ArcAlongAConnection) {
  const auto world = overlappingWorld(50005807);
  ASSERT_TRUE(world);
  expectMesh(*world);
}

// Two rooms given by what their outlines have besides the connection.
Environment roomsBeside(const std::vector<Point>& connection, const Ring& left, const Ring& right) {
  Environment world;
  world.layers.resize(2);
  world.layers[1].id = 1;
  Ring outline = connection;
  outline.insert(outline.end(), left.begin(), left.end());
  world.layers[0].free = {{std::move(outline), {}}};
  outline.assign(connection.rbegin(), connection.rend());
  outline.insert(outline.end(), right.begin(), right.end());
  world.layers[1].free = {{std::move(outline), {}}};
  world.connections = {{0, 1, connection}};
  EXPECT_TRUE(validate(world).empty());
  return world;
}

// Two rooms, turned and scaled, with a connection along the line x = 0 between y = -2 and the tip of the wall at y = 1.
Environment twoRooms(double angle, double size, std::span<const Vec2> line) {
  const auto at = [&](double x, double y) {
    return Point{static_cast<int32_t>(std::lround(size * (std::cos(angle) * x - std::sin(angle) * y))),
                 static_cast<int32_t>(std::lround(size * (std::sin(angle) * x + std::cos(angle) * y)))};
  };
  std::vector<Point> connection;
  for (const Vec2 p : line) connection.push_back(at(p.x, p.y));
  return roomsBeside(connection, {at(0, 3), at(-5, 3), at(-5, -2)}, {at(4, -2), at(4, 3), at(0, 3)});
}

// The wall beside the connection has no thickness: the arc around its tip goes half around it, and its chord passes the
// tip on either side. The connection has a bend that only rounding makes.
TEST(Ecm, TipsOfWallsWithoutThickness) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double angle = random.real(0, 2 * std::numbers::pi);
    const double size = std::pow(10, random.real(4, 7.5));
    const std::array<Vec2, 3> connection{Vec2{0, -2}, {0, 0.3}, {0, 1}};
    expectMesh(twoRooms(angle, size, connection));
  }
}

// A cell that holds several bends of a connection, near its own corners and sides.
TEST(Ecm, ConnectionsWithManyBends) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double angle = random.real(0, 2 * std::numbers::pi);
    const double size = std::pow(10, random.real(4, 7));
    const double sideways = random.chance(0.3) ? 0 : random.chance(0.3) ? 1e-6 : 0.8;
    const auto bends = static_cast<int>(random.between(0, 6));
    std::vector<Vec2> connection{{0, -2}};
    for (int i = 0; i < bends; ++i) {
      connection.push_back(
          {random.real(-sideways, sideways), connection.back().y + random.real(0.05, 2.9 / (bends + 1))});
    }
    connection.push_back({0, 1});
    expectMesh(twoRooms(angle, size, connection));
  }
}

// The needle at the lower end of the connection is cut twice where it is a few thousandths of a unit wide: two portals
// in a row, each shorter than what the check can assign to one edge of the boundary.
TEST(Ecm, PortalsShorterThanRounding) {
  expectMesh(
      roomsBeside({{846, -1374}, {776, -1260}, {1207, -805}, {1106, -737}, {-44, -1045}, {333, -540}, {-423, 687}},
                  {{-1269, 2061}, {-4703, -54}, {-2588, -3489}}, {{3593, 318}, {1478, 3753}, {-1269, 2061}}));
}

// The needle at the lower end of the connection is cut near its tip, where its halves are hardly wider than the
// tolerance.
TEST(Ecm, NeedleCutNearItsTip) {
  expectMesh(roomsBeside({{-16064503, -29099423},
                          {-18534142, -22367282},
                          {-12305103, -22289631},
                          {-9026699, -16351092},
                          {-15711703, -5257870},
                          {-834771, -8596542},
                          {-2800139, -1207714},
                          {8032252, 14549711}},
                         {{24096755, 43649134}, {-48651802, 83810392}, {-88813060, 11061835}},
                         {{42134342, -61228429}, {82295600, 11520128}, {24096755, 43649134}}));
}

// Opening one segment of a connection that is straight but for rounding: a label would vanish at once, nearer on its
// edge than its neighbour does, were it not for another one on its far side that comes first.
TEST(Ecm, LabelsThatWaitHoldUpNoOther) {
  expectMesh(roomsBeside({{24419278, -52585623},
                          {21842584, -47036850},
                          {18511719, -39864008},
                          {17442112, -37560666},
                          {14691709, -31637819},
                          {12403268, -26709782},
                          {10844625, -23353326},
                          {-12209639, 26292812}},
                         {{-36628916, 78878435}, {-168092974, 17830241}, {-107044780, -113633817}},
                         {{129590524, -3747068}, {68542330, 127716990}, {-36628916, 78878435}}));
  expectMesh(roomsBeside({{-52047961, -8651852},
                          {-44606217, -7414822},
                          {-35942447, -5974657},
                          {-28682950, -4767922},
                          {-18437997, -3064920},
                          {-15519692, -2579814},
                          {26023981, 4325926}},
                         {{78071942, 12977777}, {56442313, 143097680}, {-166889612, 114240283}},
                         {{-70791917, -140510503}, {95375645, -91118145}, {78071942, 12977777}}));
}

void expectMeshOfTurned(Scene scene, double angle, double right, double up) {
  for (Vec3& v : scene.vertices) {
    v = {std::cos(angle) * v.x - std::sin(angle) * v.y + right, std::sin(angle) * v.x + std::cos(angle) * v.y + up,
         v.z};
  }
  ExtractSettings settings;
  settings.regions = false;
  const auto world = extract(scene, settings);
  ASSERT_TRUE(world.ok()) << world.error().message;
  expectMesh(world->environment);
}

// Turns at which a connection bends twice inside a cell, or the line of one of its segments leaves the cell near the
// next bend; at the last two, the chord of an arc passes the tip of a wall at less than a nanometre.
TEST(Ecm, TurnedNavTest) {
  const std::string path = dataFile("scenes/nav_test.obj");
  if (path.empty()) GTEST_SKIP() << "skipped: no data";
  const Result<Scene> scene = readScene(path);
  ASSERT_TRUE(scene.ok());
  for (const uint64_t seed : {37U, 39U, 73U, 108U, 113U, 142U, 166U, 191U, 4180U, 4497U}) {
    SCOPED_TRACE(seed);
    Random random(seed, 99);
    const double angle = random.real(0, 2 * std::numbers::pi);
    const double right = random.real(-20, 20);
    const double up = random.real(-20, 20);
    expectMeshOfTurned(*scene, angle, right, up);
  }
}

// A layer's first and last connection lie above each other, a millimetre apart in top view.
TEST(Ecm, TurnedSpirals) {
  for (const char* kind : {"spiral", "s23"}) {
    const Scene scene = makeScene({kind, {}, 1}).value().scene;
    for (const double angle : {0.0, 0.3, 1.1, 2.0, 3.7}) {
      SCOPED_TRACE(testing::Message() << kind << ' ' << angle);
      expectMeshOfTurned(scene, angle, 0, 0);
    }
  }
}

TEST(Ecm, RandomPolygons) {
  for (uint64_t seed = 0; seed < 250 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto n = static_cast<size_t>(random.between(3, 24));
    expectMesh(oneLayer({{simplePolygon(random, n, seed % 2 == 0 ? 12 : 100000), {}}}));
  }
}

}  // namespace
}  // namespace wend::ecm
