#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <wend/corridor_map.h>
#include <wend/route.h>
#include <wend/world.h>

// Queries on a world: every query on every mesh for every radius.
namespace wend {

struct NearestObstacle {
  Vec3 point;           // metres
  double distance = 0;  // metres, in top view
};

// A large disk without obstacles around a place. Lengths in metres, in top view.
struct FreeDisk {
  Vec2 obstacle;         // the nearest to the place
  double clearance = 0;  // distance to it; infinity where none is within the navigator's reach
  Vec2 centre;           // straight away from that obstacle
  double radius = 0;     // of the empty disk around the centre; the place and the obstacle lie in it
};

// A straight walk from a place.
struct StraightWay {
  double clearance = -1;  // least distance from obstacles, metres; negative if blocked or less than `enough`
  CellId cell = kNone;    // where it ends
};

// A star-shaped polygon in top view, counter-clockwise; lifted to the layers it passes.
struct VisibilityPolygon {
  std::vector<Vec3> points;  // metres
  // window[i]: the side from points[i] to the next is not a wall but the limit of the range or a line of sight.
  std::vector<uint8_t> window;
};

// The cells along a path on the medial axis: from the start's retraction to the goal's, each point with its nearest
// obstacle points on both sides. Where the path turns into another edge two entries share p; between their obstacle
// points lies the largest empty disk around p.
struct Corridor {
  std::vector<CorridorMap::BendingPoint> points;  // lattice units, in the direction of travel
  double length = 0;                              // of the axis, metres
  double minClearance = 0;                        // of the axis, metres
};

// Answers queries on one World. A value: immutable, cheap to copy, shared by any number of threads, each with its own
// PlanScratch. A query allocates nothing once its scratch has grown to the largest query.
//
// On a world with a medial axis (generator "ecm") it searches the axis: van Toll, Cook, Geraerts (2011); van Toll
// (2017), chapters 4 and 5. On any other it searches cells and portals: Oliva, Pelechano (2015), made exact. Both find
// a route for radius r if and only if the disk can get from start to goal (with a relative slack of 1e-9, so that a
// corridor of width 2 r lets it pass).
class Navigator {
 public:
  // Without a world: every query answers "off the mesh".
  Navigator();

  const World& world() const;
  const NavMesh& mesh() const;

  // The cell under a place, or kNone. O(1) expected.
  CellId locate(const Place& place) const;

  // A route for a disk of query.radius; fills `route` and reuses its memory.
  //
  // PathMethod::kBest means: on a medial axis kCorridor for every radius; on other meshes kPolyanya for radius 0 and
  // kDisk for a disk. Any world supports any method but kCorridor, which needs the axis. The first query of a method
  // builds the tables that it needs.
  //
  // - kPolyanya is optimal. Overlapping cells are kUnsupported.
  // - kDisk gives the shortest path in the corridor of cells that the search chose, made of segments and arcs.
  //   PathQuery::clearance is kept by the whole route if there is such a route, else only the radius is. The first
  //   query of a radius is slower; the last 8 radii are kept in the scratch.
  // - kCorridor gives the shortest route in the corridor of the shortest path on the axis. It keeps
  //   PathQuery::clearance wherever the axis does and follows the axis elsewhere; with PathQuery::side it runs beside
  //   the axis.
  PathStatus plan(const PathQuery& query, PlanScratch& scratch, Route& route) const;
  // For an agent that walks a route of this navigator to the same goal and stands at query.from. Leaves the route as it
  // is where that is as good as a new one (query.density says how much better is enough), and says whether it changed.
  // A route that cannot be walked any more becomes empty. Without a medial axis the route is always new.
  PathStatus replan(const PathQuery& query, PlanScratch& scratch, Route& route, bool& changed) const;
  // kFound if a disk of that radius can get from one place to the other at all; cheaper than plan(). On a medial axis
  // O(log n).
  PathStatus reachable(const PathQuery& query, PlanScratch& scratch) const;

  std::optional<NearestObstacle> nearestObstacle(const Place& place, PlanScratch& scratch) const;
  // The free space seen from a place, up to `range` metres (0 = unlimited). False off the mesh.
  bool visibility(const Place& place, double range, PlanScratch& scratch, VisibilityPolygon& out) const;
  // The largest radius of a disk that can travel the straight segment; negative if the segment is blocked or off the
  // mesh.
  double straightClearance(const Place& from, const Place& to, PlanScratch& scratch) const;

  // The place must lie in the cell, up to rounding.
  // On a medial axis the largest disk that touches the nearest obstacle, O(1); else one found by bisection, up to 10 m.
  FreeDisk freeDisk(CellId cell, Vec2 metres, PlanScratch& scratch) const;
  // Walks over the surface, so that the end is not mistaken for one above or below it. Stops early once the clearance
  // falls below `enough`.
  StraightWay straightWay(CellId cell, Vec2 from, Vec2 to, double enough, PlanScratch& scratch) const;

  // --- Only on a medial axis ---

  bool hasMedialAxis() const;
  // The largest radius of a disk that can get from query.from to query.to, metres; negative if they are not joined, off
  // the mesh, or there is no axis. O(log n).
  double largestRadius(const PathQuery& query, PlanScratch& scratch) const;
  // The retraction of a place: the point of the medial axis to which it moves straight away from its nearest obstacle;
  // on the way the clearance only grows. O(1).
  std::optional<CorridorPosition> retraction(const Place& place, PlanScratch& scratch) const;
  // The corridor of the shortest path on the axis, without a route. kUnsupported without an axis.
  PathStatus corridor(const PathQuery& query, PlanScratch& scratch, Corridor& out) const;

 private:
  struct Impl;
  explicit Navigator(std::shared_ptr<const Impl> impl);
  friend Navigator makeNavigator(World world);
  std::shared_ptr<const Impl> impl_;
};

// O(n log n) for n cells: builds the point locator and the clearance of the cells or the graph of the axis.
Navigator makeNavigator(World world);

}  // namespace wend
