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

Box boxOf(const HeightField& field, uint32_t triangle) {
  const std::array<uint32_t, 3>& ids = field.triangles[triangle];
  const Point a = field.points[ids[0]];
  const Point b = field.points[ids[1]];
  const Point c = field.points[ids[2]];
  Box box;
  box.min = {std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y})};
  box.max = {std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y})};
  return box;
}

// All lattice squares within reach of a place.
Box reachAround(Vec2 p) {
  const auto low = [](double v) { return static_cast<int32_t>(std::floor(v - HeightField::kReach)); };
  const auto high = [](double v) { return static_cast<int32_t>(std::ceil(v + HeightField::kReach)); };
  Box box;
  box.min = {low(p.x), low(p.y)};
  box.max = {high(p.x), high(p.y)};
  return box;
}

double twiceArea(Vec2 a, Vec2 b, Vec2 c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool contains(const Corners& c, Vec2 p) {
  return orient(c[0], c[1], p) >= 0 && orient(c[1], c[2], p) >= 0 && orient(c[2], c[0], p) >= 0;
}

// Twice the areas that a place makes with the sides, each opposite to a corner.
using Weights = std::array<double, 3>;

Weights weightsOf(const Corners& c, Vec2 p) {
  return {twiceArea(c[1], c[2], p), twiceArea(c[2], c[0], p), twiceArea(c[0], c[1], p)};
}

// Clamped to the range of the corners, which rounding may leave in a needle-shaped triangle.
double interpolate(const HeightField& field, uint32_t triangle, const Weights& weights) {
  const std::array<uint32_t, 3>& ids = field.triangles[triangle];
  const double za = field.z[ids[0]];
  const double zb = field.z[ids[1]];
  const double zc = field.z[ids[2]];
  const double a = std::max(0.0, weights[0]);
  const double b = std::max(0.0, weights[1]);
  const double d = std::max(0.0, weights[2]);
  const double sum = a + b + d;
  const double low = std::min(std::min(za, zb), zc);
  const double high = std::max(std::max(za, zb), zc);
  return sum > 0 ? std::clamp((a * za + b * zb + d * zc) / sum, low, high) : low;
}

// The answer of at() where no triangle contains the place: the nearest one within reach, offered in any order.
class NearestHeight {
 public:
  NearestHeight(const HeightField& field, Vec2 p) : field_(field), p_(p) {}

  void offer(uint32_t triangle) {
    const Corners corners = cornersOf(field_, triangle);
    for (size_t i = 0; i < 3; ++i) {
      const Vec2 a = corners[i];
      const Vec2 b = corners[i == 2 ? 0 : i + 1];
      // Most edges only pass by at a distance; far more than this is lost to rounding nowhere.
      constexpr double kSlack = 0.01;
      const double off = twiceArea(a, b, p_);
      if (off * off > (distance_ + kSlack) * (distance_ + kSlack) * dot(b - a, b - a)) continue;
      const Vec2 q = closestOnSegment(p_, a, b);
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
    if (nearest_ == kNone) return field_.base;
    return interpolate(field_, nearest_, weightsOf(cornersOf(field_, nearest_), place_));
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
  NearestHeight nearest(*this, units);
  for (uint32_t t = 0; t < triangles.size(); ++t) {
    if (!soundTriangle(*this, t)) continue;
    const Corners corners = cornersOf(*this, t);
    if (contains(corners, units)) return interpolate(*this, t, weightsOf(corners, units));
    nearest.offer(t);
  }
  return nearest.height();
}

HeightLookup::HeightLookup(const HeightField& field) : field_(&field) {
  std::vector<Box> boxes(field.triangles.size());
  for (uint32_t t = 0; t < boxes.size(); ++t) {
    if (soundTriangle(field, t)) boxes[t] = boxOf(field, t);
  }
  index(boxes);
}

HeightLookup::HeightLookup(const HeightField& field, const Box& region) : field_(&field) {
  std::vector<Box> boxes;
  const int64_t margin = static_cast<int64_t>(std::ceil(HeightField::kReach)) + 1;
  for (uint32_t t = 0; t < field.triangles.size(); ++t) {
    // Most lie elsewhere: whether they are sound does not matter.
    if (!hasCorners(field, t)) continue;
    const Box box = boxOf(field, t);
    if (box.max.x < region.min.x - margin || box.min.x > region.max.x + margin || box.max.y < region.min.y - margin ||
        box.min.y > region.max.y + margin) {
      continue;
    }
    if (!soundTriangle(field, t)) continue;
    boxes.push_back(box);
    triangles_.push_back(t);
  }
  index(boxes);
}

void HeightLookup::index(std::span<const Box> boxes) {
  boxes_.reserve(boxes.size());
  for (const Box& box : boxes) boxes_.emplace_back(box);
  grid_ = GridIndex(boxes);
}

std::vector<uint32_t> HeightLookup::trianglesNear(const Box& box) const {
  std::vector<uint32_t> triangles;
  const PackedBox packed(box);
  grid_.forEach(box, [&](uint32_t i) {
    if (boxes_[i].meets(packed)) triangles.push_back(triangles_.empty() ? i : triangles_[i]);
  });
  std::sort(triangles.begin(), triangles.end());
  triangles.erase(std::unique(triangles.begin(), triangles.end()), triangles.end());
  return triangles;
}

double HeightLookup::at(Vec2 units) const {
  // More than an area loses to rounding: less than four times the rounding of 2^63, as differences stay below 2^31.
  constexpr double kSure = 0x1.0p12;
  // Beyond the lattice there is nothing to find, and the boxes below would overflow.
  if (!(std::abs(units.x) <= kMaxCoordinate && std::abs(units.y) <= kMaxCoordinate)) return field_->base;
  const auto triangleOf = [&](uint32_t i) { return triangles_.empty() ? i : triangles_[i]; };
  // Most places lie inside, and buckets list their triangles in order: the first one that contains the place counts.
  const PackedBox place(units.x, units.y);
  const std::span boxes(boxes_);
  for (const uint32_t i : grid_.at(units)) {
    if (!boxes[i].holds(place)) continue;
    const Corners corners = cornersOf(*field_, triangleOf(i));
    const Weights weights = weightsOf(corners, units);
    const double least = std::min({weights[0], weights[1], weights[2]});
    if (least < -kSure || (least < kSure && !contains(corners, units))) continue;
    return interpolate(*field_, triangleOf(i), weights);
  }
  NearestHeight nearest(*field_, units);
  const Box around = reachAround(units);
  const PackedBox reach(around);
  grid_.forEach(around, [&](uint32_t i) {
    if (boxes[i].meets(reach)) nearest.offer(triangleOf(i));
  });
  return nearest.height();
}

}  // namespace wend
