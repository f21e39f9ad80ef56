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

bool contains(const Corners& c, Vec2 p) {
  return orient(c.p[0], c.p[1], p) >= 0 && orient(c.p[1], c.p[2], p) >= 0 && orient(c.p[2], c.p[0], p) >= 0;
}

// Whether the triangle may contain the point or have it within reach, with a unit of room for rounding.
bool isNear(const Corners& c, Vec2 p) {
  constexpr double kRoom = HeightField::kReach + 1;
  const auto [left, right] = std::minmax({c.p[0].x, c.p[1].x, c.p[2].x});
  const auto [low, high] = std::minmax({c.p[0].y, c.p[1].y, c.p[2].y});
  return p.x >= left - kRoom && p.x <= right + kRoom && p.y >= low - kRoom && p.y <= high + kRoom;
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

// The answer of at() while triangles are offered one by one, in any order.
class Search {
 public:
  Search(const HeightField& field, Vec2 p) : field_(field), p_(p) {}

  void offer(uint32_t triangle) {
    if (triangle >= inside_) return;
    const Corners corners = cornersOf(field_, triangle);
    if (!isNear(corners, p_)) return;
    if (contains(corners, p_)) {
      inside_ = triangle;
      return;
    }
    for (size_t i = 0; i < 3; ++i) {
      const Vec2 q = closestOnSegment(p_, corners.p[i], corners.p[(i + 1) % 3]);
      const double distance = std::hypot(q.x - p_.x, q.y - p_.y);
      if (distance < distance_ || (distance == distance_ && triangle < nearest_)) {
        distance_ = distance;
        nearest_ = triangle;
        place_ = q;
      }
    }
  }
  double height() const {
    if (inside_ != kNone) return interpolate(cornersOf(field_, inside_), p_);
    if (nearest_ != kNone) return interpolate(cornersOf(field_, nearest_), place_);
    return field_.base;
  }

 private:
  const HeightField& field_;
  Vec2 p_;
  uint32_t inside_ = kNone;
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
  Search search(*this, units);
  for (uint32_t t = 0; t < triangles.size(); ++t) {
    if (soundTriangle(*this, t)) search.offer(t);
  }
  return search.height();
}

HeightLookup::HeightLookup(const HeightField& field) : field_(&field) {
  std::vector<Box> boxes(field.triangles.size());
  for (uint32_t t = 0; t < boxes.size(); ++t) {
    if (!soundTriangle(field, t)) continue;
    for (const uint32_t id : field.triangles[t]) boxes[t].add(field.points[id]);
  }
  grid_ = GridIndex(boxes);
}

HeightLookup::HeightLookup(const HeightField& field, const Box& region) : field_(&field) {
  const int64_t margin = static_cast<int64_t>(std::ceil(HeightField::kReach)) + 1;
  std::vector<Box> boxes;
  for (uint32_t t = 0; t < field.triangles.size(); ++t) {
    if (!soundTriangle(field, t)) continue;
    Box box;
    for (const uint32_t id : field.triangles[t]) box.add(field.points[id]);
    if (box.max.x < region.min.x - margin || box.min.x > region.max.x + margin || box.max.y < region.min.y - margin ||
        box.min.y > region.max.y + margin) {
      continue;
    }
    boxes.push_back(box);
    triangles_.push_back(t);
  }
  grid_ = GridIndex(boxes);
}

double HeightLookup::at(Vec2 units) const {
  // Most places lie inside, and buckets list their triangles in order: the first one that contains the place counts.
  for (const uint32_t i : grid_.at(units)) {
    const Corners corners = cornersOf(*field_, triangles_.empty() ? i : triangles_[i]);
    if (isNear(corners, units) && contains(corners, units)) return interpolate(corners, units);
  }
  Search search(*field_, units);
  // Beyond the lattice there is nothing to find, and the box below would overflow.
  if (!(std::abs(units.x) <= kMaxCoordinate && std::abs(units.y) <= kMaxCoordinate)) return search.height();
  Box box;
  box.add(Point{static_cast<int32_t>(std::floor(units.x - HeightField::kReach)),
                static_cast<int32_t>(std::floor(units.y - HeightField::kReach))});
  box.add(Point{static_cast<int32_t>(std::ceil(units.x + HeightField::kReach)),
                static_cast<int32_t>(std::ceil(units.y + HeightField::kReach))});
  grid_.forEach(box, [&](uint32_t i) { search.offer(triangles_.empty() ? i : triangles_[i]); });
  return search.height();
}

}  // namespace wend
