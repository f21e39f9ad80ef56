#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <wend/environment.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "environment/edit/footprint.h"

// Small random worlds of one or two layers, and random obstacles for them.
namespace wend {

inline Vec2 turned(Vec2 p, double degrees) {
  const double angle = degrees * M_PI / 180;
  return {std::cos(angle) * p.x - std::sin(angle) * p.y, std::sin(angle) * p.x + std::cos(angle) * p.y};
}

inline std::vector<Vec2> turned(std::vector<Vec2> loop, double degrees) {
  for (Vec2& p : loop) p = turned(p, degrees);
  return loop;
}

inline std::vector<Vec2> randomLoop(Random& random, Vec2 centre, double radius, bool convex) {
  const auto corners = static_cast<int>(random.between(3, 8));
  std::vector<Vec2> loop;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * M_PI * (i + 0.8 * random.real()) / corners;
    const double r = convex ? radius : radius * (0.2 + 0.8 * random.real());
    loop.push_back({centre.x + r * std::cos(angle), centre.y + r * std::sin(angle)});
  }
  return loop;
}

// A hall of 20 x 10 m with pillars; with two layers it is cut by a bent line, part of which is a connection.
inline Environment randomHall(Random& random, bool layered, double degrees, double unit) {
  EnvironmentDraft draft;
  draft.lattice.unit = unit;
  const Vec2 low{8 + 4 * random.real(), 0};
  const Vec2 middle{8 + 4 * random.real(), 3 + 4 * random.real()};
  const Vec2 high{8 + 4 * random.real(), 10};
  std::vector<std::vector<Vec2>> outlines{{{0, 0}, {20, 0}, {20, 10}, {0, 10}}};
  if (layered) outlines = {{{0, 0}, low, middle, high, {0, 10}}, {low, {20, 0}, {20, 10}, high, middle}};
  for (size_t i = 0; i < outlines.size(); ++i) {
    LayerDraft& layer = draft.layers.emplace_back();
    layer.id = static_cast<int32_t>(7 + i);
    layer.walkable = {{turned(outlines[i], degrees)}};
  }
  if (layered) {
    std::vector<Vec2> line{low, middle, high};
    if (random.chance(0.3)) line.pop_back();
    draft.connections.push_back({7, 8, turned(line, degrees)});
  }
  const auto pillars = static_cast<int>(random.between(0, 5));
  for (int i = 0; i < pillars; ++i) {
    const size_t layer = random.below(outlines.size());
    const double x = layered ? (layer == 0 ? 1 + 5 * random.real() : 14 + 5 * random.real()) : 1 + 18 * random.real();
    draft.layers[layer].obstacles.push_back(
        {turned(randomLoop(random, {x, 1 + 8 * random.real()}, 0.2 + random.real(), random.chance(0.5)), degrees)});
  }
  Result<Environment> environment = buildEnvironment(draft);
  EXPECT_TRUE(environment.ok()) << environment.error().message;
  return environment.ok() ? *environment : Environment{};
}

inline Footprint randomFootprint(Random& random, const Environment& environment, double degrees) {
  Footprint footprint;
  footprint.layer = static_cast<uint32_t>(random.below(environment.layers.size()));
  const Vec2 centre{22 * random.real() - 1, 12 * random.real() - 1};
  const double radius = random.chance(0.1) ? 6 * random.real() : 0.1 + 2 * random.real();
  Ring ring;
  for (const Vec2 p : turned(randomLoop(random, centre, radius, random.chance(0.5)), degrees)) {
    const Point at = *environment.lattice.snap(p);
    if (ring.empty() || ring.back() != at) ring.push_back(at);
  }
  // Sometimes a corner lies exactly on a vertex of the world.
  if (random.chance(0.2) && !environment.layers[footprint.layer].free.empty()) {
    const Ring& outer = environment.layers[footprint.layer].free[0].outer;
    ring[0] = outer[random.below(outer.size())];
  }
  while (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
  footprint.loops.push_back(std::move(ring));
  return footprint;
}

}  // namespace wend
