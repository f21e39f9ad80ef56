#include "explore/obstacle_slices.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "geometry/overlay.h"

namespace wend {
namespace {

constexpr double kMaxSquares = 1e6;

Polygon rectangle(Point low, Point high) {
  return {{low, {high.x, low.y}, high, {low.x, high.y}}, {}};
}

double squaredDistance(Vec2 a, Vec2 b, Vec2 p) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double length = dx * dx + dy * dy;
  const double t = length > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.0, 1.0) : 0;
  const double x = a.x + t * dx - p.x;
  const double y = a.y + t * dy - p.y;
  return x * x + y * y;
}

}  // namespace

double ObstacleSlice::distanceTo(Vec2 metres, const Lattice& lattice) const {
  const Vec2 units = lattice.toUnits(metres);
  const Point p{static_cast<int32_t>(std::lround(units.x)), static_cast<int32_t>(std::lround(units.y))};
  if (locate(shape, p) != Side::kOutside) return 0;
  double nearest = 1e300;
  const auto ring = [&](const Ring& r) {
    for (size_t i = 0; i < r.size(); ++i) {
      nearest =
          std::min(nearest, squaredDistance(lattice.toMetres(r[i]), lattice.toMetres(r[(i + 1) % r.size()]), metres));
    }
  };
  ring(shape.outer);
  for (const Ring& hole : shape.holes) ring(hole);
  return std::sqrt(nearest);
}

Result<std::vector<ObstacleSlice>> sliceObstacles(const Environment& environment, double side) {
  return sliceObstacles(environment, boundingBox(environment.layers.front().free), side);
}

Result<std::vector<ObstacleSlice>> sliceObstacles(const Environment& environment, const Box& box, double side) {
  const std::vector<Polygon>& free = environment.layers.front().free;
  const auto step = static_cast<int64_t>(std::max(1.0, std::round(side / environment.lattice.unit)));
  const double squares =
      (double(box.max.x) - box.min.x) / double(step) * ((double(box.max.y) - box.min.y) / double(step));
  if (squares > kMaxSquares) {
    return Error{ErrorCode::kLimit,
                 fmt::format("slices of {} m would be {:.0f} squares; choose larger ones", side, squares)};
  }
  const std::vector<Polygon> bounds{rectangle(box.min, box.max)};
  const Result<std::vector<Polygon>> obstacles = subtract(bounds, free);
  if (!obstacles.ok()) return obstacles.error();
  std::vector<ObstacleSlice> slices;
  for (const Polygon& obstacle : *obstacles) {
    const Box extent = boundingBox(obstacle.outer);
    const std::vector<Polygon> whole{obstacle};
    const auto first = [&](int32_t value, int32_t origin) { return origin + (int64_t{value} - origin) / step * step; };
    for (int64_t x = first(extent.min.x, box.min.x); x < extent.max.x; x += step) {
      for (int64_t y = first(extent.min.y, box.min.y); y < extent.max.y; y += step) {
        const Point low{static_cast<int32_t>(x), static_cast<int32_t>(y)};
        const Point high{static_cast<int32_t>(std::min<int64_t>(x + step, box.max.x)),
                         static_cast<int32_t>(std::min<int64_t>(y + step, box.max.y))};
        const std::vector<Polygon> square{rectangle(low, high)};
        Result<std::vector<Polygon>> parts = intersect(whole, square);
        if (!parts.ok()) return parts.error();
        for (Polygon& part : *parts) {
          const std::vector<Polygon> one{part};
          const double area = polygonArea(one, environment.lattice);
          slices.push_back({std::move(part), area});
        }
      }
    }
  }
  return slices;
}

}  // namespace wend
