#include <algorithm>

#include <wend/image/grid_study.h>
#include <wend/mesh_builder.h>

#include <fmt/format.h>

#include "geometry/overlay.h"

namespace wend {
namespace {

constexpr uint32_t kMostTiles = 64;

// The lines between tiles, lattice units, both ends included.
std::vector<int32_t> tileLines(int32_t low, int32_t high, uint32_t tiles) {
  std::vector<int32_t> lines;
  for (uint32_t i = 0; i <= tiles; ++i) {
    lines.push_back(static_cast<int32_t>(low + (int64_t{high} - low) * i / tiles));
  }
  return lines;
}

}  // namespace

Result<NavMesh> tiledMesh(const Environment& environment, const GenerateSettings& settings, uint32_t tiles,
                          const Context& context) {
  if (environment.layers.size() != 1 || !environment.connections.empty()) {
    return Error{ErrorCode::kUnsupported, "a mesh in tiles is made of environments of one layer"};
  }
  if (tiles < 1 || tiles > kMostTiles) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("{} tiles along a side; 1 to {} are possible", tiles, kMostTiles)};
  }
  const Box box = boundingBox(environment);
  const std::vector<int32_t> xs = tileLines(box.min.x, box.max.x, tiles);
  const std::vector<int32_t> ys = tileLines(box.min.y, box.max.y, tiles);
  MeshBuilder builder(environment);
  MeshTraits traits;
  std::vector<Vec2> loop;
  for (uint32_t row = 0; row < tiles; ++row) {
    for (uint32_t column = 0; column < tiles; ++column) {
      const Polygon square{
          {{xs[column], ys[row]}, {xs[column + 1], ys[row]}, {xs[column + 1], ys[row + 1]}, {xs[column], ys[row + 1]}},
          {}};
      Result<std::vector<Polygon>> part = intersect(environment.layers[0].free, std::span(&square, 1));
      if (!part.ok()) return part.error();
      if (part->empty()) continue;
      Environment tile = environment;
      tile.truth.reset();
      tile.layers[0].free = *std::move(part);
      const Result<NavMesh> mesh = generate(tile, settings, context);
      if (!mesh.ok()) {
        if (mesh.error().code == ErrorCode::kEmpty) continue;
        return mesh.error();
      }
      traits = mesh->info().traits;
      for (CellId cell = 0; cell < mesh->cellCount(); ++cell) {
        loop.clear();
        for (SideId s = mesh->firstSide(cell); s < mesh->endSide(cell); ++s) {
          loop.push_back(mesh->vertex(mesh->startVertex(s)));
        }
        builder.addCell(0, loop);
      }
    }
  }
  traits.exact = false;  // crossings with the lines between tiles are rounded
  return builder.build(settings.generator, 0, traits, context);
}

}  // namespace wend
