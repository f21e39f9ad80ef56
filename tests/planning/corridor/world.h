#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include <wend/environment.h>

#include "base/random.h"
#include "generators/ecm/medial_axis.h"
#include "planning/clearance/distances.h"
#include "planning/corridor/corridor_graph.h"
#include "planning/corridor/retraction.h"

// Small random worlds with their corridor map, and the slow obvious answers beside it: every question by looking at all
// walls.
namespace wend {

struct WorldWall {
  Vec2 a;
  Vec2 b;
};

struct CorridorWorld {
  Environment environment;
  std::unique_ptr<CorridorMap> map;
  std::unique_ptr<CorridorGraph> graph;
  std::vector<WorldWall> walls;

  static std::optional<CorridorWorld> make(Environment e) {
    Context serial;
    serial.threads = 1;
    Result<CorridorMap> built = ecm::buildCorridorMap(e, serial);
    if (!built.ok() || built->empty()) return std::nullopt;
    CorridorWorld w;
    w.map = std::make_unique<CorridorMap>(std::move(*built));
    w.graph = std::make_unique<CorridorGraph>(*w.map);
    for (const Layer& layer : e.layers) {
      for (const Polygon& polygon : layer.free) {
        const auto add = [&](const Ring& ring) {
          for (size_t i = 0; i < ring.size(); ++i) {
            w.walls.push_back({toVec2(ring[i]), toVec2(ring[(i + 1) % ring.size()])});
          }
        };
        add(polygon.outer);
        for (const Ring& hole : polygon.holes) add(hole);
      }
    }
    w.environment = std::move(e);
    return w;
  }

  // `fine`: obstacles anywhere on the default lattice. Otherwise everything lies on a coarse raster, with collinear
  // lines, touching corners and vertices of high degree.
  static std::optional<CorridorWorld> random(Random& random, bool fine) {
    const double size = fine ? random.real(10, 30) : static_cast<double>(random.between(6, 30));
    const auto coordinate = [&] {
      return fine ? random.real(0, size) : static_cast<double>(random.between(0, static_cast<int64_t>(size)));
    };
    EnvironmentDraft draft;
    if (!fine) draft.lattice.unit = 0.01;
    LayerDraft& layer = draft.layers.emplace_back();
    layer.walkable.push_back({{{0, 0}, {size, 0}, {size, size}, {0, size}}});
    const auto obstacles = random.between(0, 9);
    for (int64_t i = 0; i < obstacles; ++i) {
      const double x = coordinate();
      const double y = coordinate();
      std::vector<Vec2> loop;
      if (random.chance(0.4)) {
        const double w = fine ? random.real(0.1, 8) : static_cast<double>(random.between(1, 8));
        const double h = fine ? random.real(0.1, 8) : static_cast<double>(random.between(1, 8));
        loop = {{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}};
      } else {
        loop = {{x, y}, {coordinate(), coordinate()}, {coordinate(), coordinate()}};
        if (random.chance(0.4)) loop[2] = {loop[1].x + 1, loop[1].y + (random.chance(0.5) ? 1 : 0)};
      }
      layer.obstacles.push_back({loop});
    }
    Context serial;
    serial.threads = 1;
    Result<Environment> environment = buildEnvironment(draft, serial);
    if (!environment.ok() || environment->layers.empty() || environment->layers[0].free.empty()) return std::nullopt;
    return make(std::move(*environment));
  }

  Point randomFree(Random& random) const {
    const Box box = boundingBox(environment);
    for (int i = 0; i < 1000; ++i) {
      const Point p{static_cast<int32_t>(random.between(box.min.x, box.max.x)),
                    static_cast<int32_t>(random.between(box.min.y, box.max.y))};
      if (locate(environment.layers[0].free, p) == Side::kInside) return p;
    }
    return {static_cast<int32_t>(map->vertices[0].p.x), static_cast<int32_t>(map->vertices[0].p.y)};
  }

  double clearance(Vec2 p) const {
    double best = std::numeric_limits<double>::infinity();
    for (const WorldWall& w : walls) best = std::min(best, distanceToSegment(p, w.a, w.b));
    return best;
  }
  // Least distance of a segment from any wall.
  double clearance(Vec2 a, Vec2 b) const {
    double best = std::numeric_limits<double>::infinity();
    for (const WorldWall& w : walls) best = std::min(best, closestBetween(a, b, w.a, w.b).distance);
    return best;
  }

  bool cellContains(uint32_t arc, Vec2 q) const {
    const CorridorMap::BendingPoint& a = map->bendingPoints[arc];
    const CorridorMap::BendingPoint& b = map->bendingPoints[arc + 1];
    const std::array<Vec2, 6> loop{a.p, a.r, b.r, b.p, b.l, a.l};
    bool inside = false;
    for (size_t i = 0, j = 5; i < 6; j = i++) {
      if ((loop[i].y > q.y) != (loop[j].y > q.y) &&
          q.x < (loop[j].x - loop[i].x) * (q.y - loop[i].y) / (loop[j].y - loop[i].y) + loop[i].x) {
        inside = !inside;
      }
      if (distanceToSegment(q, loop[i], loop[j]) < 1e-6) return true;
    }
    return inside;
  }

  // The arc whose cell contains the point; kNone if none does.
  uint32_t arcAt(Vec2 q) const {
    for (uint32_t i = 0; i < map->arcs.size(); ++i) {
      if (graph->isArc(i) && cellContains(i, q)) return i;
    }
    return kNone;
  }
  std::optional<Retraction> place(Vec2 q) const {
    const uint32_t arc = arcAt(q);
    if (arc == kNone) return std::nullopt;
    return retract(*graph, q, arc);
  }
};

}  // namespace wend
