#include <mutex>

#include <wend/navigator.h>

#include "base/assert.h"
#include "planning/check_route.h"
#include "planning/corridor/corridor_navigator.h"
#include "planning/disk/disk_navigator.h"
#include "planning/point/point_planner.h"

namespace wend {
namespace {

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

  explicit Impl(World w) : world(std::move(w)) {
    const std::shared_ptr<const CorridorMap>& axis = world.medialAxis();
    if (axis != nullptr && !axis->empty()) corridor = std::move(CorridorNavigator::make(world.mesh())).value();
    if (corridor == nullptr) onCells();
  }

  const DiskNavigator& onCells() const {
    std::call_once(diskMade, [&] { disk = std::make_shared<const DiskNavigator>(world.mesh()); });
    return *disk;
  }
  const RadiusNavigator& best() const {
    if (corridor != nullptr) return *corridor;
    return *disk;
  }
  // The one that answers a query, or null.
  const RadiusNavigator* of(const PathQuery& query) const {
    switch (query.method) {
      case PathMethod::kBest:
        return &best();
      case PathMethod::kCorridor:
        return corridor.get();
      case PathMethod::kPolyanya:
      case PathMethod::kAStar:
        return query.radius > 0 ? nullptr : &onCells();
      case PathMethod::kDisk:
        return &onCells();
    }
    return nullptr;
  }
};

Navigator::Navigator(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

Navigator::Navigator() : Navigator(makeNavigator(World())) {}

Navigator makeNavigator(World world) {
  return Navigator(std::make_shared<const Navigator::Impl>(std::move(world)));
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

PathStatus Navigator::plan(const PathQuery& query, PlanScratch& scratch, Route& route) const {
  const RadiusNavigator* navigator = impl_->of(query);
  if (navigator == nullptr) {
    route.clear();
    return PathStatus::kUnsupported;
  }
  const PathStatus status = navigator->plan(query, scratch, route);
  WEND_ASSERT(isSound(status, mesh(), query, route), "a route runs from start to goal through adjacent cells");
  return status;
}

PathStatus Navigator::replan(const PathQuery& query, PlanScratch& scratch, Route& route, bool& changed) const {
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

PathStatus Navigator::reachable(const PathQuery& query, PlanScratch& scratch) const {
  const RadiusNavigator* navigator = impl_->of(query);
  return navigator != nullptr ? navigator->reachable(query, scratch) : PathStatus::kUnsupported;
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
  return hasMedialAxis() ? impl_->corridor->largestRadius(query, scratch) : -1;
}

std::optional<CorridorPosition> Navigator::retraction(const Place& place, PlanScratch& scratch) const {
  if (!hasMedialAxis()) return std::nullopt;
  return impl_->corridor->retraction(place, scratch);
}

PathStatus Navigator::corridor(const PathQuery& query, PlanScratch& scratch, Corridor& out) const {
  return hasMedialAxis() ? impl_->corridor->corridor(query, scratch, out) : PathStatus::kUnsupported;
}

}  // namespace wend
