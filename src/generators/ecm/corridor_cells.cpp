#include "generators/ecm/corridor_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "generators/ecm/layer_pieces.h"
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

Loop loopOf(std::initializer_list<Vec2> corners) {
  Loop loop;
  for (const Vec2 p : corners) loop.add(p);
  while (loop.size > 1 && loop.corners[loop.size - 1] == loop.corners[0]) --loop.size;
  return loop;
}

double doubledArea(std::span<const Vec2> loop) {
  double sum = 0;
  for (size_t i = 2; i < loop.size(); ++i) {
    sum +=
        (loop[i - 1].x - loop[0].x) * (loop[i].y - loop[0].y) - (loop[i - 1].y - loop[0].y) * (loop[i].x - loop[0].x);
  }
  return sum;
}

}  // namespace

Result<NavMesh> corridorMesh(const Environment& environment, CorridorMap map, const std::string& generator,
                             uint64_t settingsHash, const Context& context) {
  MeshBuilder builder(environment);
  std::vector<uint32_t> arcs;
  arcs.reserve(map.arcs.size());
  builder.reserve(map.arcs.size(), 6 * map.arcs.size());
  const LayerPieces pieces(environment);
  for (uint32_t i = 0; i < map.arcs.size(); ++i) {
    if (map.arcs[i].left == kNone) continue;
    const CorridorMap::BendingPoint& a = map.bendingPoints[i];
    const CorridorMap::BendingPoint& b = map.bendingPoints[i + 1];
    const Loop loop = loopOf({a.p, a.r, b.r, b.p, b.l, a.l});
    const auto add = [&](LayerId layer, std::span<const Vec2> corners) {
      std::vector<Vec2> distinct(corners.begin(), corners.end());
      distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
      while (distinct.size() > 1 && distinct.front() == distinct.back()) distinct.pop_back();
      if (distinct.size() < 3 || !(doubledArea(distinct) > 0)) return;
      builder.addCell(layer, std::span<const Vec2>(distinct));
      arcs.push_back(i);
    };
    if (!pieces.nearConnection(loop.span(), a.layer) && a.layer == b.layer) {
      add(a.layer, loop.span());
      continue;
    }
    // Around an end of a connection it is not clear from top view which way leads across; the wider end of the arc is
    // away from all of them.
    const CorridorMap::BendingPoint& start = a.clearance >= b.clearance ? a : b;
    // The chord of the arc divides its cell into two convex parts.
    for (const Loop& half : {loopOf({a.p, a.r, b.r, b.p}), loopOf({a.p, b.p, b.l, a.l})}) {
      if (half.size >= 3 && doubledArea(half.span()) > 0) pieces.cut(half.span(), start.p, start.layer, add);
    }
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
