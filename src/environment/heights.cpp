#include "environment/heights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "geometry/predicates.h"
#include "geometry/vec2.h"

namespace wend {
namespace {

struct Corners {
  std::array<Vec2, 3> p;
  std::array<double, 3> z;
};

Corners cornersOf(const HeightField& field, uint32_t triangle) {
  Corners corners;
  for (size_t i = 0; i < 3; ++i) {
    corners.p[i] = toVec2(field.points[field.triangles[triangle][i]]);
    corners.z[i] = field.z[field.triangles[triangle][i]];
  }
  return corners;
}

double twiceArea(Vec2 a, Vec2 b, Vec2 c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Of boxes with whole corners. All four at once: which one fails is not foreseeable, and a wrong guess costs more.
bool meets(const Box& a, const Box& b) {
  return static_cast<int>(a.min.x <= b.max.x) & static_cast<int>(a.max.x >= b.min.x) &
         static_cast<int>(a.min.y <= b.max.y) & static_cast<int>(a.max.y >= b.min.y);
}
bool holds(const Box& a, const Box& b) {
  return static_cast<int>(a.min.x <= b.min.x) & static_cast<int>(a.max.x >= b.max.x) &
         static_cast<int>(a.min.y <= b.min.y) & static_cast<int>(a.max.y >= b.max.y);
}

bool contains(const Corners& c, Vec2 p) {
  return orient(c.p[0], c.p[1], p) >= 0 && orient(c.p[1], c.p[2], p) >= 0 && orient(c.p[2], c.p[0], p) >= 0;
}

// Clamped to the range of the corners, which rounding may leave in a needle-shaped triangle.
double interpolate(const Corners& c, Vec2 p) {
  double sum = 0;
  double weighted = 0;
  for (size_t i = 0; i < 3; ++i) {
    const double weight = std::max(0.0, twiceArea(c.p[(i + 1) % 3], c.p[(i + 2) % 3], p));
    sum += weight;
    weighted += weight * c.z[i];
  }
  const auto [low, high] = std::minmax({c.z[0], c.z[1], c.z[2]});
  return sum > 0 ? std::clamp(weighted / sum, low, high) : low;
}

// The answer of at() where no triangle contains the place: the nearest one within reach, offered in any order.
class Nearest {
 public:
  Nearest(const HeightField& field, Vec2 p) : field_(field), p_(p) {}

  void offer(uint32_t triangle) {
    const Corners corners = cornersOf(field_, triangle);
    for (size_t i = 0; i < 3; ++i) {
      const Vec2 q = closestOnSegment(p_, corners.p[i], corners.p[(i + 1) % 3]);
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
  double height() const { return nearest_ == kNone ? field_.base : interpolate(cornersOf(field_, nearest_), place_); }

 private:
  const HeightField& field_;
  Vec2 p_;
  uint32_t nearest_ = kNone;
  double distance_ = HeightField::kReach;
  Vec2 place_;
};

}  // namespace

bool soundTriangle(const HeightField& field, uint32_t triangle) {
  const size_t known = std::min(field.points.size(), field.z.size());
  for (const uint32_t id : field.triangles[triangle]) {
    if (id >= known || !std::isfinite(field.z[id])) return false;
  }
  const auto& ids = field.triangles[triangle];
  return cross(field.points[ids[0]], field.points[ids[1]], field.points[ids[2]]) > 0;
}

double HeightField::at(Vec2 units) const {
  Nearest nearest(*this, units);
  for (uint32_t t = 0; t < triangles.size(); ++t) {
    if (!soundTriangle(*this, t)) continue;
    const Corners corners = cornersOf(*this, t);
    if (contains(corners, units)) return interpolate(corners, units);
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
    if (!soundTriangle(field, t)) continue;
    Box box;
    for (const uint32_t id : field.triangles[t]) box.add(field.points[id]);
    if (box.max.x < region.min.x - margin || box.min.x > region.max.x + margin || box.max.y < region.min.y - margin ||
        box.min.y > region.max.y + margin) {
      continue;
    }
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
  for (const uint32_t i : grid_.at(units)) {
    if (!holds(boxes_[i], place)) continue;
    const Corners corners = cornersOf(*field_, triangleOf(i));
    if (contains(corners, units)) return interpolate(corners, units);
  }
  Nearest nearest(*field_, units);
  const Box reach = around(HeightField::kReach);
  grid_.forEach(reach, [&](uint32_t i) {
    if (meets(boxes_[i], reach)) nearest.offer(triangleOf(i));
  });
  return nearest.height();
}

}  // namespace wend
