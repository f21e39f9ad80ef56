#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <queue>
#include <vector>

#include <wend/lattice.h>

#include "tests/planning/visibility/visibility_oracle.h"

// The slow obvious shortest path of a disk: circles around all wall vertices, all their tangents, arcs between the
// tangent points, Dijkstra. Keeps a piece iff its distance to every wall is at least r - tol.
namespace wend {

class DiskOracle {
 public:
  static constexpr double kNoWay = std::numeric_limits<double>::infinity();

  DiskOracle(const std::vector<OracleWall>& walls, double r) : r_(r) {
    double extent = 1;
    for (const OracleWall& w : walls) {
      walls_.push_back({toVec2(w.a), toVec2(w.b)});
      extent = std::max({extent, std::abs(walls_.back().a.x), std::abs(walls_.back().a.y)});
      if (std::find(circles_.begin(), circles_.end(), walls_.back().a) == circles_.end()) {
        circles_.push_back(walls_.back().a);
      }
    }
    tol_ = 1e-9 * extent;
    at_.resize(circles_.size());
    for (size_t i = 0; i < circles_.size(); ++i) {
      for (size_t j = i + 1; j < circles_.size(); ++j) tangents(i, j);
    }
    tangentPoints_ = places_.size();
  }

  double clearance(Vec2 p) const {
    double best = kNoWay;
    for (const Wall& w : walls_) best = std::min(best, toWall(p, w));
    return best;
  }

  // Which part of the tangents a free point sees: equal numbers are joined. kNone where none can be seen.
  size_t component(Vec2 p) {
    if (components_.empty()) findComponents();
    for (size_t i = 0; i < components_.size(); ++i) {
      if (isFreeSegment(p, places_[i])) return components_[i];
    }
    return kNone;
  }
  bool isJoined(Vec2 p, Vec2 q) {
    const size_t a = component(p);
    const size_t b = component(q);
    // Two points may see each other, and tangents that are not joined.
    return (a == b && a != kNone) || length(p, q) < kNoWay;
  }

  // Lattice units. Both points must be in free space.
  double length(Vec2 from, Vec2 to) {
    if (clearance(from) < r_ - tol_ || clearance(to) < r_ - tol_) return kNoWay;
    const size_t nodes = places_.size();
    const std::vector<size_t> links = linkCounts();
    const size_t start = addNode(kNone, from, 0);
    const size_t goal = addNode(kNone, to, 0);
    addSegment(start, goal);
    for (const size_t end : {start, goal}) {
      for (size_t i = 0; i < circles_.size(); ++i) pointTangents(end, i);
    }
    const double result = dijkstra(start, goal);
    // Forget the two points again.
    for (auto& list : at_) std::erase_if(list, [&](const OnCircle& n) { return n.node >= nodes; });
    places_.resize(nodes);
    links_.resize(nodes);
    for (size_t i = 0; i < nodes; ++i) links_[i].resize(links[i]);
    return result;
  }

  static constexpr size_t kNone = ~size_t{0};

 private:
  struct Wall {
    Vec2 a, b;
  };
  struct OnCircle {
    double angle;
    size_t node;
  };
  struct Link {
    size_t node;
    double length;
  };
  static Vec2 sub(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
  static double dotOf(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
  static double crossOf(Vec2 a, Vec2 b) { return a.x * b.y - a.y * b.x; }
  static double norm(Vec2 a) { return std::sqrt(a.x * a.x + a.y * a.y); }

  static double toWall(Vec2 p, const Wall& w) {
    const Vec2 d = sub(w.b, w.a);
    const double t = std::clamp(dotOf(sub(p, w.a), d) / dotOf(d, d), 0.0, 1.0);
    return norm({p.x - w.a.x - t * d.x, p.y - w.a.y - t * d.y});
  }
  static double segmentToWall(Vec2 p, Vec2 q, const Wall& w) {
    const double c1 = crossOf(sub(q, p), sub(w.a, p));
    const double c2 = crossOf(sub(q, p), sub(w.b, p));
    const double c3 = crossOf(sub(w.b, w.a), sub(p, w.a));
    const double c4 = crossOf(sub(w.b, w.a), sub(q, w.a));
    if (c1 * c2 < 0 && c3 * c4 < 0) return 0;
    double best = std::min(toWall(p, w), toWall(q, w));
    if (norm(sub(q, p)) > 0) best = std::min({best, toWall(w.a, {p, q}), toWall(w.b, {p, q})});
    return best;
  }
  bool isFreeSegment(Vec2 p, Vec2 q) const {
    const auto isFar = [&](const Wall& w) {
      return std::min(p.x, q.x) > std::max(w.a.x, w.b.x) + r_ || std::max(p.x, q.x) < std::min(w.a.x, w.b.x) - r_ ||
             std::min(p.y, q.y) > std::max(w.a.y, w.b.y) + r_ || std::max(p.y, q.y) < std::min(w.a.y, w.b.y) - r_;
    };
    return std::all_of(walls_.begin(), walls_.end(),
                       [&](const Wall& w) { return isFar(w) || segmentToWall(p, q, w) >= r_ - tol_; });
  }
  // Counter-clockwise from `from` by `sweep`.
  bool isFreeArc(Vec2 c, double from, double sweep) const {
    const auto at = [&](double angle) { return Vec2{c.x + r_ * std::cos(angle), c.y + r_ * std::sin(angle)}; };
    for (const Wall& w : walls_) {
      const Vec2 d = sub(w.b, w.a);
      const double along = std::atan2(d.y, d.x);
      const double half = std::numbers::pi / 2;
      std::vector<double> angles{from, from + sweep, along + half, along - half};
      if (w.a != c) angles.push_back(std::atan2(w.a.y - c.y, w.a.x - c.x));
      if (w.b != c) angles.push_back(std::atan2(w.b.y - c.y, w.b.x - c.x));
      for (size_t i = 0; i < angles.size(); ++i) {
        const double turned = std::fmod(angles[i] - from + 8 * std::numbers::pi, 2 * std::numbers::pi);
        if (i > 1 && turned > sweep) continue;
        if (toWall(at(angles[i]), w) < r_ - tol_) return false;
      }
    }
    return true;
  }

  size_t addNode(size_t circle, Vec2 place, double angle) {
    places_.push_back(place);
    links_.emplace_back();
    if (circle != kNone) at_[circle].push_back({angle, places_.size() - 1});
    return places_.size() - 1;
  }
  void addSegment(size_t p, size_t q) {
    if (!isFreeSegment(places_[p], places_[q])) return;
    const double size = norm(sub(places_[p], places_[q]));
    links_[p].push_back({q, size});
    links_[q].push_back({p, size});
  }
  std::vector<size_t> linkCounts() const {
    std::vector<size_t> counts;
    for (const auto& list : links_) counts.push_back(list.size());
    return counts;
  }

  // Oriented tangents: sigma +1 keeps the circle on the left.
  void tangents(size_t i, size_t j) {
    const Vec2 x = circles_[i];
    const Vec2 y = circles_[j];
    const double size = norm(sub(y, x));
    for (const int si : {1, -1}) {
      for (const int sj : {1, -1}) {
        const double sine = (si - sj) * r_ / size;
        if (std::abs(sine) > 1) continue;
        const double heading = std::atan2(y.y - x.y, y.x - x.x) + std::asin(sine);
        const Vec2 right{std::sin(heading), -std::cos(heading)};
        const Vec2 p{x.x + si * r_ * right.x, x.y + si * r_ * right.y};
        const Vec2 q{y.x + sj * r_ * right.x, y.y + sj * r_ * right.y};
        if (!isFreeSegment(p, q)) continue;
        const size_t a = addNode(i, p, std::atan2(p.y - x.y, p.x - x.x));
        const size_t b = addNode(j, q, std::atan2(q.y - y.y, q.x - y.x));
        links_[a].push_back({b, norm(sub(p, q))});
        links_[b].push_back({a, norm(sub(p, q))});
      }
    }
  }
  void pointTangents(size_t point, size_t circle) {
    const Vec2 x = places_[point];
    const Vec2 y = circles_[circle];
    const double size = norm(sub(y, x));
    for (const int s : {1, -1}) {
      const double heading = std::atan2(y.y - x.y, y.x - x.x) + std::asin(std::clamp(-s * r_ / size, -1.0, 1.0));
      const Vec2 q{y.x + s * r_ * std::sin(heading), y.y - s * r_ * std::cos(heading)};
      if (!isFreeSegment(x, q)) continue;
      const size_t node = addNode(circle, q, std::atan2(q.y - y.y, q.x - y.x));
      links_[point].push_back({node, norm(sub(x, q))});
      links_[node].push_back({point, norm(sub(x, q))});
    }
  }

  void findComponents() {
    const std::vector<std::vector<Link>> all = linksAndArcs();
    components_.assign(places_.size(), kNone);
    std::vector<size_t> open;
    for (size_t first = 0; first < places_.size(); ++first) {
      if (components_[first] != kNone) continue;
      components_[first] = first;
      open.push_back(first);
      while (!open.empty()) {
        const size_t node = open.back();
        open.pop_back();
        for (const Link& link : all[node]) {
          if (components_[link.node] != kNone) continue;
          components_[link.node] = first;
          open.push_back(link.node);
        }
      }
    }
  }

  // Arcs between tangents of two circles are measured once; the ends of a query are new every time.
  bool isKnownFreeArc(size_t circle, const OnCircle& from, const OnCircle& to, double sweep) {
    if (from.node >= tangentPoints_ || to.node >= tangentPoints_) {
      return isFreeArc(circles_[circle], from.angle, sweep);
    }
    const auto [at, isNew] = arcs_.try_emplace({from.node, to.node}, false);
    if (isNew) at->second = isFreeArc(circles_[circle], from.angle, sweep);
    return at->second;
  }
  std::vector<std::vector<Link>> linksAndArcs() {
    std::vector<std::vector<Link>> all = links_;
    for (size_t c = 0; c < circles_.size(); ++c) {
      std::vector<OnCircle> list = at_[c];
      std::sort(list.begin(), list.end(), [](const OnCircle& a, const OnCircle& b) { return a.angle < b.angle; });
      for (size_t i = 0; i < list.size() && list.size() > 1; ++i) {
        const OnCircle& from = list[i];
        const OnCircle& to = list[(i + 1) % list.size()];
        const double sweep = to.angle - from.angle + (i + 1 == list.size() ? 2 * std::numbers::pi : 0);
        if (!isKnownFreeArc(c, from, to, sweep)) continue;
        all[from.node].push_back({to.node, r_ * sweep});
        all[to.node].push_back({from.node, r_ * sweep});
      }
    }
    return all;
  }
  double dijkstra(size_t start, size_t goal) {
    const std::vector<std::vector<Link>> all = linksAndArcs();
    std::vector<double> best(places_.size(), kNoWay);
    std::priority_queue<std::pair<double, size_t>, std::vector<std::pair<double, size_t>>, std::greater<>> open;
    best[start] = 0;
    open.push({0, start});
    while (!open.empty()) {
      const auto [g, node] = open.top();
      open.pop();
      if (node == goal) return g;
      if (g > best[node]) continue;
      for (const Link& link : all[node]) {
        if (g + link.length >= best[link.node]) continue;
        best[link.node] = g + link.length;
        open.push({best[link.node], link.node});
      }
    }
    return kNoWay;
  }

  double r_;
  double tol_ = 0;
  std::vector<Wall> walls_;
  std::vector<Vec2> circles_;
  std::vector<std::vector<OnCircle>> at_;  // tangent points per circle
  std::vector<Vec2> places_;
  std::vector<std::vector<Link>> links_;
  size_t tangentPoints_ = 0;        // of pairs of circles: the first places
  std::vector<size_t> components_;  // per tangent point
  std::map<std::pair<size_t, size_t>, bool> arcs_;
};

}  // namespace wend
