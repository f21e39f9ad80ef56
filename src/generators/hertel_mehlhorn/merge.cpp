#include "generators/hertel_mehlhorn/merge.h"

#include <algorithm>

#include "base/random.h"
#include "geometry/predicates.h"

namespace wend::hertel_mehlhorn {
namespace {

// Half-edge 3t + i runs along the edge opposite corner i of triangle t, with the triangle on its left.
class Faces {
 public:
  explicit Faces(const FreeTriangulation& triangulation) : points_(triangulation.points) {
    const auto count = static_cast<uint32_t>(triangulation.triangles.size());
    origin_.resize(3 * static_cast<size_t>(count));
    twin_.assign(origin_.size(), kNone);
    next_.resize(origin_.size());
    previous_.resize(origin_.size());
    removed_.assign(origin_.size(), 0);
    for (uint32_t t = 0; t < count; ++t) {
      const Triangulation::Triangle& triangle = triangulation.triangles[t];
      for (uint32_t i = 0; i < 3; ++i) {
        const uint32_t edge = 3 * t + i;
        origin_[edge] = triangle.v[(i + 1) % 3];
        next_[edge] = 3 * t + (i + 1) % 3;
        previous_[edge] = 3 * t + (i + 2) % 3;
        if (triangle.n[i] == kNone || triangle.isFixed(static_cast<int>(i))) continue;
        const Triangulation::Triangle& other = triangulation.triangles[triangle.n[i]];
        for (uint32_t j = 0; j < 3; ++j) {
          if (other.n[j] == t && other.v[(j + 2) % 3] == triangle.v[(i + 1) % 3] &&
              other.v[(j + 1) % 3] == triangle.v[(i + 2) % 3]) {
            twin_[edge] = 3 * triangle.n[i] + j;
          }
        }
      }
    }
  }

  size_t size() const { return origin_.size(); }
  uint32_t twin(uint32_t edge) const { return twin_[edge]; }
  Point start(uint32_t edge) const { return points_[origin_[edge]]; }
  Point end(uint32_t edge) const { return start(next_[edge]); }

  // Whether the corner at the edge's start stays convex without the edge.
  bool convexWithout(uint32_t edge) const {
    return orient(start(previous_[edge]), start(edge), end(next_[twin_[edge]])) >= 0;
  }
  void removeIfConvex(uint32_t edge) {
    const uint32_t other = twin_[edge];
    if (!convexWithout(edge) || !convexWithout(other)) return;
    join(previous_[edge], next_[other]);
    join(previous_[other], next_[edge]);
    removed_[edge] = 1;
    removed_[other] = 1;
  }

  Loops loops() {
    Loops out;
    for (uint32_t first = 0; first < size(); ++first) {
      if (removed_[first] != 0) continue;
      for (uint32_t edge = first; removed_[edge] == 0; edge = next_[edge]) {
        out.corners.push_back(origin_[edge]);
        removed_[edge] = 1;
      }
      out.begin.push_back(static_cast<uint32_t>(out.corners.size()));
    }
    return out;
  }

 private:
  void join(uint32_t edge, uint32_t follower) {
    next_[edge] = follower;
    previous_[follower] = edge;
  }

  const std::vector<Point>& points_;
  std::vector<uint32_t> origin_;
  std::vector<uint32_t> twin_;
  std::vector<uint32_t> next_;
  std::vector<uint32_t> previous_;
  std::vector<uint8_t> removed_;
};

uint64_t squaredLength(Point a, Point b) {
  const int64_t dx = static_cast<int64_t>(b.x) - a.x;
  const int64_t dy = static_cast<int64_t>(b.y) - a.y;
  return static_cast<uint64_t>(dx * dx) + static_cast<uint64_t>(dy * dy);
}

std::vector<uint32_t> orderedEdges(const Faces& faces, const Settings& settings, uint64_t stream) {
  std::vector<uint32_t> edges;
  edges.reserve(faces.size() / 2);
  for (uint32_t edge = 0; edge < faces.size(); ++edge) {
    if (faces.twin(edge) != kNone && edge < faces.twin(edge)) edges.push_back(edge);
  }
  if (settings.order == Order::kRandom) {
    Random random(settings.seed, stream);
    random.shuffle(edges);
  }
  if (settings.order == Order::kId || settings.order == Order::kRandom) return edges;
  std::vector<std::pair<uint64_t, uint32_t>> keyed;
  keyed.reserve(edges.size());
  for (const uint32_t edge : edges) {
    const uint64_t square = squaredLength(faces.start(edge), faces.end(edge));
    keyed.emplace_back(settings.order == Order::kLongest ? ~square : square, edge);
  }
  std::sort(keyed.begin(), keyed.end());
  for (size_t i = 0; i < edges.size(); ++i) edges[i] = keyed[i].second;
  return edges;
}

}  // namespace

Loops mergeTriangles(const FreeTriangulation& triangulation, const Settings& settings, uint64_t stream,
                     const Context& context) {
  Faces faces(triangulation);
  size_t visited = 0;
  for (const uint32_t edge : orderedEdges(faces, settings, stream)) {
    if ((++visited & 0xffffU) == 0 && context.cancelled()) break;
    faces.removeIfConvex(edge);
  }
  return faces.loops();
}

}  // namespace wend::hertel_mehlhorn
