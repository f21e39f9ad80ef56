#pragma once

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "geometry/predicates.h"
#include "geometry/snap_round.h"
#include "geometry/triangulation/triangulation.h"

// Random input for the properties of triangulations and Voronoi diagrams.
namespace wend {

// Points with edges between them, on a lattice so coarse, if the extent is small, that most worlds are degenerate.
// Unless mayCross, no two edges cross; they may touch and overlap.
struct PlanarWorld {
  std::vector<Point> points;
  std::vector<Edge> edges;
};

inline PlanarWorld randomPlanarWorld(Random& random, int64_t extent, size_t count, size_t tries, bool mayCross) {
  PlanarWorld world;
  for (size_t i = 0; i < count; ++i) {
    world.points.push_back(
        {static_cast<int32_t>(random.between(-extent, extent)), static_cast<int32_t>(random.between(-extent, extent))});
  }
  for (size_t i = 0; i < tries; ++i) {
    const Edge edge{static_cast<uint32_t>(random.below(count)), static_cast<uint32_t>(random.below(count))};
    const bool free = mayCross || std::none_of(world.edges.begin(), world.edges.end(), [&](Edge other) {
                        return meet(world.points[edge.a], world.points[edge.b], world.points[other.a],
                                    world.points[other.b]) == Meeting::kCross;
                      });
    if (free) world.edges.push_back(edge);
  }
  return world;
}

// Segments that meet in common ends only, and points beside them.
struct SiteWorld {
  std::vector<Segment> segments;
  std::vector<Point> points;
};

inline SiteWorld randomSites(Random& random, int64_t extent, size_t tries) {
  SiteWorld world;
  const auto point = [&] {
    return Point{static_cast<int32_t>(random.between(-extent, extent)),
                 static_cast<int32_t>(random.between(-extent, extent))};
  };
  for (size_t i = 0; i < tries; ++i) {
    Segment s{point(), point()};
    // Chains and stars: half of the segments begin where another one ends.
    if (!world.segments.empty() && random.chance(0.5)) s.a = world.segments[random.below(world.segments.size())].b;
    if (random.chance(0.1)) s.b = {s.a.x, s.b.y};
    if (random.chance(0.1)) s.b = {s.b.x, s.a.y};
    const auto apart = [&](const Segment& t) {
      const Meeting meeting = meet(s.a, s.b, t.a, t.b);
      if (meeting == Meeting::kTouch) return s.a == t.a || s.a == t.b || s.b == t.a || s.b == t.b;
      return meeting == Meeting::kNone;
    };
    if (s.a != s.b && std::all_of(world.segments.begin(), world.segments.end(), apart)) world.segments.push_back(s);
  }
  for (size_t i = 0; i < tries / 4; ++i) {
    const Point p = point();
    if (std::none_of(world.segments.begin(), world.segments.end(),
                     [&](const Segment& t) { return onSegment(t.a, t.b, p) && p != t.a && p != t.b; })) {
      world.points.push_back(p);
    }
  }
  return world;
}

}  // namespace wend
