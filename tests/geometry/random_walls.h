#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "base/random.h"
#include "geometry/overlay.h"
#include "geometry/snap_round.h"

// Random rooms for the properties of what works on the inside of polygons.
namespace wend {

// The sides of polygons, with the inside to their left.
inline std::vector<Segment> wallsOf(std::span<const Polygon> polygons) {
  std::vector<Segment> walls;
  const auto add = [&](const Ring& ring) {
    for (size_t i = 0; i < ring.size(); ++i) walls.push_back({ring[i], ring[i + 1 == ring.size() ? 0 : i + 1]});
  };
  for (const Polygon& polygon : polygons) {
    add(polygon.outer);
    for (const Ring& hole : polygon.holes) add(hole);
  }
  return walls;
}

namespace testing {

// Boxes and stars over each other; on a small extent most corners share coordinates with others.
inline std::vector<Segment> randomWalls(uint64_t seed) {
  Random random(seed, 77);
  const int64_t extent = int64_t{1} << random.between(2, 30);
  const auto at = [&] { return static_cast<int32_t>(random.between(-extent, extent)); };
  std::vector<Ring> loops(random.below(12) + 1);
  for (Ring& ring : loops) {
    if (random.chance(0.5)) {
      const Point a{at(), at()};
      const Point b{at(), at()};
      ring = {a, {b.x, a.y}, b, {a.x, b.y}};
    } else {
      ring.resize(random.chance(0.8) ? 3 : random.below(5) + 4);
      for (Point& p : ring) p = {at(), at()};
    }
  }
  const bool anyLoop = random.chance(0.8);
  const auto rooms =
      anyLoop ? unite(loops) : overlay(std::vector<Shape>{{0, loops}}, [](uint32_t g) { return g != 0; });
  return rooms.ok() ? wallsOf(*rooms) : std::vector<Segment>{};
}

inline bool loopsTouch(std::span<const Segment> walls) {
  std::map<Point, int> begins;
  for (const Segment& s : walls) ++begins[s.a];
  return std::any_of(begins.begin(), begins.end(), [](const auto& b) { return b.second > 1; });
}

}  // namespace testing
}  // namespace wend
