#include "environment/extract/exact/drawing/patch_triangles.h"

#include <algorithm>

#include "base/parallel.h"
#include "environment/extract/polygons/triangulate_rings.h"

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

PatchTriangles triangulatePatches(const Soup& soup, const Facets& facets, const Patches& patches,
                                  const Selection& selection, const Context& context) {
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
      } else if (end - ring != 1 || !triangulateSimple(patches.rings.ring(ring), triangles)) {
        Rings rings;
        for (uint32_t r = ring; r < end; ++r) rings.add(patches.rings.ring(r));
        triangulateAny(rings, triangles);
      }
      count[p] = static_cast<uint32_t>(triangles.size() - before);
    }
  });
  PatchTriangles patchTriangles;
  patchTriangles.begin.assign(n + 1, 0);
  for (uint32_t p = 0; p < n; ++p) patchTriangles.begin[p + 1] = patchTriangles.begin[p] + count[p];
  patchTriangles.triangles.reserve(patchTriangles.begin.back());
  for (const auto& part : made)
    patchTriangles.triangles.insert(patchTriangles.triangles.end(), part.begin(), part.end());
  return patchTriangles;
}

}  // namespace wend::exact
