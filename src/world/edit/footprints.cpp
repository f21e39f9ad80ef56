#include "world/edit/footprints.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "geometry/convex_hull.h"
#include "geometry/overlay.h"
#include "geometry/predicates.h"
#include "geometry/ring_parity.h"
#include "world/edit/body.h"
#include "world/edit/outline.h"

namespace wend {
namespace {

// Gaps below twice this between parts of one body are closed, lattice units.
constexpr double kPartMargin = 1;

// Even-odd; a point on the outline may fall on either side.
bool isInside(const std::vector<Ring>& loops, Vec2 p) {
  const auto encloses = [&](const Ring& ring) { return isInside(ring, p); };
  return std::count_if(loops.begin(), loops.end(), encloses) % 2 != 0;
}

template <typename Visit>
bool anyEdge(const std::vector<Ring>& loops, Visit&& visit) {
  for (const Ring& ring : loops) {
    for (size_t i = 0; i < ring.size(); ++i) {
      if (visit(ring[i], ring[i + 1 == ring.size() ? 0 : i + 1])) return true;
    }
  }
  return false;
}

// Whether a footprint covers any free space of the base.
bool meetsFreeSpace(const LiveBase& base, const Footprint& footprint) {
  const Boundary& boundary = base.boundary();
  const Box box = boundingBox(footprint);
  if (box.empty()) return false;
  bool crosses = false;
  bool touches = false;
  base.forEachEdge(footprint.layer, box, [&](uint32_t e) {
    if (crosses) return;
    const Point a = boundary.start(e);
    const Point b = boundary.end(e);
    bool onOutline = false;
    crosses = anyEdge(footprint.loops, [&](Point p, Point q) {
      const Meeting meeting = meet(a, b, p, q);
      onOutline = onOutline || meeting != Meeting::kNone;
      return meeting == Meeting::kCross;
    });
    touches = touches || onOutline;
    if (!onOutline && isInside(footprint.loops, toVec2(a))) crosses = true;
  });
  if (crosses) return true;
  if (!touches) return base.polygonAt(footprint.layer, toVec2(footprint.loops.front().front())) != kNone;
  // It fits something exactly: rare, and decided on all polygons.
  std::vector<Shape> shapes{{1, footprint.loops}};
  for (const Polygon& polygon : base.environment().layers[footprint.layer].free) {
    Shape& shape = shapes.emplace_back();
    shape.loops = polygon.holes;
    shape.loops.push_back(polygon.outer);
  }
  const Result<std::vector<Polygon>> common = overlay(shapes, [](uint32_t groups) { return groups == 3; });
  return common.ok() && !common->empty();
}

// Whether a part of the line lies inside.
bool leadsThrough(const std::vector<Point>& line, const std::vector<Ring>& loops, const Box& box) {
  for (size_t i = 0; i + 1 < line.size(); ++i) {
    const Point a = line[i];
    const Point b = line[i + 1];
    if (std::max(a.x, b.x) < box.min.x || std::min(a.x, b.x) > box.max.x || std::max(a.y, b.y) < box.min.y ||
        std::min(a.y, b.y) > box.max.y) {
      continue;
    }
    const Vec2 middle{(static_cast<double>(a.x) + b.x) / 2, (static_cast<double>(a.y) + b.y) / 2};
    if (isInside(loops, middle)) return true;
    if (anyEdge(loops, [&](Point p, Point q) { return meet(a, b, p, q) == Meeting::kCross; })) return true;
  }
  return false;
}

// The layers that base connections inside the outline lead to, first those given.
std::vector<uint32_t> spread(const Environment& base, std::vector<uint32_t> layers, const std::vector<Ring>& loops) {
  Box box;
  for (const Ring& loop : loops) box.add(boundingBox(std::span<const Point>(loop)));
  for (size_t i = 0; i < layers.size(); ++i) {
    for (const Connection& c : base.connections) {
      if (c.layerA != layers[i] && c.layerB != layers[i]) continue;
      const uint32_t other = c.layerA == layers[i] ? c.layerB : c.layerA;
      if (std::find(layers.begin(), layers.end(), other) != layers.end()) continue;
      if (leadsThrough(c.line, loops, box)) layers.push_back(other);
    }
  }
  std::sort(layers.begin(), layers.end());
  return layers;
}

Result<uint32_t> indexOfLayer(const Environment& environment, int32_t id, std::string_view what) {
  for (uint32_t i = 0; i < environment.layers.size(); ++i) {
    if (environment.layers[i].id == id) return i;
  }
  return Error{ErrorCode::kInvalidSettings,
               fmt::format("{} is on layer {}, which the world does not have; wend info lists its layers", what, id)};
}

Error outside(std::string_view what) {
  return {ErrorCode::kNotOnMesh,
          fmt::format("{} lies outside of the walkable world; put it where something is free", what)};
}

Result<std::vector<Footprint>> drawnOn(const LiveBase& base, std::vector<uint32_t> layers,
                                       const std::vector<Ring>& loops, bool spreads, std::string_view what) {
  if (spreads) layers = spread(base.environment(), std::move(layers), loops);
  std::vector<Footprint> footprints;
  for (const uint32_t layer : layers) {
    Footprint footprint{layer, loops};
    if (meetsFreeSpace(base, footprint)) footprints.push_back(std::move(footprint));
  }
  if (footprints.empty()) return outside(what);
  return footprints;
}

Result<std::vector<uint32_t>> layersOf(const LiveBase& base, const std::vector<int32_t>& ids, std::string_view what) {
  const Environment& environment = base.environment();
  std::vector<uint32_t> layers;
  for (const int32_t id : ids) {
    const Result<uint32_t> index = indexOfLayer(environment, id, what);
    if (!index.ok()) return index.error();
    layers.push_back(*index);
  }
  if (layers.empty()) {
    if (environment.layers.size() != 1) {
      return Error{ErrorCode::kInvalidSettings, fmt::format("{} names no layer, but the world has {}; name one of them",
                                                            what, environment.layers.size())};
    }
    layers.push_back(0);
  }
  std::sort(layers.begin(), layers.end());
  layers.erase(std::unique(layers.begin(), layers.end()), layers.end());
  return layers;
}

// Convex parts of one body as loops of the lattice that leave no slits between them.
Result<std::vector<Ring>> joinParts(const std::vector<std::vector<Vec2>>& parts, const Lattice& lattice,
                                    std::string_view what) {
  std::vector<Ring> rings;
  for (const std::vector<Vec2>& part : parts) {
    std::vector<Vec2> widened = part;
    if (parts.size() > 1) {
      // The part with a square around each of its points.
      const double margin = kPartMargin * lattice.unit;
      widened.clear();
      for (const Vec2 p : part) {
        for (const double dx : {-margin, margin}) {
          for (const double dy : {-margin, margin}) widened.push_back({p.x + dx, p.y + dy});
        }
      }
      widened = convexHull(std::move(widened));
    }
    Result<Ring> ring = outlineOf(widened, lattice, what);
    if (!ring.ok()) return ring.error();
    rings.push_back(*std::move(ring));
  }
  if (rings.size() < 2) return rings;
  const Result<std::vector<Polygon>> united = unite(rings);
  if (!united.ok()) return united.error();
  std::vector<Ring> loops;
  for (const Polygon& polygon : *united) {
    loops.push_back(polygon.outer);
    loops.insert(loops.end(), polygon.holes.begin(), polygon.holes.end());
  }
  return loops;
}

Result<std::vector<Footprint>> footprintsOfBody(const LiveBase& base, const Obstacle& obstacle, const Stature& stature,
                                                std::string_view what) {
  const Environment& environment = base.environment();
  const Result<Body> body = bodyOf(obstacle.shape, obstacle.place, what);
  if (!body.ok()) return body.error();
  const Result<Ring> outline = outlineOf(body->outline, environment.lattice, what);
  if (!outline.ok()) return outline.error();
  // Where the surface is looked for: a free place lies that far beside it at most.
  constexpr auto kReach = static_cast<int32_t>(HeightField::kReach);
  Box around = boundingBox(std::span<const Point>(*outline));
  around.min = {around.min.x - kReach, around.min.y - kReach};
  around.max = {around.max.x + kReach, around.max.y + kReach};
  std::vector<Footprint> footprints;
  bool inTopView = false;
  for (uint32_t layer = 0; layer < environment.layers.size(); ++layer) {
    if (!meetsFreeSpace(base, {layer, {*outline}})) continue;
    inTopView = true;
    const auto isFree = [&](std::span<const Vec2> part) {
      const Result<Ring> ring = outlineOf(part, environment.lattice, what);
      return ring.ok() && meetsFreeSpace(base, {layer, {*ring}});
    };
    const auto parts = blockedParts(*body, environment.layers[layer].heights, base.heights(layer).trianglesNear(around),
                                    environment.lattice, stature, isFree);
    if (parts.empty()) continue;
    Result<std::vector<Ring>> loops = joinParts(parts, environment.lattice, what);
    if (!loops.ok()) return loops.error();
    Footprint footprint{layer, *std::move(loops)};
    if (meetsFreeSpace(base, footprint)) footprints.push_back(std::move(footprint));
  }
  if (!inTopView) return outside(what);
  return footprints;
}

}  // namespace

std::string nameOf(const Obstacle& obstacle) {
  if (!obstacle.name.empty()) return fmt::format("obstacle '{}'", obstacle.name);
  return fmt::format("the obstacle at ({:g}, {:g}) m", obstacle.place.at.x, obstacle.place.at.y);
}

Result<std::vector<Footprint>> footprintsOf(const LiveBase& base, const Obstacle& obstacle, const Stature& stature) {
  const std::string what = nameOf(obstacle);
  if (Status status = checkPlacement(obstacle.place, what); !status.ok()) return status.error();
  if (Status status = checkShape(obstacle.shape, what); !status.ok()) return status.error();
  const Lattice& lattice = base.environment().lattice;
  std::vector<std::vector<Vec2>> drawn;
  if (const auto* polygon = std::get_if<PolygonShape>(&obstacle.shape)) {
    drawn.push_back(polygon->corners);
    drawn.insert(drawn.end(), polygon->loops.begin(), polygon->loops.end());
  } else if (const auto* segment = std::get_if<SegmentShape>(&obstacle.shape)) {
    drawn = {{segment->from, segment->to}};
  } else if (std::holds_alternative<PointShape>(obstacle.shape)) {
    drawn = {{Vec2{}}};
  } else {
    return footprintsOfBody(base, obstacle, stature, what);
  }
  std::vector<Ring> loops;
  for (std::vector<Vec2>& loop : drawn) {
    for (Vec2& p : loop) p = placed(obstacle.place, p);
    Result<Ring> outline = outlineOf(loop, lattice, what);
    if (!outline.ok()) return outline.error();
    loops.push_back(*std::move(outline));
  }
  const Result<std::vector<uint32_t>> layers = layersOf(base, obstacle.layers, what);
  if (!layers.ok()) return layers.error();
  return drawnOn(base, *layers, loops, obstacle.spreads, what);
}

Result<std::vector<Footprint>> footprintsOf(const LiveBase& base, const Door& door) {
  const std::string what = fmt::format("door '{}'", door.name);
  const Result<uint32_t> layer = indexOfLayer(base.environment(), door.layer, what);
  if (!layer.ok()) return layer.error();
  std::vector<Vec2> corners = door.line;
  if (door.line.size() == 2) {
    const Vec2 from = door.line[0];
    const Vec2 to = door.line[1];
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    if (!(std::isfinite(length) && length > 0)) {
      return Error{ErrorCode::kInvalidGeometry, fmt::format("{} has no length; give it two different ends", what)};
    }
    if (!(door.thickness >= 0.001 && door.thickness <= 10)) {
      return Error{ErrorCode::kInvalidSettings,
                   fmt::format("{} is {:g} m thick; give 0.001 to 10 m", what, door.thickness)};
    }
    const Vec2 u{(to.x - from.x) / length, (to.y - from.y) / length};
    const Vec2 n{-u.y * door.thickness / 2, u.x * door.thickness / 2};
    const Vec2 a{from.x - u.x * kDoorOverhang, from.y - u.y * kDoorOverhang};
    const Vec2 b{to.x + u.x * kDoorOverhang, to.y + u.y * kDoorOverhang};
    corners = {{a.x - n.x, a.y - n.y}, {b.x - n.x, b.y - n.y}, {b.x + n.x, b.y + n.y}, {a.x + n.x, a.y + n.y}};
  } else if (Status status = checkSimple(corners, what); !status.ok()) {
    return status.error();
  }
  Result<Ring> outline = outlineOf(corners, base.environment().lattice, what);
  if (!outline.ok()) return outline.error();
  return drawnOn(base, {*layer}, {*std::move(outline)}, door.spreads, what);
}

}  // namespace wend
