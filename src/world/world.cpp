#include <wend/world.h>

#include <fmt/format.h>

#include "base/hash.h"
#include "world/world_data.h"

namespace wend {

World::World(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

World::World() {
  auto data = std::make_shared<Data>();
  MeshArrays nothing;
  nothing.environmentHash = wend::hash(*data->environment);
  data->mesh = NavMesh(std::move(nothing));
  data_ = std::move(data);
}

Result<World> World::of(Environment environment, NavMesh mesh, std::optional<GenerateSettings> settings) {
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
  Data data;
  data.environment = std::make_shared<const Environment>(std::move(environment));
  data.mesh = std::move(mesh);
  data.settings = std::move(settings);
  return WorldAccess::make(std::move(data));
}

const Environment& World::environment() const {
  return *data_->environment;
}

const NavMesh& World::mesh() const {
  return data_->mesh;
}

SpaceHash World::spaceHash() const {
  return data_->space ? *data_->space : wend::spaceHash(*data_->environment);
}

const std::optional<GenerateSettings>& World::settings() const {
  return data_->settings;
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
  return World::of(std::move(environment), *std::move(mesh), settings);
}

// --- What edits have made of it -------------------------------------------------------------------------------------

uint64_t World::version() const {
  return data_->live->version;
}

const Environment& World::base() const {
  return data_->base ? data_->base->environment() : *data_->environment;
}

std::vector<ObstacleId> World::obstacles() const {
  std::vector<ObstacleId> ids;
  const LiveState& live = *data_->live;
  for (uint32_t i = 0; i < live.slots.size(); ++i) {
    if (live.slots[i].placed) ids.push_back({i, live.slots[i].generation});
  }
  return ids;
}

const Obstacle* World::find(ObstacleId id) const {
  const PlacedObstacle* placed = data_->live->find(id);
  return placed == nullptr ? nullptr : &placed->obstacle;
}

std::optional<ObstacleId> World::findObstacle(std::string_view name) const {
  const LiveState& live = *data_->live;
  for (uint32_t i = 0; i < live.slots.size(); ++i) {
    if (live.slots[i].placed && !name.empty() && live.slots[i].placed->obstacle.name == name) {
      return ObstacleId{i, live.slots[i].generation};
    }
  }
  return std::nullopt;
}

std::vector<Door> World::doors() const {
  std::vector<Door> doors;
  for (const auto& [name, placed] : data_->live->doors) doors.push_back(placed.door);
  return doors;
}

const Door* World::findDoor(std::string_view name) const {
  const auto found = data_->live->doors.find(std::string(name));
  return found == data_->live->doors.end() ? nullptr : &found->second.door;
}

std::vector<SetCost> World::costs() const {
  std::vector<SetCost> costs;
  for (const auto& [key, cost] : data_->live->costs) costs.push_back({key.first, key.second, cost});
  return costs;
}

const Stature& World::stature() const {
  return data_->live->stature;
}

Result<World> World::withStature(const Stature& stature) const {
  if (!(stature.headRoom >= 0.01 && stature.headRoom <= 1000 && stature.step >= 0 && stature.step < stature.headRoom)) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("a step of {:g} m and a head room of {:g} m do not fit: the head room is 0.01 to 1000 m, "
                             "the step from 0 to below it",
                             stature.step, stature.headRoom)};
  }
  if (stature == data_->live->stature) return *this;
  for (const LiveState::Slot& slot : data_->live->slots) {
    if (slot.placed && slot.placed->obstacle.shape.index() >= 3) {
      return Error{ErrorCode::kInvalidSettings,
                   "the stature cannot change while there are bodies in the world; remove them first"};
    }
  }
  Data data = *data_;
  LiveState live = *data_->live;
  live.stature = stature;
  data.live = std::make_shared<const LiveState>(std::move(live));
  return WorldAccess::make(std::move(data));
}

}  // namespace wend
