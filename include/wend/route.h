#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <wend/density.h>
#include <wend/navmesh.h>
#include <wend/place.h>

// The query of a Navigator, and the route that it returns.
namespace wend {

// How a route is planned.
enum class PathMethod : uint8_t {
  kBest,      // the cheapest method that is right for the query: see Navigator::plan()
  kPolyanya,  // the shortest path of a point (Cui, Harabor, Grastien 2017)
  kAStar,     // a point: A* over cells and portals, then the funnel; fast, not always the shortest
  kDisk,      // a disk: A* over shrunk portals of the cells, then the shortest string in that corridor
  kCorridor,  // any radius: A* on the medial axis, then a route in its corridor; needs a medial axis
  kGraph,     // a point: A* over the centroids of cells and the middles of portals, walked as they are (Hale 2011)
  kBreadth,   // a point: the same graph, the path with the fewest nodes
};
const char* methodName(PathMethod method);

enum class PathStatus : uint8_t {
  kFound,
  kStartOffMesh,  // the start is on no cell (inside an obstacle or outside the world)
  kGoalOffMesh,
  kUnreachable,   // no way from start to goal
  kBadQuery,      // NaN, infinity, or a negative radius
  kUnsupported,   // the mesh cannot answer this query: no medial axis, or overlapping cells
  kStartTooNear,  // the disk at the start reaches into an obstacle
  kGoalTooNear,
};
const char* statusName(PathStatus status);

struct PathQuery {
  Place from;
  Place to;
  double radius = 0;     // metres, >= 0; radius 0 is a point
  double clearance = 0;  // metres; the distance from obstacles to keep wherever there is space; at least the radius
  // Instead of the shortest route: 0 the middle of the free width, -1 its left edge, 1 its right one, or between. Only
  // on a medial axis.
  std::optional<double> side;
  PathMethod method = PathMethod::kBest;
  // Null: the shortest path. Else the path with the least travel time at these densities. Only with a radius.
  const DensityView* density = nullptr;
  // Metres. An end off the mesh, or too near a wall, moves to the nearest place where the disk fits, by up to this. 0:
  // no end is moved.
  double snap = 0;
  // Where the goal cannot be reached, plan to the place nearest to it that can.
  bool partial = false;
  bool measure = true;  // measure Route::clearance of kCorridor, which takes a fifth of the time
};

// An arc around a corner of an obstacle, on a route with a radius.
struct RouteArc {
  Vec2 centre;         // metres
  double radius = 0;   // metres
  double begin = 0;    // radians; direction from the centre to where the arc begins
  double sweep = 0;    // radians; positive counter-clockwise
  uint32_t first = 0;  // points[first] to points[last] stand for the arc
  uint32_t last = 0;
};

// The part of a portal that the centre of the disk may cross, seen in the direction of travel.
struct ShrunkPortal {
  Vec2 left;  // metres
  Vec2 right;
};

struct Route {
  std::vector<CellId> cells;                // crossed, in order
  std::vector<SideId> portals;              // portals[i] is the side by which cells[i] is left
  std::vector<Vec3> points;                 // metres, start and goal included; z is the surface's height
  double length = 0;                        // metres, projected; of the arcs, not of the polyline that stands for them
  double clearance = 0;                     // metres; kept from obstacles: measured, or the radius; 0 if not known
  std::vector<RouteArc> arcs;               // with a radius: the round parts, in order
  std::vector<ShrunkPortal> shrunkPortals;  // with a radius, by cells and portals: one per portal
  double startMoved = 0;                    // metres; how far PathQuery::snap moved the ends
  double goalMoved = 0;
  bool partial = false;  // the route ends at the reachable place nearest to the goal
  double missing = 0;    // metres; from there straight to the goal
  // By kCorridor, for re-planning: the half-edges of the axis (2 * edge + reversed), the length walked of the
  // first one, and how far density counted, metres.
  std::vector<uint32_t> path;
  double pathLead = 0;
  double pathView = 0;
  // When this path was planned, without densities, no path on the graph was cheaper. ReplanMethod::kOdpa needs that.
  bool optimal = false;
  void clear();
};

// Memory of one thread's queries; grows to the largest query and is then reused, so that a query allocates nothing.
class PlanScratch {
 public:
  PlanScratch();
  ~PlanScratch();
  PlanScratch(PlanScratch&&) noexcept;
  PlanScratch& operator=(PlanScratch&&) noexcept;

  uint64_t expanded = 0;  // search nodes expanded by the last query
  // Metres; how far snapping moved the ends of the last query that may snap. Of costs(): the start alone.
  double startMoved = 0;
  double goalMoved = 0;

 private:
  friend struct ScratchMemory;  // planning/scratch_memory.h
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace wend
