#include "planning/surface/surface_navigator.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "planning/ends.h"
#include "planning/point/flood.h"
#include "planning/scratch_memory.h"
#include "planning/surface/nearest_place.h"
#include "planning/surface/random_place.h"
#include "planning/surface/reach_memo.h"
#include "planning/surface/straight_move.h"

namespace wend {
namespace {

constexpr int kDraws = 10'000;

bool isLength(double value) {
  return value >= 0 && std::isfinite(value);
}

}  // namespace

struct SurfaceNavigator::Memory final : ScratchMemory {
  NearestScratch nearest;
  CircleScratch circle;
  ReachMemo memo;
  PointFloodScratch flood;
  SightScratch sight;
  QueryStamp stamp;
  StampedSet seen;
  End end;
  End start;
  std::vector<FloodTarget> targets;
  std::vector<End> targetEnds;
  static Memory& of(PlanScratch& scratch) { return ScratchMemory::of<Memory>(scratch, kSurface); }
};

struct SurfaceNavigator::Impl {
  std::shared_ptr<const DiskNavigator> disk;
  CellBuckets buckets;
  AreaSampler sampler;

  explicit Impl(std::shared_ptr<const DiskNavigator> navigator)
      : disk(std::move(navigator)),
        buckets(disk->convexMesh()),
        sampler(disk->convexMesh(), disk->analysis().component) {}

  const NavMesh& mesh() const { return disk->convexMesh(); }
  Surface surface(double radius, PlanScratch& scratch) const {
    return {mesh(), disk->locator(), buckets, radius > 0 ? &disk->table(radius, scratch) : nullptr};
  }
  // Nothing off the mesh, or where the disk does not fit.
  std::optional<SurfacePlace> find(const Surface& surface, const Place& place, Memory& m) const {
    if (!place.finite()) return std::nullopt;
    if (m.stamp.advance()) m.seen.wipe();
    m.seen.grow(mesh().cellCount());
    if (!locateEnd(mesh(), disk->locator(), place, m.stamp, m.seen, m.end)) return std::nullopt;
    if (!surface.isFree(m.end.cells.front(), m.end.units)) return std::nullopt;
    return SurfacePlace{m.end.units, m.end.cells.front()};
  }
  // The same after the place moved by up to `snap` metres. Its cells stand in m.end.
  std::optional<SurfacePlace> find(const Surface& surface, const Place& place, double snap, Memory& m,
                                   double& moved) const {
    moved = 0;
    if (const std::optional<SurfacePlace> here = find(surface, place, m)) return here;
    if (!place.finite() || !(snap > 0)) return std::nullopt;
    const std::optional<SurfacePlace> found = findNearestPlace(surface, place, snap / surface.unit(), m.nearest);
    if (!found) return std::nullopt;
    const Vec3 at = surface.lifted(found->units, found->cell);
    // A place straight above is not moved in top view.
    moved = std::max(std::hypot(at.x - place.x, at.y - place.y), std::numeric_limits<double>::min());
    if (const std::optional<SurfacePlace> there = find(surface, Place(at), m)) return there;
    // Beside a wall that has no exact double.
    m.end.units = found->units;
    m.end.z = at.z;
    m.end.cells.assign(1, found->cell);
    return found;
  }
  NearestPlace answer(const Surface& surface, const SurfacePlace& found, const Place* asked) const {
    const Vec3 place = surface.lifted(found.units, found.cell);
    const double moved = asked == nullptr ? 0 : std::hypot(place.x - asked->x, place.y - asked->y);
    return {place, disk->given(found.cell), moved};
  }
};

SurfaceNavigator::SurfaceNavigator(std::shared_ptr<const DiskNavigator> disk)
    : impl_(std::make_shared<const Impl>(std::move(disk))) {}

std::optional<NearestPlace> SurfaceNavigator::nearest(const Place& place, double radius, double reach,
                                                      PlanScratch& scratch) const {
  if (!place.finite() || !isLength(radius) || !(reach >= 0)) return std::nullopt;
  Memory& m = Memory::of(scratch);
  const Surface surface = impl_->surface(radius, scratch);
  if (const std::optional<SurfacePlace> here = impl_->find(surface, place, m)) {
    return NearestPlace{
        {place.x, place.y, surface.lifted(here->units, here->cell).z}, impl_->disk->given(here->cell), 0};
  }
  const std::optional<SurfacePlace> found = findNearestPlace(surface, place, reach / surface.unit(), m.nearest);
  if (!found) return std::nullopt;
  return impl_->answer(surface, *found, &place);
}

std::optional<NearestPlace> SurfaceNavigator::nearestReachable(const Place& from, const Place& to, double radius,
                                                               double reach, PlanScratch& scratch, double snap) const {
  if (!to.finite() || !isLength(radius) || !(reach >= 0) || !(snap >= 0)) return std::nullopt;
  Memory& m = Memory::of(scratch);
  const Surface surface = impl_->surface(radius, scratch);
  const std::optional<SurfacePlace> start = impl_->find(surface, from, snap, m, scratch.startMoved);
  if (!start) return std::nullopt;
  const std::vector<uint32_t>& component = impl_->disk->analysis().component;
  m.memo.begin(surface.mesh);
  const auto isReached = [&](const SurfacePlace& place) {
    PathQuery query;
    query.from = Place(surface.lifted(place.units, place.cell));
    query.to = Place(surface.lifted(start->units, start->cell));
    query.radius = radius;
    return impl_->disk->reachable(query, scratch) == PathStatus::kFound;
  };
  const auto accepts = [&](const SurfacePlace& place) {
    if (component[place.cell] != component[start->cell]) return false;
    if (surface.table == nullptr) return true;
    return place.cell == start->cell ? isReached(place) : m.memo.ask(*surface.table, place, isReached);
  };
  const std::optional<SurfacePlace> found =
      findNearestPlace(surface, to, reach / surface.unit(), m.nearest, PlaceTest(accepts));
  if (!found) return std::nullopt;
  return impl_->answer(surface, *found, &to);
}

std::optional<NearestPlace> SurfaceNavigator::randomPlace(const RandomPlaceQuery& query, uint64_t seed,
                                                          PlanScratch& scratch) const {
  if (!isLength(query.radius) || !(query.snap >= 0) || impl_->sampler.empty()) return std::nullopt;
  Memory& m = Memory::of(scratch);
  const Surface surface = impl_->surface(query.radius, scratch);
  std::optional<SurfacePlace> start;
  scratch.startMoved = 0;
  if (query.from && !(start = impl_->find(surface, *query.from, query.snap, m, scratch.startMoved))) {
    return std::nullopt;
  }
  Random random(seed);
  std::optional<CircleSampler> circle;
  if (query.centre) {
    if (!query.centre->finite() || !(query.range > 0) || !std::isfinite(query.range)) return std::nullopt;
    circle.emplace(surface, *query.centre, query.range / surface.unit(), m.circle);
    if (circle->empty()) return std::nullopt;
  }
  const std::vector<uint32_t>& component = impl_->disk->analysis().component;
  m.memo.begin(surface.mesh);
  const auto isReached = [&](const SurfacePlace& place) {
    PathQuery path;
    path.from = Place(surface.lifted(place.units, place.cell));
    path.to = Place(surface.lifted(start->units, start->cell));
    path.radius = query.radius;
    return impl_->disk->reachable(path, scratch) == PathStatus::kFound;
  };
  for (int i = 0; i < kDraws; ++i) {
    std::optional<SurfacePlace> place;
    if (circle) {
      place = circle->draw(random);
      if (!place || !surface.isAtHeight(*query.centre, place->units, place->cell)) continue;
    } else {
      place = impl_->sampler.draw(surface.mesh, random, start ? start->cell : kNone);
    }
    if (!surface.isFree(place->cell, place->units)) continue;
    if (start && component[place->cell] != component[start->cell]) continue;
    if (start && surface.table != nullptr && place->cell != start->cell &&
        !m.memo.ask(*surface.table, *place, isReached)) {
      continue;
    }
    if (start && surface.table != nullptr && place->cell == start->cell && !isReached(*place)) continue;
    return impl_->answer(surface, *place, nullptr);
  }
  return std::nullopt;
}

std::optional<RayHit> SurfaceNavigator::castRay(const Place& from, Vec2 to, double radius, PlanScratch& scratch,
                                                double snap) const {
  if (!isLength(radius) || !std::isfinite(to.x) || !std::isfinite(to.y) || !(snap >= 0)) return std::nullopt;
  const Surface surface = impl_->surface(radius, scratch);
  const std::optional<SurfacePlace> start = impl_->find(surface, from, snap, Memory::of(scratch), scratch.startMoved);
  if (!start) return std::nullopt;
  const Lattice& lattice = surface.mesh.lattice();
  const StraightMove move = moveStraight(surface, *start, lattice.toUnits(to));
  RayHit hit;
  hit.hit = move.hit;
  hit.place = surface.lifted(move.end.units, move.end.cell);
  hit.cell = impl_->disk->given(move.end.cell);
  hit.distance = move.distance * surface.unit();
  if (move.hit) {
    hit.contact = lattice.toMetres(move.contact);
    hit.normal = move.normal;
    hit.wall = impl_->disk->givenSide(move.wall);
  }
  return hit;
}

std::optional<Slide> SurfaceNavigator::slide(const Place& from, Vec2 to, double radius, PlanScratch& scratch,
                                             double snap) const {
  if (!isLength(radius) || !std::isfinite(to.x) || !std::isfinite(to.y) || !(snap >= 0)) return std::nullopt;
  const Surface surface = impl_->surface(radius, scratch);
  const std::optional<SurfacePlace> start = impl_->find(surface, from, snap, Memory::of(scratch), scratch.startMoved);
  if (!start) return std::nullopt;
  const SlideEnd end = slideAlong(surface, *start, surface.mesh.lattice().toUnits(to));
  return Slide{surface.lifted(end.place.units, end.place.cell), impl_->disk->given(end.place.cell),
               end.length * surface.unit()};
}

std::optional<WallDistance> SurfaceNavigator::nearestWall(const Place& place, double reach, PlanScratch& scratch,
                                                          double snap) const {
  if (!(reach >= 0) || !(snap >= 0)) return std::nullopt;
  Memory& m = Memory::of(scratch);
  const Surface surface = impl_->surface(0, scratch);
  const std::optional<SurfacePlace> here = impl_->find(surface, place, snap, m, scratch.startMoved);
  if (!here) return std::nullopt;
  const NavMesh& mesh = surface.mesh;
  const NearestWall wall = wend::nearestWall(mesh, here->cell, here->units, reach / surface.unit(), m.sight);
  if (wall.side == kNone) return std::nullopt;
  const Vec2 into = -leftOf(direction(sideEnd(mesh, wall.side) - sideStart(mesh, wall.side), {1, 0}));
  return WallDistance{surface.lifted(wall.point, mesh.cellOf(wall.side)), direction(wall.point - here->units, into),
                      wall.distance * surface.unit(), impl_->disk->givenSide(wall.side)};
}

void SurfaceNavigator::costs(const Place& from, std::span<const Place> to, PlanScratch& scratch,
                             std::span<double> costs, double snap, std::span<double> moved) const {
  std::fill(costs.begin(), costs.end(), std::numeric_limits<double>::infinity());
  std::fill(moved.begin(), moved.end(), 0);
  if (!(snap >= 0)) return;
  Memory& m = Memory::of(scratch);
  const Surface surface = impl_->surface(0, scratch);
  if (!impl_->find(surface, from, snap, m, scratch.startMoved)) return;
  std::swap(m.start, m.end);
  m.targets.clear();
  if (m.targetEnds.size() < to.size()) m.targetEnds.resize(to.size());
  for (size_t i = 0; i < to.size(); ++i) {
    double by = 0;
    if (!impl_->find(surface, to[i], snap, m, by)) continue;
    if (i < moved.size()) moved[i] = by;
    std::swap(m.targetEnds[i], m.end);
    m.targets.push_back({m.targetEnds[i].units, m.targetEnds[i].cells, static_cast<uint32_t>(i),
                         std::numeric_limits<double>::infinity()});
  }
  floodPoint(surface.mesh, impl_->disk->analysis(), m.start, std::numeric_limits<double>::infinity(), m.targets,
             m.flood);
  for (const FloodTarget& target : m.targets) costs[target.id] = target.distance * surface.unit();
}

bool SurfaceNavigator::within(const Place& from, double distance, PlanScratch& scratch, std::vector<ReachedCell>& out,
                              double snap) const {
  out.clear();
  Memory& m = Memory::of(scratch);
  const Surface surface = impl_->surface(0, scratch);
  if (!(distance >= 0) || !(snap >= 0) || !impl_->find(surface, from, snap, m, scratch.startMoved)) return false;
  std::swap(m.start, m.end);
  floodPoint(surface.mesh, impl_->disk->analysis(), m.start, distance / surface.unit(), {}, m.flood);
  for (const CellId cell : m.flood.cells) {
    const double* reached = m.flood.reached.find(cell, m.flood.stamp);
    out.push_back({impl_->disk->given(cell), *reached * surface.unit()});
  }
  const auto isBefore = [](const ReachedCell& a, const ReachedCell& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.cell < b.cell;
  };
  // Several convex cells may stand for one cell of the mesh.
  std::sort(out.begin(), out.end(), [](const ReachedCell& a, const ReachedCell& b) {
    return a.cell != b.cell ? a.cell < b.cell : a.distance < b.distance;
  });
  out.erase(
      std::unique(out.begin(), out.end(), [](const ReachedCell& a, const ReachedCell& b) { return a.cell == b.cell; }),
      out.end());
  std::sort(out.begin(), out.end(), isBefore);
  return true;
}

std::optional<SurfaceNavigator::Passage> SurfaceNavigator::narrowestOn(const Route& route, double radius,
                                                                       PlanScratch& scratch) const {
  if (route.points.empty() || !(radius > 0)) return std::nullopt;
  // Of the radius: how far apart the places on the route are, and how much farther than the radius walls count.
  constexpr double kStep = 0.125;
  constexpr double kReach = 1.25;
  const Surface surface = impl_->surface(kReach * radius, scratch);
  std::optional<Passage> best;
  const auto look = [&](Vec3 p) {
    const CellId cell = surface.locator.locate(Place(p));
    if (cell == kNone) return;
    const Vec2 q = surface.mesh.lattice().toUnits(Vec2{p.x, p.y});
    const std::span<const Wall> walls = surface.table->cell(cell).shapes;
    // The nearest point of the walls, and the nearest one on the other side of the place.
    Vec2 first;
    double least = HUGE_VAL;
    for (const Wall& w : walls) {
      const Vec2 near = closestOnSegment(q, w.a, w.b);
      if (length(near - q) >= least) continue;
      least = length(near - q);
      first = near;
    }
    for (const Wall& w : walls) {
      const Vec2 near = closestOnSegment(q, w.a, w.b);
      if (dot(near - q, first - q) > -0.25 * length(near - q) * least) continue;
      const double width = length(near - first) * surface.unit();
      if (best && width >= best->width) continue;
      best = Passage{surface.lifted(0.5 * (near + first), cell), width};
    }
  };
  look(route.points.front());
  for (size_t i = 1; i < route.points.size(); ++i) {
    const Vec3 a = route.points[i - 1];
    const Vec3 b = route.points[i];
    const int pieces = std::max(1, static_cast<int>(std::ceil(std::hypot(b.x - a.x, b.y - a.y) / (kStep * radius))));
    for (int k = 1; k <= pieces; ++k) {
      const double t = static_cast<double>(k) / pieces;
      look({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)});
    }
  }
  return best;
}

}  // namespace wend
