#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <wend/corridor_map.h>
#include <wend/queries.h>
#include <wend/replan.h>
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
// It searches cells and portals: Oliva, Pelechano (2015), made exact; on a world with a medial axis (generator "ecm")
// those of a search mesh of the same free space, or the axis: van Toll, Cook, Geraerts (2011); van Toll (2017). Both
// find a route for radius r if and only if the disk can get from start to goal (with a relative slack of 1e-9, so that
// a corridor of width 2 r lets it pass).
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
  // PathMethod::kBest means kPolyanya for radius 0 and kDisk for a disk; on a medial axis kCorridor for a clearance
  // above the radius, a side or densities, else the search mesh, which the first query makes. Any world supports any
  // method but kCorridor, which needs the axis. The first query of a method builds the tables that it needs.
  //
  // - kPolyanya is optimal. Overlapping cells are kUnsupported.
  // - kDisk gives the shortest path in the corridor of cells that the search chose, made of segments and arcs.
  //   PathQuery::clearance is kept by the whole route if there is such a route, else only the radius is. The first
  //   query of a radius is slower; the last 8 radii are kept in the scratch.
  // - kCorridor gives the shortest route in the corridor of the shortest path on the axis. It keeps
  //   PathQuery::clearance wherever the axis does and follows the axis elsewhere; with PathQuery::side it runs beside
  //   the axis.
  // - kGraph and kBreadth walk from centroid to middle of a portal to centroid, without smoothing: for comparison.
  //   Radius 0 only; a query allocates memory.
  PathStatus plan(const PathQuery& query, PlanScratch& scratch, Route& route) const;
  // For an agent that walks a route of this navigator to the same goal and stands at query.from. Leaves the route as it
  // is where that is as good as a new one (query.density says how much better is enough), and says whether it changed.
  // A route that cannot be walked any more becomes empty. Without a medial axis the route is always new.
  PathStatus replan(const PathQuery& query, PlanScratch& scratch, Route& route, bool& changed) const;
  // For an agent that walks a route of an older version of the world to the same goal and stands at query.from.
  // `change` leads from that version to this one. Always fills in the cells and portals of this version. Plans as
  // plan() does where the route cannot be taken over: everything changed, another goal, densities, or a side.
  //
  // Of routes by kCorridor `method` works on the axis: kOdpa gives a path as short as plan() would. On other meshes the
  // route itself is the path. An intact route stays if no way through a changed place can be shorter. kDpa and kLocal
  // keep it also if obstacles only came. Otherwise the route is planned anew.
  PathStatus replan(const PathQuery& query, const WorldChange& change, ReplanMethod method, PlanScratch& scratch,
                    Route& route, ReplanReport& report) const;
  // False if that change cannot matter to the route of an agent at query.from: it touches nothing that changed, and no
  // way through a changed place is shorter than what is left of it. O(length of the route), no search.
  // Densities are not looked at.
  bool isConcerned(const WorldChange& change, const PathQuery& query, PlanScratch& scratch, const Route& route) const;
  // Where isConcerned() says no: makes the route one of this version and says true. Its points stay, what lies behind
  // the agent included; its cells and portals, which belong to the old version, are dropped. O(length of the route).
  bool keep(const WorldChange& change, const PathQuery& query, PlanScratch& scratch, Route& route) const;
  // kFound if a disk of that radius can get from one place to the other at all; cheaper than plan(). On a medial axis
  // O(log n). Snaps as plan() does.
  PathStatus reachable(const PathQuery& query, PlanScratch& scratch) const;

  // Why plan() finds no route for the query. Without a medial axis the narrowest passage of the widest way is found by
  // bisection: some twenty searches, each with a new radius.
  NoRoute explain(const PathQuery& query, PlanScratch& scratch) const;

  // In the queries below `snap` is that of PathQuery: a start off the mesh, or too near a wall for the disk, moves to
  // the nearest place where the disk fits, by up to this many metres. PlanScratch::startMoved says by how many.

  // --- Places ---

  // The nearest place of the mesh where a disk fits, up to `reach` metres away in top view; radius 0 is a point. With a
  // height, only surfaces within the place's tolerance count. Candidates are the surface straight above or below the
  // place and, away from it, the places at a radius from walls. O(1) expected near the mesh.
  std::optional<NearestPlace> nearest(const Place& place, double radius, double reach, PlanScratch& scratch) const;
  // The same, of the places that a disk can reach from another one.
  std::optional<NearestPlace> nearestReachable(const Place& from, const Place& to, double radius, double reach,
                                               PlanScratch& scratch, double snap = 0) const;
  // Uniform by area; the same seed gives the same place. Nothing if no such place was found in 10,000 draws.
  std::optional<NearestPlace> randomPlace(const RandomPlaceQuery& query, uint64_t seed, PlanScratch& scratch) const;

  // --- Moves ---

  // Straight over the surface, until a wall stops the point or the disk. Nothing off the mesh or too near a wall.
  // O(cells passed).
  std::optional<RayHit> castRay(const Place& from, Vec2 to, double radius, PlanScratch& scratch, double snap = 0) const;
  // The same, and then along walls, as long as that leads nearer to the target. O(cells passed).
  std::optional<Slide> slide(const Place& from, Vec2 to, double radius, PlanScratch& scratch, double snap = 0) const;
  // In sight of the place, up to `reach` metres away. O(cells within the distance).
  std::optional<WallDistance> nearestWall(const Place& place, double reach, PlanScratch& scratch,
                                          double snap = 0) const;

  // --- Many routes at once, and lengths alone ---

  // The length of the route, metres; infinity without one.
  double cost(const PathQuery& query, PlanScratch& scratch) const;
  // costs[i] is the length of the shortest path from one place to `to[i]`, infinity without one. Lengths do not depend
  // on the direction: this is many to one as well. For a point one search serves all; for a disk each pair has its own.
  // All ends may snap; moved[i], if given, says how far to[i] moved.
  void costs(const Place& from, std::span<const Place> to, double radius, PlanScratch& scratch, std::span<double> costs,
             double snap = 0, std::span<double> moved = {}) const;
  // Row by row: costs[i * to.size() + k] leads from from[i] to to[k].
  void costMatrix(std::span<const Place> from, std::span<const Place> to, double radius, PlanScratch& scratch,
                  std::span<double> costs, double snap = 0) const;
  // The cells that a point reaches within a walking distance, nearest first. False off the mesh. O(k log k) for k
  // intervals within the distance.
  bool within(const Place& from, double distance, PlanScratch& scratch, std::vector<ReachedCell>& out,
              double snap = 0) const;

  // --- Around a place ---

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
  // the mesh, or there is no axis. O(log n). Snaps as plan() does for a point.
  double largestRadius(const PathQuery& query, PlanScratch& scratch) const;
  // The retraction of a place: the point of the medial axis to which it moves straight away from its nearest obstacle;
  // on the way the clearance only grows. O(1).
  std::optional<CorridorPosition> retraction(const Place& place, PlanScratch& scratch) const;
  // The corridor of the shortest path on the axis, without a route. kUnsupported without an axis. Snaps as plan() does.
  PathStatus corridor(const PathQuery& query, PlanScratch& scratch, Corridor& out) const;

 private:
  struct Impl;
  explicit Navigator(std::shared_ptr<const Impl> impl);
  friend Navigator makeNavigator(World world);
  friend Navigator makeNavigator(const Navigator& before, World world);
  std::shared_ptr<const Impl> impl_;
};

// O(n log n) for n cells: builds the point locator and the clearance of the cells or the graph of the axis.
Navigator makeNavigator(World world);
// The navigator of a world that World::apply() made of the other one's: answers as makeNavigator(world) does, and takes
// over what the edit left as it was.
Navigator makeNavigator(const Navigator& before, World world);

}  // namespace wend
