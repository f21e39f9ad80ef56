#include <algorithm>
#include <span>

#include <wend/environment.h>

#include "base/hash.h"

namespace wend {
namespace {

// Negative zero equals zero, so it must hash like it.
void addReal(Hash& hash, double value) {
  hash.add(value + 0.0);
}

void addPolygons(Hash& hash, const std::vector<Polygon>& polygons) {
  hash.add(polygons.size());
  for (const Polygon& polygon : polygons) {
    hash.array(std::span<const Point>(polygon.outer));
    hash.add(polygon.holes.size());
    for (const Ring& hole : polygon.holes) hash.array(std::span<const Point>(hole));
  }
}

void addLayer(Hash& hash, const Layer& layer) {
  hash.add(layer.id);
  hash.add(layer.name);
  addPolygons(hash, layer.free);
  addReal(hash, layer.heights.base);
  hash.array(std::span<const Point>(layer.heights.points));
  hash.add(layer.heights.z.size());
  for (const double z : layer.heights.z) addReal(hash, z);
  hash.array(std::span<const std::array<uint32_t, 3>>(layer.heights.triangles));
  hash.add(layer.regions.size());
  for (const Region& region : layer.regions) {
    hash.add(region.label);
    addPolygons(hash, region.area);
  }
}

void addTopology(Hash& hash, const Topology& topology) {
  hash.add(topology.doubledArea.low);
  hash.add(topology.doubledArea.high);
  hash.add(topology.components);
  hash.add(topology.boundaries);
  hash.add(topology.genus);
}

std::vector<Vec2> metres(const Lattice& lattice, std::span<const Point> points) {
  std::vector<Vec2> result;
  result.reserve(points.size());
  for (const Point p : points) result.push_back(lattice.toMetres(p));
  return result;
}

Loops loopsOf(const Lattice& lattice, const Polygon& polygon) {
  Loops loops{metres(lattice, polygon.outer)};
  for (const Ring& hole : polygon.holes) loops.push_back(metres(lattice, hole));
  return loops;
}

LayerDraft draftOf(const Lattice& lattice, const Layer& layer) {
  LayerDraft draft;
  draft.id = layer.id;
  draft.name = layer.name;
  draft.height = layer.heights.base;
  for (const Polygon& polygon : layer.free) draft.walkable.push_back(loopsOf(lattice, polygon));
  for (const Region& region : layer.regions) {
    RegionDraft& drawn = draft.regions.emplace_back();
    drawn.label = region.label;
    for (const Polygon& polygon : region.area) drawn.area.push_back(loopsOf(lattice, polygon));
  }
  const HeightField& field = layer.heights;
  const auto corner = [&](uint32_t id) {
    const Vec2 p = lattice.toMetres(field.points[id]);
    return Vec3{p.x, p.y, field.z[id]};
  };
  const size_t known = std::min(field.points.size(), field.z.size());
  for (const auto& ids : field.triangles) {
    if (ids[0] >= known || ids[1] >= known || ids[2] >= known) continue;
    draft.surface.push_back({corner(ids[0]), corner(ids[1]), corner(ids[2])});
  }
  return draft;
}

}  // namespace

EnvironmentDraft draftOf(const Environment& environment) {
  EnvironmentDraft draft;
  draft.lattice = environment.lattice;
  draft.name = environment.name;
  draft.truth = environment.truth;
  for (const Layer& layer : environment.layers) draft.layers.push_back(draftOf(environment.lattice, layer));
  for (const Connection& connection : environment.connections) {
    if (connection.layerA >= environment.layers.size() || connection.layerB >= environment.layers.size()) continue;
    draft.connections.push_back({environment.layers[connection.layerA].id, environment.layers[connection.layerB].id,
                                 metres(environment.lattice, connection.line)});
  }
  return draft;
}

size_t vertexCount(const Environment& environment) {
  size_t count = 0;
  for (const Layer& layer : environment.layers) count += vertexCount(layer.free);
  return count;
}

Box boundingBox(const Environment& environment) {
  Box box;
  for (const Layer& layer : environment.layers) box.add(boundingBox(layer.free));
  return box;
}

uint64_t hash(const Environment& environment) {
  Hash hash;
  addReal(hash, environment.lattice.unit);
  hash.add(environment.layers.size());
  for (const Layer& layer : environment.layers) addLayer(hash, layer);
  hash.add(environment.connections.size());
  for (const Connection& connection : environment.connections) {
    hash.add(connection.layerA);
    hash.add(connection.layerB);
    hash.array(std::span<const Point>(connection.line));
  }
  hash.add(environment.truth.has_value());
  if (environment.truth) addTopology(hash, *environment.truth);
  return hash.value();
}

}  // namespace wend
