#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <wend/polygon.h>

#include "geometry/predicates.h"

// The slow obvious shortest path: a visibility graph over directed walls (free space on their left), decided by
// integers alone. A segment may touch walls and run along them; it may not pass a point where free space only touches
// itself.
namespace wend {

namespace oracle {

inline int64_t crossOf(Point u, Point w) {
  return static_cast<int64_t>(u.x) * w.y - static_cast<int64_t>(u.y) * w.x;
}
inline int64_t dotOf(Point u, Point w) {
  return static_cast<int64_t>(u.x) * w.x + static_cast<int64_t>(u.y) * w.y;
}
inline Point minus(Point a, Point b) {
  return {a.x - b.x, a.y - b.y};
}

// Quarter-like rank of the counter-clockwise angle from d to u: same, left, opposite, right.
inline int rank(Point d, Point u) {
  const int64_t c = crossOf(d, u);
  if (c > 0) return 1;
  if (c < 0) return 3;
  return dotOf(d, u) > 0 ? 0 : 2;
}

// angle(d to u) <= angle(d to w), both in [0, 2 pi).
inline bool notAfter(Point d, Point u, Point w) {
  const int ru = rank(d, u);
  const int rw = rank(d, w);
  return ru != rw ? ru < rw : crossOf(u, w) >= 0;
}

inline double distanceOf(Point a, Point b) {
  return std::hypot(static_cast<double>(a.x) - b.x, static_cast<double>(a.y) - b.y);
}

}  // namespace oracle

struct OracleWall {
  Point a;
  Point b;
};

std::vector<OracleWall> wallsOf(const std::vector<Polygon>& polygons);

class VisibilityOracle {
 public:
  explicit VisibilityOracle(std::vector<OracleWall> walls);
  VisibilityOracle(const VisibilityOracle&) = delete;
  VisibilityOracle& operator=(const VisibilityOracle&) = delete;

  // Whether p lies in free space or on its boundary.
  bool isFree(Point p) const { return isFreeDoubled(2 * int64_t{p.x}, 2 * int64_t{p.y}); }
  // Length in lattice units, infinity if there is no way. Both points must be free.
  double length(Point from, Point to) const;

  static constexpr double kNoWay = std::numeric_limits<double>::infinity();

 private:
  // Free directions at a wall vertex, counter-clockwise from `begin` to `end`.
  struct Sector {
    Point place;
    Point begin;
    Point end;
  };
  struct Node {
    Point place;
    const Sector* sector;  // null where no wall vertex is
  };
  bool isFreeDoubled(int64_t x, int64_t y) const;
  bool sees(const Node& p, const Node& q) const;
  bool passes(Point vertex, Point direction) const;
  std::vector<Node> nodesAt(Point p) const;

  std::vector<OracleWall> walls_;
  std::vector<Sector> sectors_;
  std::vector<Node> notches_;
  std::vector<double> between_;  // notch to notch, shortest
};

inline std::vector<OracleWall> wallsOf(const std::vector<Polygon>& polygons) {
  std::vector<OracleWall> walls;
  const auto addRing = [&](const Ring& ring) {
    for (size_t i = 0; i < ring.size(); ++i) walls.push_back({ring[i], ring[(i + 1) % ring.size()]});
  };
  for (const Polygon& polygon : polygons) {
    addRing(polygon.outer);
    for (const Ring& hole : polygon.holes) addRing(hole);
  }
  return walls;
}

inline VisibilityOracle::VisibilityOracle(std::vector<OracleWall> walls) : walls_(std::move(walls)) {
  for (const OracleWall& out : walls_) {
    Sector sector{out.a, oracle::minus(out.b, out.a), {0, 0}};
    for (const OracleWall& in : walls_) {
      if (in.b != out.a) continue;
      const Point back = oracle::minus(in.a, in.b);
      if (sector.end == Point{0, 0} || oracle::notAfter(sector.begin, back, sector.end)) sector.end = back;
    }
    sectors_.push_back(sector);
  }
  for (const Sector& s : sectors_) {
    if (oracle::rank(s.begin, s.end) == 3) notches_.push_back({s.place, &s});
  }
  const size_t n = notches_.size();
  between_.assign(n * n, kNoWay);
  for (size_t i = 0; i < n; ++i) {
    between_[i * n + i] = 0;
    for (size_t j = 0; j < i; ++j) {
      if (sees(notches_[i], notches_[j])) {
        between_[i * n + j] = between_[j * n + i] = oracle::distanceOf(notches_[i].place, notches_[j].place);
      }
    }
  }
  for (size_t k = 0; k < n; ++k) {
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j < n; ++j) {
        between_[i * n + j] = std::min(between_[i * n + j], between_[i * n + k] + between_[k * n + j]);
      }
    }
  }
}

inline bool VisibilityOracle::isFreeDoubled(int64_t x, int64_t y) const {
  bool inside = false;
  for (const OracleWall& w : walls_) {
    const int64_t ax = 2 * int64_t{w.a.x} - x;
    const int64_t ay = 2 * int64_t{w.a.y} - y;
    const int64_t bx = 2 * int64_t{w.b.x} - x;
    const int64_t by = 2 * int64_t{w.b.y} - y;
    const int64_t c = ax * by - ay * bx;
    if (c == 0 && ax * bx + ay * by <= 0) return true;
    if ((ay > 0) != (by > 0) && (c > 0) == (by > ay)) inside = !inside;
  }
  return inside;
}

// Whether one sector of the vertex contains the direction and its opposite.
inline bool VisibilityOracle::passes(Point vertex, Point direction) const {
  const Point back{-direction.x, -direction.y};
  return std::any_of(sectors_.begin(), sectors_.end(), [&](const Sector& s) {
    return s.place == vertex && oracle::notAfter(s.begin, direction, s.end) && oracle::notAfter(s.begin, back, s.end);
  });
}

inline bool VisibilityOracle::sees(const Node& p, const Node& q) const {
  if (p.place == q.place) return p.sector == q.sector;
  const Point d = oracle::minus(q.place, p.place);
  if (p.sector != nullptr && !oracle::notAfter(p.sector->begin, d, p.sector->end)) return false;
  if (q.sector != nullptr && !oracle::notAfter(q.sector->begin, {-d.x, -d.y}, q.sector->end)) return false;
  std::vector<Point> stops{p.place, q.place};
  for (const OracleWall& w : walls_) {
    if (meet(p.place, q.place, w.a, w.b) == Meeting::kCross) return false;
    if (w.a == p.place || w.a == q.place || !onSegment(p.place, q.place, w.a)) continue;
    if (!passes(w.a, d)) return false;
    stops.push_back(w.a);
  }
  std::sort(stops.begin(), stops.end());
  for (size_t i = 1; i < stops.size(); ++i) {
    if (!isFreeDoubled(int64_t{stops[i - 1].x} + stops[i].x, int64_t{stops[i - 1].y} + stops[i].y)) return false;
  }
  return true;
}

inline std::vector<VisibilityOracle::Node> VisibilityOracle::nodesAt(Point p) const {
  std::vector<Node> nodes;
  for (const Sector& s : sectors_) {
    if (s.place == p) nodes.push_back({p, &s});
  }
  if (nodes.empty()) nodes.push_back({p, nullptr});
  return nodes;
}

inline double VisibilityOracle::length(Point from, Point to) const {
  if (from == to) return 0;
  const std::vector<Node> starts = nodesAt(from);
  const std::vector<Node> goals = nodesAt(to);
  double best = kNoWay;
  for (const Node& s : starts) {
    for (const Node& t : goals) {
      if (sees(s, t)) best = std::min(best, oracle::distanceOf(from, to));
    }
  }
  const size_t n = notches_.size();
  const auto reach = [&](const std::vector<Node>& ends, Point place) {
    std::vector<double> lengths(n, kNoWay);
    for (size_t i = 0; i < n; ++i) {
      for (const Node& e : ends) {
        if (sees(e, notches_[i])) lengths[i] = oracle::distanceOf(place, notches_[i].place);
      }
    }
    return lengths;
  };
  const std::vector<double> first = reach(starts, from);
  const std::vector<double> last = reach(goals, to);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n && first[i] < best; ++j) {
      best = std::min(best, first[i] + between_[i * n + j] + last[j]);
    }
  }
  return best;
}

}  // namespace wend
