#include <cmath>

#include <wend/generate.h>
#include <wend/make.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "planning/clearance/clearance_table.h"
#include "planning/clearance/portal_shrinking.h"
#include "tests/planning/random_world.h"

namespace wend {
namespace {

NavMesh meshOf(const char* kind, const char* generator) {
  MakeSettings make;
  make.kind = kind;
  return generate(makeEnvironment(make).value(), {.generator = generator}).value();
}

Vec2 onPortal(const DirectedPortal& portal, Random& random) {
  // Ends are where ways touch corners.
  const double share = random.below(4) == 0 ? static_cast<double>(random.below(2)) : random.real(0, 1);
  return portal.left + share * (portal.right - portal.left);
}

bool isOff(Vec2 a, Vec2 b, const ShrunkPortalUnits::End& end, double side, double r) {
  return side * cross(b - a, end.centre - a) >= (end.wall == kNone ? 0 : r) * length(b - a);
}

// Whoever looks at the walls that a pass names finds the same ways clear as whoever looks at every wall near the cell.
TEST(ClearancePass, NamesEveryWallThatMatters) {
  size_t clear = 0;
  size_t blocked = 0;
  size_t spared = 0;
  for (const char* kind : {"zelda", "university", "maze"}) {
    for (const char* generator : {"delaunay", "neogen"}) {
      const NavMesh mesh = meshOf(kind, generator);
      for (const double metres : {0.1, 0.3, 0.7}) {
        ShrunkPortals table(mesh, metres / mesh.lattice().unit);
        const double r = table.radius() - 5e-7 / mesh.lattice().unit;
        Random random(11);
        for (int i = 0; i < 4000; ++i) {
          const auto cell = static_cast<CellId>(random.below(mesh.cellCount()));
          const ShrunkPortals::CellView view = table.cell(cell);
          if (view.entries.size() < 2) continue;
          const DirectedPortalId in = view.entries[random.below(view.entries.size())];
          const DirectedPortalId out = view.entries[random.below(view.entries.size())] ^ 1;
          if (in == (out ^ 1)) continue;
          const Vec2 a = onPortal(table.directed(in), random);
          const Vec2 b = onPortal(table.directed(out), random);
          if (a == b) continue;
          const bool truth = isClearOf(view.shapes, {a, b, r});
          const ShrunkPortals::Crossing* crossing = table.crossing(in, out);
          ASSERT_NE(crossing, nullptr);
          for (const ShrunkPortals::WallGroup& group : {crossing->hull, crossing->cell}) {
            const bool left = group.left == 0 ||
                              (isOff(a, b, table.endOf(in, true), 1, r) && isOff(a, b, table.endOf(out, true), 1, r));
            const bool right = group.right == 0 || (isOff(a, b, table.endOf(in, false), -1, r) &&
                                                    isOff(a, b, table.endOf(out, false), -1, r));
            const std::span<const Wall> walls = left && right ? table.openWalls(group) : table.allWalls(group);
            EXPECT_EQ(isClearOf(walls, {a, b, r}), truth) << kind << " " << generator << " " << metres << " " << cell;
            spared += view.shapes.size() - walls.size();
          }
          ++(truth ? clear : blocked);
        }
      }
    }
  }
  EXPECT_GT(clear, 10000U);
  EXPECT_GT(blocked, 100U);
  EXPECT_GT(spared, 10000U);
}

// What is known for any radius equals what a table finds that looks at every wall near a cell.
TEST(ClearanceTableShrink, EqualsTheShrunkPortals) {
  size_t open = 0;
  size_t closed = 0;
  size_t byFeatures = 0;
  size_t unknown = 0;
  const auto check = [&](const NavMesh& mesh, double r, const ClearanceTable& clearance) {
    ShrunkPortals table(mesh, r);
    for (SideId s = 0; s < mesh.sideCount(); ++s) {
      if (mesh.isWall(s) || s > mesh.twin(s)) continue;
      const ClearanceTable::Shrunk shrunk = clearance.shrink(s, table.radius());
      uint32_t first = 0;
      const std::span<const ShrunkPortalUnits> shrunkPortals = table.shrunkPortals(s, first);
      if (shrunk.kind == ClearanceTable::Shrunk::kUnknown) {
        ++unknown;
        continue;
      }
      ASSERT_EQ(shrunkPortals.size(), shrunk.kind == ClearanceTable::Shrunk::kOpen ? 1U : 0U)
          << "side " << s << ", radius " << r;
      byFeatures += table.radius() > clearance.limits(s).criticalRadius ? 1U : 0U;
      ++(shrunkPortals.empty() ? closed : open);
      if (shrunkPortals.empty()) continue;
      EXPECT_NEAR(shrunkPortals[0].low, shrunk.low, 1e-6);
      EXPECT_NEAR(shrunkPortals[0].high, shrunk.high, 1e-6);
      EXPECT_EQ(shrunkPortals[0].ends[0].wall == kNone, shrunk.lowWall == kNone);
      EXPECT_EQ(shrunkPortals[0].ends[1].wall == kNone, shrunk.highWall == kNone);
      // Every wall that is named ends the shrunk portal.
      for (const auto& [end, id] : {std::pair{shrunkPortals[0].ends[0].place, shrunk.lowWall},
                                    {shrunkPortals[0].ends[1].place, shrunk.highWall}}) {
        if (id == kNone) continue;
        const Wall wall = table.wall(id);
        EXPECT_NEAR(length(end - closestOnSegment(end, wall.a, wall.b)), table.radius(), 1e-6);
      }
    }
  };
  for (const char* kind : {"zelda", "university", "maze"}) {
    for (const char* generator : {"neogen", "delaunay"}) {
      const NavMesh mesh = meshOf(kind, generator);
      const double unit = mesh.lattice().unit;
      const ClearanceTable clearance(mesh, 2 / unit);
      for (const double metres : {0.1, 0.3, 0.7, 1.1, 1.5}) check(mesh, metres / unit, clearance);
    }
  }
  // Corners in line, needles, walls that touch; corners of portals off the walls, and walls at right angles to portals.
  Context serial;
  serial.threads = 1;
  for (uint64_t world = 0; world < 300; ++world) {
    Random random(31, world);
    const std::optional<Environment> environment = randomEnvironment(random);
    if (!environment || environment->layers[0].free.empty()) continue;
    for (const char* generator : {"delaunay", "neogen", "ecm", "esfv", "pasfv"}) {
      const Result<NavMesh> mesh = generate(*environment, {.generator = generator}, serial);
      if (!mesh.ok()) continue;  // others test generators
      const ClearanceTable clearance(*mesh, 10 / mesh->lattice().unit);
      for (int i = 0; i < 6; ++i) check(*mesh, 0.05 * std::pow(100.0, random.real()) / mesh->lattice().unit, clearance);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(open, 10000U);
  EXPECT_GT(closed, 1000U);
  EXPECT_GT(byFeatures, 1000U);
  EXPECT_LT(unknown, (open + closed) / 5);
}

}  // namespace
}  // namespace wend
