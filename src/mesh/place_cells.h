#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include <wend/environment.h>
#include <wend/navmesh.h>

#include "base/slot_plan.h"
#include "mesh/join_cells.h"
#include "mesh/live_arrays.h"

// Puts joined cells in the place of others in the arrays of a mesh.
namespace wend {

class LiveBase;  // environment/edit/live_base.h

// What MeshPatch knows when its cells are joined.
struct JoinedPatch {
  const NavMesh& mesh;
  const Environment& after;
  const LiveBase* base;             // of `after`, or null if it is not known
  std::span<const CellId> removed;  // ascending
  std::span<const CellId> beside;   // cells that stay and have a removed neighbour, ascending
  const JoinedCells& joined;        // the cells beside, in their order, then the new ones
  // Per piece of a cell beside: the old side, if its twin stays or it is a wall; else kNone.
  std::span<const SideId> oldOfPiece;
};

// Cells that stay keep their number and their sides, but for those that fill a gap; see SlotPlan. Vertices likewise.
// O(what is written).
class CellPlacer {
 public:
  CellPlacer(const JoinedPatch& patch, MeshDraft& draft);
  void run();

  struct Moved {
    CellId from;
    CellId to;
  };
  // Cells that stay and have another number now.
  const std::vector<Moved>& moved() const { return moved_; }
  // The numbers of the new cells, in the order of their joining.
  const std::vector<CellId>& added() const { return added_; }

 private:
  struct Fan {
    SideId first;
    Vec2 p;
    double height;
  };
  bool isRemoved(CellId cell) const;
  SideId beginOf(CellId cell) const;
  SideId sideNow(SideId old) const;
  void planCells();
  void writeBegins();
  void writeMoved();
  void placePieces();
  void joinTwins(SideId side, SideId twin);
  template <typename Visit>
  void walkFan(SideId first, Visit&& visit) const;
  void numberVertices();
  void fillVertices(const std::vector<VertexId>& spare);

  const JoinedPatch& patch_;
  const NavMesh& mesh_;
  MeshDraft& draft_;
  std::vector<uint32_t> pieceBegin_;  // per joined cell, and the end
  std::vector<uint32_t> items_;       // joined cells that need a slot
  SlotPlan plan_;
  std::vector<SideId> tailBegin_;                   // of slots from plan_.firstMoved on, and the end
  std::unordered_map<CellId, CellId> cellNow_;      // of cells that move
  std::unordered_map<SideId, SideId> sideOfGrown_;  // known sides of cells beside that got more corners
  std::unordered_map<CellId, uint32_t> besideIndex_;
  std::vector<SideId> sideOfPiece_;
  std::vector<Moved> moved_;
  std::vector<CellId> added_;
};

}  // namespace wend
