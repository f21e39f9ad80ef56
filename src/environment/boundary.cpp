#include "environment/boundary.h"

#include <algorithm>
#include <bitset>
#include <utility>

namespace wend {
namespace {

struct LayerPoint {
  uint32_t layer;
  Point point;
  auto operator<=>(const LayerPoint&) const = default;
};

std::vector<LayerPoint> pointsOf(std::span<const Connection> connections) {
  std::vector<LayerPoint> points;
  for (const Connection& connection : connections) {
    for (const Point p : connection.line) {
      points.push_back({connection.layerA, p});
      points.push_back({connection.layerB, p});
    }
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

}  // namespace

Boundary::Boundary(std::span<const Layer> layers, std::span<const Connection> connections) {
  size_t edges = 0;
  for (const Layer& layer : layers) edges += vertexCount(layer.free);
  start_.reserve(edges);
  ringOf_.reserve(edges);
  for (uint32_t layer = 0; layer < layers.size(); ++layer) {
    for (uint32_t place = 0; place < layers[layer].free.size(); ++place) {
      const Polygon& polygon = layers[layer].free[place];
      if (polygon.outer.empty()) continue;
      const auto add = [&](const wend::Ring& points, uint32_t hole) {
        if (points.empty()) return;
        const auto begin = static_cast<uint32_t>(start_.size());
        start_.insert(start_.end(), points.begin(), points.end());
        ringOf_.resize(start_.size(), static_cast<uint32_t>(rings_.size()));
        rings_.push_back({begin, static_cast<uint32_t>(start_.size()), layer, polygons_, place, hole});
      };
      add(polygon.outer, 0);
      for (uint32_t hole = 0; hole < polygon.holes.size(); ++hole) add(polygon.holes[hole], hole + 1);
      ++polygons_;
    }
  }

  // Connections are few: only edges that begin on one are worth sorting.
  const std::vector<LayerPoint> wanted = pointsOf(connections);
  if (wanted.empty()) return;
  // A bit per point tells most of the others apart without a search.
  std::bitset<4096> maybe;
  const auto bitOf = [](Point p) {
    return ((static_cast<uint32_t>(p.x) * 0x9e3779b1U) ^ (static_cast<uint32_t>(p.y) * 0x85ebca77U)) >> 20U;
  };
  for (const LayerPoint& at : wanted) maybe.set(bitOf(at.point));
  for (uint32_t e = 0; e < edgeCount(); ++e) {
    if (!maybe[bitOf(start(e))]) continue;
    const LayerPoint at{ring(e).layer, start(e)};
    if (std::binary_search(wanted.begin(), wanted.end(), at)) known_.push_back({at.layer, at.point, end(e), e});
  }
  std::sort(known_.begin(), known_.end());
}

uint32_t Boundary::find(uint32_t layer, Point a, Point b) const {
  const auto it = std::lower_bound(known_.begin(), known_.end(), Known{layer, a, b, 0});
  return it != known_.end() && it->layer == layer && it->a == a && it->b == b ? it->edge : kNone;
}

std::vector<uint32_t> glue(const Boundary& boundary, std::span<const Connection> connections) {
  std::vector<uint32_t> twin(boundary.edgeCount(), kNone);
  for (const Connection& connection : connections) {
    for (size_t i = 0; i + 1 < connection.line.size(); ++i) {
      const uint32_t a = boundary.find(connection.layerA, connection.line[i], connection.line[i + 1]);
      const uint32_t b = boundary.find(connection.layerB, connection.line[i + 1], connection.line[i]);
      if (a == kNone || b == kNone || a == b || twin[a] != kNone || twin[b] != kNone) continue;
      twin[a] = b;
      twin[b] = a;
    }
  }
  return twin;
}

std::vector<uint32_t> innerPoints(const Boundary& boundary, std::span<const uint32_t> twin) {
  std::vector<uint32_t> points;
  std::vector<bool> seen(boundary.edgeCount(), false);
  for (uint32_t first = 0; first < boundary.edgeCount(); ++first) {
    if (seen[first]) continue;
    uint32_t e = first;
    // A turn that meets a seen edge joins one that has ended at a closed edge.
    while (!seen[e] && twin[e] != kNone) {
      seen[e] = true;
      e = boundary.next(twin[e]);
      if (e == first) points.push_back(first);
    }
  }
  return points;
}

}  // namespace wend
