#pragma once

#include <vector>

#include "planning/corridor/route_cells.h"

// A route that was planned on one mesh, in the cells of another mesh of the same free space.
namespace wend {

struct TranslationScratch {
  std::vector<CellVisit> visits;
  CellTriangles triangles;  // of the cells of `mesh`
};

// Walks along the points of the route and writes down the cells and portals of `mesh` that it crosses; what belongs to
// cells of the other mesh is dropped. It begins at `at`, lattice units, in the cell `start`. `alongWalls`: it may run
// along walls, as that of a point does. False if the walk does not lead to the goal; then the route has no cells.
// O(sides of the cells crossed + points).
bool translateRoute(const NavMesh& mesh, const Locator& locator, CellId start, Vec2 at, bool alongWalls,
                    TranslationScratch& scratch, Route& route);

}  // namespace wend
