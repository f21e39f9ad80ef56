#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "planning/clearance_radius.h"
#include "planning/disk_search.h"

// Corners near a corridor around which a disk may turn, and which of them are in sight of each other.
namespace wend {

class CornersInSight {
 public:
  CornersInSight(const NavMesh& mesh, std::span<const DiskStep> steps, RadiusTable& table);

  // Fills `seen` with the corners in sight of a place in a cell, over the surface, ascending; a few that are not, by
  // rounding. O(cells in sight times their sides).
  void seenFrom(CellId cell, Vec2 place, std::vector<VertexId>& seen);
  // The same from a corner, on all floors that meet in it.
  const std::vector<VertexId>& seenFrom(VertexId corner);

 private:
  struct Corner {
    VertexId vertex;
    SideId wall;  // that begins there
    bool operator<(const Corner& o) const { return vertex != o.vertex ? vertex < o.vertex : wall < o.wall; }
    bool operator==(const Corner&) const = default;
  };
  struct View {
    SideId entry;
    Vec2 right;  // directions from the place that bound the view
    Vec2 left;
  };
  bool mayTurnAt(SideId wall) const;
  void add(VertexId vertex, std::vector<VertexId>& seen) const;
  void lookOut(CellId cell, Vec2 place, SideId skip, SideId skipToo, std::vector<VertexId>& seen);
  void look(Vec2 place, std::vector<VertexId>& seen);

  const NavMesh& mesh_;
  std::vector<Corner> corners_;  // ascending
  std::vector<View> open_;
  std::unordered_map<VertexId, std::vector<VertexId>> known_;
};

}  // namespace wend
