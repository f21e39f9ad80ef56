#include <algorithm>

#include <wend/polygon.h>

#include "geometry/area.h"
#include "geometry/predicates.h"

namespace wend {

void Box::add(Point p) {
  min = {std::min(min.x, p.x), std::min(min.y, p.y)};
  max = {std::max(max.x, p.x), std::max(max.y, p.y)};
}

void Box::add(const Box& other) {
  if (other.empty()) return;
  add(other.min);
  add(other.max);
}

Int128 doubledArea(std::span<const Point> ring) {
  if (ring.size() < 3) return 0;
  Int128 sum = 0;
  for (size_t i = 1; i + 1 < ring.size(); ++i) sum += cross(ring[0], ring[i], ring[i + 1]);
  return sum;
}

Int128 doubledArea(const Polygon& polygon) {
  Int128 sum = doubledArea(polygon.outer);
  for (const Ring& hole : polygon.holes) sum += doubledArea(hole);
  return sum;
}

Int128 doubledArea(std::span<const Polygon> polygons) {
  Int128 sum = 0;
  for (const Polygon& polygon : polygons) sum += doubledArea(polygon);
  return sum;
}

double polygonArea(std::span<const Polygon> polygons, const Lattice& lattice) {
  return lattice.area(toDoubledArea(doubledArea(polygons)));
}

Box boundingBox(std::span<const Point> ring) {
  Box box;
  for (const Point p : ring) box.add(p);
  return box;
}

Box boundingBox(std::span<const Polygon> polygons) {
  Box box;
  for (const Polygon& polygon : polygons) box.add(boundingBox(polygon.outer));
  return box;
}

size_t vertexCount(const Polygon& polygon) {
  size_t count = polygon.outer.size();
  for (const Ring& hole : polygon.holes) count += hole.size();
  return count;
}

size_t vertexCount(std::span<const Polygon> polygons) {
  size_t count = 0;
  for (const Polygon& polygon : polygons) count += vertexCount(polygon);
  return count;
}

namespace {

// Crossing parity of a ray to the right; true parity for a point on no edge.
Side locateInRing(std::span<const Point> ring, Point p, bool& parity) {
  for (size_t i = 0; i < ring.size(); ++i) {
    const Point a = ring[i];
    const Point b = ring[i + 1 == ring.size() ? 0 : i + 1];
    if (onSegment(a, b, p)) return Side::kBoundary;
    if ((a.y > p.y) == (b.y > p.y)) continue;
    const int turn = orient(a, b, p);
    if ((b.y > a.y) == (turn > 0)) parity = !parity;
  }
  return Side::kOutside;
}

}  // namespace

Side locate(const Polygon& polygon, Point p) {
  bool parity = false;
  if (locateInRing(polygon.outer, p, parity) == Side::kBoundary) return Side::kBoundary;
  for (const Ring& hole : polygon.holes) {
    if (locateInRing(hole, p, parity) == Side::kBoundary) return Side::kBoundary;
  }
  return parity ? Side::kInside : Side::kOutside;
}

Side locate(std::span<const Polygon> polygons, Point p) {
  for (const Polygon& polygon : polygons) {
    const Side side = locate(polygon, p);
    if (side != Side::kOutside) return side;
  }
  return Side::kOutside;
}

}  // namespace wend
