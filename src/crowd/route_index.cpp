#include "crowd/route_index.h"

#include <algorithm>
#include <cmath>

namespace wend {
namespace {

// Metres by which a float may be off; routes are written down once.
constexpr float kFloatSlack = 0.1F;

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

void RouteIndex::set(uint32_t record, const Route& route) {
  Sign sign;
  for (size_t i = 0; i < route.points.size(); ++i) {
    const Vec3 a = route.points[i];
    const Vec3 b = route.points[i + 1 < route.points.size() ? i + 1 : i];
    addParts({{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}}, 0, sign.parts);
  }
  if (!route.points.empty()) {
    sign.goalX = static_cast<float>(route.points.back().x);
    sign.goalY = static_cast<float>(route.points.back().y);
    sign.length = static_cast<float>(route.length) + kFloatSlack;
  }
  signs_[record] = sign;
}

void RouteIndex::setBlocked(uint32_t record) {
  signs_[record] = {};
  signs_[record].length = HUGE_VALF;
}

bool RouteIndex::mayShorten(uint32_t record, Vec2 at, std::span<const Area> areas) const {
  const Sign& sign = signs_[record];
  for (const Area& area : areas) {
    const double there = std::hypot(gapTo(at.x, area.min.x, area.max.x), gapTo(at.y, area.min.y, area.max.y));
    if (there >= sign.length) continue;
    const double onward =
        std::hypot(gapTo(sign.goalX, area.min.x, area.max.x), gapTo(sign.goalY, area.min.y, area.max.y));
    if (there + onward < sign.length) return true;
  }
  return false;
}

}  // namespace wend
