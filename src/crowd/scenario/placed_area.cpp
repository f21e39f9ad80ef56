#include "crowd/scenario/placed_area.h"

#include <fmt/format.h>

#include "geometry/overlay.h"

namespace wend {

bool PlacedArea::contains(Vec2 p) const {
  if (everywhere) return true;
  if (p.x < min.x || p.x > max.x || p.y < min.y || p.y > max.y) return false;
  bool inside = false;
  for (const std::vector<Vec2>& loop : loops) {
    for (size_t i = 0, j = loop.size() - 1; i < loop.size(); j = i++) {
      const Vec2 a = loop[i];
      const Vec2 b = loop[j];
      if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) inside = !inside;
    }
  }
  return inside;
}

double PlacedArea::edgeDistance(Vec2 p) const {
  double best = kForever;
  for (const std::vector<Vec2>& loop : loops) {
    for (size_t i = 0, j = loop.size() - 1; i < loop.size(); j = i++) {
      const Vec2 d{loop[j].x - loop[i].x, loop[j].y - loop[i].y};
      const double length2 = d.x * d.x + d.y * d.y;
      const double t =
          length2 > 0 ? std::clamp(((p.x - loop[i].x) * d.x + (p.y - loop[i].y) * d.y) / length2, 0.0, 1.0) : 0;
      best = std::min(best, std::hypot(loop[i].x + t * d.x - p.x, loop[i].y + t * d.y - p.y));
    }
  }
  return best;
}

Result<PlacedArea> placeArea(const Area& area, const Environment& environment, std::string_view what) {
  PlacedArea placed;
  placed.loops = area.loops;
  placed.everywhere = area.everywhere;
  if (area.everywhere) {
    const Box box = boundingBox(environment);
    placed.min = environment.lattice.toMetres(box.min);
    placed.max = environment.lattice.toMetres(box.max);
    return placed;
  }
  const auto layer = std::find_if(environment.layers.begin(), environment.layers.end(),
                                  [&](const Layer& l) { return l.id == area.layer; });
  if (layer == environment.layers.end()) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("{} is in layer {}, which the environment does not have; wend info lists its layers", what,
                             area.layer)};
  }
  placed.layer = static_cast<LayerId>(layer - environment.layers.begin());
  placed.min = {kForever, kForever};
  placed.max = {-kForever, -kForever};
  for (const std::vector<Vec2>& loop : area.loops) {
    for (const Vec2 p : loop) {
      placed.min = {std::min(placed.min.x, p.x), std::min(placed.min.y, p.y)};
      placed.max = {std::max(placed.max.x, p.x), std::max(placed.max.y, p.y)};
    }
  }
  return placed;
}

Result<std::vector<std::vector<Polygon>>> walkablePart(const PlacedArea& area, const Environment& environment) {
  std::vector<std::vector<Polygon>> parts(environment.layers.size());
  if (area.everywhere) {
    for (size_t i = 0; i < parts.size(); ++i) parts[i] = environment.layers[i].free;
    return parts;
  }
  std::vector<Shape> shapes;
  for (const Polygon& polygon : environment.layers[area.layer].free) {
    Shape& shape = shapes.emplace_back();
    shape.loops.push_back(polygon.outer);
    shape.loops.insert(shape.loops.end(), polygon.holes.begin(), polygon.holes.end());
  }
  Shape& own = shapes.emplace_back();
  own.group = 1;
  for (const std::vector<Vec2>& loop : area.loops) {
    Ring& ring = own.loops.emplace_back();
    for (const Vec2 p : loop) {
      const Result<Point> point = environment.lattice.snap(p);
      if (!point.ok()) return point.error();
      ring.push_back(*point);
    }
  }
  Result<std::vector<Polygon>> part = overlay(shapes, [](uint32_t groups) { return groups == 3; });
  if (!part.ok()) return part.error();
  parts[area.layer] = std::move(part).value();
  return parts;
}

Result<double> walkableArea(const PlacedArea& area, const Environment& environment) {
  const Result<std::vector<std::vector<Polygon>>> parts = walkablePart(area, environment);
  if (!parts.ok()) return parts.error();
  double sum = 0;
  for (const std::vector<Polygon>& part : *parts) sum += polygonArea(part, environment.lattice);
  return sum;
}

}  // namespace wend
