#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include <wend/environment.h>
#include <wend/generate.h>

#include "base/random.h"
#include "environment/canonical_order.h"
#include "environment/turned.h"
#include "geometry/overlay.h"
#include "geometry/polygon_check.h"

// Worlds whose obstacles come and go, and where two of their versions differ. The slow obvious way: all obstacles are
// subtracted from the base again, and all boundary edges are compared.
namespace wend {

struct EditWorld {
  struct Obstacle {
    LayerId layer = 0;
    Ring ring;  // any orientation; may overlap others and walls
  };
  Environment base;
  std::vector<Obstacle> obstacles;

  // Nothing if no free space is left.
  std::optional<Environment> environment() const {
    Environment world = base;
    world.truth.reset();
    bool any = false;
    for (LayerId id = 0; id < world.layers.size(); ++id) {
      std::vector<Shape> shapes;
      for (const Polygon& polygon : base.layers[id].free) {
        Shape shape{0, {polygon.outer}};
        shape.loops.insert(shape.loops.end(), polygon.holes.begin(), polygon.holes.end());
        shapes.push_back(std::move(shape));
      }
      bool covered = false;
      for (const Obstacle& obstacle : obstacles) {
        if (obstacle.layer != id) continue;
        shapes.push_back({1, {obstacle.ring}});
        covered = true;
      }
      if (covered) {
        auto free = overlay(shapes, [](uint32_t groups) { return groups == 1; });
        if (!free.ok()) return std::nullopt;
        world.layers[id].free = *std::move(free);
      }
      any = any || !world.layers[id].free.empty();
    }
    putInCanonicalOrder(world);
    if (!any) return std::nullopt;
    return world;
  }
};

inline std::set<std::pair<Point, Point>> boundaryEdges(const Layer& layer) {
  std::set<std::pair<Point, Point>> edges;
  for (const Polygon& polygon : layer.free) {
    std::vector<Ring> rings{polygon.outer};
    rings.insert(rings.end(), polygon.holes.begin(), polygon.holes.end());
    for (const Ring& ring : rings) {
      for (size_t i = 0; i < ring.size(); ++i) edges.emplace(ring[i], ring[(i + 1) % ring.size()]);
    }
  }
  return edges;
}

// One box per layer around all edges that are not in both.
inline ChangedArea changedArea(const Environment& before, const Environment& after) {
  ChangedArea changed;
  for (LayerId id = 0; id < before.layers.size(); ++id) {
    const auto old = boundaryEdges(before.layers[id]);
    const auto now = boundaryEdges(after.layers[id]);
    Box box;
    const auto add = [&](const auto& edges, const auto& others) {
      for (const auto& edge : edges) {
        if (others.contains(edge)) continue;
        box.add(edge.first);
        box.add(edge.second);
      }
    };
    add(old, now);
    add(now, old);
    if (!box.empty()) changed.boxes.push_back({id, box});
  }
  return changed;
}

// A polygon of one of several kinds around a place; lattice units.
inline Ring randomObstacle(Random& random, Vec2 centre, double size) {
  const double turn = random.chance(0.4) ? 0 : random.real(0, 2 * std::numbers::pi);
  const auto at = [&](double angle, double r) {
    return Point{static_cast<int32_t>(std::lround(centre.x + r * std::cos(angle + turn))),
                 static_cast<int32_t>(std::lround(centre.y + r * std::sin(angle + turn)))};
  };
  Ring ring;
  const uint64_t kind = random.below(5);
  if (kind == 0) {  // square
    for (int i = 0; i < 4; ++i) ring.push_back(at(std::numbers::pi * (0.25 + 0.5 * i), size));
  } else if (kind == 1) {  // convex
    const int n = static_cast<int>(random.between(3, 8));
    for (int i = 0; i < n; ++i) ring.push_back(at(2 * std::numbers::pi * i / n, size));
  } else if (kind == 2) {  // star
    const int n = static_cast<int>(random.between(3, 6));
    for (int i = 0; i < 2 * n; ++i) ring.push_back(at(std::numbers::pi * i / n, i % 2 == 0 ? size : 0.4 * size));
  } else if (kind == 3) {  // thin and long
    const double bend = random.real(0.02, 0.2);
    ring = {at(0, size), at(bend, size), at(std::numbers::pi, size), at(std::numbers::pi + bend, size)};
  } else {  // corner
    ring = {at(0, 0), at(0, size), at(0.4, size), at(0.785, 0.5 * size), at(1.17, size), at(1.57, size)};
  }
  ring.erase(std::unique(ring.begin(), ring.end()), ring.end());
  while (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
  return ring;
}

// A random change: one to three obstacles come, go or move.
inline void editRandomly(Random& random, EditWorld& world, double size, size_t most) {
  for (uint64_t count = random.chance(0.7) ? 1 : random.between(2, 3); count > 0; --count) {
    const bool remove = !world.obstacles.empty() && (world.obstacles.size() >= most || random.chance(0.45));
    if (remove) {
      world.obstacles.erase(world.obstacles.begin() + static_cast<ptrdiff_t>(random.below(world.obstacles.size())));
      if (random.chance(0.7)) continue;
    }
    const auto layer = static_cast<LayerId>(random.below(world.base.layers.size()));
    const std::vector<Polygon>& free = world.base.layers[layer].free;
    if (free.empty()) continue;
    const Box box = boundingBox(free);
    Vec2 centre{random.real(box.min.x, box.max.x), random.real(box.min.y, box.max.y)};
    const Ring& outer = free[random.below(free.size())].outer;
    // Some begin in a wall's vertex, or share their centre with it.
    const bool onVertex = random.chance(0.2);
    if (onVertex) centre = toVec2(outer[random.below(outer.size())]);
    Ring ring = randomObstacle(random, centre, size * random.real(0.3, 1.5));
    if (random.chance(0.15)) ring.front() = outer[random.below(outer.size())];
    if (ring.size() >= 3) world.obstacles.push_back({layer, ring});
  }
}

}  // namespace wend
