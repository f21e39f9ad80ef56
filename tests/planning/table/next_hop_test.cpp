#include <wend/environment_file.h>
#include <wend/file.h>
#include <wend/image/adaptive_grid.h>
#include <wend/make.h>
#include <wend/next_hop_table.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "mesh/cell_geometry.h"
#include "planning/table/hop_graph.h"

namespace wend {
namespace {

NavigableGrid noise(Random& random, uint32_t width, uint32_t height, double share) {
  NavigableGrid grid;
  grid.width = width;
  grid.height = height;
  for (uint32_t i = 0; i < width * height; ++i) grid.free.push_back(random.chance(share) ? 1 : 0);
  grid.free[0] = 1;
  return grid;
}

World worldOf(const NavigableGrid& grid, const std::string& generator = "adaptive-grid", const char* period = "4") {
  const auto environment = gridEnvironment(grid);
  EXPECT_TRUE(environment.ok());
  GenerateSettings settings;
  settings.generator = generator;
  if (generator == "adaptive-grid") settings.options = {{"pixel", "1"}, {"seed-period", period}};
  auto world = bake(*environment, settings);
  EXPECT_TRUE(world.ok()) << (world.ok() ? "" : world.error().message);
  return world.ok() ? *world : World();
}

TEST(NextHopTable, OneCellHasNoHop) {
  const World world = worldOf({1, 1, {1}, 1, {}});
  const auto table = NextHopTable::build(world.mesh());
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table->goalCount(), 1U);
  EXPECT_EQ(table->hop(0, 0), kNone);
  EXPECT_EQ(table->path(world.mesh(), 0, 0), std::vector<CellId>{0});
}

TEST(NextHopTable, WrongSettingsAreErrors) {
  const World world = worldOf({2, 1, {1, 1}, 1, {}});
  EXPECT_EQ(NextHopTable::build(NavMesh()).error().code, ErrorCode::kEmpty);
  EXPECT_EQ(NextHopTable::build(world.mesh(), {.goals = {7}}).error().code, ErrorCode::kInvalidSettings);
  EXPECT_EQ(NextHopTable::build(world.mesh(), {.radius = -1}).error().code, ErrorCode::kInvalidSettings);
  EXPECT_EQ(NextHopTable::build(world.mesh(), {.maxBytes = 0}).error().code, ErrorCode::kLimit);
}

// Dijkstra and Floyd-Warshall find the same costs, so the same hops; every path ends, and its cost falls by each hop's.
TEST(NextHopTable, SearchesAgreeAndPathsEnd) {
  Random random(1);
  for (int i = 0; i < 12; ++i) {
    const World world = worldOf(noise(random, 14, 11, 0.85), i % 3 == 0 ? "delaunay" : "adaptive-grid");
    const NavMesh& mesh = world.mesh();
    for (const HopMetric metric : {HopMetric::kManhattan, HopMetric::kEuclid, HopMetric::kShortest}) {
      const auto fast = NextHopTable::build(mesh, {.metric = metric});
      const auto slow = NextHopTable::build(mesh, {.metric = metric, .search = HopSearch::kFloydWarshall});
      ASSERT_TRUE(fast.ok() && slow.ok());
      EXPECT_EQ(fast->hash(), slow->hash());
      const HopGraph graph(mesh, metric, 0, {});
      HopSearchMemory memory;
      for (uint32_t row = 0; row < fast->goalCount(); ++row) {
        searchFrom(graph, row, memory);
        for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
          const std::vector<CellId> path = fast->path(mesh, cell, row);
          ASSERT_EQ(path.empty(), memory.cost[cell] == kNoHop);
          if (path.size() < 2) continue;
          const SideId side = fast->next(mesh, cell, row);
          ASSERT_EQ(memory.cost[cell], graph.cost(side) + memory.cost[mesh.neighbour(side)]);
        }
      }
    }
  }
}

TEST(NextHopTable, GoalsAreRowsOfAllPairs) {
  Random random(2);
  const World world = worldOf(noise(random, 20, 20, 0.9));
  const NavMesh& mesh = world.mesh();
  const auto all = NextHopTable::build(mesh);
  const auto some = NextHopTable::build(mesh, {.goals = {9, 3, 3}});
  ASSERT_TRUE(all.ok() && some.ok());
  EXPECT_EQ(some->goalCount(), 2U);
  EXPECT_EQ(some->rowOf(3), 0U);
  EXPECT_EQ(some->rowOf(4), kNone);
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
    EXPECT_EQ(some->hop(cell, 1), all->hop(cell, 9));
  }
  Context one;
  one.threads = 1;
  Context four;
  four.threads = 4;
  EXPECT_EQ(NextHopTable::build(mesh, {}, one)->hash(), NextHopTable::build(mesh, {}, four)->hash());
}

// Euclid <= shortest <= the way over the portal's end; a slow line of sight over pixels agrees.
TEST(NextHopTable, MetricsAreInOrder) {
  Random random(3);
  for (int i = 0; i < 20; ++i) {
    const NavigableGrid mask = noise(random, 18, 12, 0.8);
    const World world = worldOf(mask);
    const NavMesh& mesh = world.mesh();
    const HopGraph manhattan(mesh, HopMetric::kManhattan, 0, {});
    const HopGraph euclid(mesh, HopMetric::kEuclid, 0, {});
    const HopGraph shortest(mesh, HopMetric::kShortest, 0, {});
    for (SideId s = 0; s < mesh.sideCount(); ++s) {
      if (mesh.isWall(s)) continue;
      const Vec2 p = shortest.centre(mesh.cellOf(s));
      const Vec2 q = shortest.centre(mesh.neighbour(s));
      ASSERT_LE(euclid.cost(s), shortest.cost(s));
      ASSERT_LE(euclid.cost(s), manhattan.cost(s));
      ASSERT_EQ(shortest.cost(s), shortest.cost(mesh.twin(s)));
      ASSERT_GT(euclid.cost(s), 0U);
      // Over either end of the portal, by streets.
      double bend = 1e300;
      for (const Vec2 e : {startPoint(mesh, s), endPoint(mesh, s)}) {
        bend = std::min(bend, std::abs(p.x - e.x) + std::abs(p.y - e.y) + std::abs(q.x - e.x) + std::abs(q.y - e.y));
      }
      ASSERT_LE(static_cast<double>(shortest.cost(s)), 16 * bend + 1);
      // The open segment enters no blocked pixel if and only if the straight distance counts. Exact: centres are halves
      // of lattice units, pixels 10000 units.
      bool blocked = false;
      for (uint32_t row = 0; row < mask.height; ++row) {
        for (uint32_t column = 0; column < mask.width; ++column) {
          if (mask.isFree(row, column)) continue;
          const double x0 = column * 1e4;
          const double y0 = (mask.height - 1 - row) * 1e4;
          const Vec2 corners[4] = {{x0, y0}, {x0 + 1e4, y0}, {x0 + 1e4, y0 + 1e4}, {x0, y0 + 1e4}};
          int left = 0;
          int right = 0;
          for (const Vec2 c : corners) {
            left += orient(p, q, c) > 0;
            right += orient(p, q, c) < 0;
          }
          const bool box = std::max(p.x, q.x) > x0 && std::min(p.x, q.x) < x0 + 1e4 && std::max(p.y, q.y) > y0 &&
                           std::min(p.y, q.y) < y0 + 1e4;
          blocked = blocked || (box && left > 0 && right > 0);
        }
      }
      if (blocked) {
        ASSERT_GT(shortest.cost(s), euclid.cost(s));
      }
    }
  }
}

TEST(NextHopTable, NarrowPortalsAreClosedForWideDisks) {
  NavigableGrid grid{5, 3, {1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1}, 1, {}};
  const World world = worldOf(grid);
  const Locator locator(world.mesh());
  const CellId left = locator.locate(Place(0.5, 0.5));
  const CellId right = locator.locate(Place(4.5, 2.5));
  const auto thin = NextHopTable::build(world.mesh(), {.goals = {right}, .radius = 0.5});
  const auto wide = NextHopTable::build(world.mesh(), {.goals = {right}, .radius = 0.51});
  ASSERT_TRUE(thin.ok() && wide.ok());
  EXPECT_FALSE(thin->path(world.mesh(), left, 0).empty());
  EXPECT_TRUE(wide->path(world.mesh(), left, 0).empty());
}

TEST(NextHopTable, MemoryOfTheSource) {
  Random random(4);
  const World world = worldOf(noise(random, 60, 60, 0.93));
  const uint32_t cells = world.mesh().cellCount();
  const auto table = NextHopTable::build(world.mesh());
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table->entryBytes(), 1U);
  EXPECT_LE(table->memory(), static_cast<size_t>(cells) * cells + 4);
  // 784 cells: 0.59 MiB; the source has 7.06 MB.
  EXPECT_LE(784.0 * 784 * table->entryBytes() / (1 << 20), 1.2);
}

TEST(NextHopTable, SavedAndLoaded) {
  Random random(5);
  const World world = worldOf(noise(random, 20, 20, 0.9));
  const auto table = NextHopTable::build(world.mesh(), {.goals = {1, 5}, .radius = 0.25});
  ASSERT_TRUE(table.ok());
  const std::string bytes = table->serialise(world.mesh());
  const auto back = NextHopTable::parse(asBytes(bytes), world.mesh(), "bytes");
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(back->hash(), table->hash());
  const std::string path = testing::TempDir() + "next_hop.wend";
  ASSERT_TRUE(saveWorldWithTable(world, *table, path).ok());
  const auto loaded = loadWorld(path);
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  EXPECT_EQ(hash(*loaded), hash(world));
  const auto found = loadTable(path, *loaded);
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(found->hash(), table->hash());
  ASSERT_TRUE(saveWorld(world, path).ok());
  EXPECT_EQ(loadTable(path, world).error().code, ErrorCode::kEmpty);
  const World other = worldOf(noise(random, 20, 20, 0.9));
  EXPECT_FALSE(NextHopTable::parse(asBytes(bytes), other.mesh(), "bytes").ok());
  for (size_t cut = 0; cut < bytes.size(); cut += 7) {
    EXPECT_FALSE(NextHopTable::parse(asBytes(std::string_view(bytes).substr(0, cut)), world.mesh(), "cut").ok());
  }
  for (int i = 0; i < 200; ++i) {
    std::string wrong = bytes;
    wrong[random.below(wrong.size())] ^= static_cast<char>(1 + random.below(255));
    const auto parsed = NextHopTable::parse(asBytes(wrong), world.mesh(), "wrong");
    if (parsed.ok()) {
      EXPECT_EQ(parsed->hash(), table->hash());  // padding
    }
  }
}

// After a repair of the grid, the updated table is the one that a build from zero gives.
TEST(NextHopTable, UpdateEqualsRebuild) {
  Random random(6);
  uint32_t kept = 0;
  uint32_t searched = 0;
  for (int i = 0; i < 25; ++i) {
    NavigableGrid mask = noise(random, 24, 20, 0.92);
    const World before = worldOf(mask);
    const NavMesh& old = before.mesh();
    const auto table = NextHopTable::build(old);
    ASSERT_TRUE(table.ok());
    for (int k = 0; k < 3; ++k) {
      uint8_t& pixel = mask.free[random.below(mask.free.size())];
      pixel = random.chance(0.5) ? 1 : 0;
    }
    mask.free[0] = 1;
    const World after = worldOf(mask);
    // Cells with the same polygon are the same.
    std::map<std::vector<std::pair<double, double>>, CellId> byShape;
    const auto shapeOf = [](const NavMesh& mesh, CellId cell) {
      double x0 = 1e300, y0 = 1e300, x1 = -1e300, y1 = -1e300;
      for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
        const Vec2 p = startPoint(mesh, s);
        x0 = std::min(x0, p.x);
        y0 = std::min(y0, p.y);
        x1 = std::max(x1, p.x);
        y1 = std::max(y1, p.y);
      }
      return std::vector<std::pair<double, double>>{{x0, y0}, {x1, y1}};
    };
    for (CellId c = 0; c < after.mesh().cellCount(); ++c) byShape[shapeOf(after.mesh(), c)] = c;
    std::vector<CellId> newOfOld(old.cellCount(), kNone);
    for (CellId c = 0; c < old.cellCount(); ++c) {
      const auto at = byShape.find(shapeOf(old, c));
      if (at != byShape.end()) newOfOld[c] = at->second;
    }
    NextHopUpdate report;
    const auto updated = table->update(old, after.mesh(), newOfOld, {}, &report);
    ASSERT_TRUE(updated.ok()) << updated.error().message;
    const auto built = NextHopTable::build(after.mesh());
    ASSERT_TRUE(built.ok());
    EXPECT_EQ(updated->hash(), built->hash()) << i;
    kept += report.kept;
    searched += report.searched;
  }
  EXPECT_GT(kept, 0U);
  EXPECT_GT(searched, 0U);
}

// Straight motion by the field stays in free space, and following it from any pixel ends at the goal.
TEST(VectorField, FollowingItReachesTheGoal) {
  Random random(7);
  for (int i = 0; i < 10; ++i) {
    const NavigableGrid mask = noise(random, 16, 12, 0.85);
    const World world = worldOf(mask, i % 2 == 0 ? "adaptive-grid" : "delaunay");
    const NavMesh& mesh = world.mesh();
    const Locator locator(mesh);
    const auto table = NextHopTable::build(mesh);
    ASSERT_TRUE(table.ok());
    // Triangles meet in tips, which an agent of radius 0 may walk along.
    const double radius = i % 2 == 0 ? 0 : 0.05;
    const Vec2 goal{0.4, 11.3};
    const CellId goalCell = locator.locate(goal, 0);
    ASSERT_NE(goalCell, kNone);
    for (uint32_t row = 0; row < mask.height; ++row) {
      for (uint32_t column = 0; column < mask.width; ++column) {
        if (!mask.isFree(row, column)) continue;
        Vec2 at{column + 0.37, mask.height - 1 - row + 0.61};
        CellId cell = locator.locate(at, 0);
        ASSERT_NE(cell, kNone);
        if (table->path(mesh, cell, goalCell).empty()) continue;
        constexpr double kStep = 0.008;
        int steps = 0;
        for (; steps < 40000; ++steps) {
          if (std::hypot(at.x - goal.x, at.y - goal.y) < 0.02) break;
          const Vec2 d = fieldDirection(mesh, *table, cell, at, goalCell, goal, radius);
          ASSERT_NEAR(std::hypot(d.x, d.y), 1, 1e-9);
          // A step ends in the same cell, or in the one behind the portal that the hop names; at the tip of a sliver it
          // has to be short for that.
          const SideId side = table->next(mesh, cell, goalCell);
          bool stepped = false;
          for (double step = kStep; step > 1e-6 && !stepped; step /= 8) {
            const Vec2 to{at.x + step * d.x, at.y + step * d.y};
            const Vec2 units = mesh.lattice().toUnits(to);
            const bool inside = contains(mesh, cell, units);
            if (!inside && (side == kNone || !contains(mesh, mesh.neighbour(side), units))) continue;
            if (!inside) cell = mesh.neighbour(side);
            at = to;
            stepped = true;
          }
          ASSERT_TRUE(stepped) << at.x << " " << at.y;
        }
        ASSERT_LT(steps, 40000);
      }
    }
  }
}

TEST(VectorField, CoverageKeepsAgentsApart) {
  NavigableGrid grid{20, 20, std::vector<uint8_t>(400, 1), 1, {}};
  for (uint32_t column = 0; column < 20; ++column) {
    if (column < 5 || column > 14) grid.free[10 * 20 + column] = 0;
  }
  const World world = worldOf(grid, "adaptive-grid", "20");
  const Locator locator(world.mesh());
  const NavMesh& mesh = world.mesh();
  const CellId goalCell = locator.locate(Place(10, 2));
  const auto table = NextHopTable::build(mesh, {.goals = {goalCell}});
  ASSERT_TRUE(table.ok());
  const auto spread = [&](FieldRule rule) {
    double low = 1e300;
    double high = -1e300;
    for (double x = 1; x < 19; x += 0.5) {
      Vec2 at{x, 18};
      for (int i = 0; i < 5000 && at.y > 10.02; ++i) {
        const CellId cell = locator.locate(at, 0);
        if (cell == kNone) break;
        const Vec2 d = fieldDirection(mesh, *table, cell, at, 0, {10, 2}, 0.3, rule);
        at = {at.x + 0.008 * d.x, at.y + 0.008 * d.y};
      }
      low = std::min(low, at.x);
      high = std::max(high, at.x);
    }
    return high - low;
  };
  EXPECT_GT(spread(FieldRule::kCoverage), 8);
  EXPECT_LT(spread(FieldRule::kCentre), 2);
}

TEST(VectorField, NarrowPortalsDoNotInvert) {
  NavigableGrid grid{3, 1, {1, 1, 1}, 1, {}};
  const World world = worldOf(grid, "adaptive-grid", "1");
  const NavMesh& mesh = world.mesh();
  ASSERT_EQ(mesh.cellCount(), 3U);
  const Locator locator(mesh);
  const CellId first = locator.locate(Place(0.5, 0.5));
  const auto table = NextHopTable::build(mesh);
  const CellId last = locator.locate(Place(2.5, 0.5));
  const Vec2 d = fieldDirection(mesh, *table, first, {0.5, 0.1}, last, {2.5, 0.5}, 3.0);
  EXPECT_GT(d.x, 0);
  EXPECT_GT(d.y, 0);
}

}  // namespace
}  // namespace wend
