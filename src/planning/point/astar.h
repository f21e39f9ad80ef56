#pragma once

#include <vector>

#include "planning/open_list.h"
#include "planning/point/search.h"

// A* for a point, from portal to portal. A node is the side by which a cell is entered. A crossing leads from one point
// per portal to the next: the point with the shortest path from the last point over the portal to the goal. It is
// closer to the final path than the middle of the portal. Fast, not always the shortest: the first path that reaches a
// portal chooses its point, and so its cost.
namespace wend {

struct AStarNode {
  double g;
  Vec2 point;
  SideId parent;  // the entry of the cell before, kNone at the start
};

struct AStarScratch {
  OpenList open;
  StampedArray<AStarNode> nodes;  // per side
  StampedSet closed;
  StampedArray<uint32_t> firstVisit;  // per cell: index of its entry in the path
};

// Fills `path.entries` with the entries of a sequence that visits no cell twice; false if the goal cannot be reached.
// O(k log k) for k nodes expanded; adds that number to `expanded`.
bool searchAStar(const NavMesh& mesh, const SearchEnds& ends, const SearchScope& scope, QueryStamp now,
                 AStarScratch& scratch, SearchPath& path, uint64_t& expanded);

}  // namespace wend
