#include "planning/replan/wall_difference.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/vec2.h"

namespace wend {
namespace {

using Part = std::pair<double, double>;  // along a wall

// The part of a wall that the other one covers; empty (first > second) if it lies elsewhere.
Part coveredPart(const WallPiece& wall, const WallPiece& other) {
  constexpr Part kNothing{1, 0};
  if (other.layer != wall.layer || other.went == wall.went) return kNothing;
  const double size = distance(wall.a, wall.b);
  if (size == 0) {
    const Vec2 nearest = closestOnSegment(wall.a, other.a, other.b);
    return distance(nearest, wall.a) <= kSameWall ? Part{0, 0} : kNothing;
  }
  const Vec2 u = (1 / size) * (wall.b - wall.a);
  const double from = dot(other.a - wall.a, u);
  const double to = dot(other.b - wall.a, u);
  const double low = std::clamp(std::min(from, to), 0.0, size);
  const double high = std::clamp(std::max(from, to), 0.0, size);
  if (!(low < high)) return kNothing;
  // Both ends of the part lie on the other wall.
  for (const double at : {low, high}) {
    const Vec2 p = wall.a + at * u;
    if (distance(p, closestOnSegment(p, other.a, other.b)) > kSameWall) return kNothing;
  }
  return {low, high};
}

}  // namespace

std::vector<WallPiece> wallDifference(std::span<const WallPiece> walls) {
  if (walls.size() > kManyWalls) return {walls.begin(), walls.end()};
  std::vector<WallPiece> pieces;
  std::vector<Part> covered;
  for (const WallPiece& wall : walls) {
    covered.clear();
    for (const WallPiece& other : walls) {
      const Part part = coveredPart(wall, other);
      if (part.first <= part.second) covered.push_back(part);
    }
    const double size = distance(wall.a, wall.b);
    if (size == 0) {
      if (covered.empty()) pieces.push_back(wall);
      continue;
    }
    std::sort(covered.begin(), covered.end());
    covered.emplace_back(size, size);
    const Vec2 u = (1 / size) * (wall.b - wall.a);
    double reached = 0;
    for (const Part& part : covered) {
      if (part.first > reached + kSameWall) {
        pieces.push_back({wall.layer, wall.a + reached * u, wall.a + part.first * u, wall.went});
      }
      reached = std::max(reached, part.second);
    }
    // Shorter than the tolerance: all of it, or nothing.
    if (size <= kSameWall && covered.size() == 1) pieces.push_back(wall);
  }
  return pieces;
}

}  // namespace wend
