#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "geometry/snap_round.h"

// Random input shared by the tests of the lattice geometry.
namespace wend::soup {

inline Point randomPoint(Random& random, int32_t reach) {
  return {static_cast<int32_t>(random.between(-reach, reach)), static_cast<int32_t>(random.between(-reach, reach))};
}

// A small lattice is full of ties, a large one full of roundings.
inline int32_t randomReach(Random& random) {
  constexpr int32_t kReaches[] = {2, 4, 8, 16, 50, 1000, 1 << 20, kMaxCoordinate};
  return kReaches[random.below(std::size(kReaches))];
}

// Long ones, short ones, repeated ones, reversed ones, points.
inline std::vector<Segment> randomSegments(Random& random, size_t count, int32_t reach) {
  std::vector<Segment> segments;
  while (segments.size() < count) {
    const Point a = randomPoint(random, reach);
    switch (random.below(6)) {
      case 0:
        if (!segments.empty()) {
          const Segment other = segments[random.below(segments.size())];
          segments.push_back(random.chance(0.5) ? other : Segment{other.b, other.a});
        }
        break;
      case 1: {
        const int32_t step = std::max(1, reach / 8);
        const Point d = randomPoint(random, step);
        segments.push_back({a,
                            {std::clamp(a.x + d.x, -kMaxCoordinate, kMaxCoordinate),
                             std::clamp(a.y + d.y, -kMaxCoordinate, kMaxCoordinate)}});
        break;
      }
      case 2:
        if (!segments.empty()) segments.push_back({segments[random.below(segments.size())].b, a});
        break;
      default:
        segments.push_back({a, randomPoint(random, reach)});
    }
  }
  return segments;
}

inline std::vector<Segment> distinctEdges(const std::vector<Piece>& pieces) {
  std::vector<Segment> edges;
  for (const Piece& piece : pieces) edges.push_back({std::min(piece.a, piece.b), std::max(piece.a, piece.b)});
  std::sort(edges.begin(), edges.end(),
            [](const Segment& s, const Segment& t) { return std::tie(s.a, s.b) < std::tie(t.a, t.b); });
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

}  // namespace wend::soup
