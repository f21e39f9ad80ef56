#include "tests/generators/quads/quads.h"

#include <cmath>

#include <wend/mesh_builder.h>

#include "base/hash.h"
#include "generators/layer_triangles.h"
#include "geometry/predicates.h"

namespace wend::quads {
namespace {

using Triangle = Triangulation::Triangle;

// The quadrilateral of triangle t and its neighbour across edge i, or nothing if it is not convex or the edge stays.
std::vector<Point> join(const FreeTriangulation& layer, const Triangle& t, uint32_t i, double keep) {
  const Triangle& other = layer.triangles[t.n[i]];
  const Point apex = layer.points[t.v[i]];
  const Point a = layer.points[t.v[(i + 1) % 3]];
  const Point b = layer.points[t.v[(i + 2) % 3]];
  uint32_t far = 0;
  while (other.v[far] == t.v[(i + 1) % 3] || other.v[far] == t.v[(i + 2) % 3]) ++far;
  const Point opposite = layer.points[other.v[far]];
  if (std::hypot(toVec2(a).x - toVec2(b).x, toVec2(a).y - toVec2(b).y) <= keep) return {};
  if (orient(apex, a, opposite) < 0 || orient(opposite, b, apex) < 0) return {};
  return {apex, a, opposite, b};
}

void addCells(MeshBuilder& builder, LayerId id, const FreeTriangulation& layer, double keep) {
  std::vector<bool> used(layer.triangles.size(), false);
  for (size_t t = 0; t < used.size(); ++t) {
    if (used[t]) continue;
    used[t] = true;
    const Triangle& triangle = layer.triangles[t];
    std::vector<Point> loop;
    for (uint32_t i = 0; i < 3 && loop.empty(); ++i) {
      const uint32_t other = triangle.n[i];
      if (other == kNone || used[other]) continue;
      loop = join(layer, triangle, i, keep);
      if (!loop.empty()) used[other] = true;
    }
    if (loop.empty()) {
      for (const uint32_t v : triangle.v) loop.push_back(layer.points[v]);
    }
    builder.addCell(id, std::span<const Point>(loop));
  }
}

}  // namespace

uint64_t Settings::hash() const {
  Hash hash;
  hash.add(std::string_view("quads"));
  hash.add(keep);
  return hash.value();
}

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context) {
  const auto layers = triangulateLayers(environment, context);
  if (!layers.ok()) return layers.error();
  MeshBuilder builder(environment);
  for (LayerId id = 0; id < layers->size(); ++id) {
    if (context.cancelled()) return Error{ErrorCode::kCancelled, "Joining triangles was cancelled by the caller."};
    addCells(builder, id, (*layers)[id], settings.keep / environment.lattice.unit);
  }
  return builder.build("quads", settings.hash(), MeshTraits{}, context);
}

Generator entry() {
  Generator generator;
  generator.info.name = "quads";
  generator.info.meaning = "Pairs of Delaunay triangles joined into quadrilaterals: an example.";
  generator.info.source = "docs/adding-a-generator.md";
  generator.info.options = {{"keep", "Shared edges up to this length stay, in metres.", "0", {}, 0, 1000}};
  generator.run = [](const Environment& environment, const OptionValues& options, uint64_t, const Context& context) {
    return generate(environment, Settings{options.number("keep")}, context);
  };
  return generator;
}

}  // namespace wend::quads
