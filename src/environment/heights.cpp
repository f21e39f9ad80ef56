#include "environment/heights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "geometry/predicates.h"
#include "geometry/vec2.h"

namespace wend {
namespace {

using Corners = std::array<Vec2, 3>;

Corners cornersOf(const HeightField& field, uint32_t triangle) {
  const std::array<uint32_t, 3>& ids = field.triangles[triangle];
  return {toVec2(field.points[ids[0]]), toVec2(field.points[ids[1]]), toVec2(field.points[ids[2]])};
}

bool hasCorners(const HeightField& field, uint32_t triangle) {
  const size_t known = std::min(field.points.size(), field.z.size());
  const std::array<uint32_t, 3>& ids = field.triangles[triangle];
  return ids[0] < known && ids[1] < known && ids[2] < known;
}

double twiceArea(Vec2 a, Vec2 b, Vec2 c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// All four comparisons at once: which one fails is not foreseeable, and a wrong guess costs more than the others.
bool meets(const Box& a, const Box& b) {
  return ((int64_t{b.max.x} - a.min.x) | (int64_t{a.max.x} - b.min.x) | (int64_t{b.max.y} - a.min.y) |
          (int64_t{a.max.y} - b.min.y)) >= 0;
}
bool holds(const Box& a, const Box& b) {
  return ((int64_t{b.min.x} - a.min.x) | (int64_t{a.max.x} - b.max.x) | (int64_t{b.min.y} - a.min.y) |
          (int64_t{a.max.y} - b.max.y)) >= 0;
}

bool contains(const Corners& c, Vec2 p) {
  return orient(c[0], c[1], p) >= 0 && orient(c[1], c[2], p) >= 0 && orient(c[2], c[0], p) >= 0;
}

// Clamped to the range of the corners, which rounding may leave in a needle-shaped triangle.
double interpolate(const HeightField& field, uint32_t triangle, const Corners& c, Vec2 p) {
  const std::array<uint32_t, 3>& ids = field.triangles[triangle];
  const double za = field.z[ids[0]];
  const double zb = field.z[ids[1]];
  const double zc = field.z[ids[2]];
  const double a = std::max(0.0, twiceArea(c[1], c[2], p));
  const double b = std::max(0.0, twiceArea(c[2], c[0], p));
  const double d = std::max(0.0, twiceArea(c[0], c[1], p));
  const double sum = a + b + d;
  const double low = std::min(std::min(za, zb), zc);
  const double high = std::max(std::max(za, zb), zc);
  return sum > 0 ? std::clamp((a * za + b * zb + d * zc) / sum, low, high) : low;
}

// The answer of at() where no triangle contains the place: the nearest one within reach, offered in any order.
class Nearest {
 public:
  Nearest(const HeightField& field, Vec2 p) : field_(field), p_(p) {}

  void offer(uint32_t triangle) {
    const Corners corners = cornersOf(field_, triangle);
    for (size_t i = 0; i < 3; ++i) {
      const Vec2 q = closestOnSegment(p_, corners[i], corners[i == 2 ? 0 : i + 1]);
      const Vec2 d = q - p_;
      if (dot(d, d) > 1.0001 * distance_ * distance_) continue;
      const double distance = std::hypot(d.x, d.y);
      if (distance < distance_ || (distance == distance_ && triangle < nearest_)) {
        distance_ = distance;
        nearest_ = triangle;
        place_ = q;
      }
    }
  }
  double height() const {
    return nearest_ == kNone ? field_.base : interpolate(field_, nearest_, cornersOf(field_, nearest_), place_);
  }

 private:
  const HeightField& field_;
  Vec2 p_;
  uint32_t nearest_ = kNone;
  double distance_ = HeightField::kReach;
  Vec2 place_;
};

}  // namespace

bool soundTriangle(const HeightField& field, uint32_t triangle) {
  if (!hasCorners(field, triangle)) return false;
  for (const uint32_t id : field.triangles[triangle]) {
    if (!std::isfinite(field.z[id])) return false;
  }
  const auto& ids = field.triangles[triangle];
  return cross(field.points[ids[0]], field.points[ids[1]], field.points[ids[2]]) > 0;
}

double HeightField::at(Vec2 units) const {
  Nearest nearest(*this, units);
  for (uint32_t t = 0; t < triangles.size(); ++t) {
    if (!soundTriangle(*this, t)) continue;
    const Corners corners = cornersOf(*this, t);
    if (contains(corners, units)) return interpolate(*this, t, corners, units);
    nearest.offer(t);
  }
  return nearest.height();
}

HeightLookup::HeightLookup(const HeightField& field) : field_(&field), boxes_(field.triangles.size()) {
  for (uint32_t t = 0; t < boxes_.size(); ++t) {
    if (!soundTriangle(field, t)) continue;
    for (const uint32_t id : field.triangles[t]) boxes_[t].add(field.points[id]);
  }
  grid_ = GridIndex(boxes_);
}

HeightLookup::HeightLookup(const HeightField& field, const Box& region) : field_(&field) {
  const int64_t margin = static_cast<int64_t>(std::ceil(HeightField::kReach)) + 1;
  for (uint32_t t = 0; t < field.triangles.size(); ++t) {
    // Most lie elsewhere: whether they are sound does not matter.
    if (!hasCorners(field, t)) continue;
    Box box;
    for (const uint32_t id : field.triangles[t]) box.add(field.points[id]);
    if (box.max.x < region.min.x - margin || box.min.x > region.max.x + margin || box.max.y < region.min.y - margin ||
        box.min.y > region.max.y + margin) {
      continue;
    }
    if (!soundTriangle(field, t)) continue;
    boxes_.push_back(box);
    triangles_.push_back(t);
  }
  grid_ = GridIndex(boxes_);
}

double HeightLookup::at(Vec2 units) const {
  // Beyond the lattice there is nothing to find, and the boxes below would overflow.
  if (!(std::abs(units.x) <= kMaxCoordinate && std::abs(units.y) <= kMaxCoordinate)) return field_->base;
  const auto around = [&](double reach) {
    const auto low = [&](double v) {
      const auto whole = static_cast<int32_t>(v - reach);
      return whole - (whole > v - reach ? 1 : 0);
    };
    const auto high = [&](double v) {
      const auto whole = static_cast<int32_t>(v + reach);
      return whole + (whole < v + reach ? 1 : 0);
    };
    Box box;
    box.min = {low(units.x), low(units.y)};
    box.max = {high(units.x), high(units.y)};
    return box;
  };
  const auto triangleOf = [&](uint32_t i) { return triangles_.empty() ? i : triangles_[i]; };
  // Most places lie inside, and buckets list their triangles in order: the first one that contains the place counts.
  const Box place = around(0);
  const std::span boxes(boxes_);
  for (const uint32_t i : grid_.at(units)) {
    if (!holds(boxes[i], place)) continue;
    const Corners corners = cornersOf(*field_, triangleOf(i));
    if (contains(corners, units)) return interpolate(*field_, triangleOf(i), corners, units);
  }
  Nearest nearest(*field_, units);
  const Box reach = around(HeightField::kReach);
  grid_.forEach(reach, [&](uint32_t i) {
    if (meets(boxes[i], reach)) nearest.offer(triangleOf(i));
  });
  return nearest.height();
}

}  // namespace wend
