#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "crowd/local/local_view.h"

// Surroundings of one agent, by hand and at random.
namespace wend::test {

inline void addNeighbour(LocalView& view, Vec2f w, Vec2f v, float r = 0.24F) {
  const uint32_t j = view.count++;
  view.wx[j] = w.x;
  view.wy[j] = w.y;
  view.vx[j] = v.x;
  view.vy[j] = v.y;
  view.r[j] = r;
  view.ids[j] = 1000 + j;
  view.groups[j] = ~0U;
}

// Free-standing: both ends stick out.
inline void addWall(LocalView& view, Vec2f a, Vec2f b) {
  WallView& wall = view.walls[view.wallCount++];
  wall.a = a;
  wall.b = b;
  wall.along = direction(b - a, {1, 0});
  wall.before = -wall.along;
  wall.after = -wall.along;
}

inline void sortNeighbours(LocalView& view) {
  std::vector<uint32_t> order(view.count);
  std::iota(order.begin(), order.end(), 0U);
  const LocalView old = view;
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return old.wx[a] * old.wx[a] + old.wy[a] * old.wy[a] < old.wx[b] * old.wx[b] + old.wy[b] * old.wy[b];
  });
  for (uint32_t k = 0; k < view.count; ++k) {
    const uint32_t j = order[k];
    view.wx[k] = old.wx[j];
    view.wy[k] = old.wy[j];
    view.vx[k] = old.vx[j];
    view.vy[k] = old.vy[j];
    view.r[k] = old.r[j];
    view.ids[k] = old.ids[j];
    view.groups[k] = old.groups[j];
  }
}

inline float real(Random& random, double low, double high) {
  return static_cast<float>(random.real(low, high));
}
inline Vec2f randomVector(Random& random, double size) {
  return {real(random, -size, size), real(random, -size, size)};
}

// A walking agent among up to 16 neighbours that do not touch it, and up to 8 walls.
inline LocalView randomView(Random& random, bool walls = true) {
  LocalView view;
  view.id = static_cast<uint32_t>(random.below(1000));
  view.frame = random.below(100000);
  view.radius = real(random, 0.15, 0.4);
  view.speed = real(random, 0.8, 1.8);
  view.maxSpeed = 1.5F * view.speed;
  view.preferred = direction(randomVector(random, 1), {1, 0}) * view.speed;
  view.velocity = randomVector(random, 1);
  view.lastSide = static_cast<int>(random.between(-1, 1));
  if (random.chance(0.3)) view.stuck = real(random, 0, 1);
  const auto count = static_cast<uint32_t>(random.below(kMaxNeighbours + 1));
  while (view.count < count) {
    const Vec2f w = randomVector(random, 5);
    const float r = real(random, 0.15, 0.4);
    if (length(w) > view.radius + r + 0.01F) addNeighbour(view, w, randomVector(random, 1), r);
  }
  sortNeighbours(view);
  const auto wallCount = walls ? static_cast<uint32_t>(random.below(kMaxWalls + 1)) : 0;
  while (view.wallCount < wallCount) {
    const Vec2f a = randomVector(random, 4);
    const Vec2f b = a + randomVector(random, 3);
    if (length(a) > view.radius + 0.01F && length(b) > view.radius + 0.01F) addWall(view, a, b);
  }
  return view;
}

// The same seen in a mirror, or by someone who turned: x' = (c x - s y, s x + c y), y negated first when mirrored.
inline LocalView seenFrom(const LocalView& view, float c, float s, bool mirrored) {
  const auto map = [&](Vec2f v) {
    if (mirrored) v.y = -v.y;
    return Vec2f{c * v.x - s * v.y, s * v.x + c * v.y};
  };
  LocalView seen = view;
  seen.velocity = map(view.velocity);
  seen.preferred = map(view.preferred);
  if (mirrored) seen.lastSide = -view.lastSide;
  for (uint32_t j = 0; j < view.count; ++j) {
    const Vec2f w = map({view.wx[j], view.wy[j]});
    const Vec2f v = map({view.vx[j], view.vy[j]});
    seen.wx[j] = w.x;
    seen.wy[j] = w.y;
    seen.vx[j] = v.x;
    seen.vy[j] = v.y;
  }
  for (uint32_t i = 0; i < view.wallCount; ++i) {
    const WallView& from = view.walls[i];
    WallView& to = seen.walls[i];
    // A mirror turns walkable ground from left to right: the wall runs the other way.
    to.a = map(mirrored ? from.b : from.a);
    to.b = map(mirrored ? from.a : from.b);
    to.along = mirrored ? -map(from.along) : map(from.along);
    to.before = mirrored ? -map(from.after) : map(from.before);
    to.after = mirrored ? -map(from.before) : map(from.after);
    to.cornerA = mirrored ? from.cornerB : from.cornerA;
    to.cornerB = mirrored ? from.cornerA : from.cornerB;
  }
  return seen;
}

}  // namespace wend::test
