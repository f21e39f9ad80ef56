#pragma once

#include <vector>

#include "planning/open_list.h"
#include "planning/point/search.h"

// Polyanya: the shortest path for a point, straight on the cells.
// Cui, Harabor, Grastien: Compromise-free pathfinding on a navigation mesh, IJCAI 2017.
//
// Needs disjoint convex cells. Layers need nothing extra: neighbouring cells share coordinates along a portal.
//
// Exact topology: an interval keeps the vertices that bound the view, so that every decision is the sign of an orient()
// of three known points. The coordinates of interval ends only enter the estimate f.
namespace wend {

// A set of points seen from one root: the interval [left, right] on a side, to be expanded through that side.
struct PolyanyaNode {
  double f;
  double g;   // length from the start to the root
  Vec2 left;  // ends of the interval, left and right as seen from the root
  Vec2 right;
  SideId side;            // of the cell to be entered; runs from its left to its right end
  uint32_t root;          // vertex, or kStartRoot
  uint32_t previousRoot;  // where the path came from; for bounds that prolong the last segment
  VertexId leftBound;     // the view's left edge is the ray from root through this vertex; if it is the root itself,
  VertexId rightBound;    // the edge is the ray from previousRoot through root
  uint32_t parent;
  bool collinear;  // the root lies on the side's own line
};
inline constexpr uint32_t kStartRoot = kNone;

struct PolyanyaScratch {
  std::vector<PolyanyaNode> nodes;
  OpenList open;
  uint32_t next = kNone;       // to be expanded when the search goes on
  StampedArray<double> bestG;  // per vertex as a root
  StampedArray<double> spun;   // per end of a side: least g with which the search turned into this side's cell there
};

enum class PolyanyaAnswer : uint8_t { kFound, kUnreachable, kUnfinished };

// Fills `path`. O(k log k) for k intervals expanded; adds that number to `expanded`. kUnfinished after `most` of them.
PolyanyaAnswer searchPolyanya(const NavMesh& mesh, const MeshAnalysis& analysis, const SearchEnds& ends,
                              const SearchScope& scope, QueryStamp now, PolyanyaScratch& scratch, uint64_t most,
                              SearchPath& path, uint64_t& expanded);
// Goes on with an unfinished search of the same query, to its end.
PolyanyaAnswer finishPolyanya(const NavMesh& mesh, const MeshAnalysis& analysis, const SearchEnds& ends,
                              const SearchScope& scope, QueryStamp now, PolyanyaScratch& scratch, SearchPath& path,
                              uint64_t& expanded);

}  // namespace wend
