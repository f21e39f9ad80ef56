#include "planning/disk/disk_navigator.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include "mesh/cell_geometry.h"
#include "planning/clearance/clearance_table.h"
#include "planning/clearance/convex_cells.h"
#include "planning/disk/arc_lines.h"
#include "planning/disk/crossing_search.h"
#include "planning/disk/portal_tangents.h"
#include "planning/disk/string_trials.h"
#include "planning/disk/take_over.h"
#include "planning/disk/turned_route.h"
#include "planning/ends.h"
#include "planning/point/point_planner.h"
#include "planning/replan/route_change.h"
#include "planning/scratch_memory.h"
#include "planning/visibility/mesh_visibility_polygon.h"
#include "planning/visibility/nearest_obstacle.h"

namespace wend {

namespace {

// Metres: critical radii are computed up to this; larger disks use ShrunkPortals, which is slower.
constexpr double kCriticalReach = 2;
// Metres: how much nearer than the radius rounding may bring a route. Half of the 1e-6 m that a route is allowed.
constexpr double kTolerance = 5e-7;

double toleranceOf(const ShrunkPortals& table) {
  return std::min(kTolerance / table.mesh().lattice().unit, 1e-3 * table.radius());
}

}  // namespace

struct DiskNavigator::Impl {
  // The clearances of a mesh.
  struct Measured {
    NavMesh mesh;
    ClearanceTable table;
    Measured(NavMesh m, ClearanceTable t) : mesh(std::move(m)), table(std::move(t)) {}
  };

  uint64_t serial = 0;
  NavMesh given;
  RefinedMesh refined;
  PointPlanner planner;
  std::vector<double> flatHeight;  // per layer; not a number where the layer is not flat

  // `before`: of the version of the mesh before an edit, or null.
  explicit Impl(NavMesh mesh, const Impl* before = nullptr)
      : given(std::move(mesh)),
        refined(refineToConvex(given)),
        planner(before == nullptr ? PointPlanner(refined.mesh) : PointPlanner(before->planner, refined.mesh)),
        older(before == nullptr ? nullptr : before->latest()) {
    static std::atomic<uint64_t> next{1};
    serial = next++;
    for (const HeightField& field : refined.mesh.info().layerHeights) {
      flatHeight.push_back(field.triangles.empty() ? field.base : std::numeric_limits<double>::quiet_NaN());
    }
  }
  const NavMesh& mesh() const { return refined.mesh; }
  double reach() const { return kCriticalReach / refined.mesh.lattice().unit; }
  // Made by the first query of a disk, so that edits between two of them cost it once.
  const ClearanceTable& clearance() const {
    const std::lock_guard lock(measuring);
    if (measured == nullptr) {
      measured = std::make_shared<const Measured>(
          refined.mesh, older == nullptr ? ClearanceTable(refined.mesh, reach())
                                         : ClearanceTable(older->table, older->mesh, refined.mesh, reach()));
      older.reset();
    }
    return measured->table;
  }
  // The convex cell around a place, of those that a given cell was cut into.
  CellId refinedCell(CellId cell, Vec2 units) const;
  std::optional<DiskDensity> densityOf(const PathQuery& query) const {
    if (query.density == nullptr) return std::nullopt;
    return DiskDensity{{*query.density, mesh().lattice().unit}, refined.cellOf};
  }
  // The corridor between the ends that the memory holds, for a radius above 0.
  // For a disk on a mesh that can carry it. `missed`: a corridor was found, but no string through it.
  PathStatus planDisk(const PathQuery& query, PlanScratch& scratch, Route& route, bool& missed) const;
  PathStatus search(const PathQuery& query, EndTest test, Memory& memory, uint64_t& expanded) const;
  // Names cells and portals as the given mesh does.
  void restore(Route& route) const;
  void assemble(const Memory& memory, const ShrunkPortals& table, double tolerance, Route& route) const;
  // Cells, portals and shrunk portals.
  void addCells(const Memory& memory, const ShrunkPortals& table, Route& route) const;
  // On layers that are not flat, or several: of each point, or one for all.
  void addHeights(std::span<const LayerId> layers, Route& route) const;

 private:
  std::shared_ptr<const Measured> latest() const {
    const std::lock_guard lock(measuring);
    return measured != nullptr ? measured : older;
  }
  mutable std::mutex measuring;
  mutable std::shared_ptr<const Measured> older;     // of a version before, until this one is measured
  mutable std::shared_ptr<const Measured> measured;  // null: no disk has asked yet
};

// What one thread keeps: a table per radius, of the last few radii, and the memory of the searches.
struct DiskNavigator::Memory final : ScratchMemory {
  struct Entry {
    uint64_t navigator;
    double radius;
    uint64_t used;
    std::unique_ptr<ShrunkPortals> table;
    std::unique_ptr<PortalTangents> tangents;
    std::unique_ptr<CrossingSleeves> sleeves;
  };
  std::vector<Entry> tables;
  uint64_t clock = 0;
  QueryStamp stamp;
  StampedSet startSeen;
  StampedSet goalSeen;
  End start;
  End goal;
  DiskSearchScratch search;
  DiskPath path;
  TrialScratch trial;
  DiskString taut;
  SightScratch sight;
  std::vector<CellVisit> visits;

  static Memory& of(PlanScratch& scratch) { return ScratchMemory::of<Memory>(scratch, kDisk); }

  Entry& entry(const Impl& impl, double radius) {
    ++clock;
    for (Entry& e : tables) {
      if (e.navigator != impl.serial || e.radius != radius) continue;
      e.used = clock;
      return e;
    }
    if (tables.size() >= kRadii) {
      tables.erase(std::min_element(tables.begin(), tables.end(),
                                    [](const Entry& a, const Entry& b) { return a.used < b.used; }));
    }
    auto table = std::make_unique<ShrunkPortals>(impl.mesh(), radius, &impl.clearance(), &impl.planner.analysis());
    auto tangents = std::make_unique<PortalTangents>(*table, toleranceOf(*table));
    auto sleeves = std::make_unique<CrossingSleeves>(*table);
    tables.push_back({impl.serial, radius, clock, std::move(table), std::move(tangents), std::move(sleeves)});
    return tables.back();
  }

  // Cells of both ends; kFound if both are on the mesh.
  PathStatus locate(const Impl& impl, const PathQuery& query) {
    if (stamp.advance()) {
      startSeen.wipe();
      goalSeen.wipe();
    }
    startSeen.grow(impl.mesh().cellCount());
    goalSeen.grow(impl.mesh().cellCount());
    const Locator& locator = impl.planner.locator();
    if (!locateEnd(impl.mesh(), locator, query.from, stamp, startSeen, start)) {
      return PathStatus::kStartOffMesh;
    }
    if (!locateEnd(impl.mesh(), locator, query.to, stamp, goalSeen, goal)) {
      return PathStatus::kGoalOffMesh;
    }
    return PathStatus::kFound;
  }
};

namespace {

bool isBad(const PathQuery& query) {
  return !query.from.finite() || !query.to.finite() || !(query.radius >= 0) || !std::isfinite(query.radius) ||
         !(query.clearance >= 0) || !std::isfinite(query.clearance);
}

constexpr double kRangeArcStep = std::numbers::pi / 36;  // of the range, drawn as a polygon

// The polygon around what is seen: wall parts, sight lines between them, and the circle of the range where nothing is.
void writeVisibility(const NavMesh& mesh, const Locator& locator, CellId cell, Vec2 p, double range,
                     const std::vector<SeenWall>& seen, VisibilityPolygon& out) {
  LayerId layer = mesh.layerOf(cell);
  const auto add = [&](Vec2 q, bool window) {
    const Vec2 at = mesh.lattice().toMetres(q);
    if (!out.points.empty() && out.points.back().x == at.x && out.points.back().y == at.y) {
      out.window.back() = window ? 1 : 0;
      return;
    }
    out.points.push_back({at.x, at.y, locator.height(at, layer)});
    out.window.push_back(window ? 1 : 0);
  };
  // Counter-clockwise along the range, from one direction to the next.
  const auto addArc = [&](Vec2 from, Vec2 to) {
    const double turn = std::max(0.0, std::atan2(cross(from, to), dot(from, to)));
    const double begin = std::atan2(from.y, from.x);
    const int pieces = std::max(1, static_cast<int>(std::ceil(turn / kRangeArcStep)));
    for (int i = 0; i <= pieces; ++i) {
      const double angle = begin + turn * i / pieces;
      add({p.x + range * std::cos(angle), p.y + range * std::sin(angle)}, true);
    }
  };
  for (const SeenWall& wall : seen) {
    const double size = length(wall.to - wall.from);
    if (!(size > 0)) continue;
    if (wall.side != kNone) layer = mesh.layerOf(mesh.cellOf(wall.side));
    const Vec2 u = (1 / size) * (wall.to - wall.from);
    Interval part{0, size};
    if (range > 0) {
      const Interval near = wall.side == kNone ? Interval{} : blockedInterval(wall.from, u, p, p, range);
      part = {std::max(0.0, near.low), std::min(size, near.high)};
    }
    if (!(part.low < part.high)) {
      addArc(wall.from - p, wall.to - p);
      continue;
    }
    const Vec2 from = part.low > 0 ? wall.from + part.low * u : wall.from;
    const Vec2 to = part.high < size ? wall.from + part.high * u : wall.to;
    if (part.low > 0) addArc(wall.from - p, from - p);
    add(from, false);
    add(to, true);
    if (part.high < size) addArc(to - p, wall.to - p);
  }
}

}  // namespace

CellId DiskNavigator::Impl::refinedCell(CellId cell, Vec2 units) const {
  if (refined.cellOf.empty()) return cell;
  const auto [first, last] = std::equal_range(refined.cellOf.begin(), refined.cellOf.end(), cell);
  const auto at = std::find_if(first, last, [&](const CellId& piece) {
    return contains(mesh(), static_cast<CellId>(&piece - refined.cellOf.data()), units);
  });
  return static_cast<CellId>((at == last ? first : at) - refined.cellOf.begin());
}

void DiskNavigator::Impl::restore(Route& route) const {
  if (refined.cellOf.empty()) return;
  size_t kept = 0;
  for (size_t i = 0; i < route.portals.size(); ++i) {
    const SideId side = refined.originalSide(route.portals[i]);
    if (side == kNone) continue;
    route.portals[kept] = side;
    route.cells[kept] = refined.original(route.cells[i]);
    if (i < route.shrunkPortals.size()) route.shrunkPortals[kept] = route.shrunkPortals[i];
    ++kept;
  }
  route.cells[kept] = refined.original(route.cells.back());
  route.cells.resize(kept + 1);
  route.portals.resize(kept);
  if (!route.shrunkPortals.empty()) route.shrunkPortals.resize(kept);
}

void DiskNavigator::Impl::addHeights(std::span<const LayerId> layers, Route& route) const {
  for (size_t i = 0; i < route.points.size(); ++i) {
    Vec3& p = route.points[i];
    const LayerId layer = layers[std::min(i, layers.size() - 1)];
    p.z = std::isnan(flatHeight[layer]) ? planner.locator().height({p.x, p.y}, layer) : flatHeight[layer];
  }
}

void DiskNavigator::Impl::assemble(const Memory& m, const ShrunkPortals& table, double tolerance, Route& route) const {
  const Lattice& lattice = mesh().lattice();
  const double height = flatHeight[m.trial.walk.layers.front()];
  writeString(m.taut, m.start.units, lattice, tolerance, height, route);
  if (m.trial.walk.layers.size() > 1 || std::isnan(height)) addHeights(m.trial.walk.layers, route);
  route.points.front().z = m.start.z;
  if (route.points.size() > 1) route.points.back().z = m.goal.z;
  addCells(m, table, route);
  restore(route);
}

void DiskNavigator::Impl::addCells(const Memory& m, const ShrunkPortals& table, Route& route) const {
  const Lattice& lattice = mesh().lattice();
  std::span<const DirectedPortalId> portals = m.path.portals;
  CellId first = m.path.steps.empty() ? m.start.cells.front() : m.path.steps.front().cell;
  // A start on the portal itself stands in the cell it goes to.
  if (m.path.startOnPortal && !portals.empty()) {
    first = table.cellBehind(portals.front());
    portals = portals.subspan(1);
  }
  if (m.path.goalOnPortal && !portals.empty()) portals = portals.first(portals.size() - 1);
  route.cells.reserve(portals.size() + 1);
  route.portals.reserve(portals.size());
  route.shrunkPortals.reserve(portals.size());
  route.cells.push_back(first);
  for (const DirectedPortalId id : portals) {
    if ((id & kOnCut) != 0) continue;
    const DirectedPortal& portal = table.directed(id);
    const SideId side = table.shrunkPortal(id).side;
    const std::array<SideId, 2> sides{mesh().twin(side), side};
    route.portals.push_back(sides[id & 1]);
    route.shrunkPortals.push_back({lattice.toMetres(portal.left), lattice.toMetres(portal.right)});
    route.cells.push_back(portal.cell);
  }
}

DiskNavigator::DiskNavigator(NavMesh mesh) : impl_(std::make_shared<const Impl>(std::move(mesh))) {}

DiskNavigator::DiskNavigator(const DiskNavigator& before, NavMesh mesh)
    : impl_(std::make_shared<const Impl>(std::move(mesh), before.impl_.get())) {}

const NavMesh& DiskNavigator::mesh() const {
  return impl_->given;
}

const NavMesh& DiskNavigator::convexMesh() const {
  return impl_->mesh();
}
const Locator& DiskNavigator::locator() const {
  return impl_->planner.locator();
}
const MeshAnalysis& DiskNavigator::analysis() const {
  return impl_->planner.analysis();
}
CellId DiskNavigator::given(CellId convexCell) const {
  return impl_->refined.original(convexCell);
}
SideId DiskNavigator::givenSide(SideId convexSide) const {
  return impl_->refined.originalSide(convexSide);
}
ShrunkPortals& DiskNavigator::table(double radius, PlanScratch& scratch) const {
  return *Memory::of(scratch).entry(*impl_, radius / impl_->mesh().lattice().unit).table;
}

CellId DiskNavigator::locate(const Place& place) const {
  return impl_->refined.original(impl_->planner.locator().locate(place));
}

PathStatus DiskNavigator::Impl::search(const PathQuery& query, EndTest test, Memory& m, uint64_t& expanded) const {
  ShrunkPortals& table = *m.entry(*this, query.radius / mesh().lattice().unit).table;
  const DiskEnds ends{m.start.units, m.goal.units, m.start.cells, m.goal.cells};
  const std::optional<DiskDensity> density = densityOf(query);
  switch (
      searchDisk(table, planner.analysis(), ends, test, m.search, m.path, expanded, density ? &*density : nullptr)) {
    case DiskAnswer::kFound:
      return PathStatus::kFound;
    case DiskAnswer::kStartBlocked:
      return PathStatus::kStartTooNear;
    case DiskAnswer::kGoalBlocked:
      return PathStatus::kGoalTooNear;
    case DiskAnswer::kUnreachable:
      break;
  }
  return PathStatus::kUnreachable;
}

PathStatus DiskNavigator::reachable(const PathQuery& query, PlanScratch& scratch) const {
  scratch.expanded = 0;
  if (isBad(query)) return PathStatus::kBadQuery;
  if (!impl_->given.info().traits.disjoint) return PathStatus::kUnsupported;
  Memory& m = Memory::of(scratch);
  if (const PathStatus status = m.locate(*impl_, query); status != PathStatus::kFound) return status;
  if (query.radius > 0) return impl_->search(query, EndTest::kLook, m, scratch.expanded);
  const std::vector<uint32_t>& component = impl_->planner.analysis().component;
  for (const CellId a : m.start.cells) {
    for (const CellId b : m.goal.cells) {
      if (component[a] == component[b]) return PathStatus::kFound;
    }
  }
  return PathStatus::kUnreachable;
}

PathStatus DiskNavigator::replan(const PathQuery& query, PlanScratch& scratch, Route& route, bool& changed) const {
  changed = true;
  return plan(query, scratch, route);
}

namespace {

// Metres: the same goal, written down twice.
constexpr double kSamePlace = 1e-6;

bool leadsTo(const Route& route, const Place& goal) {
  return !route.points.empty() && distance(goal.top(), {route.points.back().x, route.points.back().y}) <= kSamePlace;
}

}  // namespace

bool DiskNavigator::isConcerned(const WorldChange& change, const PathQuery& query, PlanScratch& /*scratch*/,
                                const Route& route) const {
  if (change.empty()) return false;
  if (!leadsTo(route, query.to) || change.everything()) return true;
  const Vec2 at = query.from.top();
  const RouteRest rest = restOf(route, at);
  return rest.off > kBesideRoute || isRestTouched(change, route, rest, at, std::max(query.radius, route.clearance)) ||
         mayBeShorter(change, route, rest, at);
}

bool DiskNavigator::keep(const WorldChange& change, const PathQuery& query, PlanScratch& scratch, Route& route) const {
  if (isConcerned(change, query, scratch, route)) return false;
  route.cells.clear();
  route.portals.clear();
  route.shrunkPortals.clear();
  return true;
}

PathStatus DiskNavigator::replan(const PathQuery& query, const WorldChange& change, ReplanMethod method,
                                 PlanScratch& scratch, Route& route, ReplanReport& report) const {
  const Vec2 at = query.from.top();
  const bool isUsable = !isBad(query) && leadsTo(route, query.to) && !change.everything() && query.density == nullptr &&
                        !query.side && method != ReplanMethod::kAStar && impl_->given.info().traits.disjoint &&
                        impl_->refined.cellOf.empty();
  if (isUsable) {
    const RouteRest rest = restOf(route, at);
    report.affected = isRestTouched(change, route, rest, at, std::max(query.radius, route.clearance));
    const bool isBest = !mayBeShorter(change, route, rest, at);
    const bool isContent =
        method == ReplanMethod::kLocal || (method == ReplanMethod::kDpa && change.kind() == ChangeKind::kInsertion);
    Memory& m = Memory::of(scratch);
    if (!report.affected && rest.off <= kBesideRoute && (isBest || isContent) &&
        m.locate(*impl_, query) == PathStatus::kFound) {
      ShrunkPortals* table =
          query.radius > 0 ? m.entry(*impl_, query.radius / impl_->mesh().lattice().unit).table.get() : nullptr;
      const bool optimal = route.optimal && isBest && rest.off <= kSamePlace;
      cutRoute(rest, {at.x, at.y, m.start.z}, route);
      if (takeOver(impl_->mesh(), m.start.cells.front(), table, m.sight, m.visits, route)) {
        report.cost = route.length;
        report.optimal = route.optimal = optimal;
        return PathStatus::kFound;
      }
    }
  }
  const PathStatus status = plan(query, scratch, route);
  report.expanded = scratch.expanded;
  report.changed = report.searched = true;
  report.optimal = route.optimal;
  report.cost = route.length;
  return status;
}

PathStatus DiskNavigator::plan(const PathQuery& query, PlanScratch& scratch, Route& route) const {
  if (query.side) {
    route.clear();
    return PathStatus::kUnsupported;
  }
  if (query.clearance > query.radius && !isBad(query)) {
    PathQuery wide = query;
    wide.radius = query.clearance;
    wide.clearance = 0;
    if (plan(wide, scratch, route) == PathStatus::kFound) return PathStatus::kFound;
  }
  if (query.radius == 0 && !isBad(query)) {
    const PathStatus status = impl_->planner.plan(query, scratch, route);
    if (status == PathStatus::kFound) impl_->restore(route);
    route.optimal = status == PathStatus::kFound && query.method != PathMethod::kAStar;
    return status;
  }
  route.clear();
  scratch.expanded = 0;
  if (isBad(query)) return PathStatus::kBadQuery;
  if (!impl_->given.info().traits.disjoint) return PathStatus::kUnsupported;
  bool missed = false;
  const PathStatus status = impl_->planDisk(query, scratch, route, missed);
  if (!missed) return status;
  // There is a corridor, but no string through it was found. The search from the other end takes another corridor or
  // pulls the string from the other side.
  PathQuery back = query;
  std::swap(back.from, back.to);
  if (impl_->planDisk(back, scratch, route, missed) != PathStatus::kFound) return status;
  turnRound(mesh(), route);
  return PathStatus::kFound;
}

PathStatus DiskNavigator::Impl::planDisk(const PathQuery& query, PlanScratch& scratch, Route& route,
                                         bool& missed) const {
  Memory& m = Memory::of(scratch);
  if (const PathStatus status = m.locate(*this, query); status != PathStatus::kFound) return status;
  const Memory::Entry& entry = m.entry(*this, query.radius / mesh().lattice().unit);
  ShrunkPortals& table = *entry.table;
  const DiskEnds ends{m.start.units, m.goal.units, m.start.cells, m.goal.cells};
  const double tolerance = toleranceOf(table);
  StringTrials trials(table, *entry.tangents, *entry.sleeves, m.search.pieces, ends, m.path, tolerance, m.trial,
                      m.taut);
  const auto isFree = [&](const End& end) { return table.isFree(end.cells.front(), end.units); };
  const auto give = [&](PathStatus status) {
    route.clear();
    return status;
  };
  bool done = false;
  for (const EndTest test : {EndTest::kTrust, EndTest::kCut}) {
    const PathStatus status = search(query, test, m, scratch.expanded);
    if (status != PathStatus::kFound) return give(status);
    done = trials.pullQuickly();
    if (!done && test == EndTest::kTrust) {
      if (!isFree(m.start)) return give(PathStatus::kStartTooNear);
      if (!isFree(m.goal)) return give(PathStatus::kGoalTooNear);
    }
    done = done || trials.pullSurely();
    if (done) break;
  }
  // A way exists, but none that keeps clear has been found: say no rather than lead into a wall.
  missed = !done && !trials.pullFinely() && !trials.searchTangents();
  if (missed) return give(PathStatus::kUnreachable);
  assemble(m, table, tolerance, route);
  route.clearance = query.radius;
  return PathStatus::kFound;
}

std::optional<NearestObstacle> DiskNavigator::nearestObstacle(const Place& place, PlanScratch& scratch) const {
  if (!place.finite()) return std::nullopt;
  const NavMesh& mesh = impl_->mesh();
  const Locator& locator = impl_->planner.locator();
  const CellId cell = locator.locate(place);
  if (cell == kNone) return std::nullopt;
  Memory& m = Memory::of(scratch);
  const Vec2 p = mesh.lattice().toUnits(place.top());
  const NearestWall wall = wend::nearestObstacle(mesh, cell, p, m.sight);
  if (wall.side == kNone) return std::nullopt;
  const Vec2 at = mesh.lattice().toMetres(wall.point);
  const double z = locator.height(at, mesh.layerOf(mesh.cellOf(wall.side)));
  return NearestObstacle{{at.x, at.y, z}, wall.distance * mesh.lattice().unit};
}

bool DiskNavigator::visibility(const Place& place, double range, PlanScratch& scratch, VisibilityPolygon& out) const {
  out.points.clear();
  out.window.clear();
  if (!place.finite() || !(range >= 0)) return false;
  const NavMesh& mesh = impl_->mesh();
  const Locator& locator = impl_->planner.locator();
  const CellId cell = locator.locate(place);
  if (cell == kNone) return false;
  Memory& m = Memory::of(scratch);
  const Vec2 p = mesh.lattice().toUnits(place.top());
  const double reach = std::isfinite(range) ? range / mesh.lattice().unit : 0;
  lookAround(mesh, cell, p, reach, m.sight);
  writeVisibility(mesh, locator, cell, p, reach, m.sight.seen, out);
  return true;
}

double DiskNavigator::straightClearance(const Place& from, const Place& to, PlanScratch& scratch) const {
  if (!from.finite() || !to.finite()) return -1;
  const NavMesh& mesh = impl_->mesh();
  const Locator& locator = impl_->planner.locator();
  const CellId cell = locator.locate(from);
  if (cell == kNone) return -1;
  const Lattice& lattice = mesh.lattice();
  const double units =
      clearanceOfSegment(mesh, cell, lattice.toUnits(from.top()), lattice.toUnits(to.top()), Memory::of(scratch).sight);
  return units < 0 ? -1 : units * lattice.unit;
}

FreeDisk DiskNavigator::freeDisk(CellId cell, Vec2 metres, PlanScratch& scratch) const {
  const NavMesh& mesh = impl_->mesh();
  const Lattice& lattice = mesh.lattice();
  const Vec2 p = lattice.toUnits(metres);
  const EmptyDisk disk =
      emptyDiskAround(mesh, impl_->refinedCell(cell, p), p, kDiskReach / lattice.unit, Memory::of(scratch).sight);
  return {lattice.toMetres(disk.wall.point), disk.wall.distance * lattice.unit, lattice.toMetres(disk.centre),
          disk.radius * lattice.unit};
}

StraightWay DiskNavigator::straightWay(CellId cell, Vec2 from, Vec2 to, double enough, PlanScratch& scratch) const {
  const NavMesh& mesh = impl_->mesh();
  const Lattice& lattice = mesh.lattice();
  const Vec2 a = lattice.toUnits(from);
  StraightWay way;
  CellId end = kNone;
  const double units =
      clearanceOfSegment(mesh, impl_->refinedCell(cell, a), a, lattice.toUnits(to), Memory::of(scratch).sight, &end);
  if (units < 0 || units * lattice.unit < (1 - kRadiusSlack) * enough) return way;
  return {units * lattice.unit, impl_->refined.original(end)};
}

}  // namespace wend
