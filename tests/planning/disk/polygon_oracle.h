#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "geometry/vec2.h"
#include "planning/clearance/distances.h"

// The slow obvious shortest path inside a polygon without holes: all lines of sight between its reflex corners,
// Dijkstra. The polygon may touch itself. Corners are rounded: what reaches over the border by `rounding` is inside.
namespace wend {

class PolygonOracle {
 public:
  PolygonOracle(const std::vector<Vec2>& polygon, double rounding) : polygon_(polygon), rounding_(rounding) {}

  // Infinity if there is no way.
  double length(Vec2 from, Vec2 to) const {
    std::vector<Vec2> places{from, to};
    for (size_t i = 0; i < polygon_.size(); ++i) {
      const Vec2 before = polygon_[(i + polygon_.size() - 1) % polygon_.size()];
      const Vec2 after = polygon_[(i + 1) % polygon_.size()];
      if (cross(polygon_[i] - before, after - polygon_[i]) < 0) places.push_back(polygon_[i]);
    }
    const double none = std::numeric_limits<double>::infinity();
    std::vector<double> best(places.size(), none);
    std::vector<bool> done(places.size(), false);
    best[0] = 0;
    while (true) {
      size_t at = places.size();
      for (size_t i = 0; i < places.size(); ++i) {
        if (!done[i] && best[i] < none && (at == places.size() || best[i] < best[at])) at = i;
      }
      if (at == places.size()) return none;
      if (at == 1) return best[1];
      done[at] = true;
      for (size_t i = 0; i < places.size(); ++i) {
        const double length = best[at] + distance(places[at], places[i]);
        if (!done[i] && length < best[i] && sees(places[at], places[i])) best[i] = length;
      }
    }
  }

 private:
  bool sees(Vec2 a, Vec2 b) const {
    const double size = distance(a, b);
    if (size <= rounding_) return true;
    const Vec2 u = (1 / size) * (b - a);
    // Where it meets corners and edges; between them it is inside or outside as a whole.
    std::vector<double> stops{0, size};
    for (size_t i = 0; i < polygon_.size(); ++i) {
      const Vec2 p = polygon_[i];
      const Vec2 q = polygon_[(i + 1) % polygon_.size()];
      const double edge = distance(p, q);
      const double offP = cross(u, p - a);
      const double offQ = cross(u, q - a);
      if (std::abs(offP) <= rounding_) stops.push_back(std::clamp(dot(u, p - a), 0.0, size));
      if (edge == 0 || std::min(offP, offQ) > rounding_ || std::max(offP, offQ) < -rounding_) continue;
      const Vec2 w = (1 / edge) * (q - p);
      const double offA = cross(w, a - p);
      const double offB = cross(w, b - p);
      const bool isAcross = std::min(offP, offQ) < -rounding_ && std::max(offP, offQ) > rounding_;
      if (isAcross && std::min(offA, offB) < -rounding_ && std::max(offA, offB) > rounding_) return false;
    }
    std::sort(stops.begin(), stops.end());
    for (size_t i = 1; i < stops.size(); ++i) {
      if (stops[i] - stops[i - 1] <= 4 * rounding_) continue;
      if (!contains(a + (0.5 * (stops[i] + stops[i - 1])) * u)) return false;
    }
    return true;
  }
  bool contains(Vec2 p) const {
    bool inside = false;
    for (size_t i = 0; i < polygon_.size(); ++i) {
      const Vec2 a = polygon_[i];
      const Vec2 b = polygon_[(i + 1) % polygon_.size()];
      if (distance(p, closestOnSegment(p, a, b)) <= rounding_) return true;
      if ((a.y <= p.y) != (b.y <= p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)) inside = !inside;
    }
    return inside;
  }

  const std::vector<Vec2>& polygon_;
  double rounding_;
};

inline double shortestInPolygon(const std::vector<Vec2>& polygon, Vec2 from, Vec2 to, double rounding) {
  return PolygonOracle(polygon, rounding).length(from, to);
}

}  // namespace wend
