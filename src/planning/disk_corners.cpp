#include "planning/disk_corners.h"

#include <algorithm>
#include <cmath>

namespace wend {
namespace {

// Whether b is left of a, or straight ahead, as far as doubles can tell. Sight lines along walls must not be lost.
bool isLeft(Vec2 a, Vec2 b) {
  constexpr double kSlack = 1e-12;
  const double first = a.x * b.y;
  const double second = a.y * b.x;
  return first - second >= -kSlack * (std::abs(first) + std::abs(second));
}

void sortOnce(std::vector<VertexId>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

CornersInSight::CornersInSight(const NavMesh& mesh, std::span<const DiskStep> steps, RadiusTable& table) : mesh_(mesh) {
  for (const DiskStep& step : steps) {
    for (const SideId wall : table.cell(step.cell).walls) corners_.push_back({mesh.startVertex(wall), wall});
  }
  std::sort(corners_.begin(), corners_.end());
  corners_.erase(std::unique(corners_.begin(), corners_.end()), corners_.end());
  std::erase_if(corners_, [&](const Corner& c) { return !mayTurnAt(c.wall); });
}

// No path touches a corner whose walls embrace the floor. Several floors may wind around one, so there all count.
bool CornersInSight::mayTurnAt(SideId wall) const {
  if (mesh_.layerCount() > 1) return true;
  SideId in = mesh_.previousSide(wall);
  while (!mesh_.isWall(in)) in = mesh_.previousSide(mesh_.twin(in));
  return !(cross(sideEnd(mesh_, in) - sideStart(mesh_, in), sideEnd(mesh_, wall) - sideStart(mesh_, wall)) > 0);
}

void CornersInSight::seenFrom(CellId cell, Vec2 place, std::vector<VertexId>& seen) {
  seen.clear();
  lookOut(cell, place, kNone, kNone, seen);
  sortOnce(seen);
}

const std::vector<VertexId>& CornersInSight::seenFrom(VertexId corner) {
  const auto [at, isNew] = known_.try_emplace(corner);
  std::vector<VertexId>& seen = at->second;
  if (!isNew) return seen;
  const Vec2 place = mesh_.vertex(corner);
  for (auto c = std::lower_bound(corners_.begin(), corners_.end(), Corner{corner, 0});
       c != corners_.end() && c->vertex == corner; ++c) {
    // All cells from the wall that begins in the corner to the one that ends there.
    SideId out = c->wall;
    while (true) {
      const SideId in = mesh_.previousSide(out);
      lookOut(mesh_.cellOf(out), place, out, in, seen);
      if (mesh_.isWall(in)) break;
      out = mesh_.twin(in);
    }
  }
  sortOnce(seen);
  return seen;
}

void CornersInSight::add(VertexId vertex, std::vector<VertexId>& seen) const {
  const auto at = std::lower_bound(corners_.begin(), corners_.end(), Corner{vertex, 0});
  if (at != corners_.end() && at->vertex == vertex) seen.push_back(vertex);
}

// From a place in a cell, which sees all of it, through its portals but two.
void CornersInSight::lookOut(CellId cell, Vec2 place, SideId skip, SideId skipToo, std::vector<VertexId>& seen) {
  for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
    add(mesh_.startVertex(s), seen);
    if (s == skip || s == skipToo || mesh_.isWall(s)) continue;
    const Vec2 right = sideStart(mesh_, s) - place;
    const Vec2 left = sideEnd(mesh_, s) - place;
    if (cross(right, left) > 0) open_.push_back({mesh_.twin(s), right, left});
  }
  look(place, seen);
}

void CornersInSight::look(Vec2 place, std::vector<VertexId>& seen) {
  while (!open_.empty()) {
    const View view = open_.back();
    open_.pop_back();
    for (SideId s = mesh_.nextSide(view.entry); s != view.entry; s = mesh_.nextSide(s)) {
      const Vec2 start = sideStart(mesh_, s) - place;
      const Vec2 end = sideEnd(mesh_, s) - place;
      if (isLeft(view.right, start) && isLeft(start, view.left)) add(mesh_.startVertex(s), seen);
      if (mesh_.isWall(s)) continue;
      const Vec2 right = cross(view.right, start) < 0 ? view.right : start;
      const Vec2 left = cross(view.left, end) > 0 ? view.left : end;
      if (cross(right, left) > 0) open_.push_back({mesh_.twin(s), right, left});
    }
  }
}

}  // namespace wend
