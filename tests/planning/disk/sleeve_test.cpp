#include <array>
#include <numbers>

#include <gtest/gtest.h>

#include "planning/clearance/convex_cells.h"
#include "planning/disk/portal_tangents.h"
#include "planning/disk/string_trials.h"
#include "planning/ends.h"
#include "planning/point/mesh_analysis.h"
#include "tests/planning/real_worlds.h"

namespace wend {
namespace {

// A square with two free sides, and walls far away.
TEST(Sleeve, IsEmptyForAnEndOnTheIntervalThatThePathLeavesBy) {
  const std::array<Vec2, 4> polygon{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}};
  const std::array<ContourInterval, 4> intervals{
      {{{0, 0}, {10, 0}}, {{10, 0}, {10, 10}}, {{10, 10}, {0, 10}}, {{0, 10}, {0, 0}}}};
  const ContourCell cell{polygon, intervals, {}, 1, std::numbers::pi / 18};
  SleeveScratch scratch;
  std::vector<SleevePortal> portals;
  EXPECT_TRUE(findSleeve(cell, {1, true}, {1, false}, scratch, portals));
  EXPECT_TRUE(portals.empty());
  EXPECT_TRUE(findSleeve(cell, {0, false}, {2, false}, scratch, portals));
  EXPECT_EQ(portals.size(), 1U);
}

// Cells with free corners have wide sleeves: around a wall that juts out, both borders of the way there and of the way
// back are near each other. The first search with the sleeves of its faces finds the string.
TEST(Sleeve, StringsAroundWallsThatJutOutNeedNoFinerArcs) {
  const std::optional<Environment> plan = realEnvironment("floorplans/aknz_evac.wkt", 0);
  if (!plan) GTEST_SKIP() << "skipped: no data";
  size_t found = 0;
  for (const char* generator : {"pasfv", "wavefront"}) {
    const RefinedMesh refined = refineToConvex(generate(*plan, {.generator = generator}).value());
    const NavMesh& mesh = refined.mesh;
    const Locator locator(mesh);
    const MeshAnalysis analysis = analyseMesh(mesh);
    ShrunkPortals table(mesh, 0.3 / mesh.lattice().unit, nullptr, &analysis);
    const double tolerance = 5e-7 / mesh.lattice().unit;
    PortalTangents tangents(table, tolerance);
    CrossingSleeves sleeves(table);
    TrialScratch scratch;
    DiskSearchScratch search;
    DiskPath path;
    DiskString string;
    Random random(1);
    for (int i = 0; i < 400; ++i) {
      End start;
      End goal;
      for (End* end : {&start, &goal}) {
        const Vec3 p = randomPlace(mesh, locator, random);
        end->units = mesh.lattice().toUnits({p.x, p.y});
        end->cells = {locator.locate(p)};
      }
      if (!table.isFree(start.cells[0], start.units) || !table.isFree(goal.cells[0], goal.units)) continue;
      const DiskEnds ends{start.units, goal.units, start.cells, goal.cells};
      uint64_t expanded = 0;
      if (searchDisk(table, analysis, ends, EndTest::kTrust, search, path, expanded) != DiskAnswer::kFound) continue;
      ++found;
      StringTrials trials(table, tangents, sleeves, search.pieces, ends, path, tolerance, scratch, string);
      EXPECT_TRUE(trials.pullQuickly() || trials.pullSurely()) << generator << ", " << i;
    }
  }
  EXPECT_GT(found, 300U);
}

}  // namespace
}  // namespace wend
