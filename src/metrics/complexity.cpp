#include "metrics/complexity.h"

#include <algorithm>
#include <array>

#include <wend/corridor_map.h>

namespace wend {
namespace {

// The cell of an arc is the polygon of the two bending points and their obstacle points; some of them coincide.
double floatsOf(const CorridorMap::BendingPoint& a, const CorridorMap::BendingPoint& b) {
  const std::array<Vec2, 6> corners{a.p, a.l, a.r, b.p, b.l, b.r};
  size_t distinct = 0;
  for (size_t i = 0; i < corners.size(); ++i) {
    const auto end = corners.begin() + static_cast<std::ptrdiff_t>(i);
    distinct += std::find(corners.begin(), end, corners[i]) == end ? 1 : 0;
  }
  return 3.0 * static_cast<double>(distinct);
}

}  // namespace

ComplexityMetrics measureComplexity(const NavMesh& mesh) {
  ComplexityMetrics m;
  std::vector<double> floats;
  if (const CorridorMap* map = mesh.corridorMap().get()) {
    m.graphVertices = map->vertices.size();
    m.graphEdges = map->edges.size();
    for (const CorridorMap::Edge& edge : map->edges) {
      for (uint32_t i = edge.first; i + 1 < edge.first + edge.count; ++i) {
        floats.push_back(floatsOf(map->bendingPoints[i], map->bendingPoints[i + 1]));
      }
    }
  } else {
    m.graphVertices = mesh.cellCount();
    m.graphEdges = mesh.portalCount();
    for (CellId c = 0; c < mesh.cellCount(); ++c) floats.push_back(3.0 * mesh.sideCount(c));
  }
  m.regions = floats.size();
  m.floats = statisticsOf(floats);
  return m;
}

}  // namespace wend
