#include "environment/extract/polygons/triangulate_rings.h"

#include "environment/extract/polygons/small_ring.h"
#include "environment/extract/polygons/untangle.h"
#include "geometry/overlay.h"
#include "geometry/predicates.h"
#include "geometry/triangulation/triangulation.h"

namespace wend::extraction {
namespace {

// The triangles of a convex ring; false if it is not convex. Most patches are, and any triangles of a plane will do.
bool fanOf(std::span<const Point> ring, std::vector<std::array<Point, 3>>& fan) {
  const size_t n = ring.size();
  for (size_t i = 0; i < n; ++i) {
    const Point a = ring[i];
    const Point b = ring[i + 1 == n ? 0 : i + 1];
    if (orient(a, b, ring[(i + 2) % n]) < 0 || orient(a, b, ring[0]) < 0) return false;
  }
  for (size_t i = 1; i + 1 < n; ++i) {
    if (orient(ring[0], ring[i], ring[i + 1]) > 0) fan.push_back({ring[0], ring[i], ring[i + 1]});
  }
  return true;
}

}  // namespace

bool triangulateSimple(std::span<const Point> ring, std::vector<std::array<Point, 3>>& triangles) {
  return fanOf(ring, triangles) || triangulateSmall(ring, triangles);
}

void triangulateAny(const Rings& rings, std::vector<std::array<Point, 3>>& triangles) {
  Result<FreeTriangulation> made = triangulateFree(polygonsOf(rings));
  if (!made.ok()) {
    Rings mended = rings;
    if (untangle(mended)) made = triangulateFree(polygonsOf(mended));
  }
  if (!made.ok()) {
    Shape shape;
    for (size_t i = 0; i < rings.count(); ++i) shape.loops.emplace_back(rings.ring(i).begin(), rings.ring(i).end());
    const auto clean = overlay(std::span(&shape, 1), [](uint32_t groups) { return groups != 0; });
    if (!clean.ok()) return;
    made = triangulateFree(*clean);
    if (!made.ok()) return;
  }
  for (const Triangulation::Triangle& t : made->triangles) {
    triangles.push_back({made->points[t.v[0]], made->points[t.v[1]], made->points[t.v[2]]});
  }
}

std::vector<std::array<Point, 3>> triangulateRings(const Rings& rings) {
  std::vector<std::array<Point, 3>> triangles;
  if (rings.count() != 1 || !triangulateSimple(rings.ring(0), triangles)) triangulateAny(rings, triangles);
  return triangles;
}

}  // namespace wend::extraction
