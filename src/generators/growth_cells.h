#pragma once

#include <span>
#include <utility>
#include <vector>

#include <wend/environment.h>
#include <wend/mesh_builder.h>

#include "generators/connection_edges.h"
#include "geometry/growth/merge_convex.h"

// What the generators that grow regions share: the spaces of an environment in which they grow, and the way from grown
// regions to the cells of a mesh.
namespace wend {

// Corners are rounded once, so equal places differ by less than this (lattice units).
inline constexpr double kGrownCornerTolerance = 1e-6;

// One space in which regions grow: the free space of a layer, or the part of it that has one terrain class.
struct GrownSpace {
  LayerId layer = 0;
  std::vector<std::string> labels;  // of the regions there, sorted; together they are the terrain class
  std::vector<Polygon> free;
  std::vector<RingEdge> open;  // edges that are no walls: connections and borders of terrain, sorted
  // Edges of `free` that lie along a wall but not exactly on it, since a border ends there in a lattice point; each
  // with the wall, sorted.
  std::vector<std::pair<RingEdge, RingEdge>> bent;
};

// The layers, in their order; cut along the borders of their labelled regions if `byTerrain`. A place covered by
// several labels belongs to a class of its own. Borders end on walls in lattice points (snap rounding); bent edges tell
// where that moved a wall, so that cells can be moved back. kLimit for more than 30 labels on one layer.
Result<std::vector<GrownSpace>> grownSpaces(const Environment& environment, bool byTerrain, const Context& context);

// Hands cells to a builder. `walls` are those of the space that the outlines were grown in.
void addGrownCells(MeshBuilder& builder, const GrownSpace& space, std::span<const growth::Outline> cells,
                   std::span<const growth::Wall> walls);

}  // namespace wend
