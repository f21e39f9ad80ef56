#pragma once

#include <algorithm>
#include <vector>

#include "geometry/vec2.h"
#include "planning/stamped.h"
#include "planning/surface/surface.h"

// Which cells a disk can reach from one place. A cell is searched when it is first needed.
//
// In most cells all shrunk portals are joined. Two such cells that share a shrunk portal have the same answer, so one
// search answers for all cells around.
namespace wend {

class ReachMemo {
 public:
  void begin(const NavMesh& mesh) {
    if (stamp_.advance()) known_.wipe();
    known_.grow(mesh.cellCount());
  }

  // `isReached` searches, from a free place. It answers for a portal of a cell at first: a place may be cut off from
  // the portals of its own cell. So where a portal is reached, the place itself is searched too.
  template <typename Search>
  bool ask(ShrunkPortals& table, const SurfacePlace& place, const Search& isReached) {
    return (!isOne(table, place.cell) || askCell(table, place.cell, isReached)) && isReached(place);
  }

 private:
  // Of the radius: from the middle of a shrunk portal of this width a place is freer than rounding takes away.
  static constexpr double kNarrow = 1e-3;

  template <typename Search>
  bool askCell(ShrunkPortals& table, CellId cell, const Search& isReached) {
    if (const bool* known = known_.find(cell, stamp_)) return *known;
    Vec2 middle{0, 0};
    double widest = 0;
    for (const DirectedPortalId entry : table.cell(cell).entries) {
      const DirectedPortal& portal = table.directed(entry);
      const double width = length(portal.left - portal.right);
      if (width <= widest) continue;
      widest = width;
      middle = 0.5 * (portal.left + portal.right);
    }
    // In the middle of a narrow one rounding may leave no space.
    if (widest < kNarrow * table.radius()) return true;
    const bool answer = isReached(SurfacePlace{middle, cell});
    open_.assign(1, cell);
    known_.set(cell, answer, stamp_);
    while (!open_.empty()) {
      const CellId at = open_.back();
      open_.pop_back();
      around_.clear();
      for (const DirectedPortalId entry : table.cell(at).entries) around_.push_back(table.cellBehind(entry ^ 1));
      for (const CellId next : around_) {
        if (known_.find(next, stamp_) != nullptr || !isOne(table, next)) continue;
        known_.set(next, answer, stamp_);
        open_.push_back(next);
      }
    }
    return answer;
  }
  // Whether all shrunk portals of the cell are joined.
  static bool isOne(ShrunkPortals& table, CellId cell) {
    const ShrunkPortals::CellView view = table.cell(cell);
    if (view.faces.empty()) return false;
    return std::all_of(view.faces.begin(), view.faces.end(), [&](uint32_t face) { return face == view.faces.front(); });
  }

  QueryStamp stamp_;
  StampedArray<bool> known_;
  std::vector<CellId> open_;
  std::vector<CellId> around_;
};

}  // namespace wend
