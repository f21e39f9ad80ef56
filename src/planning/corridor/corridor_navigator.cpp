#include "planning/corridor/corridor_navigator.h"

#include <cmath>

#include "planning/corridor/bottleneck.h"
#include "planning/corridor/corridor_memory.h"
#include "planning/replan/world_change.h"

namespace wend {

struct CorridorNavigator::Impl {
  NavMesh mesh;
  Locator locator;
  CorridorGraph graph;
  CorridorBottleneck bottleneck;
  CorridorCells cells;

  explicit Impl(NavMesh m)
      : mesh(std::move(m)),
        locator(mesh),
        graph(*mesh.corridorMap()),
        bottleneck(graph),
        cells(mesh, *mesh.corridorMap()) {}
  // After an edit of the world of `before`.
  Impl(NavMesh m, const Impl& before, const ecm::AxisDifference& difference)
      : mesh(std::move(m)),
        locator(before.locator.next(mesh)),
        graph(before.graph.next(*mesh.corridorMap(), difference)),
        bottleneck(before.bottleneck.next(*before.mesh.corridorMap(), *mesh.corridorMap(), difference)),
        cells(mesh, *mesh.corridorMap()) {}

  double unit() const { return mesh.lattice().unit; }
  Vec3 lifted(Vec2 units, LayerId layer) const {
    const Vec2 metres = mesh.lattice().toMetres(units);
    return {metres.x, metres.y, locator.height(metres, layer)};
  }
  bool place(const Place& given, CorridorMemory& s, StampedSet& seen, End& end, Retraction& out) const;
  PathStatus ends(const PathQuery& query, CorridorMemory& s, RouteEnds& out) const;
  PathStatus search(const PathQuery& query, PlanScratch& scratch, RouteEnds& ends) const;
  double radius(const PathQuery& query) const;
  bool isConcerned(const WorldChange& change, const PathQuery& query, CorridorMemory& s, const Route& route) const;
  void assemble(CorridorMemory& s, const RouteEnds& ends, const PathQuery& query, Route& route) const;
  void write(const PathQuery& query, const RouteEnds& ends, CorridorMemory& s, Route& route) const;
};

namespace {

// A length in metres divided by the unit misses whole numbers by rounding; a disk that fits in metres must fit here.
constexpr double kRounding = 1e-6;

bool isLength(double value) {
  return value >= 0 && std::isfinite(value);
}

bool isGood(const PathQuery& query) {
  return query.from.finite() && query.to.finite() && isLength(query.radius) && isLength(query.clearance) &&
         (!query.side || std::abs(*query.side) <= 1);
}

}  // namespace

bool CorridorNavigator::Impl::place(const Place& given, CorridorMemory& s, StampedSet& seen, End& end,
                                    Retraction& out) const {
  if (!given.finite() || !locateEnd(mesh, locator, given, s.stamp, seen, end)) return false;
  out = retract(graph, end.units, graph.map().cellArc[end.cells.front()]);
  return true;
}

double CorridorNavigator::Impl::radius(const PathQuery& query) const {
  return std::max(0.0, query.radius / unit() - kRounding);
}

PathStatus CorridorNavigator::Impl::ends(const PathQuery& query, CorridorMemory& s, RouteEnds& out) const {
  if (!isGood(query)) return PathStatus::kBadQuery;
  s.begin(mesh);
  if (!place(query.from, s, s.startSeen, s.start, out.start)) return PathStatus::kStartOffMesh;
  if (!place(query.to, s, s.goalSeen, s.goal, out.goal)) return PathStatus::kGoalOffMesh;
  const double r = radius(query);
  if (out.start.clearance < r) return PathStatus::kStartTooNear;
  if (out.goal.clearance < r) return PathStatus::kGoalTooNear;
  out.startCell = s.start.cells.front();
  double widest = bottleneck.between(graph, out.start.axis, out.goal.axis);
  // Where free space touches itself in a point, that point belongs to each of the parts. It may be off the walls by
  // the rounding of their ends.
  if (widest < r && std::min(out.start.clearance, out.goal.clearance) <= kRounding) {
    const RouteEnds first = out;
    for (const CellId a : s.start.cells) {
      for (const CellId b : s.goal.cells) {
        if (widest >= r) return PathStatus::kFound;
        out.start = retract(graph, s.start.units, graph.map().cellArc[a]);
        out.goal = retract(graph, s.goal.units, graph.map().cellArc[b]);
        out.startCell = a;
        widest = bottleneck.between(graph, out.start.axis, out.goal.axis);
      }
    }
    if (widest < r) out = first;
  }
  return widest >= r ? PathStatus::kFound : PathStatus::kUnreachable;
}

PathStatus CorridorNavigator::Impl::search(const PathQuery& query, PlanScratch& scratch, RouteEnds& out) const {
  scratch.expanded = 0;
  CorridorMemory& s = CorridorMemory::of(scratch);
  const PathStatus status = ends(query, s, out);
  if (status != PathStatus::kFound) return status;
  const AxisPoint& start = out.start.axis;
  const AxisPoint& goal = out.goal.axis;
  const double r = radius(query);
  const bool found =
      query.density == nullptr
          ? searchCorridor(graph, start, goal, r, LengthCost{}, s.stamp, s.search, s.path, scratch.expanded)
          : searchCorridor(graph, start, goal, r, EdgeDensityCost{{*query.density, unit()}}, s.stamp, s.search, s.path,
                           scratch.expanded);
  return found ? PathStatus::kFound : PathStatus::kUnreachable;
}

// The route along the path that was found last.
void CorridorNavigator::Impl::write(const PathQuery& query, const RouteEnds& ends, CorridorMemory& s,
                                    Route& route) const {
  const AxisPoint& start = ends.start.axis;
  const AxisPoint& goal = ends.goal.axis;
  route.clear();
  collectPieces(graph, start, goal, s.path, s.route.pieces);
  makeRoute(graph, ends, std::max(query.clearance, query.radius) / unit(), query.side, s.route);
  assemble(s, ends, query, route);
  route.path = s.path.halfEdges;
  route.pathLead = stepLength(graph, start, goal, route.path, 0) * unit();
  route.pathView = query.density == nullptr ? 0 : query.density->view;
  route.optimal = query.density == nullptr;
}

void CorridorNavigator::Impl::assemble(CorridorMemory& s, const RouteEnds& ends, const PathQuery& query,
                                       Route& route) const {
  CellWalk walk(mesh, s.visits, route);
  walk.start(ends.startCell, ends.start.units);
  Vec2 last = ends.start.units;
  for (const RoutePoint& point : s.route.points) {
    route.length += distance(last, point.units);
    last = point.units;
    // Along a wall the rounding of its points may lie behind it.
    if (!walk.to(point.units)) walk.jump(cells.nearest(point.arc, point.units), point.units);
    route.points.push_back(lifted(point.units, mesh.layerOf(walk.cell())));
  }
  route.length *= unit();
  route.clearance =
      query.measure ? routeClearance(graph, s.route.points, s.sightStamp, s.sight) * unit() : query.radius;
}

CorridorNavigator::CorridorNavigator(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

Result<std::shared_ptr<const CorridorNavigator>> CorridorNavigator::make(NavMesh mesh) {
  return CorridorNavigator(nullptr).next(std::move(mesh));
}

Result<std::shared_ptr<const CorridorNavigator>> CorridorNavigator::next(NavMesh mesh) const {
  if (mesh.corridorMap() == nullptr || mesh.corridorMap()->empty()) {
    return Error{ErrorCode::kUnsupported,
                 "the mesh carries no Explicit Corridor Map; bake it with --generator ecm to plan for a radius"};
  }
  const auto difference =
      impl_ == nullptr ? std::nullopt : ecm::differenceBetween(impl_->mesh.corridorMap(), mesh.corridorMap());
  auto impl = difference ? std::make_shared<const Impl>(std::move(mesh), *impl_, *difference)
                         : std::make_shared<const Impl>(std::move(mesh));
  return std::make_shared<const CorridorNavigator>(std::move(impl));
}

const NavMesh& CorridorNavigator::mesh() const {
  return impl_->mesh;
}

const Locator& CorridorNavigator::locator() const {
  return impl_->locator;
}

CellId CorridorNavigator::locate(const Place& place) const {
  return impl_->locator.locate(place);
}

PathStatus CorridorNavigator::plan(const PathQuery& query, PlanScratch& scratch, Route& route) const {
  route.clear();
  RouteEnds ends;
  const PathStatus status = impl_->search(query, scratch, ends);
  if (status != PathStatus::kFound) return status;
  impl_->write(query, ends, CorridorMemory::of(scratch), route);
  return PathStatus::kFound;
}

PathStatus CorridorNavigator::replan(const PathQuery& query, PlanScratch& scratch, Route& route, bool& changed) const {
  changed = true;
  if (query.density == nullptr || route.path.empty()) return plan(query, scratch, route);
  scratch.expanded = 0;
  CorridorMemory& s = CorridorMemory::of(scratch);
  RouteEnds ends;
  const PathStatus status = impl_->ends(query, s, ends);
  if (status != PathStatus::kFound) {
    route.clear();
    return status;
  }
  const double unit = impl_->unit();
  const OldPath old{route.path, route.pathLead / unit, route.pathView / unit};
  const Replanned result = replanCorridor(impl_->graph, ends.start.axis, ends.goal.axis, impl_->radius(query),
                                          EdgeDensityCost{{*query.density, unit}}, old, s.stamp, s.search, s.replan,
                                          s.path, scratch.expanded);
  changed = result != Replanned::kKept;
  if (result == Replanned::kNoWay) {
    route.clear();
    return PathStatus::kUnreachable;
  }
  if (changed) impl_->write(query, ends, s, route);
  return PathStatus::kFound;
}

namespace {

// Metres: the same goal, written down twice.
constexpr double kSamePlace = 1e-6;

// The path of a route, if it leads to the goal of the query.
OldAxisPath oldPathOf(const PathQuery& query, const Route& route, double unit) {
  if (route.points.empty()) return {};
  const Vec3& end = route.points.back();
  if (distance(query.to.top(), {end.x, end.y}) > kSamePlace) return {};
  return {route.path, route.pathLead / unit, route.optimal};
}

}  // namespace

PathStatus CorridorNavigator::replan(const PathQuery& query, const WorldChange& change, ReplanMethod method,
                                     PlanScratch& scratch, Route& route, ReplanReport& report) const {
  const std::shared_ptr<const AxisChange>& axis = WorldChangeAccess::of(change).axis;
  if (axis == nullptr || &axis->after() != &impl_->graph.map() || query.density != nullptr) {
    const PathStatus status = plan(query, scratch, route);
    report = {scratch.expanded, true, true, true, route.optimal, route.length};
    return status;
  }
  CorridorMemory& s = CorridorMemory::of(scratch);
  RouteEnds ends;
  const PathStatus status = impl_->ends(query, s, ends);
  const OldAxisPath old = route.pathView > 0 ? OldAxisPath{} : oldPathOf(query, route, impl_->unit());
  ReplanQuery how;
  how.method = method;
  how.change = change.kind();
  if (status != PathStatus::kFound || !replanOnAxis(impl_->graph, *axis, ends.start.axis, ends.goal.axis,
                                                    impl_->radius(query), old, how, s.afterChange, report)) {
    route.clear();
    report.changed = true;
    return status != PathStatus::kFound ? status : PathStatus::kUnreachable;
  }
  const GraphPath& path = s.afterChange.path;
  s.path.halfEdges.clear();
  for (const GraphStep& step : path.steps) s.path.halfEdges.push_back(step.edge);
  s.path.cost = path.cost;
  s.path.stop = kNone;
  impl_->write(query, ends, s, route);
  route.optimal = path.optimal;
  report.cost = path.cost * impl_->unit();
  return PathStatus::kFound;
}

bool CorridorNavigator::Impl::isConcerned(const WorldChange& change, const PathQuery& query, CorridorMemory& s,
                                          const Route& route) const {
  const std::shared_ptr<const AxisChange>& axis = WorldChangeAccess::of(change).axis;
  const OldAxisPath old = oldPathOf(query, route, unit());
  if (axis == nullptr || &axis->after() != &graph.map() || old.halfEdges.empty()) return true;
  RouteEnds ends;
  if (this->ends(query, s, ends) != PathStatus::kFound) return true;
  return isAxisPathConcerned(graph, *axis, ends.start.axis, ends.goal.axis, radius(query), old, s.afterChange);
}

bool CorridorNavigator::isConcerned(const WorldChange& change, const PathQuery& query, PlanScratch& scratch,
                                    const Route& route) const {
  return !change.empty() && impl_->isConcerned(change, query, CorridorMemory::of(scratch), route);
}

bool CorridorNavigator::keep(const WorldChange& change, const PathQuery& query, PlanScratch& scratch,
                             Route& route) const {
  CorridorMemory& s = CorridorMemory::of(scratch);
  if (impl_->isConcerned(change, query, s, route)) return false;
  // The same path in the half-edges of this axis, from where the agent is.
  const OldGraphPath& rest = s.afterChange.old;
  route.path.clear();
  for (const GraphStep& step : rest.steps) route.path.push_back(step.edge);
  route.pathLead = rest.steps.front().cost * impl_->unit();
  route.cells.clear();
  route.portals.clear();
  route.shrunkPortals.clear();
  return true;
}

PathStatus CorridorNavigator::reachable(const PathQuery& query, PlanScratch& scratch) const {
  RouteEnds ends;
  return impl_->ends(query, CorridorMemory::of(scratch), ends);
}

double CorridorNavigator::largestRadius(const PathQuery& query, PlanScratch& scratch) const {
  PathQuery point = query;
  point.radius = 0;
  RouteEnds ends;
  if (impl_->ends(point, CorridorMemory::of(scratch), ends) != PathStatus::kFound) return -1;
  const double axis = impl_->bottleneck.between(impl_->graph, ends.start.axis, ends.goal.axis);
  return std::min({axis, ends.start.clearance, ends.goal.clearance}) * impl_->unit();
}

std::optional<NearestObstacle> CorridorNavigator::nearestObstacle(const Place& given, PlanScratch& scratch) const {
  CorridorMemory& s = CorridorMemory::of(scratch);
  s.begin(impl_->mesh);
  Retraction place;
  if (!impl_->place(given, s, s.startSeen, s.start, place)) return std::nullopt;
  const LayerId layer = impl_->graph.map().sites[place.site].layer;
  return NearestObstacle{impl_->lifted(place.nearest, layer), place.clearance * impl_->unit()};
}

std::optional<CorridorPosition> CorridorNavigator::retraction(const Place& given, PlanScratch& scratch) const {
  CorridorMemory& s = CorridorMemory::of(scratch);
  s.begin(impl_->mesh);
  Retraction place;
  if (!impl_->place(given, s, s.startSeen, s.start, place)) return std::nullopt;
  const AxisPoint& a = place.axis;
  return CorridorPosition{a.edge, a.arc, a.p, a.along, a.clearance};
}

bool CorridorNavigator::visibility(const Place& given, double range, PlanScratch& scratch,
                                   VisibilityPolygon& out) const {
  out.points.clear();
  out.window.clear();
  CorridorMemory& s = CorridorMemory::of(scratch);
  s.begin(impl_->mesh);
  Retraction place;
  if (!isLength(range) || !impl_->place(given, s, s.startSeen, s.start, place)) return false;
  seeFrom(impl_->graph, place, range / impl_->unit(), s.view);
  for (const ViewPoint& point : s.view.points) {
    out.points.push_back(impl_->lifted(point.units, point.layer));
    out.window.push_back(point.window);
  }
  return true;
}

double CorridorNavigator::straightClearance(const Place& from, const Place& to, PlanScratch& scratch) const {
  CorridorMemory& s = CorridorMemory::of(scratch);
  s.begin(impl_->mesh);
  Retraction start;
  Retraction goal;
  if (!impl_->place(from, s, s.startSeen, s.start, start)) return -1;
  if (!impl_->place(to, s, s.goalSeen, s.goal, goal)) return -1;
  if (s.sightStamp.advance()) s.sight.seenUpTo.wipe();
  const CorridorSight sight = lookAlong(impl_->graph, start, goal, 0, s.sightStamp, s.sight);
  return sight.visible ? sight.clearance * impl_->unit() : -1;
}

FreeDisk CorridorNavigator::freeDisk(CellId cell, Vec2 metres, PlanScratch& /*scratch*/) const {
  const Lattice& lattice = impl_->mesh.lattice();
  const CorridorDisk disk = diskInCorridor(impl_->graph, lattice.toUnits(metres), impl_->graph.map().cellArc[cell]);
  return {lattice.toMetres(disk.nearest), disk.clearance * lattice.unit, lattice.toMetres(disk.centre),
          disk.radius * lattice.unit};
}

StraightWay CorridorNavigator::straightWay(CellId cell, Vec2 from, Vec2 to, double enough, PlanScratch& scratch) const {
  CorridorMemory& s = CorridorMemory::of(scratch);
  const Lattice& lattice = impl_->mesh.lattice();
  const Retraction start = nearestInCorridor(impl_->graph, lattice.toUnits(from), impl_->graph.map().cellArc[cell]);
  Retraction end;
  end.units = lattice.toUnits(to);
  end.clearance = HUGE_VAL;
  if (s.sightStamp.advance()) s.sight.seenUpTo.wipe();
  const CorridorSight sight =
      lookAlong(impl_->graph, start, end, std::max(0.0, enough / lattice.unit - kRounding), s.sightStamp, s.sight);
  if (!sight.visible) return {};
  return {sight.clearance * lattice.unit, impl_->cells.nearest(sight.endArc, end.units)};
}

PathStatus CorridorNavigator::corridor(const PathQuery& query, PlanScratch& scratch, Corridor& out) const {
  out.points.clear();
  out.length = 0;
  out.minClearance = 0;
  RouteEnds ends;
  const PathStatus status = impl_->search(query, scratch, ends);
  if (status != PathStatus::kFound) return status;
  CorridorMemory& s = CorridorMemory::of(scratch);
  collectPieces(impl_->graph, ends.start.axis, ends.goal.axis, s.path, s.route.pieces);
  double least = std::min(ends.start.axis.clearance, ends.goal.axis.clearance);
  for (const CorridorPiece& piece : s.route.pieces) {
    const ecm::ArcCurve curve = impl_->graph.curve(piece.arc >> 1);
    for (const double u : {piece.from, piece.to}) {
      const CorridorMap::BendingPoint b = annotated(impl_->graph, piece.arc, curve, u);
      if (out.points.empty() || !(out.points.back() == b)) out.points.push_back(b);
    }
    const double low = std::min(piece.from, piece.to);
    const double high = std::max(piece.from, piece.to);
    least = std::min(least, curve.clearance(curve.narrowestBetween(low, high)));
  }
  out.length = impl_->unit() * pathLength(impl_->graph, ends.start.axis, ends.goal.axis, s.path.halfEdges);
  out.minClearance = least * impl_->unit();
  return PathStatus::kFound;
}

}  // namespace wend
