#include "generators/ecm/empty_disks.h"

#include <algorithm>

#include "geometry/vec2.h"

namespace wend::ecm {
namespace {

double distanceToSide(Vec2 p, Vec2 a, Vec2 b) {
  const Vec2 along = b - a;
  const double squared = dot(along, along);
  const double t = squared > 0 ? std::clamp(dot(p - a, along) / squared, 0.0, 1.0) : 0.0;
  return distance(p, {a.x + along.x * t, a.y + along.y * t});
}

}  // namespace

EmptyDisks::EmptyDisks(const NavMesh& mesh)
    : mesh_(mesh), map_(*mesh.corridorMap()), begin_(map_.arcs.size() + 1, 0), stamp_(mesh.cellCount(), 0) {
  for (const uint32_t arc : map_.cellArc) ++begin_[arc + 1];
  for (size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  cells_.resize(map_.cellArc.size());
  std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (CellId cell = 0; cell < map_.cellArc.size(); ++cell) cells_[next[map_.cellArc[cell]]++] = cell;
}

double EmptyDisks::nearestWall(uint32_t arc, Vec2 p, double radius) {
  double nearest = radius;
  if (!(radius > 0) || begin_[arc] == begin_[arc + 1]) return nearest;
  ++now_;
  // Of the arc's cells, that in which p lies: the one with the nearest side, or any if p lies deep inside of one.
  CellId first = kNone;
  double least = 0;
  for (uint32_t k = begin_[arc]; k < begin_[arc + 1]; ++k) {
    const CellId cell = cells_[k];
    double outside = 0;  // how far p lies right of a side
    for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) {
      const Vec2 a = mesh_.vertex(mesh_.startVertex(s));
      const Vec2 b = mesh_.vertex(mesh_.endVertex(s));
      if (cross(b - a, p - a) < 0) outside = std::max(outside, distanceToSide(p, a, b));
    }
    if (first == kNone || outside < least) {
      first = cell;
      least = outside;
    }
  }
  stack_.assign(1, first);
  stamp_[first] = now_;
  while (!stack_.empty()) {
    const CellId cell = stack_.back();
    stack_.pop_back();
    for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) {
      const bool wall = mesh_.isWall(s);
      if (!wall && stamp_[mesh_.neighbour(s)] == now_) continue;
      const double d = distanceToSide(p, mesh_.vertex(mesh_.startVertex(s)), mesh_.vertex(mesh_.endVertex(s)));
      if (d >= nearest) continue;
      if (wall) {
        nearest = d;
      } else {
        stamp_[mesh_.neighbour(s)] = now_;
        stack_.push_back(mesh_.neighbour(s));
      }
    }
  }
  return nearest;
}

}  // namespace wend::ecm
