#include "generators/layer_triangles.h"

#include <algorithm>
#include <array>
#include <optional>

#include <wend/mesh_builder.h>

#include <fmt/format.h>

#include "base/parallel.h"
#include "geometry/polygon_check.h"

namespace wend {
namespace {

constexpr const char* kStage = "triangulate";

// Progress may only be reported from the caller's thread, but each report is a chance to pass a cancellation on.
Result<FreeTriangulation> triangulateQuietly(const Layer& layer, const Context& outer) {
  Context inner;
  inner.threads = 1;
  inner.onProgress = [&](std::string_view, double) {
    if (outer.cancelled()) inner.cancel();
  };
  return triangulateFree(layer.free, {}, inner);
}

}  // namespace

Result<std::vector<FreeTriangulation>> triangulateLayers(const Environment& environment, const Context& context) {
  const std::vector<Layer>& layers = environment.layers;
  std::vector<std::optional<Result<FreeTriangulation>>> results(layers.size());
  context.report(kStage, 0);
  if (layers.size() == 1) {
    results[0] = triangulateFree(layers[0].free, {}, context);
  } else {
    parallelFor(layers.size(), context, [&](size_t i) { results[i] = triangulateQuietly(layers[i], context); });
  }
  std::vector<FreeTriangulation> out;
  out.reserve(layers.size());
  for (size_t i = 0; i < layers.size(); ++i) {
    if (context.cancelled() || !results[i]) {
      return Error{ErrorCode::kCancelled, "The triangulation was cancelled by the caller."};
    }
    if (!results[i]->ok()) {
      const Error& error = results[i]->error();
      return Error{error.code, fmt::format("Layer {}: {}", layers[i].id, error.message)};
    }
    out.push_back(std::move(**results[i]));
  }
  context.report(kStage, 1);
  return out;
}

Result<NavMesh> triangleMesh(const Environment& environment, const std::string& generator, uint64_t settingsHash,
                             const Context& context) {
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
  return builder.build(generator, settingsHash, MeshTraits{}, context);
}

Status checkLayers(const Environment& environment, const Context& context) {
  const std::vector<Layer>& layers = environment.layers;
  std::vector<uint8_t> isValid(layers.size(), 0);
  parallelFor(layers.size(), context,
              [&](size_t i) { isValid[i] = findPolygonFaults(layers[i].free, 1).empty() ? 1 : 0; });
  if (std::find(isValid.begin(), isValid.end(), 0) == isValid.end()) return Done{};
  // What is wrong may be harmless, such as a common edge.
  if (const auto triangles = triangulateLayers(environment, context); !triangles.ok()) return triangles.error();
  return Done{};
}

}  // namespace wend
