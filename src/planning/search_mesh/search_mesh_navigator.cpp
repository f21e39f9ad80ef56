#include "planning/search_mesh/search_mesh_navigator.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "planning/ends.h"
#include "planning/scratch_memory.h"
#include "planning/search_mesh/route_translation.h"

namespace wend {
namespace {

struct SearchMeshMemory final : ScratchMemory {
  QueryStamp stamp;
  StampedSet seen;
  End start;
  TranslationScratch translation;
};

// Tells the navigators apart for what scratch objects remember of one.
uint64_t nextSerial() {
  static std::atomic<uint64_t> next{1};
  return next++;
}

}  // namespace

SearchMeshNavigator::SearchMeshNavigator(std::shared_ptr<const CorridorNavigator> axis,
                                         std::shared_ptr<const DiskNavigator> search, Cells cells)
    : serial_(nextSerial()), axis_(std::move(axis)), search_(std::move(search)), cells_(std::move(cells)) {}

bool SearchMeshNavigator::suits(const PathQuery& query) {
  return !(query.clearance > query.radius) && !query.side && query.density == nullptr;
}

bool SearchMeshNavigator::translate(const PathQuery& query, PlanScratch& scratch, Route& route) const {
  const NavMesh& mesh = axis_->mesh();
  SearchMeshMemory& m = ScratchMemory::of<SearchMeshMemory>(scratch, ScratchMemory::kSearchMesh);
  m.translation.triangles.follow(mesh, serial_);
  const auto leadsFrom = [&](CellId cell, Vec2 at) {
    return translateRoute(mesh, axis_->locator(), cell, at, query.radius == 0, m.translation, route);
  };
  const CellId any = axis_->locator().locate(query.from);
  if (any != kNone && leadsFrom(any, snappedUnits(mesh.lattice(), query.from))) return true;
  // Beside the mesh by rounding; or free space touches itself there, and only one of the cells is that of the route.
  if (m.stamp.advance()) m.seen.wipe();
  m.seen.grow(mesh.cellCount());
  return locateEnd(mesh, axis_->locator(), query.from, m.stamp, m.seen, m.start) &&
         std::any_of(m.start.cells.begin(), m.start.cells.end(),
                     [&](CellId cell) { return leadsFrom(cell, m.start.units); });
}

PathStatus SearchMeshNavigator::plan(const PathQuery& query, PlanScratch& scratch, Route& route) const {
  const PathStatus status = search_->plan(query, scratch, route);
  if (status == PathStatus::kBadQuery) return status;
  if (status == PathStatus::kFound) {
    if (translate(query, scratch, route) || cells_().plan(query, scratch, route) == PathStatus::kFound) return status;
  }
  return axis_->plan(query, scratch, route);
}

PathStatus SearchMeshNavigator::replan(const PathQuery& query, PlanScratch& scratch, Route& route,
                                       bool& changed) const {
  changed = true;
  return plan(query, scratch, route);
}

PathStatus SearchMeshNavigator::replan(const PathQuery& query, const WorldChange& change, ReplanMethod method,
                                       PlanScratch& scratch, Route& route, ReplanReport& report) const {
  const PathStatus status = search_->replan(query, change, method, scratch, route, report);
  if (status == PathStatus::kFound && translate(query, scratch, route)) return status;
  report.changed = report.searched = true;
  return plan(query, scratch, route);
}

}  // namespace wend
