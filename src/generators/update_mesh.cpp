#include <algorithm>
#include <exception>

#include <wend/generate.h>

#include <fmt/format.h>

#include "generators/registry.h"

namespace wend {
namespace {

Error foreignMesh(const std::string& what) {
  return {ErrorCode::kInvalidSettings,
          fmt::format("The mesh cannot be updated: {}; make it anew with generate().", what)};
}

// What is cheap to tell. Whether the mesh was made of `before` is known by the number of its layers only: the hash of
// an environment takes longer than an update.
Status checkMade(const NavMesh& mesh, const Environment& before, const Environment& after,
                 const GenerateSettings& settings) {
  const MeshArrays& info = mesh.info();
  if (info.generator != settings.generator) {
    return foreignMesh(fmt::format("it was made by '{}', not by '{}'", info.generator, settings.generator));
  }
  if (mesh.lattice() != before.lattice || before.lattice != after.lattice ||
      mesh.layerCount() != before.layers.size() || before.layers.size() != after.layers.size()) {
    return foreignMesh("it was made from an environment with other layers");
  }
  return Done{};
}

Result<MeshUpdate> runUpdate(const Generator& generator, const NavMesh& mesh, const Environment& before,
                             const Environment& after, const ChangedArea& changed, const GenerateSettings& settings,
                             const Context& context) {
  const Result<OptionValues> options = parseOptions(generator.info, settings);
  if (!options.ok()) return options.error();
  try {
    Result<MeshUpdate> update = generator.update(mesh, before, after, changed, *options, settings.seed, context);
    if (!update.ok() || !update->mesh.empty()) return update;
    return Error{ErrorCode::kUnsupported, "no cell is left"};
  } catch (const std::exception& error) {
    return Error{ErrorCode::kInternal, fmt::format("the update failed: {}", error.what())};
  }
}

}  // namespace

Result<MeshUpdate> updateMesh(const NavMesh& mesh, const Environment& before, const Environment& after,
                              const ChangedArea& changed, const GenerateSettings& settings, const Context& context) {
  const std::span<const Generator> table = generatorTable();
  const auto generator =
      std::find_if(table.begin(), table.end(), [&](const Generator& g) { return g.info.name == settings.generator; });
  MeshUpdate rebuilt;
  if (generator != table.end()) {
    if (const Status status = checkMade(mesh, before, after, settings); !status.ok()) return status.error();
    if (generator->update == nullptr) {
      rebuilt.reason = fmt::format("generator '{}' makes its meshes anew after every edit", settings.generator);
    } else if (!hasPolygons(before) || !hasPolygons(after)) {
      rebuilt.reason = "there was no free space before the edit";
    } else {
      Result<MeshUpdate> update = runUpdate(*generator, mesh, before, after, changed, settings, context);
      if (update.ok() || update.error().code == ErrorCode::kCancelled) return update;
      rebuilt.reason = update.error().message;
    }
  }
  Result<NavMesh> made = generate(after, settings, context);
  if (!made.ok()) return made.error();
  rebuilt.mesh = std::move(made).value();
  rebuilt.source.assign(rebuilt.mesh.cellCount(), kNone);
  rebuilt.cellsRemoved = mesh.cellCount();
  rebuilt.cellsAdded = rebuilt.mesh.cellCount();
  return rebuilt;
}

}  // namespace wend
