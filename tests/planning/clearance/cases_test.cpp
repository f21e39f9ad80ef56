#include <cmath>

#include <wend/navigator.h>

#include <gtest/gtest.h>

#include "planning/clearance/portal_shrinking.h"
#include "planning/disk/disk_navigator.h"
#include "tests/mesh/grid_mesh.h"
#include "tests/planning/clearance/check.h"
#include "tests/planning/cut_world.h"

// Cases in which the published portal shrinking fails (docs/clearance.md), worked out by hand.
namespace wend {
namespace {

NavMesh meshOf(const std::vector<std::vector<Vec2>>& loops) {
  std::vector<LooseCell> cells;
  for (const std::vector<Vec2>& loop : loops) cells.push_back({0, loop});
  MeshArrays arrays = joinCells(cells);
  arrays.lattice.unit = 1;
  return NavMesh(std::move(arrays));
}

// The shrunk portals of the first side of cell 0, in its direction.
std::vector<Interval> shrunkPortalsOfFirstSide(const NavMesh& mesh, double r) {
  ShrunkPortals table(mesh, r);
  uint32_t first = 0;
  std::vector<Interval> list;
  for (const ShrunkPortalUnits& d : table.shrunkPortals(0, first)) list.push_back({d.low, d.high});
  return list;
}

// A cell above the portal from (0, 0) to (width, 0), and a roomy cell below it.
NavMesh aboveRoom(double width, const std::vector<Vec2>& rest) {
  std::vector<Vec2> cell{{0, 0}, {width, 0}};
  cell.insert(cell.end(), rest.begin(), rest.end());
  return meshOf({cell, {{width, 0}, {0, 0}, {0, -40}, {width, -40}}});
}

TEST(ClearanceCases, WhoStaysWhereTheWallIsTooNearStandsTooNear) {
  const DiskNavigator navigator(aboveRoom(10, {{8, 5}, {2, 5}}));
  PlanScratch scratch;
  PathQuery query;
  query.from = query.to = {5, 4, 0};
  query.radius = 1.1;
  EXPECT_EQ(navigator.reachable(query, scratch), PathStatus::kStartTooNear);
  query.radius = 0.9;
  EXPECT_EQ(navigator.reachable(query, scratch), PathStatus::kFound);
}

TEST(ClearanceCases, NearerIsWhatTheDistanceSays) {
  Random random(11);
  const auto draw = [&] { return Vec2{std::round(random.real(0, 6)), std::round(random.real(0, 6))}; };
  for (int i = 0; i < 20000; ++i) {
    const Vec2 a = draw(), b = draw(), c = draw(), d = draw();
    const double distance = closestBetween(a, b, c, d).distance;
    EXPECT_TRUE(isNearer(a, b, c, d, 1.000001 * distance + 1e-6));
    if (distance > 0) {
      EXPECT_FALSE(isNearer(a, b, c, d, 0.999999 * distance));
    }
  }
}

TEST(ClearanceCases, TrapezoidShrinksBothEnds) {
  const std::vector<Interval> shrunkPortals = shrunkPortalsOfFirstSide(aboveRoom(10, {{8, 5}, {2, 5}}), 1);
  ASSERT_EQ(shrunkPortals.size(), 1U);
  const double end = std::sqrt(29.0) / 5;  // 1 over the sine of the walls' angle
  EXPECT_NEAR(shrunkPortals[0].low, end, 1e-8);
  EXPECT_NEAR(shrunkPortals[0].high, 10 - end, 1e-8);
  EXPECT_NEAR(shrunkPortals[0].low, 1.077, 5e-4);
}

TEST(ClearanceCases, CircleSwallowsThePortal) {
  EXPECT_TRUE(shrunkPortalsOfFirstSide(aboveRoom(2.4, {{1.2, 0.2}, {-3, 1.5}}), 1).empty());
}

TEST(ClearanceCases, CoveredEndIsTheOtherOne) {
  EXPECT_TRUE(shrunkPortalsOfFirstSide(aboveRoom(6, {{1.5, 0.3}, {-6, 3}}), 1).empty());
}

TEST(ClearanceCases, WallParallelToThePortal) {
  EXPECT_TRUE(shrunkPortalsOfFirstSide(aboveRoom(10, {{10, 0.5}, {0, 0.5}}), 1).empty());
  EXPECT_EQ(shrunkPortalsOfFirstSide(aboveRoom(10, {{10, 1.0}, {0, 1.0}}), 1).size(), 1U);
}

TEST(ClearanceCases, PortalParallelToThePortal) {
  // Two thin cells above each other; the wall behind the second one counts.
  const NavMesh mesh = meshOf({{{0, 0}, {10, 0}, {10, 0.3}, {0, 0.3}},
                               {{10, 0}, {0, 0}, {0, -40}, {10, -40}},
                               {{0, 0.3}, {10, 0.3}, {10, 0.6}, {0, 0.6}}});
  EXPECT_TRUE(shrunkPortalsOfFirstSide(mesh, 1).empty());
  EXPECT_EQ(shrunkPortalsOfFirstSide(mesh, 0.55).size(), 1U);
}

TEST(ClearanceCases, FreeEndsDoNotShrink) {
  // A grid of 3 x 3 squares: the middle portals end in free corners.
  const Picture picture{"...", "...", "..."};
  MeshArrays arrays = joinCells(gridCells(picture, 0, 4));
  arrays.lattice.unit = 1;
  ShrunkPortals table(NavMesh(std::move(arrays)), 1);
  const NavMesh& mesh = table.mesh();
  const CellId middle = 4;
  for (SideId s = mesh.firstSide(middle); s != mesh.endSide(middle); ++s) {
    uint32_t first = 0;
    const std::span<const ShrunkPortalUnits> shrunkPortals = table.shrunkPortals(s, first);
    ASSERT_EQ(shrunkPortals.size(), 1U);
    EXPECT_EQ(shrunkPortals[0].low, 0);
    EXPECT_EQ(shrunkPortals[0].high, 4);
  }
}

TEST(ClearanceCases, WallAtRightAnglesBeyondAFreeEnd) {
  // Both ends of the wall are farther from the portal than the radius, its length is not.
  const NavMesh mesh = meshOf({{{0, 4}, {20, 4}, {20, 8}, {0, 8}},
                               {{20, 4}, {40, 4}, {40, 8}, {20, 8}},
                               {{0, 0}, {40, 0}, {40, 4}, {20, 4}, {0, 4}},
                               {{0, 8}, {20, 8}, {40, 8}, {40, 12}, {0, 12}}});
  const SideId portal = 1;
  ASSERT_FALSE(mesh.isWall(portal));
  const ClearanceTable clearance(mesh, 100);
  for (const double r : {3.5, 5.0, 5.9, 6.5}) {
    ShrunkPortals table(mesh, r);
    uint32_t first = 0;
    const std::span<const ShrunkPortalUnits> found = table.shrunkPortals(portal, first);
    const ClearanceTable::Shrunk known = clearance.shrink(portal, table.radius());
    if (r > 6) {
      EXPECT_TRUE(found.empty());
      EXPECT_EQ(known.kind, ClearanceTable::Shrunk::kClosed);
      continue;
    }
    const double blocked = std::max(0.0, r - 4);
    ASSERT_EQ(found.size(), 1U) << r;
    EXPECT_NEAR(found[0].low, blocked, 1e-7);
    EXPECT_NEAR(found[0].high, 4 - blocked, 1e-7);
    ASSERT_EQ(known.kind, ClearanceTable::Shrunk::kOpen) << r;
    EXPECT_NEAR(known.low, blocked, 1e-7);
    EXPECT_NEAR(known.high, 4 - blocked, 1e-7);
  }
}

TEST(ClearanceCases, CorridorOfExactWidth) {
  const DiskNavigator navigator(meshOf({{{0, 0}, {10, 0}, {10, 2}, {0, 2}}, {{10, 0}, {20, 0}, {20, 2}, {10, 2}}}));
  PlanScratch scratch;
  Route route;
  PathQuery query;
  query.from = {2, 1, 0};
  query.to = {18, 1, 0};
  query.radius = 1;
  EXPECT_EQ(navigator.plan(query, scratch, route), PathStatus::kFound);
  EXPECT_NEAR(route.length, 16, 1e-6);
  query.radius = 1.0001;
  EXPECT_EQ(navigator.plan(query, scratch, route), PathStatus::kStartTooNear);
}

// Figure 7.23 of the thesis: a disk that is too large for the middle of cell B crosses it at one end, goes around, and
// crosses it again at the other end.
TEST(ClearanceCases, PathUsesACellTwice) {
  enum : CellId { kA, kB, kC, kD, kE, kF };
  const NavMesh mesh = meshOf({{{0, -10}, {8, -10}, {8, 0}, {0, 0}},
                               {{0, 0}, {8, 0}, {12, 0}, {20, 0}, {20, 4}, {12, 4}, {8, 4}, {0, 4}},
                               {{0, 4}, {8, 4}, {8, 14}, {0, 14}},
                               {{0, 14}, {8, 14}, {12, 14}, {20, 14}, {20, 24}, {0, 24}},
                               {{12, 4}, {20, 4}, {20, 14}, {12, 14}},
                               {{12, -10}, {20, -10}, {20, 0}, {12, 0}}});
  const DiskNavigator navigator(mesh);
  PlanScratch scratch;
  Route route;
  PathQuery query;
  query.from = {4, -5, 0};
  query.to = {16, -5, 0};
  query.radius = 1.9;
  ASSERT_EQ(navigator.plan(query, scratch, route), PathStatus::kFound);
  EXPECT_EQ(route.cells, (std::vector<CellId>{kA, kB, kF}));
  query.radius = 2.2;
  ASSERT_EQ(navigator.plan(query, scratch, route), PathStatus::kFound);
  EXPECT_EQ(route.cells, (std::vector<CellId>{kA, kB, kC, kD, kE, kB, kF}));
}

TEST(ClearanceCases, DeadEndGoalCell) {
  const NavMesh mesh = meshOf({{{0, 0}, {10, 0}, {10, 4}, {0, 4}}, {{10, 0}, {20, 0}, {20, 4}, {10, 4}}});
  const DiskNavigator navigator(mesh);
  PlanScratch scratch;
  PathQuery query;
  query.from = {5, 2, 0};
  query.to = {15, 2, 0};
  query.radius = 1.5;
  EXPECT_EQ(navigator.reachable(query, scratch), PathStatus::kFound);
}

// A place is cut off inside its own cell: two posts stand close to each other before it.
TEST(ClearanceCases, PocketInsideACell) {
  const NavMesh mesh = meshOf({{{0, 0}, {20, 0}, {11, 9}, {9, 9}},
                               {{9, 9}, {11, 9}, {11, 10}, {9, 10}},
                               {{9, 10}, {11, 10}, {30, 30}, {-10, 30}}});
  const DiskNavigator navigator(mesh);
  PlanScratch scratch;
  PathQuery query;
  query.from = {10, 3, 0};
  query.to = {10, 20, 0};
  query.radius = 0.99;
  EXPECT_EQ(navigator.reachable(query, scratch), PathStatus::kFound);
  query.radius = 1.01;
  EXPECT_EQ(navigator.reachable(query, scratch), PathStatus::kUnreachable);
}

TEST(ClearanceCases, SmallerDisksReachMore) {
  for (uint64_t world = 0; world < 40; ++world) {
    Random random(5, world);
    const std::optional<Environment> environment = randomEnvironment(random);
    if (!environment || environment->layers[0].free.empty()) continue;
    const DiskNavigator navigator(generate(*environment, {.generator = "hertel-mehlhorn"}).value());
    PlanScratch scratch;
    const double size = boundingBox(*environment).max.x;
    for (int i = 0; i < 5; ++i) {
      PathQuery query;
      query.from = {random.real(0, size), random.real(0, size), 0};
      query.to = {random.real(0, size), random.real(0, size), 0};
      bool before = true;
      for (double r = 0.01 * size; r < size; r *= 1.3) {
        query.radius = r;
        const bool now = navigator.reachable(query, scratch) == PathStatus::kFound;
        EXPECT_TRUE(before || !now) << world << " " << r;
        before = now;
        std::swap(query.from, query.to);  // and the way back is the same way
        EXPECT_EQ(navigator.reachable(query, scratch) == PathStatus::kFound, now);
      }
    }
  }
}

// A cut into two layers changes nothing.
TEST(ClearanceCases, LayersChangeNothing) {
  Context serial;
  serial.threads = 1;
  PlanScratch scratch;
  Route route;
  int found = 0;
  for (uint64_t world = 0; world < 60; ++world) {
    SCOPED_TRACE(world);
    Random random(23, world);
    const int width = static_cast<int>(random.between(3, 9));
    const int height = static_cast<int>(random.between(2, 9));
    const Picture picture = randomPicture(random, width, height, 0.2);
    const int cut = static_cast<int>(random.between(1, width - 1));
    const Result<Environment> environment = buildEnvironment(cutDraft(picture, cut), serial);
    if (!environment.ok()) continue;
    std::vector<OracleWall> walls = squareWalls(picture);
    const double r = random.real(0.05, 0.9) * kSquare;
    DiskOracle smaller(walls, r * (1 - 1e-6));
    DiskOracle larger(walls, r * (1 + 1e-6));
    for (const GenerateSettings& settings : clearanceGenerators()) {
      const Result<NavMesh> mesh = generate(*environment, settings, serial);
      if (!mesh.ok()) continue;
      const DiskNavigator navigator(*mesh);
      for (int i = 0; i < 6; ++i) {
        const Vec2 from{random.real(0, width), random.real(0, height)};
        const Vec2 to{random.real(0, width), random.real(0, height)};
        const Vec2 fromUnits{from.x * kSquare, from.y * kSquare};
        const Vec2 toUnits{to.x * kSquare, to.y * kSquare};
        PathQuery query;
        query.from = {from.x, from.y, 0};
        query.to = {to.x, to.y, 0};
        query.radius = r / kSquare;
        const PathStatus status = navigator.plan(query, scratch, route);
        if (status == PathStatus::kStartOffMesh || status == PathStatus::kGoalOffMesh) continue;
        const double low = smaller.length(fromUnits, toUnits);
        if (std::isinf(low) != std::isinf(larger.length(fromUnits, toUnits))) continue;
        ASSERT_EQ(status == PathStatus::kFound, std::isfinite(low))
            << settings.generator << " " << from.x << "," << from.y << " " << to.x << "," << to.y << " r " << r;
        if (status != PathStatus::kFound) continue;
        ++found;
        ASSERT_GE(route.length * kSquare, low * (1 - 1e-6) - 1e-3);
      }
    }
  }
  EXPECT_GT(found, 100);
}

}  // namespace
}  // namespace wend
