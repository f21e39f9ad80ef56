#include "generators/ecm/corridor_cells.h"

#include <array>
#include <utility>

#include "mesh/mesh_builder.h"

namespace wend::ecm {
namespace {

// The distinct corners of an arc's cell, counter-clockwise.
struct Loop {
  std::array<Vec2, 6> corners;
  size_t size = 0;

  void add(Vec2 p) {
    if (size == 0 || corners[size - 1] != p) corners[size++] = p;
  }
  std::span<const Vec2> span() const { return {corners.data(), size}; }
};

Loop loopOf(const CorridorMap::BendingPoint& a, const CorridorMap::BendingPoint& b) {
  Loop loop;
  for (const Vec2 p : {a.p, a.r, b.r, b.p, b.l, a.l}) loop.add(p);
  while (loop.size > 1 && loop.corners[loop.size - 1] == loop.corners[0]) --loop.size;
  return loop;
}

}  // namespace

Result<NavMesh> corridorMesh(const Environment& environment, CorridorMap map, const std::string& generator,
                             uint64_t settingsHash, const Context& context) {
  MeshBuilder builder(environment);
  std::vector<uint32_t> arcs;
  arcs.reserve(map.arcs.size());
  builder.reserve(map.arcs.size(), 6 * map.arcs.size());
  for (uint32_t i = 0; i < map.arcs.size(); ++i) {
    if (map.arcs[i].left == kNone) continue;
    const Loop loop = loopOf(map.bendingPoints[i], map.bendingPoints[i + 1]);
    if (loop.size < 3) continue;
    builder.addCell(map.bendingPoints[i].layer, loop.span());
    arcs.push_back(i);
  }
  MeshTraits traits;
  traits.convex = false;
  std::vector<uint32_t> kept;
  const Result<NavMesh> mesh = builder.build(generator, settingsHash, traits, context, &kept);
  if (!mesh.ok()) return mesh.error();
  map.cellArc.clear();
  map.cellArc.reserve(kept.size());
  for (const uint32_t cell : kept) map.cellArc.push_back(arcs[cell]);
  return mesh->withCorridorMap(std::make_shared<const CorridorMap>(std::move(map)));
}

}  // namespace wend::ecm
