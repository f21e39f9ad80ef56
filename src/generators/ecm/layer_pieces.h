#pragma once

#include <functional>
#include <span>
#include <vector>

#include <wend/environment.h>
#include <wend/navmesh.h>

#include "generators/ecm/connection_paths.h"
#include "geometry/index/grid_index.h"

// Cuts cells at connections. Cells of a multi-layered map may reach across connections; each cell of a navigation mesh
// lies in one layer.
namespace wend::ecm {

class LayerPieces {
 public:
  // Lattice units: what reaches less than the sliver across a connection is left to the mesh builder to match.
  LayerPieces(const Environment& environment, double sliver);

  // Whether a connection of the layer comes near the box of a polygon; only then a cell needs to be cut.
  bool nearConnection(std::span<const PieceCorner> polygon, LayerId layer) const;

  // Cuts a convex polygon on the surface into pieces of one layer each. `start` is one of its corners, in `layer` (if
  // it lies on a connection, either of the two). Convex and counter-clockwise, lattice units.
  void cut(std::span<const PieceCorner> polygon, Vec2 start, LayerId layer,
           const std::function<void(LayerId, std::span<const PieceCorner>)>& emit) const;

 private:
  LayerId layerAt(Vec2 start, LayerId layer, Vec2 p) const;

  double sliver_;
  std::vector<std::vector<ConnectionSegment>> segments_;  // per layer
  std::vector<GridIndex> index_;
};

}  // namespace wend::ecm
