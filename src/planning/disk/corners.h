#pragma once

#include <span>
#include <utility>
#include <vector>

#include "planning/clearance/portal_shrinking.h"
#include "planning/disk/crossing_search.h"
#include "planning/point/thin_view.h"

// Corners near a corridor around which a disk may turn, and which of them are in sight of each other.
namespace wend {

using CornerId = uint32_t;

class CornersInSight {
 public:
  // `slack` (lattice units): how much nearer than the table's radius a disk may come to a wall.
  CornersInSight(ShrunkPortals& table, std::span<const DiskStep> steps, double slack);

  size_t count() const { return corners_.size(); }
  Vec2 place(CornerId corner) const { return corners_[corner].place; }

  // True if a disk whose centre has that offset from the corner touches the corner and no wall of it is nearer.
  bool mayTouch(CornerId corner, Vec2 offset) const;

  // Fills `seen` with the corners in sight of a place in a cell, over the surface, ascending; a few that are not, by
  // rounding. O(cells in sight times their sides).
  void seenFrom(CellId cell, Vec2 place, std::vector<CornerId>& seen);
  // The same from a corner, on all floors that meet in it.
  const std::vector<CornerId>& seenFrom(CornerId corner);

 private:
  // The floor around a corner, from a wall that begins there counter-clockwise to one that ends there.
  struct Fan {
    SideId wall = kNone;
    Vec2 first;  // directions away from the corner along both walls, of length 1
    Vec2 last;
    bool winds = false;  // by more than a turn: then any direction may be free
  };
  // One vertex may be the corner of several fans, and layers that meet in a corner have a vertex each there.
  struct Corner {
    Vec2 place;
    std::vector<Fan> fans;
    bool looked = false;
    std::vector<CornerId> seen;
  };
  struct View {
    SideId entry;
    Vec2 right;  // directions from the place that bound the view
    Vec2 left;
    uint32_t depth;  // cells that it passed before
  };
  void addFan(SideId wall);
  void nameCorners();
  void add(VertexId vertex, std::vector<CornerId>& seen) const;
  void lookOut(CellId cell, Vec2 place, SideId skip, SideId skipToo, std::vector<CornerId>& seen);
  void look(Vec2 place, std::vector<CornerId>& seen);

  const NavMesh& mesh_;
  double mostCosine_;  // between a wall and the way to a disk that touches its corner: 0 but for rounding
  std::vector<Fan> fans_;
  std::vector<Corner> corners_;
  std::vector<std::pair<VertexId, CornerId>> named_;  // ascending; one corner per vertex
  std::vector<View> open_;
  PassedCells passed_;
};

}  // namespace wend
