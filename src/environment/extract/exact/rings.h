#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <wend/polygon.h>

// Boundary walks in flat arrays, and how they come out of loose edges.
namespace wend::exact {

// An edge with the interior on its left.
struct Arrow {
  Point a;
  Point b;
  auto operator<=>(const Arrow&) const = default;
};

// Many rings in one array.
struct Rings {
  std::vector<Point> points;
  std::vector<uint32_t> begin{0};

  size_t count() const { return begin.size() - 1; }
  std::span<const Point> ring(size_t i) const { return std::span(points).subspan(begin[i], begin[i + 1] - begin[i]); }
  void add(std::span<const Point> ring) {
    points.insert(points.end(), ring.begin(), ring.end());
    begin.push_back(static_cast<uint32_t>(points.size()));
  }
  void clear() {
    points.clear();
    begin.assign(1, 0);
  }
};

// Removes pairs of opposite arrows, as often as each occurs. The rest is sorted.
void cancelOpposite(std::vector<Arrow>& arrows);

// Chains arrows into boundary walks: at a point where several meet, a walk stays with its own interior. False if some
// point has not as many arrows in as out; `rings` then holds what could be chained.
bool chainRings(std::vector<Arrow>& arrows, Rings& rings);

// Twice the signed area, and the length around, in doubles.
double doubledAreaOf(std::span<const Point> ring);
double lengthAround(std::span<const Point> ring);

// Rings as polygons: clockwise ones become holes of the smallest ring around them. A hole without one is dropped.
std::vector<Polygon> polygonsOf(const Rings& rings);

}  // namespace wend::exact
