#include "environment/canonical_order.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace wend {
namespace {

// Where a ring passes its smallest vertex several times, it begins at the passage that reads smallest.
void rotateToSmallest(Ring& ring) {
  if (ring.empty()) return;
  const size_t n = ring.size();
  const Point smallest = *std::min_element(ring.begin(), ring.end());
  const auto readsBefore = [&](size_t i, size_t j) {
    for (size_t k = 0; k < n; ++k) {
      const Point p = ring[(i + k) % n];
      const Point q = ring[(j + k) % n];
      if (p != q) return p < q;
    }
    return false;
  };
  size_t best = n;
  for (size_t i = 0; i < n; ++i) {
    if (ring[i] == smallest && (best == n || readsBefore(i, best))) best = i;
  }
  std::rotate(ring.begin(), ring.begin() + static_cast<std::ptrdiff_t>(best), ring.end());
}

void sortPolygons(std::vector<Polygon>& polygons) {
  for (Polygon& polygon : polygons) {
    rotateToSmallest(polygon.outer);
    for (Ring& hole : polygon.holes) rotateToSmallest(hole);
    std::sort(polygon.holes.begin(), polygon.holes.end());
  }
  std::sort(polygons.begin(), polygons.end(), [](const Polygon& p, const Polygon& q) { return p.outer < q.outer; });
}

void sortHeights(HeightField& field) {
  const size_t known = std::min(field.points.size(), field.z.size());
  std::vector<uint32_t> number(known, kNone);
  std::vector<Point> points;
  std::vector<double> z;
  for (std::array<uint32_t, 3>& triangle : field.triangles) {
    for (uint32_t& corner : triangle) {
      if (corner >= known) return;  // broken: for validate() to say
      if (number[corner] == kNone) {
        number[corner] = static_cast<uint32_t>(points.size());
        points.push_back(field.points[corner]);
        z.push_back(field.z[corner]);
      }
    }
  }
  for (std::array<uint32_t, 3>& triangle : field.triangles) {
    for (uint32_t& corner : triangle) corner = number[corner];
  }
  field.points = std::move(points);
  field.z = std::move(z);
}

}  // namespace

void putInCanonicalOrder(Environment& environment) {
  for (Layer& layer : environment.layers) {
    sortPolygons(layer.free);
    for (Region& region : layer.regions) sortPolygons(region.area);
    sortHeights(layer.heights);
  }
  std::sort(environment.connections.begin(), environment.connections.end(),
            [](const Connection& a, const Connection& b) {
              return std::tie(a.layerA, a.layerB, a.line) < std::tie(b.layerA, b.layerB, b.line);
            });
}

}  // namespace wend
