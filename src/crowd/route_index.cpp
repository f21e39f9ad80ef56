#include "crowd/route_index.h"

#include <algorithm>
#include <cmath>

namespace wend {
namespace {

// Metres by which a float may be off; routes are written down once.
constexpr float kFloatSlack = 0.1F;
// Metres by which rounding may put a segment into the wrong part: more than any lattice has.
constexpr double kSegmentSlack = 1e-3;

double gapTo(double at, double min, double max) {
  return std::max({0.0, min - at, at - max});
}

}  // namespace

void RouteIndex::fit(const NavMesh& mesh) {
  Vec2 low{HUGE_VAL, HUGE_VAL};
  Vec2 high{-HUGE_VAL, -HUGE_VAL};
  for (const Vec2 p : mesh.views().vertices) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const double unit = mesh.lattice().unit;
  low_ = {low.x * unit, low.y * unit};
  scaleX_ = kSide / std::max(1.0, (high.x - low.x) * unit);
  scaleY_ = kSide / std::max(1.0, (high.y - low.y) * unit);
}

int RouteIndex::columnOf(double x) const {
  return static_cast<int>(std::clamp((x - low_.x) * scaleX_, 0.0, kSide - 1.0));
}

int RouteIndex::rowOf(double y) const {
  return static_cast<int>(std::clamp((y - low_.y) * scaleY_, 0.0, kSide - 1.0));
}

void RouteIndex::addParts(const Area& area, double around, Parts& parts) const {
  const int right = columnOf(area.max.x + around);
  const int top = rowOf(area.max.y + around);
  for (int row = rowOf(area.min.y - around); row <= top; ++row) {
    for (int column = columnOf(area.min.x - around); column <= right; ++column) {
      const int part = row * kSide + column;
      parts[static_cast<size_t>(part) / 64] |= uint64_t{1} << (part % 64);
    }
  }
}

// Column by column, so that a slanting segment takes only the parts beside it.
void RouteIndex::addSegment(Vec2 a, Vec2 b, Parts& parts) const {
  if (a.x > b.x) std::swap(a, b);
  const int first = columnOf(a.x);
  const int last = columnOf(b.x);
  const double slope = b.x > a.x ? (b.y - a.y) / (b.x - a.x) : 0;
  double from = a.y;
  for (int column = first; column <= last; ++column) {
    const double to = column == last ? b.y : a.y + slope * (low_.x + (column + 1) / scaleX_ - a.x);
    addParts({{low_.x + (column + 0.5) / scaleX_, std::min(from, to)},
              {low_.x + (column + 0.5) / scaleX_, std::max(from, to)}},
             kSegmentSlack, parts);
    from = to;
  }
}

void RouteIndex::set(uint32_t record, const Route& route, bool onAxis, double detour) {
  Sign sign;
  for (size_t i = 0; i < route.points.size(); ++i) {
    const Vec3 a = route.points[i];
    const Vec3 b = route.points[i + 1 < route.points.size() ? i + 1 : i];
    addSegment({a.x, a.y}, {b.x, b.y}, sign.parts);
  }
  if (!route.points.empty()) {
    sign.goalX = static_cast<float>(route.points.back().x);
    sign.goalY = static_cast<float>(route.points.back().y);
    sign.length = static_cast<float>(route.length * detour) + kFloatSlack;
    sign.onAxis = onAxis;
  }
  signs_[record] = sign;
}

void RouteIndex::setBlocked(uint32_t record) {
  signs_[record] = {};
  signs_[record].length = HUGE_VALF;
}

bool RouteIndex::mayShorten(uint32_t record, Vec2 at, std::span<const Area> areas) const {
  const Sign& sign = signs_[record];
  const double square = static_cast<double>(sign.length) * sign.length;
  if (!(sign.length > 0)) return false;
  for (const Area& area : areas) {
    const double x = gapTo(at.x, area.min.x, area.max.x);
    const double y = gapTo(at.y, area.min.y, area.max.y);
    const double there = x * x + y * y;
    if (there >= square) continue;
    const double onX = gapTo(sign.goalX, area.min.x, area.max.x);
    const double onY = gapTo(sign.goalY, area.min.y, area.max.y);
    // The slack of the length covers the rounding of the roots.
    if (std::sqrt(there) + std::sqrt(onX * onX + onY * onY) < sign.length) return true;
  }
  return false;
}

}  // namespace wend
