#include "planning/disk/portal_tangents.h"

#include <wend/make.h>

#include <gtest/gtest.h>

#include "planning/disk/string_pulling.h"
#include "planning/disk/walk.h"
#include "tests/planning/disk/tangent_graph_check.h"

namespace wend {
namespace {

struct Known {
  size_t asked = 0;
  size_t walked = 0;
  size_t bends = 0;
  size_t known = 0;
  size_t quiet = 0;
};

// What was measured for other paths must hold for this one: the string that was walked with its help keeps clear if it
// is measured wall by wall, too, and is as short as the one that is pulled until all walls are kept.
void checkKnown(const TangentWorld& world, const PathQuery& query, Known& count) {
  const std::unique_ptr<TangentWorld::Corridor> c = world.find(query, EndTest::kLook);
  if (c == nullptr) return;
  SCOPED_TRACE("radius " + std::to_string(query.radius) + ", from " + std::to_string(query.from.x) + "," +
               std::to_string(query.from.y) + " to " + std::to_string(query.to.x) + "," + std::to_string(query.to.y));
  const DiskEnds ends = c->ends();
  const double tolerance = 5 * c->tolerance;
  PortalTangents tangents(c->table, tolerance);
  DiskStringScratch scratch;
  WalkScratch walk;
  DiskString quick;
  size_t reached = 0;
  ++count.asked;
  if (!pullThinString(c->table, tangents, c->scratch.pieces, ends, c->path, scratch, quick)) return;
  if (!walkCorridor(c->table, c->scratch.pieces, c->path, ends, quick, tolerance, walk, reached)) return;
  ++count.walked;
  for (const DiskBend& bend : quick.bends) {
    ++count.bends;
    count.known += bend.known ? 1U : 0U;
    count.quiet += bend.quiet ? 1U : 0U;
  }
  EXPECT_TRUE(walkString(c->table, ends, quick, tolerance, walk));
  DiskString slow;
  pullDiskString(c->table, c->scratch.pieces, ends, c->path, 0.2 * tolerance, scratch, slow);
  if (slow.clear) {
    EXPECT_NEAR(quick.length, slow.length, 1e-9 * slow.length);
  }
}

PathQuery randomQuery(const NavMesh& mesh, double radius, Random& random) {
  PathQuery query;
  query.radius = radius;
  for (Place* end : {&query.from, &query.to}) {
    const Locator locator(mesh);
    *end = randomPlace(mesh, locator, random);
  }
  return query;
}

Known checkWorld(const char* kind, double most) {
  Known count;
  for (const char* generator : {"delaunay", "hertel-mehlhorn", "neogen", "ecm"}) {
    SCOPED_TRACE(std::string(kind) + ", " + generator);
    MakeSettings make;
    make.kind = kind;
    if (make.kind == "maze") make.parameters = {{"size", 16}};
    const NavMesh mesh = generate(makeEnvironment(make).value(), {.generator = generator}).value();
    const TangentWorld world(mesh);
    Random random(5);
    for (int i = 0; i < 40; ++i) checkKnown(world, randomQuery(mesh, random.real(0.02, most), random), count);
  }
  return count;
}

TEST(PortalTangents, KeepClearInAMaze) {
  const Known count = checkWorld("maze", 0.5);
  EXPECT_GT(count.walked, 60U);
  EXPECT_GT(2 * count.quiet, count.bends);
}

TEST(PortalTangents, KeepClearInBuildings) {
  for (const char* kind : {"zelda", "university", "parking-lot", "spiral"}) {
    const Known count = checkWorld(kind, 1);
    EXPECT_GT(count.walked, 20U) << kind;
  }
}

// A shrunk portal between two corners that stick out, and one from such a corner to the length of a wall.
TEST(PortalTangents, TurnsOnlyWhereWallsStickOut) {
  MakeSettings make;
  make.kind = "maze";
  make.parameters = {{"size", 8}};
  const NavMesh mesh = generate(makeEnvironment(make).value(), {.generator = "neogen"}).value();
  ShrunkPortals table(mesh, 0.3 / mesh.lattice().unit);
  PortalTangents tangents(table, 1e-3);
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
    for (const DirectedPortalId in :
         std::vector<DirectedPortalId>(table.cell(cell).entries.begin(), table.cell(cell).entries.end())) {
      for (const bool left : {true, false}) {
        const bool turns = (tangents.turningPosts(in) & (left ? 1U : 2U)) != 0;
        EXPECT_EQ(turns, (tangents.turningPosts(in ^ 1) & (left ? 2U : 1U)) != 0);
        size_t walls = 0;
        bool isOut = false;
        const Vec2 corner = table.endOf(in, left).centre;
        for (SideId a = 0; a < mesh.sideCount(); ++a) {
          for (SideId b = 0; b < mesh.sideCount() && mesh.isWall(a); ++b) {
            if (!mesh.isWall(b) || sideEnd(mesh, a) != corner || sideStart(mesh, b) != corner) continue;
            ++walls;
            isOut = isOut || cross(corner - sideStart(mesh, a), sideEnd(mesh, b) - corner) < 0;
          }
        }
        if (walls < 2) {
          EXPECT_EQ(turns, isOut);
        }
      }
    }
  }
}

}  // namespace
}  // namespace wend
