#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <wend/corridor_map.h>
#include <wend/navmesh.h>
#include <wend/plan.h>

// What a crowd sees of a mesh. One implementation works on any NavMesh with its clearance table, one on the Explicit
// Corridor Map; the caller cannot tell them apart.
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
  double clearance = -1;  // least distance from obstacles, metres; negative if blocked or less than asked for
  CellId cell = kNone;    // where it ends
};

// A star-shaped polygon in top view, counter-clockwise; lifted to the layers it passes.
struct VisibilityPolygon {
  std::vector<Vec3> points;  // metres
  std::vector<uint8_t>
      window;  // window[i]: the side from points[i] to the next is no wall (range limit, or a sight line)
};

// Thread safety: const and shared; each thread brings its own scratch.
class Navigator {
 public:
  virtual ~Navigator() = default;

  virtual const NavMesh& mesh() const = 0;
  // Cell under a place, or kNone.
  virtual CellId locate(Vec3 metres, bool withHeights) const = 0;
  // Route for a disk; honours query.radius and query.clearance.
  virtual PathStatus plan(const PathQuery& query, PlanScratch& scratch, Route& route) const = 0;
  // For one who walks a route that this navigator planned to the same goal, and stands at query.from: leaves the route
  // as it is where that is as good as a new one (query.density says how much better is enough), and says whether it
  // changed. A route that cannot be walked any more becomes empty.
  virtual PathStatus replan(const PathQuery& query, PlanScratch& scratch, Route& route, bool& changed) const = 0;
  // Whether a disk of that radius can get from one place to the other at all; cheaper than plan().
  virtual PathStatus reachable(const PathQuery& query, PlanScratch& scratch) const = 0;
  virtual std::optional<NearestObstacle> nearestObstacle(Vec3 metres, bool withHeights, PlanScratch& scratch) const = 0;
  // The free room seen from a place, up to `range` metres (0 = unlimited). False off the mesh.
  virtual bool visibility(Vec3 metres, bool withHeights, double range, PlanScratch& scratch,
                          VisibilityPolygon& out) const = 0;
  // The largest radius of a disk that can travel the straight segment; negative if the segment is blocked or off the
  // mesh.
  virtual double straightClearance(Vec3 from, Vec3 to, bool withHeights, PlanScratch& scratch) const = 0;

  // For those who know the cell they stand in; the place must lie in it, up to rounding.
  // With a medial axis the largest disk that touches the nearest obstacle, O(1); else one that is found by trying.
  virtual FreeDisk freeDisk(CellId cell, Vec2 metres, PlanScratch& scratch) const = 0;
  // Over the surface, so that the end is not mistaken for one above or below it. Stops early once the clearance falls
  // below `enough`.
  virtual StraightWay straightWay(CellId cell, Vec2 from, Vec2 to, double enough, PlanScratch& scratch) const = 0;
};

// The cells along a path on the medial axis: from the start's retraction to the goal's, each point with its nearest
// obstacle points on both sides. Where the path turns into another edge two entries share p; the room between their
// obstacle points is that of the largest empty disk around p.
struct Corridor {
  std::vector<CorridorMap::BendingPoint> points;  // lattice units, in the direction of travel
  double length = 0;                              // of the axis, metres
  double minClearance = 0;                        // of the axis, metres
};

// On the Explicit Corridor Map: one mesh answers every radius.
// W. van Toll, A. Cook, R. Geraerts: Navigation meshes for realistic multi-layered environments, IROS 2011; W. van
// Toll: Navigation for characters and crowds in complex virtual environments, 2017, chapters 4 and 5.
//
// A query allocates nothing once its scratch has grown to the largest query.
class EcmNavigator final : public Navigator {
 public:
  // kUnsupported for a mesh without a corridor map (bake it with the generator "ecm"). O(n log n).
  static Result<std::shared_ptr<const EcmNavigator>> make(NavMesh mesh);

  const NavMesh& mesh() const override;
  CellId locate(Vec3 metres, bool withHeights) const override;
  // A path on the medial axis by A*, then the route inside its corridor: the shortest one there that keeps
  // query.clearance wherever the axis does and follows the axis elsewhere; or, with query.side, one beside the axis.
  // O(n log n) at worst for the path, O(m) for the route, m cells.
  PathStatus plan(const PathQuery& query, PlanScratch& scratch, Route& route) const override;
  // Looks at the axis within the viewing distance only and takes over the rest of the old path. The old route stays
  // if its path does.
  PathStatus replan(const PathQuery& query, PlanScratch& scratch, Route& route, bool& changed) const override;
  // O(log n).
  PathStatus reachable(const PathQuery& query, PlanScratch& scratch) const override;
  // O(1) once the cell is known.
  std::optional<NearestObstacle> nearestObstacle(Vec3 metres, bool withHeights, PlanScratch& scratch) const override;
  bool visibility(Vec3 metres, bool withHeights, double range, PlanScratch& scratch,
                  VisibilityPolygon& out) const override;
  double straightClearance(Vec3 from, Vec3 to, bool withHeights, PlanScratch& scratch) const override;
  FreeDisk freeDisk(CellId cell, Vec2 metres, PlanScratch& scratch) const override;
  StraightWay straightWay(CellId cell, Vec2 from, Vec2 to, double enough, PlanScratch& scratch) const override;

  // The largest radius of a disk that can get from query.from to query.to, metres; negative if they are not joined or
  // off the mesh. O(log n).
  double largestRadius(const PathQuery& query, PlanScratch& scratch) const;
  // The point of the medial axis to which a place moves straight away from its nearest obstacle; on the way the
  // clearance only grows. O(1).
  std::optional<CorridorPosition> retraction(Vec3 metres, bool withHeights, PlanScratch& scratch) const;
  // The path alone, without a route.
  PathStatus corridor(const PathQuery& query, PlanScratch& scratch, Corridor& out) const;

  struct Impl;
  explicit EcmNavigator(std::shared_ptr<const Impl> impl);

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace wend
