#pragma once

#include <wend/world.h>

#include "world/edit/live_state.h"
#include "world/search_mesh.h"

// The inside of World, shared by the files that implement it: world.cpp, edit/apply.cpp, and the .wend file.
namespace wend {

struct World::Data {
  std::shared_ptr<const Environment> environment = std::make_shared<const Environment>();
  NavMesh mesh;
  std::optional<GenerateSettings> settings;
  std::shared_ptr<const LiveState> live = std::make_shared<const LiveState>();
  std::shared_ptr<const LiveBase> base;      // null: nothing was edited yet, the environment is the base
  std::optional<SpaceHash> space;            // of the environment, once something was edited
  std::shared_ptr<const SearchMesh> search;  // of the environment; null without a medial axis
};

struct WorldAccess {
  using Data = World::Data;
  static World make(World::Data data) {
    const std::shared_ptr<const CorridorMap>& axis = data.mesh.corridorMap();
    if (data.search == nullptr && axis != nullptr) data.search = std::make_shared<const SearchMesh>(data.environment);
    return World(std::make_shared<const World::Data>(std::move(data)));
  }
  static const World::Data& of(const World& world) { return *world.data_; }
};

}  // namespace wend
