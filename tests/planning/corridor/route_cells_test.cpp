#include "planning/corridor/route_cells.h"

#include <wend/make.h>

#include <gtest/gtest.h>

#include "mesh/cell_geometry.h"
#include "tests/generators/layered_worlds.h"
#include "tests/planning/corridor/ecm_navigator.h"
#include "tests/planning/corridor/world.h"

// Route::cells are the cells that the route crosses.
namespace wend {
namespace {

// Lattice units: points within this of a border lie in both cells.
constexpr double kBorder = 0.01;

bool isUnder(const NavMesh& mesh, CellId cell, Vec2 p) {
  if (contains(mesh, cell, p)) return true;
  for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
    if (distanceToSegment(p, startPoint(mesh, s), endPoint(mesh, s)) < kBorder) return true;
  }
  return false;
}

bool isUnder(const NavMesh& mesh, CellId cell, Vec2 a, Vec2 b) {
  if (contains(mesh, cell, a)) return true;
  for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
    if (closestBetween(startPoint(mesh, s), endPoint(mesh, s), a, b).distance < kBorder) return true;
  }
  return false;
}

// Portals lead from each cell to the next; the cells under points along the route are among them, in order; and there
// is no other cell among them.
std::string cellsFault(const NavMesh& mesh, const Route& route) {
  if (route.portals.size() + 1 != route.cells.size()) return "counts";
  for (size_t k = 0; k < route.portals.size(); ++k) {
    if (mesh.cellOf(route.portals[k]) != route.cells[k]) return "portal of another cell";
    if (mesh.neighbour(route.portals[k]) != route.cells[k + 1]) return "portal to another cell";
  }
  std::vector<Vec2> points;
  for (const Vec3 p : route.points) points.push_back(mesh.lattice().toUnits({p.x, p.y}));
  if (points.size() == 1) points.push_back(points.front());
  size_t at = 0;
  constexpr int kSteps = 16;
  for (size_t i = 0; i + 1 < points.size(); ++i) {
    for (int k = 0; k <= kSteps; ++k) {
      const Vec2 p = between(points[i], points[i + 1], static_cast<double>(k) / kSteps);
      while (at < route.cells.size() && !isUnder(mesh, route.cells[at], p)) ++at;
      if (at == route.cells.size()) return "no cell under point " + std::to_string(i) + " step " + std::to_string(k);
    }
  }
  for (const CellId cell : route.cells) {
    bool crossed = false;
    for (size_t i = 0; i + 1 < points.size() && !crossed; ++i) crossed = isUnder(mesh, cell, points[i], points[i + 1]);
    if (!crossed) return "a cell away from the route";
  }
  return isUnder(mesh, route.cells.back(), points.back()) ? "" : "the goal is in another cell";
}

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
