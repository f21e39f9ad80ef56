#include <set>

#include <wend/make.h>

#include <gtest/gtest.h>

#include "environment/turned.h"
#include "mesh/cell_geometry.h"
#include "planning/corridor/route_cells.h"
#include "tests/generators/layered_worlds.h"
#include "tests/planning/corridor/ecm_navigator.h"
#include "tests/planning/corridor/world.h"

// The triangles of cells, and the quick walk over them against the slow one over the cells.
namespace wend {
namespace {

double twiceArea(Vec2 a, Vec2 b, Vec2 c) {
  return cross(b - a, c - a);
}

void checkTriangles(const NavMesh& mesh) {
  CellTriangles triangles;
  triangles.follow(mesh, 1);
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
    const CellTriangles::Half* edges = triangles.of(mesh, cell);
    const uint32_t sides = mesh.sideCount(cell);
    ASSERT_NE(edges, nullptr) << sides;
    const auto corner = [&](uint32_t e) { return startPoint(mesh, mesh.firstSide(cell) + edges[e].corner); };
    double area = 0;
    std::set<uint8_t> onSides;
    for (uint32_t t = 0; t < 4 * (sides - 2); t += 4) {
      const double of = twiceArea(corner(t), corner(t + 1), corner(t + 2));
      EXPECT_GE(of, -1);  // by the rounding of corners
      area += of;
      for (uint32_t e = t; e < t + 3; ++e) {
        const CellTriangles::Edge next = CellTriangles::next(static_cast<CellTriangles::Edge>(e));
        EXPECT_EQ(CellTriangles::previous(next), e);
        if (edges[e].across == CellTriangles::kSide) {
          onSides.insert(edges[e].corner);
          EXPECT_EQ(triangles.onSide(mesh.firstSide(cell) + edges[e].corner), e);
          EXPECT_EQ(edges[next].corner, (edges[e].corner + 1U) % sides);
          continue;
        }
        const CellTriangles::Edge across = edges[e].across;
        EXPECT_EQ(edges[across].across, e);
        EXPECT_EQ(edges[across].corner, edges[next].corner);
        EXPECT_EQ(edges[CellTriangles::next(across)].corner, edges[e].corner);
      }
    }
    EXPECT_EQ(onSides.size(), sides);
    EXPECT_NEAR(area / (2 * cellArea(mesh, cell) / mesh.lattice().unit / mesh.lattice().unit), 1, 1e-6) << cell;
  }
}

struct Counts {
  int through = 0, blocked = 0, cells = 0;
};

// Straight steps between random places, and from corner to corner.
void checkWalks(const NavMesh& mesh, Random& random, Counts& counts) {
  CellTriangles triangles;
  triangles.follow(mesh, 1);
  std::vector<CellVisit> visits;
  for (int i = 0; i < 200; ++i) {
    const auto cell = static_cast<CellId>(random.below(mesh.cellCount()));
    Vec2 from;
    for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
      from = from + (1.0 / mesh.sideCount(cell)) * startPoint(mesh, s);
    }
    if (!contains(mesh, cell, from)) continue;
    const bool toCorner = random.chance(0.3);
    const double reach = random.real(10, 200000);
    Vec2 to = from + Vec2{random.real(-reach, reach), random.real(-reach, reach)};
    if (toCorner) to = mesh.vertex(static_cast<VertexId>(random.below(mesh.vertexCount())));
    Route slow;
    Route quick;
    CellWalk slowWalk(mesh, visits, slow);
    CellWalk quickWalk(mesh, visits, quick, &triangles);
    slowWalk.start(cell, from);
    quickWalk.start(cell, from);
    const CellWalk::Mark mark = slowWalk.mark();
    const bool arrives = slowWalk.to(to);
    const bool arrivesQuickly = quickWalk.to(to);
    ++(arrives ? counts.through : counts.blocked);
    counts.cells += static_cast<int>(slow.cells.size());
    if (toCorner) {  // on either side of a wall that it touches, and in any of the cells around it
      const auto arrivesBeside = [&] { return slowWalk.back(mark), slowWalk.to(to, -1); };
      const auto arrivesAlong = [&] { return slowWalk.back(mark), slowWalk.along(to); };
      ASSERT_TRUE(arrivesQuickly || !arrives) << i;
      ASSERT_TRUE(arrives || !arrivesQuickly || arrivesBeside() || arrivesAlong()) << i;
      continue;
    }
    ASSERT_EQ(arrivesQuickly, arrives) << i;
    if (!arrives) continue;
    ASSERT_EQ(quick.cells, slow.cells) << i;
    ASSERT_EQ(quick.portals, slow.portals) << i;
    // On from there, which is inside a triangle.
    const Vec2 next = from + Vec2{random.real(-reach, reach), random.real(-reach, reach)};
    const bool goesOn = slowWalk.to(next);
    ASSERT_EQ(quickWalk.to(next), goesOn) << i;
    if (goesOn) {
      ASSERT_EQ(quick.cells, slow.cells) << i;
    }
  }
}

TEST(TriangleWalk, CellsAreCutIntoTriangles) {
  for (const char* kind : {"zelda", "university", "maze"}) {
    const Environment environment = turned(makeEnvironment({.kind = kind}).value(), 17);
    for (const char* generator : {"ecm", "delaunay"}) {
      SCOPED_TRACE(generator);
      const Result<NavMesh> mesh = generate(environment, {.generator = generator});
      ASSERT_TRUE(mesh.ok());
      checkTriangles(*mesh);
    }
  }
}

TEST(TriangleWalk, CrossesTheCellsOfTheSlowWalk) {
  Counts counts;
  for (uint64_t seed = 0; seed < 100 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto world = CorridorWorld::random(random, seed % 2 == 0);
    const auto navigator = world ? navigatorOf(world->environment) : nullptr;
    if (navigator != nullptr) checkWalks(navigator->mesh(), random, counts);
  }
  for (uint64_t seed = 0; seed < 40 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto world = overlappingWorld(seed);
    const auto navigator = world ? navigatorOf(*world) : nullptr;
    if (navigator != nullptr) checkWalks(navigator->mesh(), random, counts);
  }
  EXPECT_GT(counts.through, 1000);
  EXPECT_GT(counts.blocked, 1000);
  EXPECT_GT(counts.cells, 2 * counts.through);
}

// Another mesh under the same memory: its cells, not those of the mesh before.
TEST(TriangleWalk, ForgetsTheMeshBefore) {
  CellTriangles triangles;
  for (const char* kind : {"zelda", "maze", "zelda"}) {
    static uint64_t serial = 1;
    const Result<NavMesh> mesh = generate(makeEnvironment({.kind = kind}).value(), {.generator = "ecm"});
    ASSERT_TRUE(mesh.ok());
    triangles.follow(*mesh, serial++);
    for (CellId cell = 0; cell < mesh->cellCount(); ++cell) {
      const CellTriangles::Half* edges = triangles.of(*mesh, cell);
      ASSERT_NE(edges, nullptr);
      uint32_t onSides = 0;
      for (uint32_t t = 0; t < 4 * (mesh->sideCount(cell) - 2); ++t) {
        onSides += t % 4 != 3 && edges[t].across == CellTriangles::kSide ? 1 : 0;
      }
      ASSERT_EQ(onSides, mesh->sideCount(cell));
    }
  }
}

}  // namespace
}  // namespace wend
