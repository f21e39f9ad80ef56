#include "mesh/surface_index.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/predicates.h"

namespace wend {
namespace {

struct Corners {
  std::array<Vec2, 3> p;
  std::array<double, 3> z;
};

Corners corners(const HeightField& field, uint32_t triangle) {
  Corners c;
  for (size_t i = 0; i < 3; ++i) {
    const uint32_t v = field.triangles[triangle][i];
    c.p[i] = toVec2(field.points[v]);
    c.z[i] = field.z[v];
  }
  return c;
}

double cross(Vec2 a, Vec2 b, Vec2 c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool contains(const Corners& c, Vec2 p) {
  return orient(c.p[0], c.p[1], p) >= 0 && orient(c.p[1], c.p[2], p) >= 0 && orient(c.p[2], c.p[0], p) >= 0;
}

// Rounding may leave the range of the corners in needle-shaped triangles; the clamp bounds the error by their height.
double interpolate(const Corners& c, Vec2 p) {
  std::array<double, 3> weight;
  double sum = 0;
  double height = 0;
  for (size_t i = 0; i < 3; ++i) {
    weight[i] = std::max(0.0, cross(c.p[(i + 1) % 3], c.p[(i + 2) % 3], p));
    sum += weight[i];
    height += weight[i] * c.z[i];
  }
  const auto [low, high] = std::minmax({c.z[0], c.z[1], c.z[2]});
  return sum > 0 ? std::clamp(height / sum, low, high) : low;
}

Vec2 nearestOnSegment(Vec2 a, Vec2 b, Vec2 p) {
  const Vec2 d{b.x - a.x, b.y - a.y};
  const double square = d.x * d.x + d.y * d.y;
  const double t = square > 0 ? std::clamp(((p.x - a.x) * d.x + (p.y - a.y) * d.y) / square, 0.0, 1.0) : 0.0;
  return {a.x + t * d.x, a.y + t * d.y};
}

}  // namespace

SurfaceIndex::SurfaceIndex(const HeightField& field) : field_(&field) {
  std::vector<Box> boxes(field.triangles.size());
  for (size_t t = 0; t < boxes.size(); ++t) {
    const auto& v = field.triangles[t];
    const size_t known = std::min(field.points.size(), field.z.size());
    if (v[0] >= known || v[1] >= known || v[2] >= known) continue;
    if (orient(field.points[v[0]], field.points[v[1]], field.points[v[2]]) <= 0) continue;
    for (const uint32_t id : v) boxes[t].add(field.points[id]);
  }
  grid_ = GridIndex(boxes);
}

double SurfaceIndex::at(Vec2 units) const {
  if (field_ == nullptr) return 0;
  for (const uint32_t triangle : grid_.at(units)) {
    const Corners c = corners(*field_, triangle);
    if (contains(c, units)) return interpolate(c, units);
  }
  return nearby(units);
}

double SurfaceIndex::nearby(Vec2 units) const {
  const double reach = kMaxCoordinate;
  if (grid_.itemCount() == 0 || !(std::abs(units.x) <= reach && std::abs(units.y) <= reach)) return field_->base;
  Box box;
  box.add(Point{static_cast<int32_t>(std::floor(units.x - kSnapDistance)),
                static_cast<int32_t>(std::floor(units.y - kSnapDistance))});
  box.add(Point{static_cast<int32_t>(std::ceil(units.x + kSnapDistance)),
                static_cast<int32_t>(std::ceil(units.y + kSnapDistance))});
  double best = kSnapDistance;
  uint32_t bestTriangle = kNone;
  Vec2 bestPoint;
  grid_.forEach(box, [&](uint32_t triangle) {
    const Corners c = corners(*field_, triangle);
    for (size_t i = 0; i < 3; ++i) {
      const Vec2 q = nearestOnSegment(c.p[i], c.p[(i + 1) % 3], units);
      const double distance = std::hypot(q.x - units.x, q.y - units.y);
      if (distance < best || (distance == best && triangle < bestTriangle)) {
        best = distance;
        bestTriangle = triangle;
        bestPoint = q;
      }
    }
  });
  return bestTriangle == kNone ? field_->base : interpolate(corners(*field_, bestTriangle), bestPoint);
}

}  // namespace wend
