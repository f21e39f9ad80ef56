#include <wend/corridor_map.h>

#include "base/hash.h"

namespace wend {

size_t CorridorMap::memory() const {
  const auto bytes = [](const auto& array) { return array.size() * sizeof(array[0]); };
  return bytes(sites) + bytes(vertices) + bytes(edges) + bytes(bendingPoints) + bytes(arcs) + bytes(out) +
         bytes(cellArc);
}

// Field by field, because the structs have padding.
uint64_t hash(const CorridorMap& map) {
  Hash h;
  const auto addPoint = [&](Vec2 p) {
    h.add(p.x);
    h.add(p.y);
  };
  h.add(map.lattice.unit);
  h.add(map.sites.size());
  for (const auto& site : map.sites) {
    h.array(std::span<const Point>({site.a, site.b}));
    h.add(site.kind);
    h.add(site.layer);
  }
  h.add(map.vertices.size());
  for (const auto& vertex : map.vertices) {
    addPoint(vertex.p);
    h.add(vertex.clearance);
    for (const uint32_t id : {vertex.layer, vertex.firstOut, vertex.degree}) h.add(id);
  }
  h.add(map.edges.size());
  for (const auto& edge : map.edges) {
    for (const uint32_t id : {edge.from, edge.to, edge.first, edge.count}) h.add(id);
    h.add(edge.length);
    h.add(edge.minClearance);
  }
  h.add(map.bendingPoints.size());
  for (const auto& bp : map.bendingPoints) {
    for (const Vec2 p : {bp.p, bp.l, bp.r}) addPoint(p);
    h.add(bp.clearance);
    for (const LayerId id : {bp.layer, bp.layerL, bp.layerR}) h.add(id);
  }
  h.add(map.arcs.size());
  for (const auto& arc : map.arcs) {
    h.add(arc.left);
    h.add(arc.right);
    h.add(arc.minClearance);
    h.add(arc.length);
  }
  h.array(std::span<const uint32_t>(map.out));
  h.array(std::span<const uint32_t>(map.cellArc));
  for (const uint32_t count : {map.voronoiAttempts, map.simpleOpenings, map.sweptOpenings}) h.add(count);
  return h.value();
}

}  // namespace wend
