#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <wend/environment.h>
#include <wend/navmesh.h>

#include "geometry/grid_index.h"

// Cells of a multi-layered map may reach across connections; a navigation mesh wants each cell in one layer.
namespace wend::ecm {

// A polygon's corner, and whether the side that starts there is a wall.
struct PieceCorner {
  Vec2 p;
  uint8_t wall = 0;
};

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
  // A segment of a connection seen from one layer, which lies on its left.
  struct Gate {
    Vec2 a;
    Vec2 b;
    LayerId other;
    uint32_t segment;  // the same number from both sides
  };

  LayerId layerAt(Vec2 start, LayerId layer, Vec2 p) const;
  struct Line {
    Vec2 a;
    Vec2 b;
    std::array<Vec2, 2> ends;  // of the gate, as far as they are on the line
  };
  std::optional<Line> crossing(std::span<const PieceCorner> polygon, LayerId layer) const;

  double sliver_;
  std::vector<std::vector<Gate>> gates_;  // per layer
  std::vector<GridIndex> index_;
};

}  // namespace wend::ecm
