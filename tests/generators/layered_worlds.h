#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <wend/environment.h>
#include <wend/make.h>

#include "base/random.h"
#include "geometry/overlay.h"

// Worlds whose layers lie above each other: decks, and ramps that come back over themselves.
namespace wend {

// A floor, and a ramp that leaves it on the right, turns around the end of a thin wall at x = 20, and comes back over
// the floor where it started and over the platform before it. Layers: platform, landing, floor, ramp. On the floor
// stands an obstacle below the ramp. Seen from the platform's connection both the floor and the ramp are straight
// ahead.
inline EnvironmentDraft spiralOverItsStart() {
  EnvironmentDraft draft;
  const auto layer = [&](std::vector<Vec2> outline) {
    LayerDraft& added = draft.layers.emplace_back();
    added.id = static_cast<int32_t>(draft.layers.size()) - 1;
    added.walkable.push_back({std::move(outline)});
  };
  layer({{-20, -40}, {60, -40}, {60, 0}, {-20, 0}});
  layer({{-20, 0}, {60, 0}, {60, 2}, {20.4, 2}, {19.6, 2}, {-20, 2}});
  layer({{-20, 2}, {19.6, 2}, {19.6, 3}, {60, 3}, {60, 60}, {-20, 60}});
  layer({{20.4, 2}, {60, 2}, {60, 56}, {-10, 56}, {-10, -8}, {20, -8}, {20, 3}, {20.4, 3}});
  draft.layers[2].obstacles.push_back({{{25.8, 26.8}, {26.2, 26.8}, {26, 27.2}}});
  // It rises with the way around the end of the wall: north on the right, south on the left.
  const auto quad = [&](const std::array<Vec3, 4>& corners) {
    draft.layers[3].surface.push_back({corners[0], corners[1], corners[2]});
    draft.layers[3].surface.push_back({corners[0], corners[2], corners[3]});
  };
  quad({Vec3{20.2, 2, 0}, {60, 2, 0}, {60, 56, 9}, {20.2, 56, 9}});
  quad({Vec3{-10, 56, 9}, {-10, -8, 18}, {20.2, -8, 18}, {20.2, 56, 9}});
  draft.connections.push_back({0, 1, {{60, 0}, {-20, 0}}});
  draft.connections.push_back({1, 2, {{19.6, 2}, {-20, 2}}});
  draft.connections.push_back({1, 3, {{60, 2}, {20.4, 2}}});
  return draft;
}

// Random triangles in the boxes of the layers.
inline void addTriangles(EnvironmentDraft& draft, const Environment& world, Random& random, uint64_t most) {
  for (uint64_t i = random.below(most + 1); i > 0; --i) {
    const size_t l = random.below(draft.layers.size());
    const Box box = boundingBox(world.layers[l].free);
    if (box.empty()) continue;
    const Vec2 low = world.lattice.toMetres(toVec2(box.min));
    const Vec2 high = world.lattice.toMetres(toVec2(box.max));
    const double size = random.real(0.03, 0.15) * std::min(high.x - low.x, high.y - low.y);
    const Vec2 at{random.real(low.x, high.x), random.real(low.y, high.y)};
    const auto corner = [&] { return Vec2{at.x + random.real(-size, size), at.y + random.real(-size, size)}; };
    draft.layers[l].obstacles.push_back({{corner(), corner(), corner()}});
  }
}

// One of the worlds above each other with random obstacles; nothing where an obstacle covers a connection.
inline std::optional<Environment> overlappingWorld(uint64_t seed) {
  Random random(seed, 17);
  EnvironmentDraft draft;
  const uint64_t kind = random.below(7);
  const auto made = [&](const char* name, std::vector<std::pair<std::string, double>> parameters) {
    const Result<Environment> world = makeEnvironment({name, std::move(parameters), 1 + random.below(50), {}});
    return world.ok() ? draftOf(*world) : EnvironmentDraft{};
  };
  switch (kind) {
    case 0:
      draft = made("overlap-side", {});
      break;
    case 1:
      draft = made("spiral", {{"turns", static_cast<double>(random.between(1, 3))}});
      break;
    case 2:
      draft = made("two-floor-ramp", {});
      break;
    case 3:
      draft = made("sliced-ramp", {{"slices", static_cast<double>(random.between(1, 6))},
                                   {"obstacles", static_cast<double>(random.between(1, 8))}});
      break;
    case 4:
      draft = made("ramps", {{"obstacles", static_cast<double>(random.between(0, 20))}});
      break;
    default:
      draft = spiralOverItsStart();
      break;
  }
  draft.truth.reset();
  Context serial;
  serial.threads = 1;
  const Result<Environment> bare = buildEnvironment(draft, serial);
  if (!bare.ok()) return std::nullopt;
  addTriangles(draft, *bare, random, 12);
  Result<Environment> world = buildEnvironment(draft, serial);
  if (!world.ok()) return std::nullopt;
  return std::move(*world);
}

}  // namespace wend
