#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <wend/environment.h>

#include "environment/boundary.h"

// The distance of a point of the surface from the nearest obstacle, by looking straight in all directions: through
// every connection in sight into the next layer, never by the place in top view alone.
namespace wend::ecm {

class SurfaceOracle {
 public:
  explicit SurfaceOracle(const Environment& environment)
      : boundary_(environment.layers, environment.connections), edges_(environment.layers.size()) {
    const std::vector<uint32_t> twin = glue(boundary_, environment.connections);
    std::vector<bool> inner(boundary_.edgeCount(), false);
    for (uint32_t e : innerPoints(boundary_, twin)) {
      for (const uint32_t first = e; !inner[e];) {
        inner[e] = true;
        e = boundary_.next(twin[e]);
        if (e == first) break;
      }
    }
    for (uint32_t e = 0; e < boundary_.edgeCount(); ++e) {
      edges_[boundary_.ring(e).layer].push_back({toVec2(boundary_.start(e)), toVec2(boundary_.end(e)),
                                                 twin[e] == kNone ? kNone : boundary_.ring(twin[e]).layer, inner[e]});
    }
  }

  // On a connection of the layer one cannot tell from where one looks.
  bool isOnConnection(uint32_t layer, Vec2 p) const {
    return std::any_of(edges_[layer].begin(), edges_[layer].end(), [&](const Edge& edge) {
      const Vec2 q = nearest(p, edge.a, edge.b);
      return edge.beyond != kNone && std::hypot(q.x - p.x, q.y - p.y) < 1e-3;
    });
  }

  double distance(uint32_t layer, Vec2 p) const {
    double best = 1e300;
    look(layer, p, nullptr, {}, {}, best);
    return best;
  }

  // Whether the point lies on a wall of the layer, or on an end of one of its connections.
  bool isOnWall(uint32_t layer, Vec2 p, double tolerance) const {
    return std::any_of(edges_[layer].begin(), edges_[layer].end(), [&](const Edge& edge) {
      const Vec2 q = edge.beyond == kNone ? nearest(p, edge.a, edge.b) : edge.a;
      return std::hypot(q.x - p.x, q.y - p.y) < tolerance;
    });
  }

  struct Step {
    uint32_t layer;
    Vec2 p;        // where it ends
    bool blocked;  // by a wall
    Vec2 a, b;     // that wall
  };
  // Straight on across the surface, to p + d or to the first wall. Exact but where it passes through a vertex.
  Step walk(uint32_t layer, Vec2 p, Vec2 d) const {
    double from = 0;
    const Edge* door = nullptr;
    while (true) {
      const Edge* exit = nullptr;
      double at = 1;
      for (const Edge& edge : edges_[layer]) {
        if (door != nullptr && edge.a == door->b && edge.b == door->a) continue;
        const double ofA = cross(d, minus(edge.a, p));
        const double ofB = cross(d, minus(edge.b, p));
        if (!(ofA <= 0 && ofB > 0)) continue;
        const double t = cross(minus(edge.a, p), minus(edge.b, edge.a)) / cross(d, minus(edge.b, edge.a));
        if (t <= from - 1e-12 || t >= at) continue;
        at = t;
        exit = &edge;
      }
      const Vec2 q{p.x + at * d.x, p.y + at * d.y};
      if (exit == nullptr) return {layer, q, false, {}, {}};
      if (exit->beyond == kNone) return {layer, q, true, exit->a, exit->b};
      from = at;
      door = exit;
      layer = exit->beyond;
    }
  }

  // Between the directions of two neighbouring boundary vertices only one wall is seen.
  double viewArea(uint32_t layer, Vec2 p) const {
    std::vector<double> angles;
    double reach = 0;
    for (const std::vector<Edge>& edges : edges_) {
      for (const Edge& edge : edges) {
        angles.push_back(std::atan2(edge.a.y - p.y, edge.a.x - p.x));
        reach = std::max(reach, std::hypot(edge.a.y - p.y, edge.a.x - p.x));
      }
    }
    std::sort(angles.begin(), angles.end());
    angles.push_back(angles.front() + 2 * M_PI);
    double area = 0;
    for (size_t i = 0; i + 1 < angles.size(); ++i) {
      if (angles[i + 1] - angles[i] < 1e-12) continue;
      const double middle = 0.5 * (angles[i] + angles[i + 1]);
      const Step seen = walk(layer, p, {2 * reach * std::cos(middle), 2 * reach * std::sin(middle)});
      if (!seen.blocked) return -1;
      const Vec2 e = minus(seen.b, seen.a);
      const auto onWall = [&](double angle) {
        const Vec2 r{std::cos(angle), std::sin(angle)};
        const double t = cross(minus(seen.a, p), e) / cross(r, e);
        return Vec2{t * r.x, t * r.y};
      };
      area += 0.5 * cross(onWall(angles[i]), onWall(angles[i + 1]));
    }
    return area;
  }

 private:
  struct Edge {
    Vec2 a, b;
    uint32_t beyond;  // layer, kNone for a wall
    bool innerStart;  // nothing closed around its start
  };

  static Vec2 minus(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
  static double cross(Vec2 a, Vec2 b) { return a.x * b.y - a.y * b.x; }

  // The part of a b in the wedge from `right` to `left`, beyond the door; false if there is none.
  static bool clip(Vec2 p, const Edge* door, Vec2 right, Vec2 left, Vec2& a, Vec2& b) {
    if (door == nullptr) return true;
    const Vec2 d = minus(door->b, door->a);
    const auto keep = [&](auto side) {
      const double sa = side(a);
      const double sb = side(b);
      if (sa < 0 && sb < 0) return false;
      if (sa >= 0 && sb >= 0) return true;
      const double t = sa / (sa - sb);
      const Vec2 cut{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
      (sa < 0 ? a : b) = cut;
      return true;
    };
    return keep([&](Vec2 q) { return cross(right, minus(q, p)); }) &&
           keep([&](Vec2 q) { return cross(minus(q, p), left); }) &&
           keep([&](Vec2 q) { return -cross(d, minus(q, door->a)); });
  }

  static Vec2 nearest(Vec2 p, Vec2 a, Vec2 b) {
    const Vec2 d = minus(b, a);
    const double length = d.x * d.x + d.y * d.y;
    if (length == 0) return a;
    const double t = std::clamp(((p.x - a.x) * d.x + (p.y - a.y) * d.y) / length, 0.0, 1.0);
    return {a.x + t * d.x, a.y + t * d.y};
  }

  // Whether the view from p through the door to q leaves the layer by another door before.
  bool hidden(uint32_t layer, Vec2 p, const Edge* door, Vec2 q) const {
    for (const Edge& edge : edges_[layer]) {
      if (edge.beyond == kNone || (door != nullptr && edge.a == door->b && edge.b == door->a)) continue;
      const Vec2 d = minus(q, p);
      const double sa = cross(d, minus(edge.a, p));
      const double sb = cross(d, minus(edge.b, p));
      const double length = std::hypot(d.x, d.y);
      if (!(sa < -1e-6 * length && sb > 1e-6 * length)) continue;
      const double sp = cross(minus(edge.b, edge.a), minus(p, edge.a));
      const double sq = cross(minus(edge.b, edge.a), minus(q, edge.a));
      const double scale = std::hypot(edge.b.x - edge.a.x, edge.b.y - edge.a.y);
      if (!(sp > -1e-6 * scale && sq < -1e-6 * scale)) continue;
      if (door == nullptr) return true;
      // Beyond the door.
      const double t = sp / (sp - sq);
      const Vec2 cut{p.x + t * d.x, p.y + t * d.y};
      if (cross(minus(door->b, door->a), minus(cut, door->a)) < 0) return true;
    }
    return false;
  }

  // `door` as an edge of the layer that one looks from.
  void look(uint32_t layer, Vec2 p, const Edge* door, Vec2 right, Vec2 left, double& best) const {
    const auto consider = [&](Vec2 q) {
      const double d = std::hypot(q.x - p.x, q.y - p.y);
      if (d < best && !hidden(layer, p, door, q)) best = d;
    };
    for (const Edge& edge : edges_[layer]) {
      if (edge.beyond != kNone) {
        Vec2 a = edge.a;
        Vec2 b = edge.a;
        if (!edge.innerStart && clip(p, door, right, left, a, b)) consider(edge.a);
        continue;
      }
      Vec2 a = edge.a;
      Vec2 b = edge.b;
      if (clip(p, door, right, left, a, b)) consider(nearest(p, a, b));
    }
    for (const Edge& edge : edges_[layer]) {
      if (edge.beyond == kNone || (door != nullptr && edge.a == door->b && edge.b == door->a)) continue;
      Vec2 a = edge.a;
      Vec2 b = edge.b;
      if (!clip(p, door, right, left, a, b)) continue;
      const Vec2 q = nearest(p, a, b);
      if (std::hypot(q.x - p.x, q.y - p.y) >= best) continue;
      if (cross(minus(edge.b, edge.a), minus(p, edge.a)) <=
          -1e-6 * std::hypot(edge.b.x - edge.a.x, edge.b.y - edge.a.y)) {
        continue;
      }
      // Free space is left of a -> b, so that b is on the left of the view out.
      const Vec2 newRight = minus(a, p);
      const Vec2 newLeft = minus(b, p);
      const double size = std::hypot(newRight.x, newRight.y) * std::hypot(newLeft.x, newLeft.y);
      if (cross(newRight, newLeft) > 1e-9 * size) look(edge.beyond, p, &edge, newRight, newLeft, best);
    }
  }

  Boundary boundary_;
  std::vector<std::vector<Edge>> edges_;
};

}  // namespace wend::ecm
