#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <wend/context.h>
#include <wend/corridor_map.h>
#include <wend/edit.h>
#include <wend/environment.h>
#include <wend/generate.h>
#include <wend/navmesh.h>

// The noun between the mesh and the route: an environment with its mesh and its medial axis, if there is one. Planning,
// crowds, checks, pictures and files need nothing else.
namespace wend {

struct WorldUpdate;  // below

// A value: immutable, cheap to copy (copies share everything), safe to read from any number of threads.
class World {
 public:
  // Without cells.
  World();

  // A mesh that was made from this environment. kInvalidSettings if it was made from another one or its layers differ.
  // `settings` are those that made the mesh; apply() makes meshes with them. Without them apply() works only on meshes
  // that default options made.
  static Result<World> of(Environment environment, NavMesh mesh, std::optional<GenerateSettings> settings = {});

  // What is free now.
  const Environment& environment() const;
  const NavMesh& mesh() const;
  // The Explicit Corridor Map of the mesh, or null.
  const std::shared_ptr<const CorridorMap>& medialAxis() const { return mesh().corridorMap(); }
  bool empty() const { return mesh().empty(); }

  // --- Edits ---

  // The next version: the edits one after the other, then one environment and one mesh for all of them. All edits are
  // applied, or none is and the error says which one is wrong:
  // - kInvalidGeometry: a shape that crosses itself, has no extent or is not finite; kLimit: too many corners;
  // - kNotOnMesh: an obstacle outside of the walkable world;
  // - kInvalidSettings: an obstacle, door or layer that does not exist, or a name that is taken;
  // - kEmpty: nothing walkable would be left;
  // - kUnsupported: the settings of the mesh are not known (see of()).
  // This version stays as it is, and shares with the next one what did not change.
  //
  // Free space is the base without the present obstacles and the shut doors. The order of edits does not matter: equal
  // sets of obstacles and doors give equal environments with equal hashes. What an obstacle took comes back exactly.
  Result<WorldUpdate> apply(std::span<const Edit> edits, const Context& context = {}) const;

  uint64_t version() const;                   // 0 as baked; grows by one with each apply()
  const Environment& base() const;            // without obstacles, with all doors open
  std::vector<ObstacleId> obstacles() const;  // in the order of slots
  const Obstacle* find(ObstacleId id) const;  // null if it is gone
  std::optional<ObstacleId> findObstacle(std::string_view name) const;
  std::vector<Door> doors() const;  // in the order of names
  const Door* findDoor(std::string_view name) const;
  std::vector<SetCost> costs() const;
  const Stature& stature() const;
  // The same world for persons of another stature. kInvalidSettings outside the range, or if the world has bodies.
  Result<World> withStature(const Stature& stature) const;
  // What made the mesh, if it is known.
  const std::optional<GenerateSettings>& settings() const;
  // wend::spaceHash() of environment(), in O(1). Equal free spaces have equal hashes, whatever edits led to them.
  SpaceHash spaceHash() const;

 private:
  friend struct WorldAccess;
  struct Data;
  explicit World(std::shared_ptr<const Data> data);
  std::shared_ptr<const Data> data_;
};

struct WorldUpdate {
  World world;
  UpdateReport report;
};

// Hash of the environment and the mesh with all that is attached to it; equal worlds have equal hashes on every
// machine.
uint64_t hash(const World& world);

// Makes the mesh of an environment: generate() and World::of() in one.
Result<World> bake(Environment environment, const GenerateSettings& settings = {}, const Context& context = {});

// --- The .wend file -------------------------------------------------------------------------------------------------

// A FlatBuffers table, mapped into memory and verified before use. It holds the whole world: the base,
// obstacles, doors and costs, the environment that they give, and the mesh. A truncated, altered or
// foreign file is an Error, and so is a file of another version.
inline constexpr uint32_t kWorldFileVersion = 3;

// Written beside the target and renamed.
Status saveWorld(const World& world, const std::string& path);
// Maps the file; the big arrays of the mesh are read straight from the mapping, the environment is copied. Checks, in
// this order: identifier, version, table structure, hash of the contents, sizes and id ranges, twins mutual. It does
// not check the geometry: validate() and checkMesh() do. Do not write into a file while it is mapped; saveWorld()
// replaces it, which is safe.
Result<World> loadWorld(const std::string& path);

// The same in memory. Above 2 GB, the reach of a FlatBuffers offset, an error (kLimit).
Result<std::string> serialiseWorld(const World& world);
Result<World> parseWorld(std::span<const std::byte> bytes, std::string_view name);

// Whether bytes begin like a .wend file.
bool isWorldFile(std::span<const std::byte> bytes);

}  // namespace wend
