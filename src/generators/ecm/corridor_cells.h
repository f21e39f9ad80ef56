#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <wend/corridor_map.h>
#include <wend/environment.h>
#include <wend/navmesh.h>

#include "generators/ecm/layer_pieces.h"
#include "generators/ecm/wall_touches.h"

// The cells of the Explicit Corridor Map as a navigation mesh.
namespace wend::ecm {

// The cells of single arcs.
class ArcCells {
 public:
  using Emit = std::function<void(LayerId layer, std::span<const Vec2> loop, std::span<const uint8_t> walls)>;
  // The environment must outlive it. `touches`: at least those on the walls of the arcs in calls of cellsOf(), sorted.
  ArcCells(const Environment& environment, std::vector<WallTouch> touches);

  // Lattice units: what corners of neighbouring cells may differ by.
  double tolerance() const { return tolerance_; }
  // Gives the cells of an arc to `emit`, for MeshBuilder::addCell(): none if the arc has no width.
  void cellsOf(const CorridorMap& map, uint32_t arc, const Emit& emit);

 private:
  void add(LayerId layer, std::span<const PieceCorner> corners, const Emit& emit);
  void addCorner(Vec2 p, uint8_t wall);
  std::span<const WallTouch> touchesOn(LayerId layer, Vec2 from, Vec2 to);

  double tolerance_;
  LayerPieces pieces_;
  std::vector<WallTouch> touches_;
  std::array<CorridorMap::Site, 2> sites_;  // of the arc
  std::vector<WallTouch> onSide_;
  std::vector<Vec2> loop_;
  std::vector<uint8_t> walls_;
};

// One cell [p, r, r', p', l', l] per arc, at most six corners and those where free space touches its walls from behind,
// possibly not convex; the arc runs through its interior, so nothing of it is approximated. Cells near a connection
// become several convex ones, each in one layer. Cells narrower than 4e-12 of the largest coordinate vanish. The map is
// attached, with cellArc filled.
Result<NavMesh> corridorMesh(const Environment& environment, CorridorMap map, const std::string& generator,
                             uint64_t settingsHash, const Context& context);

}  // namespace wend::ecm
