#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <queue>

#include "planning/clearance/portal_shrinking.h"
#include "planning/disk/crossing_search.h"
#include "planning/disk/walk.h"

// All tangents between the circles around the corners near a corridor, each measured over the surface, then Dijkstra:
// the slow obvious version of planning/disk_tangents.h. O(k^2) walks for k corners near the corridor.
namespace wend {

class TangentGraph {
 public:
  TangentGraph(ShrunkPortals& table, const DiskEnds& ends, const DiskPath& path, double tolerance)
      : table_(table), ends_(ends), tolerance_(tolerance), r_(table.radius()) {
    for (const DiskStep& step : path.steps) cells_.push_back(step.cell);
    std::sort(cells_.begin(), cells_.end());
    cells_.erase(std::unique(cells_.begin(), cells_.end()), cells_.end());
    std::vector<Vec2> corners;
    for (const CellId cell : cells_) {
      const ShrunkPortals::CellView view = table.cell(cell);
      for (const SideId id : view.walls) {
        corners.push_back(table.wall(id).a);
        corners.push_back(table.wall(id).b);
      }
    }
    std::sort(corners.begin(), corners.end(), [](Vec2 a, Vec2 b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    for (const Vec2 corner : corners) addCircle(corner);
  }

  // Of the shortest path; infinite if there is none.
  double length() {
    addNode(ends_.start, kNone, kNone);
    addNode(ends_.goal, kNone, kNone);
    tryLink({ends_.start, 0, 0}, {ends_.goal, 0, 0}, kNone, kNone);
    for (uint32_t i = 0; i < circles_.size(); ++i) {
      for (const double side : {1.0, -1.0}) {
        tryLink({ends_.start, 0, 0}, {circles_[i], r_, side}, 0, i);
        tryLink({circles_[i], r_, side}, {ends_.goal, 0, 0}, i, 1);
        for (uint32_t j = i + 1; j < circles_.size(); ++j) {
          for (const double other : {1.0, -1.0}) tryLink({circles_[i], r_, side}, {circles_[j], r_, other}, i, j);
        }
      }
    }
    linkArcs();
    return search();
  }

 private:
  static constexpr double kPiece = std::numbers::pi / 60;  // radians: arcs are measured in pieces of at most this

  // Circles may lie above each other, so a node is a place in a cell.
  struct Node {
    Vec2 place;
    uint32_t circle = kNone;  // kNone for start and goal
    double angle = 0;
    CellId cell = kNone;
  };
  struct Link {
    uint32_t node;
    double length;
  };
  uint32_t addNode(Vec2 place, uint32_t circle, CellId cell) {
    Node node{place, circle, 0, cell};
    if (circle != kNone) node.angle = std::atan2(place.y - circles_[circle].y, place.x - circles_[circle].x);
    nodes_.push_back(node);
    links_.emplace_back();
    return static_cast<uint32_t>(nodes_.size()) - 1;
  }
  // With the cells of the corridor that it may pass; those that pass none are left out.
  void addCircle(Vec2 centre) {
    const NavMesh& mesh = table_.mesh();
    std::vector<CellId> near;
    for (const CellId cell : cells_) {
      double nearest = HUGE_VAL;
      double farthest = 0;
      for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
        nearest = std::min(nearest, distanceToSegment(centre, sideStart(mesh, s), sideEnd(mesh, s)));
        farthest = std::max(farthest, wend::length(sideStart(mesh, s) - centre));
      }
      if (farthest >= r_ && (nearest <= r_ || contains(cell, centre))) near.push_back(cell);
    }
    if (near.empty()) return;
    circles_.push_back(centre);
    near_.push_back(std::move(near));
  }
  bool contains(CellId cell, Vec2 place) const {
    const NavMesh& mesh = table_.mesh();
    for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
      const Vec2 a = sideStart(mesh, s);
      if (cross(sideEnd(mesh, s) - a, place - a) < 0) return false;
    }
    return true;
  }

  void tryLink(const DiskContact& x, const DiskContact& y, uint32_t circleX, uint32_t circleY) {
    const double size = wend::length(y.centre - x.centre);
    if (!(size > 0) || std::abs(x.side * x.radius - y.side * y.radius) > size) return;
    const Vec2 u = (1 / size) * (y.centre - x.centre);
    const double sine = (x.side * x.radius - y.side * y.radius) / size;
    const double cosine = std::sqrt((1 - sine) * (1 + sine));
    const Vec2 t{u.x * cosine - u.y * sine, u.x * sine + u.y * cosine};
    const auto touch = [&](const DiskContact& c) {
      return Vec2{c.centre.x + c.side * c.radius * t.y, c.centre.y - c.side * c.radius * t.x};
    };
    const Vec2 from = touch(x);
    const Vec2 to = touch(y);
    const bool fromStart = x.radius == 0;
    for (const CellId begin : fromStart ? ends_.startCells : std::span<const CellId>(near_[circleX])) {
      if (!fromStart && !contains(begin, from)) continue;
      CellId end = begin;
      if (!walkDisk(table_, end, from, from, tolerance_)) continue;
      end = begin;
      if (!walkDisk(table_, end, from, to, tolerance_)) continue;
      const bool toGoal = y.radius == 0;
      if (toGoal && std::find(ends_.goalCells.begin(), ends_.goalCells.end(), end) == ends_.goalCells.end()) continue;
      const uint32_t first = fromStart ? 0 : addNode(from, circleX, begin);
      const uint32_t second = toGoal ? 1 : addNode(to, circleY, end);
      links_[first].push_back({second, wend::length(to - from)});
      links_[second].push_back({first, wend::length(to - from)});
    }
  }

  void linkArcs() {
    std::vector<std::vector<uint32_t>> on(circles_.size());
    for (uint32_t i = 2; i < nodes_.size(); ++i) on[nodes_[i].circle].push_back(i);
    for (std::vector<uint32_t>& list : on) {
      std::sort(list.begin(), list.end(), [&](uint32_t a, uint32_t b) {
        return nodes_[a].angle != nodes_[b].angle ? nodes_[a].angle < nodes_[b].angle : a < b;
      });
      for (size_t i = 0; i < list.size(); ++i) linkToNext(list, i);
    }
  }
  // Counter-clockwise to the next node on the same storey.
  void linkToNext(const std::vector<uint32_t>& list, size_t i) {
    const uint32_t from = list[i];
    CellId cell = nodes_[from].cell;
    Vec2 place = nodes_[from].place;
    double swept = 0;
    for (size_t k = 1; k < list.size(); ++k) {
      const uint32_t to = list[(i + k) % list.size()];
      double sweep = nodes_[to].angle - nodes_[from].angle;
      if (i + k >= list.size()) sweep += 2 * std::numbers::pi;
      if (!follow(nodes_[from].circle, cell, place, swept, sweep)) return;
      swept = sweep;
      if (!isSamePlace(cell, nodes_[to].cell)) continue;
      links_[from].push_back({to, r_ * sweep});
      links_[to].push_back({from, r_ * sweep});
      return;
    }
  }
  // Cells side by side do not overlap: a place in both is on the portal between them.
  bool isSamePlace(CellId a, CellId b) const {
    const NavMesh& mesh = table_.mesh();
    for (SideId s = mesh.firstSide(a); s != mesh.endSide(a); ++s) {
      if (!mesh.isWall(s) && mesh.neighbour(s) == b) return true;
    }
    return a == b;
  }
  // Along the circle in short pieces: whether each keeps the radius.
  bool follow(uint32_t circle, CellId& cell, Vec2& place, double swept, double sweep) {
    double slack = HUGE_VAL;
    const auto pieces = static_cast<uint32_t>(std::ceil((sweep - swept) / kPiece));
    const double angle = (sweep - swept) / std::max(1U, pieces);
    const Vec2 c = circles_[circle];
    const double cosine = std::cos(angle);
    const double sine = std::sin(angle);
    for (uint32_t i = 0; i < pieces; ++i) {
      const Vec2 off = place - c;
      const Vec2 next = c + Vec2{off.x * cosine - off.y * sine, off.x * sine + off.y * cosine};
      if (!walkArc(table_, cell, {{c, r_, 1, 0, 0}, place, next, angle, 0}, tolerance_, slack)) return false;
      place = next;
    }
    return true;
  }
  double search() const {
    std::vector<double> best(nodes_.size(), HUGE_VAL);
    using Entry = std::pair<double, uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    best[0] = 0;
    open.push({0, 0});
    while (!open.empty()) {
      const auto [g, node] = open.top();
      open.pop();
      if (node == 1) break;
      if (g > best[node]) continue;
      for (const Link& link : links_[node]) {
        if (g + link.length >= best[link.node]) continue;
        best[link.node] = g + link.length;
        open.push({best[link.node], link.node});
      }
    }
    return best[1];
  }

  ShrunkPortals& table_;
  const DiskEnds& ends_;
  double tolerance_;
  double r_;
  std::vector<CellId> cells_;
  std::vector<Vec2> circles_;
  std::vector<std::vector<CellId>> near_;  // per circle
  std::vector<Node> nodes_;
  std::vector<std::vector<Link>> links_;
};

}  // namespace wend
