#include "planning/point/point_planner.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <utility>

#include "geometry/predicates.h"
#include "geometry/vec2.h"
#include "planning/corridor/route_cells.h"
#include "planning/ends.h"
#include "planning/point/astar.h"
#include "planning/point/corner_graph.h"
#include "planning/point/funnel.h"
#include "planning/point/mesh_analysis.h"
#include "planning/point/polyanya.h"
#include "planning/scratch_memory.h"

namespace wend {

namespace {

// Where Polyanya has expanded this many intervals and is not done, corners that see each other are the better graph.
constexpr uint64_t kManyIntervals = 250;

struct PointMemory final : ScratchMemory {
  QueryStamp stamp;
  End start;
  End goal;
  StampedSet startSeen;
  StampedSet goalSeen;
  SearchScope scope;
  PolyanyaScratch polyanya;
  AStarScratch aStar;
  FunnelScratch funnel;
  CornerGraph corners;
  std::vector<CellVisit> visits;
  SearchPath path;

  void begin(const NavMesh& mesh) {
    if (stamp.advance()) {
      startSeen.wipe();
      goalSeen.wipe();
      scope.wipe();
      polyanya.bestG.wipe();
      polyanya.spun.wipe();
      aStar.nodes.wipe();
      aStar.closed.wipe();
      aStar.firstVisit.wipe();
    }
    startSeen.grow(mesh.cellCount());
    goalSeen.grow(mesh.cellCount());
    scope.grow(mesh.cellCount());
  }
};

// Tells the planners apart for what scratch objects remember of one.
uint64_t nextSerial() {
  static std::atomic<uint64_t> next{1};
  return next++;
}

}  // namespace

struct PointPlanner::Impl {
  // What is known of a mesh.
  struct Analysed {
    NavMesh mesh;
    MeshAnalysis analysis;
  };

  uint64_t serial = nextSerial();
  NavMesh mesh;
  Locator locator;

  // `before`: of the version of the mesh before an edit, or null.
  Impl(NavMesh m, Locator l, const Impl* before = nullptr)
      : mesh(std::move(m)), locator(std::move(l)), older_(before == nullptr ? nullptr : before->latest()) {}

  // Made by the first query, so that edits between two of them cost it once.
  const MeshAnalysis& analysis() const {
    std::call_once(made_, [this] {
      const auto before = latest();
      auto made = std::make_shared<const Analysed>(
          Analysed{mesh, before == nullptr ? analyseMesh(mesh) : analyseMesh(mesh, before->mesh, before->analysis)});
      const std::lock_guard lock(mutex_);
      analysed_ = std::move(made);
      older_.reset();
    });
    return analysed_->analysis;
  }

 private:
  std::shared_ptr<const Analysed> latest() const {
    const std::lock_guard lock(mutex_);
    return analysed_ != nullptr ? analysed_ : older_;
  }
  mutable std::once_flag made_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const Analysed> older_;     // of a version before, until this one is analysed
  mutable std::shared_ptr<const Analysed> analysed_;  // null: nobody has asked yet
};

namespace {

// The smallest cell that contains both ends, or kNone.
CellId commonCell(const End& start, const StampedSet& goalSeen, QueryStamp now) {
  CellId common = kNone;
  for (const CellId cell : start.cells) {
    if (goalSeen.has(cell, now)) common = std::min(common, cell);
  }
  return common;
}

// Drops start cells from which no goal cell can be reached (a start where fans touch may stand in several components).
void dropUnreachable(const std::vector<uint32_t>& component, const End& goal, End& start) {
  std::erase_if(start.cells, [&](CellId cell) {
    return std::none_of(goal.cells.begin(), goal.cells.end(),
                        [&](CellId other) { return component[other] == component[cell]; });
  });
}

// True if the path a, b, c does not bend at b.
bool isStraight(Vec2 a, Vec2 b, Vec2 c) {
  return orient(a, b, c) == 0 && isBetween(a, b, c);
}

void dropStraight(Vec2 start, Vec2 goal, std::vector<Bend>& bends) {
  size_t kept = 0;
  for (size_t i = 0; i < bends.size(); ++i) {
    const Vec2 before = kept == 0 ? start : bends[kept - 1].place;
    const Vec2 after = i + 1 < bends.size() ? bends[i + 1].place : goal;
    if (!isStraight(before, bends[i].place, after)) bends[kept++] = bends[i];
  }
  bends.resize(kept);
}

void assemble(const NavMesh& mesh, const Locator& locator, const End& start, const End& goal, const SearchPath& path,
              Route& route) {
  const auto toMetres = [&](Vec2 units, double z) {
    const Vec2 p = mesh.lattice().toMetres(units);
    return Vec3{p.x, p.y, z};
  };
  route.points.push_back(toMetres(start.units, start.z));
  Vec2 last = start.units;
  double length = 0;
  const auto go = [&](Vec2 to, double z) {
    length += distance(last, to);
    last = to;
    route.points.push_back(toMetres(to, z));
  };
  for (const Bend& bend : path.bends) {
    // A bend inside a portal comes from rounding alone; any layer of the portal has its height.
    const double z = bend.vertex != kNone ? mesh.position(bend.vertex).z
                                          : locator.height(mesh.lattice().toMetres(bend.place),
                                                           mesh.layerOf(mesh.cellOf(path.entries.back())));
    go(bend.place, z);
  }
  go(goal.units, goal.z);
  route.length = length * mesh.lattice().unit;
  for (const SideId entry : path.entries) {
    if (route.cells.empty()) route.cells.push_back(mesh.neighbour(entry));
    route.portals.push_back(mesh.twin(entry));
    route.cells.push_back(mesh.cellOf(entry));
  }
}

// Of a path whose bends alone are known; false if the cells do not hold it.
bool assembleByWalk(const NavMesh& mesh, const Locator& locator, PointMemory& s, Route& route) {
  for (const CellId cell : s.start.cells) {
    route.clear();
    assemble(mesh, locator, s.start, s.goal, s.path, route);
    CellWalk walk(mesh, s.visits, route);
    walk.start(cell, s.start.units);
    const auto goesTo = [&](const Bend& bend) { return walk.to(bend.place); };
    if (std::all_of(s.path.bends.begin(), s.path.bends.end(), goesTo) && walk.to(s.goal.units)) return true;
  }
  route.clear();
  return false;
}

}  // namespace

PointPlanner::PointPlanner(NavMesh mesh) {
  Locator locator(mesh);
  impl_ = std::make_shared<Impl>(std::move(mesh), std::move(locator));
}

PointPlanner::PointPlanner(const PointPlanner& before, NavMesh mesh) {
  Locator locator = before.locator().next(mesh);
  impl_ = std::make_shared<Impl>(std::move(mesh), std::move(locator), before.impl_.get());
}

const NavMesh& PointPlanner::mesh() const {
  return impl_->mesh;
}
const Locator& PointPlanner::locator() const {
  return impl_->locator;
}
const MeshAnalysis& PointPlanner::analysis() const {
  return impl_->analysis();
}

PathStatus PointPlanner::plan(const PathQuery& query, PlanScratch& scratch, Route& route) const {
  route.clear();
  scratch.expanded = 0;
  if (!query.from.finite() || !query.to.finite() || !(query.radius >= 0) || !std::isfinite(query.radius)) {
    return PathStatus::kBadQuery;
  }
  const NavMesh& mesh = impl_->mesh;
  const MeshTraits& traits = mesh.info().traits;
  // A straight line between two points of a cell that is not convex may leave the cell.
  if (query.radius > 0 || !traits.convex) return PathStatus::kUnsupported;
  if (query.method != PathMethod::kAStar && !traits.disjoint) return PathStatus::kUnsupported;

  PointMemory& s = ScratchMemory::of<PointMemory>(scratch, ScratchMemory::kPoint);
  s.begin(mesh);
  if (!locateEnd(mesh, impl_->locator, query.from, s.stamp, s.startSeen, s.start)) {
    return PathStatus::kStartOffMesh;
  }
  if (!locateEnd(mesh, impl_->locator, query.to, s.stamp, s.goalSeen, s.goal)) {
    return PathStatus::kGoalOffMesh;
  }
  s.path.clear();
  const CellId common = commonCell(s.start, s.goalSeen, s.stamp);
  if (common != kNone) {
    route.cells.push_back(common);
    assemble(mesh, impl_->locator, s.start, s.goal, s.path, route);
    return PathStatus::kFound;
  }
  dropUnreachable(impl_->analysis().component, s.goal, s.start);
  if (s.start.cells.empty()) return PathStatus::kUnreachable;

  const SearchEnds ends{s.start.units, s.goal.units, s.start.cells, s.goal.cells};
  s.scope.begin(s.goal.cells, impl_->analysis(), s.stamp);
  if (query.method != PathMethod::kAStar) {
    s.polyanya.bestG.grow(mesh.vertexCount());
    s.polyanya.spun.grow(size_t{2} * mesh.sideCount());
    PolyanyaAnswer answer = searchPolyanya(mesh, impl_->analysis(), ends, s.scope, s.stamp, s.polyanya, kManyIntervals,
                                           s.path, scratch.expanded);
    if (answer == PolyanyaAnswer::kUnfinished) {
      if (s.corners.search(impl_->serial, mesh, impl_->analysis(), ends, s.path, scratch.expanded)) {
        dropStraight(s.start.units, s.goal.units, s.path.bends);
        if (assembleByWalk(mesh, impl_->locator, s, route)) return PathStatus::kFound;
      }
      answer = finishPolyanya(mesh, impl_->analysis(), ends, s.scope, s.stamp, s.polyanya, s.path, scratch.expanded);
    }
    if (answer != PolyanyaAnswer::kFound) return PathStatus::kUnreachable;
  } else {
    s.aStar.nodes.grow(mesh.sideCount());
    s.aStar.closed.grow(mesh.sideCount());
    s.aStar.firstVisit.grow(mesh.cellCount());
    if (!searchAStar(mesh, ends, s.scope, s.stamp, s.aStar, s.path, scratch.expanded)) return PathStatus::kUnreachable;
    pullString(mesh, s.start.units, s.goal.units, s.funnel, s.path);
  }
  dropStraight(s.start.units, s.goal.units, s.path.bends);
  assemble(mesh, impl_->locator, s.start, s.goal, s.path, route);
  return PathStatus::kFound;
}

}  // namespace wend
