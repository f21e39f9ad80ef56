#include "planning/replan/portal_graph.h"

#include <gtest/gtest.h>

#include "tests/planning/replan/live_world.h"

namespace wend {
namespace {

struct GraphCounts {
  int trials = 0, affected = 0, intact = 0, kept = 0, missed = 0;
  uint64_t aStar = 0, odpa = 0;
};

CellId cellBetween(const NavMesh& mesh, SideId a, SideId b) {
  if (a == kNone || b == kNone) return kNone;
  for (const SideId s : {a, mesh.twin(a)}) {
    for (const SideId t : {b, mesh.twin(b)}) {
      if (mesh.cellOf(s) == mesh.cellOf(t)) return mesh.cellOf(s);
    }
  }
  return kNone;
}

void checkEvent(const Navigator& before, const Navigator& after, double radius, Random& random, GraphCounts& counts) {
  PlanScratch scratch;
  GraphSearchScratch search;
  const double units = radius / after.mesh().lattice().unit;
  ShrunkPortals oldTable(before.mesh(), units);
  ShrunkPortals newTable(after.mesh(), units);
  const CellChange change(before.mesh(), after.mesh(), units);
  for (int i = 0; i < 15; ++i) {
    const Vec3 from = freePlace(random, before, after, radius, scratch);
    const Vec3 to = freePlace(random, before, after, radius, scratch);
    const auto endOf = [&](const Navigator& navigator, Vec3 p) {
      return PortalGraph::End{navigator.mesh().lattice().toUnits(Vec2{p.x, p.y}), navigator.locate(p)};
    };
    PortalGraph was(oldTable, endOf(before, from), endOf(before, to));
    GraphPath path;
    ReplanReport report;
    const ReplanQuery plain{PortalGraph::kStart, PortalGraph::kGoal, ReplanMethod::kAStar};
    if (!replanPath(was, plain, {}, {}, search, path, report)) continue;
    const PortalPath old = portalPathOf(was, path);

    // The agent stands where it began, or in the middle of a portal of its path, in the cell that it enters.
    size_t walked = 0;
    PortalGraph::End start = endOf(after, from);
    if (i % 2 == 1 && old.portals.size() > 1) {
      walked = 1 + random.below(old.portals.size() - 1);
      const CellId cell = cellBetween(after.mesh(), change.newSide(old.portals[walked - 1].side),
                                      change.newSide(old.portals[walked].side));
      if (cell == kNone) continue;
      start = {old.portals[walked - 1].middle, cell};
    }
    PortalGraph now(newTable, start, endOf(after, to), &change);
    OldGraphPath rest;
    const bool isOnPath = i % 5 != 4;
    oldPathOf(now, change, old, walked, isOnPath, rest);
    GraphPath best;
    const bool found = replanPath(now, plain, {}, {}, search, best, report);
    counts.aStar += report.expanded;
    ++counts.trials;
    const PathQuery query{.from = from, .to = to, .radius = radius};
    if (!found && walked == 0 && after.reachable(query, scratch) == PathStatus::kFound) ++counts.missed;
    for (const OdpaBounds bounds : {OdpaBounds::kTight, OdpaBounds::kSource}) {
      ReplanQuery how = plain;
      how.method = ReplanMethod::kOdpa;
      how.bounds = bounds;
      GraphPath out;
      ASSERT_EQ(replanPath(now, how, rest, change.part(), search, out, report), found);
      if (bounds == OdpaBounds::kTight) {
        counts.odpa += report.expanded;
        counts.affected += report.affected ? 1 : 0;
        counts.intact += rest.isIntact() ? 1 : 0;
        counts.kept += report.searched ? 0 : 1;
      }
      if (!found) continue;
      ASSERT_NEAR(out.cost, best.cost, 1e-9 * best.cost) << i;
      ASSERT_TRUE(out.optimal);
    }
  }
}

void checkWorld(const char* kind, const char* generator, double radius, GraphCounts& counts) {
  const auto world = LiveWorld::make({kind, {}, 1, {}}, generator);
  ASSERT_TRUE(world);
  Random random(11);
  PlanScratch scratch;
  for (int k = 0; k < 5; ++k) {
    const Vec3 c = freePlace(random, world->plain, world->plain, 0.2, scratch);
    const auto with = world->with({squareAt({c.x, c.y}, random.real(0.5, 3))});
    if (!with) continue;
    checkEvent(world->plain, *with, radius, random, counts);
    if (testing::Test::HasFatalFailure()) return;
    checkEvent(*with, world->plain, radius, random, counts);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// Meshes whose cells stay the same away from the change: a path is mostly intact there.
TEST(PortalGraph, OdpaEqualsAStarOnCells) {
  for (const char* generator : {"delaunay", "hertel-mehlhorn", "neogen", "quadtree"}) {
    GraphCounts counts;
    checkWorld("zelda", generator, 0.3, counts);
    if (testing::Test::HasFatalFailure()) return;
    EXPECT_GT(counts.trials, 60) << generator;
    EXPECT_GT(counts.affected, 5) << generator;
    EXPECT_GT(counts.intact, 5) << generator;
    EXPECT_LE(counts.odpa, counts.aStar) << generator;
    EXPECT_LE(counts.missed, counts.trials / 20) << generator;
  }
}

TEST(PortalGraph, OdpaEqualsAStarOnStoreys) {
  GraphCounts counts;
  checkWorld("station", "hertel-mehlhorn", 0.25, counts);
  EXPECT_GT(counts.trials, 60);
  EXPECT_GT(counts.intact, 5);
}

TEST(PortalGraph, NothingChanged) {
  const auto world = LiveWorld::make({"zelda", {}, 1, {}}, "delaunay");
  ASSERT_TRUE(world);
  const auto again = world->with({});
  const CellChange change(world->plain.mesh(), again->mesh(), 3000);
  EXPECT_TRUE(change.part().empty());
  for (CellId cell = 0; cell < again->mesh().cellCount(); ++cell) EXPECT_FALSE(change.isChanged(cell));
}

}  // namespace
}  // namespace wend
