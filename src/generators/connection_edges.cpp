#include "generators/connection_edges.h"

#include <algorithm>

namespace wend {

std::vector<std::vector<RingEdge>> connectionEdges(const Environment& environment) {
  std::vector<std::vector<RingEdge>> edges(environment.layers.size());
  for (const Connection& connection : environment.connections) {
    if (std::max(connection.layerA, connection.layerB) >= edges.size()) continue;
    for (size_t i = 0; i + 1 < connection.line.size(); ++i) {
      edges[connection.layerA].emplace_back(connection.line[i], connection.line[i + 1]);
      edges[connection.layerB].emplace_back(connection.line[i + 1], connection.line[i]);
    }
  }
  for (std::vector<RingEdge>& layer : edges) std::sort(layer.begin(), layer.end());
  return edges;
}

std::vector<RingEdge> connectionEdges(const Environment& environment, uint32_t layer) {
  std::vector<RingEdge> edges;
  for (const Connection& connection : environment.connections) {
    if (connection.layerA != layer && connection.layerB != layer) continue;
    for (size_t i = 0; i + 1 < connection.line.size(); ++i) {
      const Point a = connection.line[i];
      const Point b = connection.line[i + 1];
      edges.emplace_back(connection.layerA == layer ? RingEdge(a, b) : RingEdge(b, a));
    }
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

}  // namespace wend
