#include "planning/disk/corners.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace wend {
namespace {

// Whether b is left of a, or straight ahead, as far as doubles can tell. Sight lines along walls must not be lost.
bool isLeft(Vec2 a, Vec2 b) {
  constexpr double kSlack = 1e-12;
  const double first = a.x * b.y;
  const double second = a.y * b.x;
  return first - second >= -kSlack * (std::abs(first) + std::abs(second));
}

void sortOnce(std::vector<uint32_t>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

Vec2 directionOf(const NavMesh& mesh, SideId side) {
  const Vec2 way = sideEnd(mesh, side) - sideStart(mesh, side);
  return (1 / length(way)) * way;
}

// The wall that begins where this one ends, on the same floor.
SideId wallAfter(const NavMesh& mesh, SideId wall) {
  SideId next = mesh.nextSide(wall);
  while (!mesh.isWall(next)) next = mesh.nextSide(mesh.twin(next));
  return next;
}

}  // namespace

CornersInSight::CornersInSight(ShrunkPortals& table, std::span<const DiskStep> steps, double slack)
    : mesh_(table.mesh()), mostCosine_(std::sqrt(2 * slack / table.radius())) {
  std::vector<SideId> walls;
  for (const DiskStep& step : steps) {
    for (const SideId wall : table.cell(step.cell).walls) {
      walls.push_back(wall);
      walls.push_back(wallAfter(mesh_, wall));
    }
  }
  sortOnce(walls);
  for (const SideId wall : walls) addFan(wall);
  nameCorners();
}

// No path turns at a corner whose floor embraces half a turn or less.
void CornersInSight::addFan(SideId wall) {
  constexpr double kRounding = 1e-9;
  double angle = 0;
  SideId out = wall;
  SideId in = kNone;
  while (true) {
    in = mesh_.previousSide(out);
    const Vec2 from = sideEnd(mesh_, out) - sideStart(mesh_, out);
    const Vec2 to = sideStart(mesh_, in) - sideEnd(mesh_, in);
    // Cells are convex: half a turn at most, and not the other way round.
    angle += std::atan2(std::abs(cross(from, to)), dot(from, to));
    if (mesh_.isWall(in)) break;
    out = mesh_.twin(in);
  }
  if (angle <= std::numbers::pi + kRounding) return;
  const auto fan = static_cast<CornerId>(fans_.size());
  fans_.push_back(
      {wall, directionOf(mesh_, wall), -1 * directionOf(mesh_, in), angle > 2 * std::numbers::pi + kRounding});
  for (out = wall; true; out = mesh_.twin(in)) {
    named_.push_back({mesh_.startVertex(out), fan});
    in = mesh_.previousSide(out);
    if (mesh_.isWall(in)) break;
  }
}

// Fans with a vertex in common are one corner.
void CornersInSight::nameCorners() {
  std::sort(named_.begin(), named_.end());
  std::vector<uint32_t> first(fans_.size());  // of the fans of one corner, over several steps
  std::iota(first.begin(), first.end(), 0U);
  const auto find = [&](uint32_t fan) {
    while (first[fan] != fan) fan = first[fan];
    return fan;
  };
  for (size_t i = 1; i < named_.size(); ++i) {
    if (named_[i - 1].first != named_[i].first) continue;
    const uint32_t a = find(named_[i - 1].second);
    const uint32_t b = find(named_[i].second);
    first[std::max(a, b)] = std::min(a, b);
  }
  std::vector<CornerId> cornerOf(fans_.size());
  for (uint32_t fan = 0; fan < fans_.size(); ++fan) {
    const uint32_t of = find(fan);
    if (of == fan) corners_.push_back({sideStart(mesh_, fans_[fan].wall), {}, false, {}});
    cornerOf[fan] = of == fan ? static_cast<CornerId>(corners_.size()) - 1 : cornerOf[of];
    corners_[cornerOf[fan]].fans.push_back(fans_[fan]);
  }
  for (auto& [vertex, fan] : named_) fan = cornerOf[fan];
  named_.erase(std::unique(named_.begin(), named_.end()), named_.end());
}

bool CornersInSight::mayTouch(CornerId corner, Vec2 offset) const {
  const double most = mostCosine_ * length(offset);
  const std::vector<Fan>& fans = corners_[corner].fans;
  return std::any_of(fans.begin(), fans.end(), [&](const Fan& fan) {
    return fan.winds || (dot(fan.first, offset) <= most && dot(fan.last, offset) <= most);
  });
}

void CornersInSight::seenFrom(CellId cell, Vec2 place, std::vector<CornerId>& seen) {
  seen.clear();
  lookOut(cell, place, kNone, kNone, seen);
  sortOnce(seen);
}

const std::vector<CornerId>& CornersInSight::seenFrom(CornerId corner) {
  Corner& from = corners_[corner];
  if (from.looked) return from.seen;
  from.looked = true;
  for (const Fan& fan : from.fans) {
    SideId out = fan.wall;
    while (true) {
      const SideId in = mesh_.previousSide(out);
      lookOut(mesh_.cellOf(out), from.place, out, in, from.seen);
      if (mesh_.isWall(in)) break;
      out = mesh_.twin(in);
    }
  }
  sortOnce(from.seen);
  return from.seen;
}

void CornersInSight::add(VertexId vertex, std::vector<CornerId>& seen) const {
  const auto at = std::lower_bound(named_.begin(), named_.end(), std::pair<VertexId, CornerId>{vertex, 0});
  if (at != named_.end() && at->first == vertex) seen.push_back(at->second);
}

// From a place in a cell, which sees all of it, through its portals but two.
void CornersInSight::lookOut(CellId cell, Vec2 place, SideId skip, SideId skipToo, std::vector<CornerId>& seen) {
  for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
    add(mesh_.startVertex(s), seen);
    if (s == skip || s == skipToo || mesh_.isWall(s)) continue;
    const Vec2 right = sideStart(mesh_, s) - place;
    const Vec2 left = sideEnd(mesh_, s) - place;
    if (cross(right, left) > 0) open_.push_back({mesh_.twin(s), right, left, 0});
  }
  look(place, seen);
}

void CornersInSight::look(Vec2 place, std::vector<CornerId>& seen) {
  passed_.begin(mesh_.sideCount());
  while (!open_.empty()) {
    const View view = open_.back();
    open_.pop_back();
    if (!passed_.enter(mesh_.cellOf(view.entry), view.depth, view.left, view.right)) continue;
    for (SideId s = mesh_.nextSide(view.entry); s != view.entry; s = mesh_.nextSide(s)) {
      const Vec2 start = sideStart(mesh_, s) - place;
      const Vec2 end = sideEnd(mesh_, s) - place;
      if (isLeft(view.right, start) && isLeft(start, view.left)) add(mesh_.startVertex(s), seen);
      if (mesh_.isWall(s)) continue;
      const Vec2 right = cross(view.right, start) < 0 ? view.right : start;
      const Vec2 left = cross(view.left, end) > 0 ? view.left : end;
      if (cross(right, left) > 0) open_.push_back({mesh_.twin(s), right, left, view.depth + 1});
    }
  }
}

}  // namespace wend
