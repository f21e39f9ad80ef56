#include <algorithm>
#include <exception>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include <wend/environment.h>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/parallel.h"
#include "environment/attach_connections.h"
#include "environment/boundary.h"
#include "environment/build_layer.h"
#include "environment/canonical_order.h"
#include "environment/check_connections.h"

namespace wend {
namespace {

constexpr const char* kStage = "environment";

Status checkSettings(const EnvironmentDraft& draft) {
  const double unit = draft.lattice.unit;
  if (!(unit >= 1e-6 && unit <= 1)) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("the lattice unit is {:g} m; it must be within 1e-6 to 1 m", unit)};
  }
  std::vector<int32_t> ids;
  for (const LayerDraft& layer : draft.layers) ids.push_back(layer.id);
  std::sort(ids.begin(), ids.end());
  if (const auto it = std::adjacent_find(ids.begin(), ids.end()); it != ids.end()) {
    return Error{ErrorCode::kInvalidGeometry, fmt::format("two layers have the id {}; ids must be unique", *it)};
  }
  return Done{};
}

Result<std::vector<Layer>> buildLayers(const EnvironmentDraft& draft, const Context& context) {
  const size_t count = draft.layers.size();
  std::vector<std::optional<Result<Layer>>> built(count);
  std::vector<std::vector<std::string>> notes(count);
  // A caller's callbacks belong to the caller's thread, so each layer gets a context that only remembers.
  parallelFor(count, context, [&](size_t i) {
    Context quiet;
    quiet.threads = context.threads;
    quiet.onNote = [&](std::string_view sentence) { notes[i].emplace_back(sentence); };
    quiet.onProgress = [&](std::string_view, double) {
      if (context.cancelled()) quiet.cancel();
    };
    built[i].emplace(buildLayer(draft.layers[i], draft.lattice, quiet));
  });
  if (context.cancelled()) return Error{ErrorCode::kCancelled, "cancelled while cleaning the layers"};
  std::vector<Layer> layers;
  layers.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    for (const std::string& sentence : notes[i]) context.note(sentence);
    if (!built[i]->ok()) return built[i]->error();
    layers.push_back(std::move(*built[i]).value());
  }
  return layers;
}

// The truth is copied from the draft as it is, so that only the draft can be wrong about it.
bool isValid(const Environment& environment) {
  const std::vector<Violation> found = validate(environment, 2);
  return std::all_of(found.begin(), found.end(), [](const Violation& v) { return v.kind == ViolationKind::kTruth; });
}

Result<Environment> build(const EnvironmentDraft& draft, const Context& context) {
  if (Status status = checkSettings(draft); !status.ok()) return status.error();
  Environment environment;
  environment.lattice = draft.lattice;
  environment.name = draft.name;
  environment.truth = draft.truth;

  context.report(kStage, 0);
  Result<std::vector<Connection>> connections = snapConnections(draft);
  if (!connections.ok()) return connections.error();
  environment.connections = std::move(connections).value();
  Result<std::vector<Layer>> layers = buildLayers(draft, context);
  if (!layers.ok()) return layers.error();
  environment.layers = std::move(layers).value();
  if (vertexCount(environment) == 0) {
    return Error{ErrorCode::kEmpty,
                 "nothing walkable is left: every layer is empty, or covered by obstacles; check the units and that "
                 "walkable polygons have area"};
  }
  for (const Layer& layer : environment.layers) {
    if (layer.free.empty()) context.note(fmt::format("layer {}: nothing walkable is left", layer.id));
  }

  context.report(kStage, 0.8);
  if (Status status = attachConnections(environment, context); !status.ok()) return status.error();
  mergeConnections(environment, context);
  putInCanonicalOrder(environment);

  context.report(kStage, 0.9);
  std::vector<Violation> found;
  checkConnections(environment, Boundary(environment.layers, environment.connections), 1, found);
  if (!found.empty()) return Error{ErrorCode::kInvalidGeometry, found[0].message};
  WEND_ASSERT(isValid(environment), "an environment that was built is valid");
  context.report(kStage, 1);
  return environment;
}

}  // namespace

Result<Environment> buildEnvironment(const EnvironmentDraft& draft, const Context& context) {
  try {
    return build(draft, context);
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kLimit, "not enough memory for this environment; cut it into smaller ones"};
  } catch (const std::exception& e) {
    return Error{ErrorCode::kInternal, fmt::format("building the environment failed: {}", e.what())};
  }
}

}  // namespace wend
