#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <wend/context.h>
#include <wend/corridor_map.h>
#include <wend/environment.h>
#include <wend/generate.h>
#include <wend/navmesh.h>

// The noun between the mesh and the route: an environment with its mesh and its medial axis, if there is one. Planning,
// crowds, checks, pictures and files need nothing else.
namespace wend {

// A value: immutable, cheap to copy (copies share everything), safe to read from any number of threads.
class World {
 public:
  // Without cells.
  World();

  // A mesh that was made from this environment. kInvalidSettings if it was made from another one or its layers differ.
  static Result<World> of(Environment environment, NavMesh mesh);

  const Environment& environment() const;
  const NavMesh& mesh() const;
  // The Explicit Corridor Map of the mesh, or null.
  const std::shared_ptr<const CorridorMap>& medialAxis() const { return mesh().corridorMap(); }
  bool empty() const { return mesh().empty(); }

 private:
  struct Data;
  explicit World(std::shared_ptr<const Data> data);
  std::shared_ptr<const Data> data_;
};

// Hash of the environment and the mesh with all that is attached to it; equal worlds have equal hashes on every
// machine.
uint64_t hash(const World& world);

// Makes the mesh of an environment: generate() and World::of() in one.
Result<World> bake(Environment environment, const GenerateSettings& settings = {}, const Context& context = {});

// --- The .wend file -------------------------------------------------------------------------------------------------

// A FlatBuffers table, mapped into memory and verified before use. It holds the whole world. A truncated, altered or
// foreign file is an Error, never a crash; so is a file of another version.
inline constexpr uint32_t kWorldFileVersion = 2;

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
