#pragma once

#include <memory>
#include <vector>

#include <wend/navmesh.h>
#include <wend/route.h>

// The navigation graph of Hale (2011): a node at the centroid of each cell and at the middle of each portal; an edge
// joins a centroid with the middles of its cell's portals. Paths walk from node to node without smoothing. wend's own
// planners are better; this one reproduces the figures of the source, and plans around narrow portals.
namespace wend {

// What the portals on a path cost beside their distance.
struct GraphCosts {
  double leastWidth = 0;     // metres, >= 0: narrower portals are closed
  double narrowPenalty = 0;  // metres, >= 0: a portal of width w costs narrowPenalty / w more, w in metres
  // Cost per metre of each cell, for example by terrain class; empty: 1 everywhere. Infinite cells are closed.
  std::vector<double> cellCosts;
  // Metres that crossing a portal counts as, by the side of the cell that is left; empty: none. Infinite ones are
  // closed.
  std::vector<double> portalCosts;
};

class NavigationGraph {
 public:
  // Refers to nothing: keeps the mesh. O(cells + portals).
  explicit NavigationGraph(NavMesh mesh);

  uint32_t nodeCount() const { return static_cast<uint32_t>(places_.size()); }
  uint32_t portalCount() const { return nodeCount() - mesh_.cellCount(); }
  const NavMesh& mesh() const { return mesh_; }
  Vec2 place(uint32_t node) const { return places_[node]; }  // metres; cells first, then portals
  uint32_t nodeOf(SideId portal) const { return portalNode_[portal]; }
  double width(SideId portal) const;  // metres

  // By query.method: kBreadth for the fewest nodes, else A* with Euclidean cost. Ignores radius and clearance. The
  // route starts and ends at the places of the query; within one cell it is straight. O((cells + portals) log) and
  // allocates.
  PathStatus plan(const PathQuery& query, Route& route, const GraphCosts& costs = {}) const;

 private:
  friend class DynamicGraphSearch;
  NavMesh mesh_;
  Locator locator_;
  std::vector<Vec2> places_;
  std::vector<uint32_t> portalNode_;  // per side; kNone for walls
  std::vector<SideId> sideOfPortal_;  // the smaller side of each portal
};

// Corners of a polyline at which it turns by more than 90 degrees: Hale's measure of jagged paths.
uint32_t sharpTurns(const Route& route);

// D* Lite (Koenig and Likhachev 2002) on a navigation graph: keeps the shortest ways to one goal cell while portals
// open and close. Moving the start or changing k portals costs the nodes whose distance changes, not a new search.
class DynamicGraphSearch {
 public:
  DynamicGraphSearch(const NavigationGraph& graph, CellId start, CellId goal);
  ~DynamicGraphSearch();
  DynamicGraphSearch(DynamicGraphSearch&&) noexcept;
  DynamicGraphSearch& operator=(DynamicGraphSearch&&) noexcept;

  void setOpen(SideId portal, bool open);
  void moveStart(CellId cell);
  // The cells from start to goal, both included; empty if there is no way. Repairs what changed.
  std::vector<CellId> path();
  double length();            // metres over centroids and middles; infinite if there is no way
  uint64_t expanded() const;  // nodes, since it was made

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The widest ways between all pairs of cells: the narrowest portal of a way that avoids narrow ones as well as can be.
class Bottlenecks {
 public:
  explicit Bottlenecks(const NavMesh& mesh);  // O(portals log portals)

  // Metres; infinite within one cell, 0 if there is no way. O(joins between them), at most the number of cells.
  double between(CellId a, CellId b) const;
  // The portal with that width, or kNone.
  SideId portal(CellId a, CellId b) const;

 private:
  struct Join {
    uint32_t parent = kNone;
    uint32_t depth = 0;
    double width = 0;  // of the portal that joined the two parts below
    SideId portal = kNone;
  };
  uint32_t meeting(CellId a, CellId b) const;
  std::vector<Join> joins_;  // cells first, then one per join
};

// How much can pass from one cell to another, in metres of portal width.
struct GraphFlow {
  double greedy = 0;   // way after way, each takes its bottleneck from all portals on it (Hale's metric 12)
  double maximum = 0;  // the true maximum
  uint32_t ways = 0;   // of the greedy flow
};
GraphFlow flowBetween(const NavigationGraph& graph, CellId from, CellId to);

}  // namespace wend
