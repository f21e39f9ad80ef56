#include "planning/corridor/route_cells.h"

#include <wend/make.h>

#include <gtest/gtest.h>

#include "mesh/cell_geometry.h"
#include "tests/generators/layered_worlds.h"
#include "tests/planning/corridor/cells_check.h"
#include "tests/planning/corridor/ecm_navigator.h"
#include "tests/planning/corridor/world.h"

// Route::cells are the cells that the route crosses.
namespace wend {
namespace {

int checkCells(const Environment& environment, Random& random, int queries) {
  const auto navigator = navigatorOf(environment);
  if (navigator == nullptr) return 0;
  const NavMesh& mesh = navigator->mesh();
  const Locator locator(mesh);
  PlanScratch scratch;
  Route route;
  int found = 0;
  for (int i = 0; i < queries; ++i) {
    PathQuery query;
    const auto place = [&] {
      // Any point of a cell, or one of its corners.
      const CellId cell = static_cast<CellId>(random.below(mesh.cellCount()));
      const SideId side = mesh.firstSide(cell) + static_cast<SideId>(random.below(mesh.sideCount(cell)));
      Vec2 p = mesh.vertex(mesh.startVertex(side));
      if (random.chance(0.8)) {
        Vec2 sum;
        for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
          sum.x += mesh.vertex(mesh.startVertex(s)).x / mesh.sideCount(cell);
          sum.y += mesh.vertex(mesh.startVertex(s)).y / mesh.sideCount(cell);
        }
        p = between(p, sum, random.real());
      }
      const Vec2 metres = mesh.lattice().toMetres(p);
      return Vec3{metres.x, metres.y, locator.height(metres, mesh.layerOf(cell))};
    };
    query.from = place();
    query.to = place();
    const double widest = navigator->largestRadius(query, scratch);
    if (widest < 0) continue;
    query.radius = random.chance(0.4) ? 0 : random.real(0, 1) * widest;
    query.clearance = random.chance(0.4) ? 0 : random.real(0, 1);
    if (random.chance(0.3)) query.side = random.chance(0.3) ? 0 : random.real(-1, 1);
    if (navigator->plan(query, scratch, route) != PathStatus::kFound) continue;
    ++found;
    EXPECT_EQ(cellsFault(mesh, route), "")
        << "query " << i << " from " << query.from.x << ", " << query.from.y << " to " << query.to.x << ", "
        << query.to.y << " radius " << query.radius << " clearance " << query.clearance;
  }
  return found;
}

TEST(CorridorCells, AreThoseUnderTheRoute) {
  int routes = 0;
  for (uint64_t seed = 0; seed < 150 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto world = CorridorWorld::random(random, seed % 2 == 0);
    if (world) routes += checkCells(world->environment, random, 20);
  }
  EXPECT_GT(routes, 1000);
}

TEST(CorridorCells, AreThoseUnderTheRouteAcrossLayers) {
  int routes = 0;
  for (uint64_t seed = 0; seed < 100 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto world = overlappingWorld(seed);
    if (world) routes += checkCells(*world, random, 20);
  }
  EXPECT_GT(routes, 500);
}

}  // namespace
}  // namespace wend
