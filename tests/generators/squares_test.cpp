#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include <wend/make.h>
#include <wend/metrics.h>

#include <gtest/gtest.h>

#include "generators/grid/grid.h"
#include "generators/quadtree/quadtree.h"
#include "geometry/predicates.h"
#include "tests/generators/laws.h"
#include "tests/generators/random_worlds.h"

// Generators that fill free space with squares.
namespace wend {
namespace {

NavMesh checked(const Result<NavMesh>& mesh, const Environment& environment) {
  EXPECT_TRUE(mesh.ok()) << (mesh.ok() ? "" : mesh.error().message);
  if (!mesh.ok()) return NavMesh();
  for (const MeshFault& fault : checkMesh(*mesh, &environment, 3)) {
    ADD_FAILURE() << faultName(fault.kind) << ": " << fault.message;
  }
  expectConvex(*mesh);
  return *mesh;
}

NavMesh bakeGrid(const Environment& environment, double square) {
  return checked(grid::generate(environment, {square}), environment);
}

NavMesh bakeQuadtree(const Environment& environment, double smallest) {
  return checked(quadtree::generate(environment, {smallest}), environment);
}

double area(const NavMesh& mesh) {
  return mesh.lattice().area(topology(mesh).doubledArea);
}

Environment room(double unit, int32_t width, int32_t height) {
  Environment environment = oneLayer({{{{0, 0}, {width, 0}, {width, height}, {0, height}}, {}}});
  environment.lattice.unit = unit;
  return environment;
}

TEST(Grid, ARoomOfWholeSquares) {
  const NavMesh mesh = bakeGrid(room(0.1, 40, 30), 1);
  EXPECT_EQ(mesh.cellCount(), 12U);
  EXPECT_EQ(mesh.portalCount(), 17U);
  EXPECT_DOUBLE_EQ(area(mesh), 12);
}

TEST(Grid, HalfASquareCountsFromItsLowerAndLeftSide) {
  // Centres of the last column lie on the right wall: outside. Of the room moved half a square: on the left wall.
  EXPECT_EQ(bakeGrid(room(0.1, 35, 30), 1).cellCount(), 9U);
  EXPECT_EQ(bakeGrid(room(0.1, 36, 30), 1).cellCount(), 12U);
  EXPECT_EQ(bakeGrid(room(0.1, 30, 35), 1).cellCount(), 9U);
  EXPECT_EQ(bakeGrid(room(0.1, 30, 36), 1).cellCount(), 12U);
}

TEST(Grid, AThinWallBetweenTwoCentresIsKept) {
  // From x = 19 to 21, between the centres 15 and 25 of columns 1 and 2, leaving a door above y = 20.
  Environment environment =
      oneLayer({{{{0, 0}, {19, 0}, {19, 20}, {21, 20}, {21, 0}, {40, 0}, {40, 30}, {0, 30}}, {}}});
  environment.lattice.unit = 0.1;
  const NavMesh mesh = bakeGrid(environment, 1);
  EXPECT_EQ(mesh.cellCount(), 12U);
  EXPECT_EQ(mesh.portalCount(), 15U);
  EXPECT_EQ(topology(mesh).components, 1U);
}

// Every mazeD has D^2 / 2 - 1 squares of a metre, joined as a tree, and nothing else.
TEST(Grid, MazesAreTheirSquares) {
  for (const double size : {8, 16, 32}) {
    const auto world = makeEnvironment({"maze", {{"size", size}}, 1, {}});
    ASSERT_TRUE(world.ok());
    const NavMesh mesh = bakeGrid(*world, 1);
    EXPECT_EQ(mesh.cellCount(), static_cast<uint32_t>(size * size / 2) - 1);
    EXPECT_EQ(mesh.portalCount(), mesh.cellCount() - 1);
    expectSame(mesh, *world->truth);
  }
}

// A slow obvious version: each centre by itself.
TEST(Grid, SquaresAreThoseWithAFreeCentre) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const Environment environment = anyWorld(seed);
    if (vertexCount(environment) == 0) continue;
    const auto made = grid::generate(environment, {30 * environment.lattice.unit});
    ASSERT_TRUE(made.ok()) << made.error().message;
    const NavMesh mesh = checked(made, environment);
    const Box box = boundingBox(environment);
    uint32_t surely = 0;
    uint32_t perhaps = 0;
    for (const Layer& layer : environment.layers) {
      for (int32_t y = box.min.y + 15; y <= box.max.y; y += 30) {
        for (int32_t x = box.min.x + 15; x <= box.max.x; x += 30) {
          const Side side = locate(layer.free, {x, y});
          surely += side == Side::kInside ? 1 : 0;
          perhaps += side != Side::kOutside ? 1 : 0;
        }
      }
    }
    EXPECT_GE(mesh.cellCount(), surely) << "seed " << seed;
    EXPECT_LE(mesh.cellCount(), perhaps) << "seed " << seed;
  }
}

TEST(Grid, JoinsLayersAlongItsLines) {
  const Environment environment = squaresWorld(3, {.columns = 8, .rows = 4, .density = 1, .pitch = 100, .layers = 2});
  const NavMesh mesh = bakeGrid(environment, 50 * environment.lattice.unit);
  EXPECT_EQ(mesh.cellCount(), 128U);
  EXPECT_EQ(topology(mesh).components, 1U);
  expectSame(mesh, topology(environment));
}

TEST(Grid, TooManySquaresAreALimit) {
  const auto mesh = grid::generate(room(1, 1000000, 1000000), {1});
  ASSERT_FALSE(mesh.ok());
  EXPECT_EQ(mesh.error().code, ErrorCode::kLimit);
}

TEST(Quadtree, ASquareRoomIsOneCell) {
  EXPECT_EQ(bakeQuadtree(room(0.1, 64, 64), 0.1).cellCount(), 1U);
  // Half of the root, and half of it again.
  EXPECT_EQ(bakeQuadtree(room(0.1, 64, 32), 0.1).cellCount(), 2U);
  EXPECT_EQ(bakeQuadtree(room(0.1, 64, 48), 0.1).cellCount(), 6U);
}

TEST(Quadtree, StaysInsideAndMissesLittle) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const Environment environment = anyWorld(seed);
    if (vertexCount(environment) == 0) continue;
    const double a = 4 * environment.lattice.unit;
    const auto made = quadtree::generate(environment, {a});
    ASSERT_TRUE(made.ok()) << made.error().message;
    const NavMesh mesh = checked(made, environment);
    double length = 0;
    double walls = 0;
    for (const Layer& layer : environment.layers) {
      for (const Polygon& polygon : layer.free) {
        std::vector<Ring> rings = polygon.holes;
        rings.push_back(polygon.outer);
        for (const Ring& ring : rings) {
          for (size_t i = 0; i < ring.size(); ++i) {
            const Point p = ring[i];
            const Point q = ring[(i + 1) % ring.size()];
            length += std::hypot(p.x - q.x, p.y - q.y) * environment.lattice.unit;
            ++walls;
          }
        }
      }
    }
    const double missed = environment.lattice.area(topology(environment).doubledArea) - area(mesh);
    EXPECT_GE(missed, 0) << "seed " << seed;
    EXPECT_LE(missed, std::sqrt(2.0) * a * length + 3 * walls * a * a) << "seed " << seed;
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

using PlacedSquare = std::tuple<LayerId, int64_t, int64_t, int64_t>;  // layer, lower left, side

// Halves as defined: a wall enters if the corners lie on both sides of it; a place is free if a ray crosses the walls
// an odd number of times.
void slowHalve(const Layer& layer, LayerId id, int64_t x, int64_t y, int64_t side, int64_t smallest,
               std::vector<PlacedSquare>& out) {
  bool entered = false;
  bool free = false;
  const double px = static_cast<double>(x) + 0.5 * static_cast<double>(side);
  const double py = static_cast<double>(y) + 0.5 * static_cast<double>(side);
  const auto look = [&](const Ring& ring) {
    for (size_t i = 0; i < ring.size(); ++i) {
      const Point a = ring[i];
      const Point b = ring[(i + 1) % ring.size()];
      int low = 1;
      int high = -1;
      for (const int64_t cx : {x, x + side}) {
        for (const int64_t cy : {y, y + side}) {
          const int turn = orient(a, b, {static_cast<int32_t>(cx), static_cast<int32_t>(cy)});
          low = std::min(low, turn);
          high = std::max(high, turn);
        }
      }
      entered |= low < 0 && high > 0 && std::max(a.x, b.x) > x && std::min(a.x, b.x) < x + side &&
                 std::max(a.y, b.y) > y && std::min(a.y, b.y) < y + side;
      const Vec2 s = toVec2(a);
      const Vec2 t = toVec2(b);
      if ((s.y > py) != (t.y > py) && px < s.x + (t.x - s.x) * (py - s.y) / (t.y - s.y)) free = !free;
    }
  };
  for (const Polygon& polygon : layer.free) {
    look(polygon.outer);
    for (const Ring& hole : polygon.holes) look(hole);
  }
  if (!entered) {
    if (free) out.emplace_back(id, x, y, side);
    return;
  }
  if (side <= smallest) return;
  for (const int64_t cx : {x, x + side / 2}) {
    for (const int64_t cy : {y, y + side / 2}) slowHalve(layer, id, cx, cy, side / 2, smallest, out);
  }
}

std::vector<PlacedSquare> squaresOf(const NavMesh& mesh) {
  std::vector<PlacedSquare> squares;
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
    Vec2 low{HUGE_VAL, HUGE_VAL};
    double high = -HUGE_VAL;
    for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
      const Vec2 p = mesh.vertex(mesh.startVertex(s));
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = std::max(high, p.x);
    }
    squares.emplace_back(mesh.layerOf(cell), static_cast<int64_t>(low.x), static_cast<int64_t>(low.y),
                         static_cast<int64_t>(high - low.x));
  }
  std::sort(squares.begin(), squares.end());
  return squares;
}

TEST(Quadtree, SquaresAreThoseThatNoWallEnters) {
  for (uint64_t seed = 0; seed < 12; ++seed) {
    const Environment environment = squaresWorld(seed, {.columns = 5,
                                                        .rows = 4,
                                                        .density = 0.7,
                                                        .pitch = 100,
                                                        .jitter = seed % 3 == 0 ? 0 : 30,
                                                        .layers = static_cast<uint32_t>(1 + seed % 2)});
    if (vertexCount(environment) == 0) continue;
    for (const int64_t smallest : {1, 7, 20}) {
      const Box box = boundingBox(environment);
      int64_t side = smallest;
      while (side < std::max(box.max.x - box.min.x, box.max.y - box.min.y)) side *= 2;
      std::vector<PlacedSquare> wanted;
      for (LayerId id = 0; id < environment.layers.size(); ++id) {
        slowHalve(environment.layers[id], id, box.min.x, box.min.y, side, smallest, wanted);
      }
      std::sort(wanted.begin(), wanted.end());
      const double metres = static_cast<double>(smallest) * environment.lattice.unit;
      EXPECT_EQ(squaresOf(bakeQuadtree(environment, metres)), wanted) << "seed " << seed << ", " << smallest;
      if (HasFailure()) return;
    }
  }
}

// The empty space between them costs nothing, however many squares would fit.
TEST(Quadtree, FarIslandsHaveSmallSquares) {
  const int32_t far = 1 << 30;
  const Environment environment =
      oneLayer({{{{-far, -far}, {-far + 64, -far}, {-far + 64, 64 - far}, {-far, 64 - far}}, {}},
                {{{far - 64, far - 64}, {far, far - 64}, {far, far}, {far - 64, far}}, {}}});
  const NavMesh mesh = bakeQuadtree(environment, 16 * environment.lattice.unit);
  EXPECT_EQ(mesh.cellCount(), 2U);
}

TEST(Quadtree, FinerSquaresCoverMore) {
  const auto world = makeEnvironment({"military", {}, 1, {}});
  ASSERT_TRUE(world.ok());
  double last = 0;
  for (const double smallest : {2.0, 1.0, 0.5}) {
    const NavMesh mesh = bakeQuadtree(*world, smallest);
    EXPECT_GT(area(mesh), last);
    last = area(mesh);
  }
}

// Metrics say what is missing and what is wrong.
TEST(Squares, CoverageIsMeasured) {
  const auto world = makeEnvironment({"military", {}, 1, {}});
  ASSERT_TRUE(world.ok());
  const auto squares = measureMesh(bakeGrid(*world, 1), *world);
  ASSERT_TRUE(squares.ok()) << squares.error().message;
  EXPECT_GT(squares->coverage.coveredShare(), 0.97);
  EXPECT_GT(squares->coverage.incorrect, 0);
  const auto tree = measureMesh(bakeQuadtree(*world, 0.5), *world);
  ASSERT_TRUE(tree.ok()) << tree.error().message;
  EXPECT_GT(tree->coverage.coveredShare(), 0.95);
  EXPECT_LT(tree->coverage.coveredShare(), 1);
  EXPECT_NEAR(tree->coverage.incorrect, 0, 1e-9);
}

}  // namespace
}  // namespace wend
