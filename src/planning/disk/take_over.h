#pragma once

#include <vector>

#include <wend/route.h>

#include "planning/clearance/portal_shrinking.h"
#include "planning/corridor/route_cells.h"
#include "planning/visibility/mesh_visibility_polygon.h"

// Giving a route of an older version of a mesh the cells and portals of this one.
namespace wend {

// Fills in cells, portals and, with a table, shrunk portals of a route that has points alone. The first point lies in
// `cell`. False if a wall is in the way, or the disk does not fit between the start and the second point: then the
// route is left without cells. O(cells passed).
bool takeOver(const NavMesh& mesh, CellId cell, ShrunkPortals* table, SightScratch& sight,
              std::vector<CellVisit>& visits, Route& route);

}  // namespace wend
