#pragma once

#include <cstdint>
#include <vector>

#include <wend/generate.h>

// The place of the cells that an edit touches.
namespace wend {

// An edge of a boundary, in its direction.
struct LayerEdge {
  LayerId layer = 0;
  Point a, b;
  auto operator<=>(const LayerEdge&) const = default;
};

// The edges that two versions of an environment do not share, among those whose box meets a changed box. Sorted.
struct ChangedEdges {
  std::vector<LayerEdge> gone;
  std::vector<LayerEdge> added;
};
ChangedEdges changedEdges(const Environment& before, const Environment& after, const ChangedArea& changed);

struct Hole {
  std::vector<CellId> removed;  // ascending
  Environment environment;      // what is free there now; the layers of the world, without connections and heights
};

// Cells that touch a changed box, and those that stand at a wall that is gone. With keepDelaunay also triangles whose
// circumcircle contains a vertex of the hole. Cells around a point of a wall that is no lattice point go together.
// kUnsupported if the outline still has a corner off the lattice.
Result<Hole> findHole(const NavMesh& mesh, const Environment& before, const Environment& after,
                      const ChangedArea& changed, bool keepDelaunay);

}  // namespace wend
