#include <wend/world.h>

#include <fmt/format.h>

#include "base/hash.h"

namespace wend {

struct World::Data {
  Environment environment;
  NavMesh mesh;
};

World::World(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

World::World() {
  auto data = std::make_shared<Data>();
  MeshArrays nothing;
  nothing.environmentHash = wend::hash(data->environment);
  data->mesh = NavMesh(std::move(nothing));
  data_ = std::move(data);
}

Result<World> World::of(Environment environment, NavMesh mesh) {
  const MeshArrays& info = mesh.info();
  bool fits = mesh.lattice() == environment.lattice && info.layerIds.size() == environment.layers.size() &&
              info.layerNames.size() == info.layerIds.size() && info.layerHeights.size() == info.layerIds.size();
  for (size_t i = 0; fits && i < environment.layers.size(); ++i) {
    const Layer& layer = environment.layers[i];
    fits = info.layerIds[i] == layer.id && info.layerNames[i] == layer.name && info.layerHeights[i] == layer.heights;
  }
  if (!fits || info.environmentHash != wend::hash(environment)) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("the mesh by '{}' was made from another environment; bake it again", info.generator)};
  }
  auto data = std::make_shared<Data>();
  data->environment = std::move(environment);
  data->mesh = std::move(mesh);
  return World(std::move(data));
}

const Environment& World::environment() const {
  return data_->environment;
}

const NavMesh& World::mesh() const {
  return data_->mesh;
}

uint64_t hash(const World& world) {
  Hash sum;
  sum.add(hash(world.environment()));
  sum.add(std::string_view(world.environment().name));
  sum.add(hash(world.mesh()));
  return sum.value();
}

Result<World> bake(Environment environment, const GenerateSettings& settings, const Context& context) {
  Result<NavMesh> mesh = generate(environment, settings, context);
  if (!mesh.ok()) return mesh.error();
  return World::of(std::move(environment), *std::move(mesh));
}

}  // namespace wend
