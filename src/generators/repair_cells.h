#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <wend/generate.h>

// Repairs a mesh of lattice polygons after an edit: the cells that the edit touches are taken out, and their place is
// cut into cells again by the method that made them.
namespace wend {

struct RepairSettings {
  // Also takes out triangles whose circumcircle contains a vertex of the hole, so that the mesh stays a constrained
  // Delaunay triangulation.
  bool keepDelaunay = false;
  // Joins a new cell with a cell beside the hole where that gives a convex one, so that edits do not leave more and
  // more cells behind.
  bool mergeConvex = false;
};

// Makes the cells of an environment that has no connections and no heights: the hole, whose outline is made of walls
// and of the sides of cells that stay.
using CutHole = std::function<Result<NavMesh>(const Environment& hole, const Context& context)>;

// kUnsupported if the outline of the hole has a corner off the lattice. O(vertices of the changed layers + cells) to
// find the hole, the method's own time on it, and copies of the arrays.
Result<MeshUpdate> repairCells(const NavMesh& mesh, const Environment& before, const Environment& after,
                               const ChangedArea& changed, const RepairSettings& settings, const CutHole& cut,
                               const Context& context);

}  // namespace wend
