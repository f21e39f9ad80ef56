#include "generators/delaunay/delaunay.h"

#include <array>

#include <wend/mesh_builder.h>

#include "base/hash.h"
#include "generators/layer_triangles.h"

namespace wend::delaunay {
namespace {

constexpr const char* kName = "delaunay";

}  // namespace

uint64_t Settings::hash() const {
  Hash hash;
  hash.add(std::string_view(kName));
  return hash.value();
}

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context) {
  const auto layers = triangulateLayers(environment, context);
  if (!layers.ok()) return layers.error();
  MeshBuilder builder(environment);
  size_t count = 0;
  for (const FreeTriangulation& layer : *layers) count += layer.triangles.size();
  builder.reserve(count, 3 * count);
  for (LayerId id = 0; id < layers->size(); ++id) {
    const FreeTriangulation& layer = (*layers)[id];
    for (const Triangulation::Triangle& triangle : layer.triangles) {
      const std::array<Point, 3> loop{layer.points[triangle.v[0]], layer.points[triangle.v[1]],
                                      layer.points[triangle.v[2]]};
      builder.addCell(id, std::span<const Point>(loop));
    }
  }
  return builder.build(kName, settings.hash(), MeshTraits{}, context);
}

Generator entry() {
  Generator generator;
  generator.info.name = kName;
  generator.info.meaning =
      "Triangles of the constrained Delaunay triangulation: exact, the most cells, the best angles.";
  generator.info.source = "L. P. Chew, Constrained Delaunay triangulations, Algorithmica 4 (1989) 97-108";
  generator.run = [](const Environment& environment, const OptionValues&, uint64_t, const Context& context) {
    return generate(environment, Settings{}, context);
  };
  return generator;
}

}  // namespace wend::delaunay
