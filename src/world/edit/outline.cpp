#include "world/edit/outline.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "environment/fence.h"
#include "geometry/predicates.h"

namespace wend {
namespace {

constexpr size_t kMaxCorners = 4096;  // the check below takes time with its square
constexpr size_t kMaxHullPoints = 64;
static_assert(kSlitWidth == kFenceWidth);

Error wrong(std::string_view what, std::string_view sentence) {
  return {ErrorCode::kInvalidGeometry, fmt::format("{} {}", what, sentence)};
}

bool isFinite(Vec2 p) {
  return std::isfinite(p.x) && std::isfinite(p.y);
}

bool onLine(Vec2 a, Vec2 b, Vec2 p) {
  return orient(a, b, p) == 0 && isBetween(a, p, b);
}

// Whether two closed segments have a common point.
bool meetAnywhere(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
  const int abc = orient(a, b, c);
  const int abd = orient(a, b, d);
  const int cda = orient(c, d, a);
  const int cdb = orient(c, d, b);
  if (abc * abd < 0 && cda * cdb < 0) return true;
  return onLine(a, b, c) || onLine(a, b, d) || onLine(c, d, a) || onLine(c, d, b);
}

Status checkLengths(std::initializer_list<double> lengths, std::string_view what) {
  for (const double length : lengths) {
    if (!(std::isfinite(length) && length > 0)) return wrong(what, "has no extent; every length must be above 0");
  }
  return Done{};
}

}  // namespace

Status checkSimple(std::span<const Vec2> corners, std::string_view what) {
  const size_t n = corners.size();
  if (n < 3) return wrong(what, fmt::format("has {} corners; a polygon has at least 3", n));
  if (n > kMaxCorners) {
    return Error{ErrorCode::kLimit,
                 fmt::format("{} has {} corners; at most {} are allowed: cut it into parts", what, n, kMaxCorners)};
  }
  for (const Vec2 p : corners) {
    if (!isFinite(p)) return wrong(what, "has a corner that is not finite");
  }
  const auto at = [&](size_t i) { return corners[i % n]; };
  const auto crossed = [&](Vec2 p) {
    return wrong(what, fmt::format("crosses or touches itself near ({:g}, {:g}) m of its own shape; give a simple "
                                   "polygon",
                                   p.x, p.y));
  };
  for (size_t i = 0; i < n; ++i) {
    if (at(i) == at(i + 1)) return wrong(what, fmt::format("repeats the corner ({:g}, {:g}) m", at(i).x, at(i).y));
    // The next edge turns back onto this one.
    if (orient(at(i), at(i + 1), at(i + 2)) == 0 && !isBetween(at(i), at(i + 1), at(i + 2))) return crossed(at(i + 1));
    for (size_t j = i + 2; j < n; ++j) {
      if (i == 0 && j + 1 == n) continue;
      const Vec2 a = at(i);
      const Vec2 b = at(i + 1);
      const Vec2 c = at(j);
      const Vec2 d = at(j + 1);
      if (std::max(a.x, b.x) < std::min(c.x, d.x) || std::max(c.x, d.x) < std::min(a.x, b.x) ||
          std::max(a.y, b.y) < std::min(c.y, d.y) || std::max(c.y, d.y) < std::min(a.y, b.y)) {
        continue;
      }
      if (meetAnywhere(a, b, c, d)) return crossed(c);
    }
  }
  return Done{};
}

Status checkShape(const ObstacleShape& shape, std::string_view what) {
  struct Check {
    std::string_view what;
    Status operator()(const PolygonShape& s) const {
      if (Status status = checkSimple(s.corners, what); !status.ok()) return status;
      for (const std::vector<Vec2>& loop : s.loops) {
        if (Status status = checkSimple(loop, what); !status.ok()) return status;
      }
      return Done{};
    }
    Status operator()(const SegmentShape& s) const {
      if (!isFinite(s.from) || !isFinite(s.to)) return wrong(what, "has an end that is not finite");
      return Done{};
    }
    Status operator()(const PointShape&) const { return Done{}; }
    Status operator()(const BoxShape& s) const { return checkLengths({s.size.x, s.size.y, s.size.z}, what); }
    Status operator()(const CylinderShape& s) const { return checkLengths({s.radius, s.height}, what); }
    Status operator()(const ConvexShape& s) const {
      if (s.points.size() < 4) return wrong(what, "is the hull of fewer than 4 points");
      if (s.points.size() > kMaxHullPoints) {
        return Error{ErrorCode::kLimit, fmt::format("{} is the hull of {} points; at most {} are allowed", what,
                                                    s.points.size(), kMaxHullPoints)};
      }
      for (const Vec3 p : s.points) {
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
          return wrong(what, "has a point that is not finite");
        }
      }
      return Done{};
    }
  };
  return std::visit(Check{what}, shape);
}

Status checkPlacement(const Placement& place, std::string_view what) {
  constexpr double kTurn = 1e-9;
  if (!std::isfinite(place.at.x) || !std::isfinite(place.at.y) || !std::isfinite(place.at.z)) {
    return wrong(what, "has a place that is not finite");
  }
  if (!(std::abs(place.cosine * place.cosine + place.sine * place.sine - 1) <= kTurn)) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("{} is turned by cosine {:g} and sine {:g}; their squares must add up to 1", what,
                             place.cosine, place.sine)};
  }
  return Done{};
}

Vec2 placed(const Placement& place, Vec2 p) {
  return {place.at.x + (place.cosine * p.x - place.sine * p.y), place.at.y + (place.sine * p.x + place.cosine * p.y)};
}

Placement Placement::turned(Vec3 at, double degrees) {
  // Quarter turns exactly.
  const double quarters = degrees / 90;
  if (quarters == std::nearbyint(quarters)) {
    const int turn = ((static_cast<int>(std::fmod(quarters, 4)) % 4) + 4) % 4;
    constexpr double kCosine[] = {1, 0, -1, 0};
    constexpr double kSine[] = {0, 1, 0, -1};
    return {at, kCosine[turn], kSine[turn]};
  }
  const double angle = degrees * M_PI / 180;
  return {at, std::cos(angle), std::sin(angle)};
}

Result<Ring> outlineOf(std::span<const Vec2> metres, const Lattice& lattice, std::string_view what) {
  Ring ring;
  for (const Vec2 p : metres) {
    const Result<Point> point = lattice.snap(p);
    if (!point.ok()) return Error{point.error().code, fmt::format("{}: {}", what, point.error().message)};
    if (ring.empty() || ring.back() != *point) ring.push_back(*point);
  }
  while (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
  const bool flat = ring.size() < 3 || std::all_of(ring.begin() + 2, ring.end(),
                                                   [&](Point p) { return orient(ring[0], ring[1], p) == 0; });
  if (!flat) return ring;
  const auto [low, high] = std::minmax_element(ring.begin(), ring.end());
  return fence(*low, *high);
}

}  // namespace wend
