#include "environment/extract/exact/surface.h"

#include <algorithm>

#include "base/parallel.h"
#include "environment/extract/exact/small_ring.h"
#include "environment/extract/exact/untangle.h"
#include "geometry/overlay.h"
#include "geometry/triangulation.h"

namespace wend::exact {
namespace {

// Whether all of a counter-clockwise triangle lies to the right of a side of another, or less than a depth to the left.
bool liesBeside(double depth, const std::array<Point, 3>& p, const std::array<Point, 3>& q) {
  for (size_t i = 0; i < 3; ++i) {
    const Point a = q[i];
    const Point b = q[i == 2 ? 0 : i + 1];
    const double x = double(b.x) - a.x;
    const double y = double(b.y) - a.y;
    const auto left = [&](Point c) { return x * (double(c.y) - a.y) - y * (double(c.x) - a.x); };
    const double most = std::max(std::max(left(p[0]), left(p[1])), left(p[2]));
    if (most <= 0 || most * most <= depth * depth * (x * x + y * y)) return true;
  }
  return false;
}
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

// As most patches are: one ring, convex or with few corners. False, and nothing added, of others.
bool addSimple(std::span<const Point> ring, std::vector<std::array<Point, 3>>& triangles) {
  return fanOf(ring, triangles) || triangulateSmall(ring, triangles);
}

// Any rings.
void addTriangles(const Rings& rings, std::vector<std::array<Point, 3>>& triangles) {
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

}  // namespace

bool overlapBy(double depth, const std::array<Point, 3>& p, const std::array<Point, 3>& q) {
  return !liesBeside(depth, q, p) && !liesBeside(depth, p, q);
}

BoxTree::Extent extentOf(const std::array<Point, 3>& triangle, const Plane& plane) {
  const double a = plane.at(triangle[0]);
  const double b = plane.at(triangle[1]);
  const double c = plane.at(triangle[2]);
  const double low = std::min(std::min(a, b), c);
  const double high = std::max(std::max(a, b), c);
  return {boxOf(triangle), BoxTree::wholeBelow(low), BoxTree::wholeAbove(high)};
}

std::vector<std::array<Point, 3>> triangulateRings(const Rings& rings) {
  std::vector<std::array<Point, 3>> triangles;
  if (rings.count() != 1 || !addSimple(rings.ring(0), triangles)) addTriangles(rings, triangles);
  return triangles;
}

Surface makeSurface(const Soup& soup, const Facets& facets, const Patches& patches, const Selection& selection,
                    const Context& context) {
  const uint32_t n = patches.count();
  // Small blocks: the patches with most corners come one after the other.
  const size_t size = std::max<size_t>(4, n / 4096);
  const size_t blocks = (n + size - 1) / size;
  std::vector<std::vector<std::array<Point, 3>>> made(blocks);
  std::vector<uint32_t> count(n, 0);
  parallelFor(blocks, context, [&](size_t block) {
    std::vector<std::array<Point, 3>>& triangles = made[block];
    const auto first = static_cast<uint32_t>(block * size);
    const auto last = static_cast<uint32_t>(std::min<size_t>(n, first + size));
    triangles.reserve(patches.firstPoint(last) - patches.firstPoint(first));
    for (uint32_t p = first; p < last; ++p) {
      if (selection.component[p] == kNone) continue;
      const size_t before = triangles.size();
      const uint32_t ring = patches.firstRing[p];
      const uint32_t end = patches.firstRing[p + 1];
      if (patches.whole[p] != 0) {
        for (const uint32_t t : facets.trianglesOf(facets.list[patches.facet[p]])) {
          const std::array<Point3, 3> c = soup.corners(soup.triangles[t]);
          triangles.push_back({c[0].top(), c[1].top(), c[2].top()});
        }
      } else if (end - ring != 1 || !addSimple(patches.rings.ring(ring), triangles)) {
        Rings rings;
        for (uint32_t r = ring; r < end; ++r) rings.add(patches.rings.ring(r));
        addTriangles(rings, triangles);
      }
      count[p] = static_cast<uint32_t>(triangles.size() - before);
    }
  });
  Surface surface;
  surface.begin.assign(n + 1, 0);
  for (uint32_t p = 0; p < n; ++p) surface.begin[p + 1] = surface.begin[p] + count[p];
  surface.triangles.reserve(surface.begin.back());
  for (const auto& part : made) surface.triangles.insert(surface.triangles.end(), part.begin(), part.end());
  return surface;
}

}  // namespace wend::exact
