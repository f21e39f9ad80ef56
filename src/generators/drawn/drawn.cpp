#include "generators/drawn/drawn.h"

#include <algorithm>

#include <wend/mesh_builder.h>

#include "base/hash.h"
#include "generators/layer_triangles.h"
#include "geometry/overlay.h"
#include "geometry/predicates.h"

namespace wend::drawn {
namespace {

constexpr const char* kName = "drawn";
constexpr const char* kStage = "draw";

Error cancelled() {
  return {ErrorCode::kCancelled, "Drawing was cancelled by the caller."};
}

bool isConvex(const Ring& ring) {
  for (size_t i = 0; i < ring.size(); ++i) {
    if (orient(ring[i], ring[(i + 1) % ring.size()], ring[(i + 2) % ring.size()]) < 0) return false;
  }
  return true;
}

// The triangles of a polygon.
Result<std::vector<Ring>> trianglesOf(const Polygon& polygon, const Lattice& lattice) {
  Environment part;
  part.lattice = lattice;
  part.layers.resize(1);
  part.layers[0].free = {polygon};
  const auto mesh = triangleMesh(part, kName, 0, {});
  if (!mesh.ok()) return mesh.error();
  std::vector<Ring> rings;
  for (CellId cell = 0; cell < mesh->cellCount(); ++cell) {
    Ring& ring = rings.emplace_back();
    for (SideId s = mesh->firstSide(cell); s < mesh->endSide(cell); ++s) {
      const Vec2 p = mesh->vertex(mesh->startVertex(s));
      ring.push_back({static_cast<int32_t>(p.x), static_cast<int32_t>(p.y)});
    }
  }
  return rings;
}

MeshTraits traits(bool convex) {
  MeshTraits traits;
  traits.exact = false;
  traits.convex = convex;
  return traits;
}

}  // namespace

Result<NavMesh> generate(const Environment& environment, const Context& context) {
  if (const Status status = checkLayers(environment, context); !status.ok()) return status.error();
  const bool isLabelled = std::any_of(environment.layers.begin(), environment.layers.end(),
                                      [](const Layer& layer) { return !layer.regions.empty(); });
  MeshBuilder builder(environment);
  bool convex = true;
  const auto addRing = [&](LayerId layer, const Ring& ring) {
    convex = convex && isConvex(ring);
    builder.addCell(layer, std::span<const Point>(ring));
  };
  const auto add = [&](LayerId layer, const std::vector<Polygon>& cells) -> Status {
    for (const Polygon& cell : cells) {
      if (context.cancelled()) return cancelled();
      if (cell.holes.empty()) {
        addRing(layer, cell.outer);
        continue;
      }
      const auto triangles = trianglesOf(cell, environment.lattice);
      if (!triangles.ok()) return triangles.error();
      for (const Ring& triangle : *triangles) addRing(layer, triangle);
    }
    return Done{};
  };
  for (LayerId id = 0; id < environment.layers.size(); ++id) {
    context.report(kStage, static_cast<double>(id) / static_cast<double>(environment.layers.size()));
    std::vector<Polygon> left = environment.layers[id].free;
    if (!isLabelled) {
      if (Status status = add(id, left); !status.ok()) return status.error();
      continue;
    }
    for (const Region& region : environment.layers[id].regions) {
      for (const Polygon& area : region.area) {
        const std::vector<Polygon> one{area};
        const auto cells = intersect(left, one);
        if (!cells.ok()) return cells.error();
        if (Status status = add(id, *cells); !status.ok()) return status.error();
        auto rest = subtract(left, one);
        if (!rest.ok()) return rest.error();
        left = *std::move(rest);
      }
    }
  }
  context.report(kStage, 1);
  if (context.cancelled()) return cancelled();
  Hash hash;
  hash.add(std::string_view(kName));
  return builder.build(kName, hash.value(), traits(convex), context);
}

Generator entry() {
  Generator generator;
  generator.info.name = kName;
  generator.info.meaning = "The labelled regions of the environment as cells, drawn by hand: covers what they cover.";
  generator.info.source =
      "D. H. Hale, A Growth-Based Approach to the Automatic Generation of Navigation Meshes, dissertation, University "
      "of North Carolina at Charlotte (2011), section 6: regions with a meaning, measured like generated ones";
  generator.info.traits = traits(false);
  generator.run = [](const Environment& environment, const OptionValues&, uint64_t, const Context& context) {
    return generate(environment, context);
  };
  return generator;
}

}  // namespace wend::drawn
