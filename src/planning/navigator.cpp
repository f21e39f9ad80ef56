#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>

#include <wend/navigator.h>

#include "base/assert.h"
#include "planning/check_route.h"
#include "planning/corridor/corridor_navigator.h"
#include "planning/disk/disk_navigator.h"
#include "planning/navigation_graph/navigation_graph.h"
#include "planning/point/point_planner.h"
#include "planning/scratch_memory.h"
#include "planning/search_mesh/search_mesh_navigator.h"
#include "planning/surface/surface_navigator.h"
#include "world/world_data.h"

namespace wend {
namespace {

// Lattice units: how much nearer to an obstacle than by the cells a place may be by the medial axis.
constexpr double kAxisRounding = 4e-3;
// Metres: how far explain() and partial routes look for a place.
constexpr double kFar = 1e6;

// The route of a query of which only the length counts.
struct ScratchRoute final : ScratchMemory {
  Route route;
  static Route& of(PlanScratch& scratch) { return ScratchMemory::of<ScratchRoute>(scratch, kLength).route; }
};

bool isSound(PathStatus status, const NavMesh& mesh, const PathQuery& query, const Route& route) {
  if (status != PathStatus::kFound) return true;
  return findRouteFault(mesh, query, route) == nullptr;
}

}  // namespace

struct Navigator::Impl {
  World world;
  std::shared_ptr<const CorridorNavigator> corridor;  // null without a medial axis
  // On the cells: at once without a medial axis, else by the first query that needs it.
  mutable std::once_flag diskMade;
  mutable std::shared_ptr<const DiskNavigator> disk;
  // With a medial axis, by the first query for a shortest route; null if the world has no search mesh.
  mutable std::once_flag searchMade;
  mutable std::shared_ptr<const SearchMeshNavigator> search;
  mutable std::atomic<bool> searches{false};
  mutable std::once_flag graphMade;
  mutable std::shared_ptr<const NavigationGraph> graph;

  // Of the places and moves: by the first query that needs it.
  mutable std::once_flag surfaceMade;
  mutable std::unique_ptr<const SurfaceNavigator> surface_;
  mutable std::once_flag placesMade;
  mutable std::unique_ptr<const SurfaceNavigator> places_;

  // `before`: the navigator of the version before, or null.
  explicit Impl(World w, const Impl* before = nullptr) : world(std::move(w)) {
    const std::shared_ptr<const CorridorMap>& axis = world.medialAxis();
    if (axis != nullptr && !axis->empty()) {
      const bool follows = before != nullptr && before->corridor != nullptr;
      // Of cells it makes what the first query needs.
      corridor = (follows ? before->corridor->next(world.mesh()) : CorridorNavigator::make(world.mesh())).value();
    }
    if (corridor != nullptr) {
      // A navigator that answered shortest routes before the edit will do so again.
      if (before != nullptr && before->searches) makeSearch(before->search->search());
      return;
    }
    if (before != nullptr && before->corridor == nullptr) {
      std::call_once(diskMade, [&] { disk = std::make_shared<const DiskNavigator>(before->onCells(), world.mesh()); });
    }
    onCells();
  }

  const DiskNavigator& onCells() const {
    std::call_once(diskMade, [&] { disk = std::make_shared<const DiskNavigator>(world.mesh()); });
    return *disk;
  }
  template <typename... Before>
  const SearchMeshNavigator* makeSearch(const Before&... before) const {
    std::call_once(searchMade, [&] {
      const std::shared_ptr<const SearchMesh>& mesh = WorldAccess::of(world).search;
      if (mesh == nullptr || mesh->mesh().empty()) return;
      search = std::make_shared<const SearchMeshNavigator>(
          corridor, std::make_shared<const DiskNavigator>(before..., mesh->mesh()),
          [this]() -> const DiskNavigator& { return onCells(); });
      searches = true;
    });
    return search.get();
  }
  const NavigationGraph& onGraph() const {
    std::call_once(graphMade, [&] { graph = std::make_shared<const NavigationGraph>(world.mesh()); });
    return *graph;
  }
  static bool usesGraph(const PathQuery& query) {
    return (query.method == PathMethod::kGraph || query.method == PathMethod::kBreadth) && query.radius == 0;
  }
  const SurfaceNavigator& surface() const {
    onCells();
    std::call_once(surfaceMade, [&] { surface_ = std::make_unique<const SurfaceNavigator>(disk); });
    return *surface_;
  }
  // For what does not name cells or walls on the way to its answer: on the search mesh, which has far fewer cells.
  const SurfaceNavigator& places() const {
    const SearchMeshNavigator* searched = corridor != nullptr ? makeSearch() : nullptr;
    if (searched == nullptr) return surface();
    std::call_once(placesMade, [&] { places_ = std::make_unique<const SurfaceNavigator>(searched->shared()); });
    return *places_;
  }
  // An answer of places(), with a cell of the world's own mesh.
  std::optional<NearestPlace> withOwnCell(std::optional<NearestPlace> answer, PlanScratch& scratch) const {
    if (!answer || corridor == nullptr || makeSearch() == nullptr) return answer;
    const Place place(answer->place);
    answer->cell = corridor->locate(place);
    if (answer->cell != kNone) return answer;
    // Beside the mesh by rounding.
    if (const auto beside = surface().nearest(place, 0, kFar, scratch)) answer->cell = beside->cell;
    return answer;
  }
  // On a medial axis clearances are rounded with the cells.
  double snapRadius(double radius) const {
    return corridor == nullptr || radius == 0 ? radius : radius + kAxisRounding * world.mesh().lattice().unit;
  }
  bool snap(PathStatus status, PlanScratch& scratch, PathQuery& query) const;
  // Asks again while an end of the query can be moved; in the end the query has none that would have to be.
  template <typename Ask>
  PathStatus askSnapped(PathQuery& query, PlanScratch& scratch, const Ask& ask) const {
    scratch.startMoved = scratch.goalMoved = 0;
    if (!(query.snap >= 0)) return PathStatus::kBadQuery;
    PathStatus status = ask(query);
    while (query.snap > 0 && snap(status, scratch, query)) status = ask(query);
    return status;
  }
  PathStatus plan(const PathQuery& query, PlanScratch& scratch, Route& route) const;
  // The ends are moved in `query`.
  PathStatus planMoving(PathQuery& query, PlanScratch& scratch, Route& route) const;
  PathStatus planToNearest(const PathQuery& query, PlanScratch& scratch, Route& route) const;
  // Why a query ends with this status; its ends have moved.
  NoRoute explain(PathStatus status, PathQuery query, PlanScratch& scratch) const;
  NoRoute explainNarrow(const PathQuery& query) const;
  // What a medial axis answers best, or the cells.
  const RadiusNavigator& best() const {
    if (corridor != nullptr) return *corridor;
    return *disk;
  }
  const RadiusNavigator& bestFor(const PathQuery& query) const {
    if (corridor == nullptr || !SearchMeshNavigator::suits(query)) return best();
    const RadiusNavigator* searched = makeSearch();
    return searched != nullptr ? *searched : best();
  }
  // The one that answers a query, or null.
  const RadiusNavigator* of(const PathQuery& query) const {
    switch (query.method) {
      case PathMethod::kBest:
        return &bestFor(query);
      case PathMethod::kCorridor:
        return corridor.get();
      case PathMethod::kPolyanya:
      case PathMethod::kAStar:
        return query.radius > 0 ? nullptr : &onCells();
      case PathMethod::kDisk:
        return &onCells();
      case PathMethod::kGraph:
      case PathMethod::kBreadth:
        return nullptr;
    }
    return nullptr;
  }
};

Navigator::Navigator(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

Navigator::Navigator() : Navigator(makeNavigator(World())) {}

Navigator makeNavigator(World world) {
  return Navigator(std::make_shared<const Navigator::Impl>(std::move(world)));
}

Navigator makeNavigator(const Navigator& before, World world) {
  return Navigator(std::make_shared<const Navigator::Impl>(std::move(world), before.impl_.get()));
}

const World& Navigator::world() const {
  return impl_->world;
}

const NavMesh& Navigator::mesh() const {
  return impl_->world.mesh();
}

CellId Navigator::locate(const Place& place) const {
  return impl_->best().locate(place);
}

// Moves the end that the status complains about; false if there is no place for it.
bool Navigator::Impl::snap(PathStatus status, PlanScratch& scratch, PathQuery& query) const {
  const bool isStart = status == PathStatus::kStartOffMesh || status == PathStatus::kStartTooNear;
  if (!isStart && status != PathStatus::kGoalOffMesh && status != PathStatus::kGoalTooNear) return false;
  Place& end = isStart ? query.from : query.to;
  double& by = isStart ? scratch.startMoved : scratch.goalMoved;
  if (by > 0) return false;
  const std::optional<NearestPlace> place = places().nearest(end, snapRadius(query.radius), query.snap, scratch);
  if (!place) return false;
  by = std::max(place->moved, std::numeric_limits<double>::min());
  end = Place(place->place);
  return true;
}

PathStatus Navigator::Impl::planMoving(PathQuery& query, PlanScratch& scratch, Route& route) const {
  const RadiusNavigator* navigator = of(query);
  route.clear();
  if (navigator == nullptr) return PathStatus::kUnsupported;
  return askSnapped(query, scratch, [&](const PathQuery& asked) { return navigator->plan(asked, scratch, route); });
}

PathStatus Navigator::Impl::plan(const PathQuery& query, PlanScratch& scratch, Route& route) const {
  if (usesGraph(query)) return onGraph().plan(query, route);
  PathQuery moved = query;
  PathStatus status = planMoving(moved, scratch, route);
  const double startMoved = scratch.startMoved;
  const double goalMoved = scratch.goalMoved;
  if (query.partial && status == PathStatus::kUnreachable) status = planToNearest(moved, scratch, route);
  scratch.startMoved = startMoved;
  if (status != PathStatus::kFound) return status;
  route.startMoved = startMoved;
  route.goalMoved = goalMoved;
  if (!route.partial) {
    WEND_ASSERT(isSound(status, world.mesh(), moved, route), "a route runs from start to goal through adjacent cells");
  }
  return status;
}

PathStatus Navigator::Impl::planToNearest(const PathQuery& query, PlanScratch& scratch, Route& route) const {
  const std::optional<NearestPlace> place =
      places().nearestReachable(query.from, query.to, snapRadius(query.radius), kFar, scratch, 0);
  if (!place) return PathStatus::kUnreachable;
  PathQuery near = query;
  near.to = Place(place->place);
  const PathStatus status = of(near)->plan(near, scratch, route);
  route.partial = status == PathStatus::kFound;
  route.missing = route.partial ? place->moved : 0;
  return status;
}

PathStatus Navigator::plan(const PathQuery& query, PlanScratch& scratch, Route& route) const {
  return impl_->plan(query, scratch, route);
}

// The widest way: of a medial axis at once, else by bisection, with tables that are not kept.
NoRoute Navigator::Impl::explainNarrow(const PathQuery& query) const {
  NoRoute answer{.reason = NoRouteReason::kTooNarrow};
  constexpr double kExact = 1e-6;
  PlanScratch scratch;
  Route route;
  PathQuery narrow = query;
  double low = 0;
  if (corridor != nullptr) {
    if (narrow.method == PathMethod::kBest) narrow.method = PathMethod::kCorridor;
    low = corridor->largestRadius(query, scratch);
  } else {
    double high = query.radius;
    while (high - low > kExact * query.radius) {
      narrow.radius = 0.5 * (low + high);
      (onCells().reachable(narrow, scratch) == PathStatus::kFound ? low : high) = narrow.radius;
    }
  }
  answer.width = 2 * low;
  narrow.radius = (1 - kExact) * low;
  if (!(low > 0) || of(narrow)->plan(narrow, scratch, route) != PathStatus::kFound) return answer;
  if (const auto passage = surface().narrowestOn(route, low, scratch)) answer.place = passage->place;
  return answer;
}

NoRoute Navigator::Impl::explain(PathStatus status, PathQuery query, PlanScratch& scratch) const {
  NoRoute answer;
  switch (status) {
    case PathStatus::kFound:
      return answer;
    case PathStatus::kBadQuery:
      answer.reason = NoRouteReason::kBadQuery;
      return answer;
    case PathStatus::kUnsupported:
      answer.reason = NoRouteReason::kUnsupported;
      return answer;
    case PathStatus::kStartOffMesh:
    case PathStatus::kGoalOffMesh: {
      answer.reason = NoRouteReason::kOffMesh;
      answer.atStart = status == PathStatus::kStartOffMesh;
      const auto place = places().nearest(answer.atStart ? query.from : query.to, 0, kFar, scratch);
      if (!place) return answer;
      answer.place = place->place;
      answer.distance = place->moved;
      return answer;
    }
    case PathStatus::kStartTooNear:
    case PathStatus::kGoalTooNear: {
      answer.reason = NoRouteReason::kTooNearWall;
      answer.atStart = status == PathStatus::kStartTooNear;
      const auto wall = surface().nearestWall(answer.atStart ? query.from : query.to, kFar, scratch, 0);
      if (!wall) return answer;
      answer.place = wall->point;
      answer.distance = wall->distance;
      return answer;
    }
    case PathStatus::kUnreachable:
      break;
  }
  PathQuery point = query;
  point.radius = 0;
  point.clearance = 0;
  if (best().reachable(point, scratch) != PathStatus::kFound) {
    answer.reason = NoRouteReason::kNotConnected;
    return answer;
  }
  return explainNarrow(query);
}

NoRoute Navigator::explain(const PathQuery& query, PlanScratch& scratch) const {
  PathQuery moved = query;
  moved.partial = false;
  Route& route = ScratchRoute::of(scratch);
  const PathStatus status =
      Impl::usesGraph(query) ? plan(query, scratch, route) : impl_->planMoving(moved, scratch, route);
  moved.snap = 0;
  const double startMoved = scratch.startMoved;
  const double goalMoved = scratch.goalMoved;
  const NoRoute answer = impl_->explain(status, moved, scratch);
  scratch.startMoved = startMoved;
  scratch.goalMoved = goalMoved;
  return answer;
}

PathStatus Navigator::replan(const PathQuery& query, PlanScratch& scratch, Route& route, bool& changed) const {
  if (Impl::usesGraph(query)) {
    changed = true;
    return impl_->onGraph().plan(query, route);
  }
  const RadiusNavigator* navigator = impl_->of(query);
  if (navigator == nullptr) {
    changed = true;
    route.clear();
    return PathStatus::kUnsupported;
  }
  const PathStatus status = navigator->replan(query, scratch, route, changed);
  WEND_ASSERT(!changed || isSound(status, mesh(), query, route), "a new route runs through adjacent cells");
  return status;
}

PathStatus Navigator::replan(const PathQuery& query, const WorldChange& change, ReplanMethod method,
                             PlanScratch& scratch, Route& route, ReplanReport& report) const {
  report = {};
  const RadiusNavigator* navigator = impl_->of(query);
  if (navigator == nullptr) {
    route.clear();
    return PathStatus::kUnsupported;
  }
  const PathStatus status = navigator->replan(query, change, method, scratch, route, report);
  scratch.expanded = report.expanded;
  WEND_ASSERT(isSound(status, mesh(), query, route), "a new route runs through adjacent cells");
  return status;
}

bool Navigator::isConcerned(const WorldChange& change, const PathQuery& query, PlanScratch& scratch,
                            const Route& route) const {
  const RadiusNavigator* navigator = impl_->of(query);
  return navigator == nullptr || navigator->isConcerned(change, query, scratch, route);
}

bool Navigator::keep(const WorldChange& change, const PathQuery& query, PlanScratch& scratch, Route& route) const {
  const RadiusNavigator* navigator = impl_->of(query);
  return navigator != nullptr && navigator->keep(change, query, scratch, route);
}

PathStatus Navigator::reachable(const PathQuery& query, PlanScratch& scratch) const {
  if (Impl::usesGraph(query)) {
    Route route;
    return impl_->onGraph().plan(query, route);
  }
  const RadiusNavigator* navigator = query.method == PathMethod::kBest ? &impl_->best() : impl_->of(query);
  if (navigator == nullptr) return PathStatus::kUnsupported;
  PathQuery moved = query;
  return impl_->askSnapped(moved, scratch,
                           [&](const PathQuery& asked) { return navigator->reachable(asked, scratch); });
}

std::optional<NearestObstacle> Navigator::nearestObstacle(const Place& place, PlanScratch& scratch) const {
  return impl_->best().nearestObstacle(place, scratch);
}

bool Navigator::visibility(const Place& place, double range, PlanScratch& scratch, VisibilityPolygon& out) const {
  return impl_->best().visibility(place, range, scratch, out);
}

double Navigator::straightClearance(const Place& from, const Place& to, PlanScratch& scratch) const {
  return impl_->best().straightClearance(from, to, scratch);
}

FreeDisk Navigator::freeDisk(CellId cell, Vec2 metres, PlanScratch& scratch) const {
  return impl_->best().freeDisk(cell, metres, scratch);
}

StraightWay Navigator::straightWay(CellId cell, Vec2 from, Vec2 to, double enough, PlanScratch& scratch) const {
  return impl_->best().straightWay(cell, from, to, enough, scratch);
}

bool Navigator::hasMedialAxis() const {
  return impl_->corridor != nullptr;
}

double Navigator::largestRadius(const PathQuery& query, PlanScratch& scratch) const {
  if (!hasMedialAxis()) return -1;
  PathQuery point = query;
  point.radius = 0;
  const auto ask = [&](const PathQuery& asked) { return impl_->corridor->reachable(asked, scratch); };
  return impl_->askSnapped(point, scratch, ask) == PathStatus::kFound ? impl_->corridor->largestRadius(point, scratch)
                                                                      : -1;
}

std::optional<CorridorPosition> Navigator::retraction(const Place& place, PlanScratch& scratch) const {
  if (!hasMedialAxis()) return std::nullopt;
  return impl_->corridor->retraction(place, scratch);
}

PathStatus Navigator::corridor(const PathQuery& query, PlanScratch& scratch, Corridor& out) const {
  if (!hasMedialAxis()) return PathStatus::kUnsupported;
  PathQuery moved = query;
  return impl_->askSnapped(moved, scratch,
                           [&](const PathQuery& asked) { return impl_->corridor->corridor(asked, scratch, out); });
}

// --- Places, moves and lengths --------------------------------------------------------------------------------------

std::optional<NearestPlace> Navigator::nearest(const Place& place, double radius, double reach,
                                               PlanScratch& scratch) const {
  return impl_->withOwnCell(impl_->places().nearest(place, radius, reach, scratch), scratch);
}

std::optional<NearestPlace> Navigator::nearestReachable(const Place& from, const Place& to, double radius, double reach,
                                                        PlanScratch& scratch, double snap) const {
  return impl_->withOwnCell(impl_->places().nearestReachable(from, to, radius, reach, scratch, snap), scratch);
}

std::optional<NearestPlace> Navigator::randomPlace(const RandomPlaceQuery& query, uint64_t seed,
                                                   PlanScratch& scratch) const {
  return impl_->withOwnCell(impl_->places().randomPlace(query, seed, scratch), scratch);
}

std::optional<RayHit> Navigator::castRay(const Place& from, Vec2 to, double radius, PlanScratch& scratch,
                                         double snap) const {
  return impl_->surface().castRay(from, to, radius, scratch, snap);
}

std::optional<Slide> Navigator::slide(const Place& from, Vec2 to, double radius, PlanScratch& scratch,
                                      double snap) const {
  return impl_->surface().slide(from, to, radius, scratch, snap);
}

std::optional<WallDistance> Navigator::nearestWall(const Place& place, double reach, PlanScratch& scratch,
                                                   double snap) const {
  return impl_->surface().nearestWall(place, reach, scratch, snap);
}

double Navigator::cost(const PathQuery& query, PlanScratch& scratch) const {
  return impl_->plan(query, scratch, ScratchRoute::of(scratch)) == PathStatus::kFound
             ? ScratchRoute::of(scratch).length
             : std::numeric_limits<double>::infinity();
}

void Navigator::costs(const Place& from, std::span<const Place> to, double radius, PlanScratch& scratch,
                      std::span<double> costs, double snap, std::span<double> moved) const {
  if (radius == 0 && mesh().info().traits.disjoint) {
    impl_->places().costs(from, to, scratch, costs, snap, moved);
    return;
  }
  for (size_t i = 0; i < to.size() && i < costs.size(); ++i) {
    PathQuery query;
    query.from = from;
    query.to = to[i];
    query.radius = radius;
    query.snap = snap;
    costs[i] = cost(query, scratch);
    if (i < moved.size()) moved[i] = scratch.goalMoved;
  }
}

void Navigator::costMatrix(std::span<const Place> from, std::span<const Place> to, double radius, PlanScratch& scratch,
                           std::span<double> costs, double snap) const {
  for (size_t i = 0; i < from.size(); ++i) {
    this->costs(from[i], to, radius, scratch, costs.subspan(i * to.size(), to.size()), snap);
  }
}

bool Navigator::within(const Place& from, double distance, PlanScratch& scratch, std::vector<ReachedCell>& out,
                       double snap) const {
  return impl_->surface().within(from, distance, scratch, out, snap);
}

const char* reasonName(NoRouteReason reason) {
  switch (reason) {
    case NoRouteReason::kNone:
      return "none";
    case NoRouteReason::kBadQuery:
      return "bad-query";
    case NoRouteReason::kUnsupported:
      return "unsupported";
    case NoRouteReason::kOffMesh:
      return "off-mesh";
    case NoRouteReason::kTooNearWall:
      return "too-near-wall";
    case NoRouteReason::kNotConnected:
      return "not-connected";
    case NoRouteReason::kTooNarrow:
      return "too-narrow";
  }
  return "none";
}

}  // namespace wend
