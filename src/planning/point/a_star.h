#pragma once

#include <vector>

#include "planning/open_list.h"
#include "planning/point/search.h"

// A* over portals. A node is a directed crossing: the side by which a cell is entered. Between crossings the search
// walks over one point per portal, the one with the least way from the last point over the portal to the goal, which is
// closer to the final path than the midpoints are. Fast, not always the shortest: the point chosen for the first way to
// reach a portal decides its cost.
namespace wend {

struct CellCrossing {
  double g;
  Vec2 point;
  SideId parent;  // the crossing before, kNone at the start
};

struct CellSearchScratch {
  OpenList open;
  StampedArray<CellCrossing> crossings;
  StampedSet closed;
  StampedArray<uint32_t> firstVisit;  // per cell: index of its entry in the path
};

// Fills `path.entries` with the crossings of a sequence that visits no cell twice; false if the goal cannot be reached.
// O(k log k) for k crossings looked at; adds that number to `expanded`.
bool searchCells(const NavMesh& mesh, const SearchEnds& ends, const SearchScope& scope, QueryStamp now,
                 CellSearchScratch& scratch, SearchPath& path, uint64_t& expanded);

}  // namespace wend
