#include "planning/disk_tangents.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <queue>

#include "planning/disk_walk.h"

namespace wend {
namespace {

struct Node {
  Vec2 place;
  uint32_t circle = kNone;  // kNone for start and goal
  double angle = 0;
};
struct Link {
  uint32_t node;
  double length;
  int sense;  // +1: an arc counter-clockwise; -1: clockwise; 0: a segment
};

class TangentGraph {
 public:
  TangentGraph(RadiusTable& table, const DiskEnds& ends, const DiskPath& path, double tolerance)
      : table_(table), ends_(ends), tolerance_(tolerance), r_(table.radius()) {
    for (const DiskStep& step : path.steps) cells_.push_back(step.cell);
    std::sort(cells_.begin(), cells_.end());
    cells_.erase(std::unique(cells_.begin(), cells_.end()), cells_.end());
    for (const CellId cell : cells_) {
      const RadiusTable::CellView view = table.cell(cell);
      walls_.insert(walls_.end(), view.walls.begin(), view.walls.end());
    }
    std::sort(walls_.begin(), walls_.end());
    walls_.erase(std::unique(walls_.begin(), walls_.end()), walls_.end());
    for (const SideId id : walls_) {
      for (const Vec2 end : {table.wall(id).a, table.wall(id).b}) {
        if (std::find(circles_.begin(), circles_.end(), end) == circles_.end()) circles_.push_back(end);
      }
    }
  }

  bool run(DiskString& string) {
    addNode(ends_.start, kNone);
    addNode(ends_.goal, kNone);
    tryLink({ends_.start, 0, 0}, {ends_.goal, 0, 0}, kNone, kNone);
    for (uint32_t i = 0; i < circles_.size(); ++i) {
      for (const int side : {1, -1}) {
        tryLink({ends_.start, 0, 0}, {circles_[i], r_, side}, 0, i);
        tryLink({circles_[i], r_, side}, {ends_.goal, 0, 0}, i, 1);
        for (uint32_t j = i + 1; j < circles_.size(); ++j) {
          for (const int other : {1, -1}) tryLink({circles_[i], r_, side}, {circles_[j], r_, other}, i, j);
        }
      }
    }
    linkArcs();
    return search(string);
  }

 private:
  uint32_t addNode(Vec2 place, uint32_t circle) {
    Node node{place, circle, 0};
    if (circle != kNone) node.angle = std::atan2(place.y - circles_[circle].y, place.x - circles_[circle].x);
    nodes_.push_back(node);
    links_.emplace_back();
    return static_cast<uint32_t>(nodes_.size()) - 1;
  }
  // A cell of the corridor that holds the place with room around it, or kNone.
  CellId cellAt(Vec2 place) {
    for (const CellId cell : cells_) {
      polygon_.clear();
      for (SideId s = table_.mesh().firstSide(cell); s != table_.mesh().endSide(cell); ++s) {
        polygon_.push_back(sideStart(table_.mesh(), s));
      }
      if (!containsConvex(polygon_, place)) continue;
      CellId at = cell;
      return walkDisk(table_, at, place, place, tolerance_) ? cell : kNone;
    }
    return kNone;
  }

  void tryLink(const DiskContact& x, const DiskContact& y, uint32_t circleX, uint32_t circleY) {
    const double size = length(y.centre - x.centre);
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
    CellId cell = x.radius == 0 ? ends_.startCells.front() : cellAt(from);
    if (cell == kNone || !walkDisk(table_, cell, from, to, tolerance_)) return;
    const uint32_t first = x.radius == 0 ? 0 : addNode(from, circleX);
    const uint32_t second = y.radius == 0 ? 1 : addNode(to, circleY);
    links_[first].push_back({second, length(to - from), 0});
    links_[second].push_back({first, length(to - from), 0});
  }

  void linkArcs() {
    std::vector<std::vector<uint32_t>> on(circles_.size());
    for (uint32_t i = 2; i < nodes_.size(); ++i) on[nodes_[i].circle].push_back(i);
    for (uint32_t c = 0; c < circles_.size(); ++c) {
      std::vector<uint32_t>& list = on[c];
      std::sort(list.begin(), list.end(), [&](uint32_t a, uint32_t b) {
        return nodes_[a].angle != nodes_[b].angle ? nodes_[a].angle < nodes_[b].angle : a < b;
      });
      for (size_t i = 0; i < list.size() && list.size() > 1; ++i) {
        const uint32_t from = list[i];
        const uint32_t to = list[(i + 1) % list.size()];
        const double sweep = nodes_[to].angle - nodes_[from].angle + (i + 1 == list.size() ? 2 * std::numbers::pi : 0);
        DiskBend bend{{circles_[c], r_, 1, 0, 0}, nodes_[from].place, nodes_[to].place, sweep, 0};
        if (!isFree(bend)) continue;
        links_[from].push_back({to, r_ * sweep, 1});
        links_[to].push_back({from, r_ * sweep, -1});
      }
    }
  }
  bool isFree(const DiskBend& bend) const {
    return std::all_of(walls_.begin(), walls_.end(),
                       [&](SideId id) { return arcClearance(bend, table_.wall(id)) >= r_ - tolerance_; });
  }
  double slackOf(const DiskBend& bend) const {
    double slack = HUGE_VAL;
    for (const SideId id : walls_) {
      const Wall w = table_.wall(id);
      if (distanceToSegment(bend.contact.centre, w.a, w.b) <= tolerance_) continue;
      slack = std::min(slack, arcClearance(bend, w) - r_);
    }
    return slack;
  }

  bool search(DiskString& string) {
    std::vector<double> best(nodes_.size(), HUGE_VAL);
    std::vector<std::pair<uint32_t, int>> parent(nodes_.size(), {kNone, 0});
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
        parent[link.node] = {node, link.sense};
        open.push({best[link.node], link.node});
      }
    }
    if (best[1] == HUGE_VAL) return false;
    write(parent, best[1], string);
    return true;
  }

  void write(const std::vector<std::pair<uint32_t, int>>& parent, double total, DiskString& string) const {
    std::vector<uint32_t> order;
    for (uint32_t node = 1; node != kNone; node = parent[node].first) order.push_back(node);
    std::reverse(order.begin(), order.end());
    string.bends.clear();
    string.length = total;
    string.clear = true;
    for (size_t i = 1; i < order.size(); ++i) {
      const Node& node = nodes_[order[i]];
      const int sense = parent[order[i]].second;
      if (sense == 0) {
        DiskBend bend;
        bend.contact = {node.circle == kNone ? node.place : circles_[node.circle], node.circle == kNone ? 0 : r_, 1, 0,
                        0};
        bend.in = bend.out = node.place;
        bend.slack = HUGE_VAL;
        string.bends.push_back(bend);
        continue;
      }
      DiskBend& bend = string.bends.back();
      double turned = node.angle - nodes_[order[i - 1]].angle;
      if (turned * sense < 0) turned += sense * 2 * std::numbers::pi;
      bend.contact.side = sense;
      bend.sweep += turned;
      bend.out = node.place;
    }
    for (DiskBend& bend : string.bends) {
      if (bend.sweep != 0) bend.slack = std::max(0.0, slackOf(bend));
    }
  }

  RadiusTable& table_;
  const DiskEnds& ends_;
  double tolerance_;
  double r_;
  std::vector<CellId> cells_;
  std::vector<SideId> walls_;
  std::vector<Vec2> circles_;
  std::vector<Vec2> polygon_;
  std::vector<Node> nodes_;
  std::vector<std::vector<Link>> links_;
};

}  // namespace

bool findDiskTangents(RadiusTable& table, const DiskEnds& ends, const DiskPath& path, double tolerance,
                      DiskString& string) {
  return TangentGraph(table, ends, path, tolerance).run(string);
}

}  // namespace wend
