#include <bit>
#include <cerrno>
#include <cstring>
#include <optional>

#include <wend/file.h>
#include <wend/world.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/hash.h"
#include "environment/edit/apply_footprints.h"
#include "mesh/validator/check_arrays.h"
#include "mesh/validator/check_steps.h"
#include "world/corridor_file.h"
#include "world/environment_table.h"
#include "world/live_table.h"
#include "world/world_data.h"

namespace wend {
namespace {

static_assert(std::endian::native == std::endian::little, "a .wend file is read in place, and is little-endian");

// The largest offset of FlatBuffers, with room for tables and padding.
constexpr size_t kMaxBytes = (size_t{1} << 31) - (size_t{1} << 16);
// Tables in a file: three per layer and region, one per connection and a few more. Depth: file, environment, layers,
// layer, regions, region, area.
constexpr uint32_t kMaxTables = 1 << 22;
constexpr uint32_t kMaxDepth = 12;
constexpr size_t kMinBytes = 16;

Error formatError(std::string_view name, std::string_view what) {
  return {ErrorCode::kFormat, fmt::format("'{}' {}", name, what)};
}

Error unsound(std::string_view name, const TableReading& reading) {
  return formatError(name, fmt::format("is damaged: {}; bake it again", reading.fault()));
}

// --- Writing --------------------------------------------------------------------------------------------------------

size_t tablesOf(const Environment& environment) {
  size_t tables = environment.connections.size() + 8;
  for (const Layer& layer : environment.layers) tables += 3 + 2 * layer.regions.size();
  return tables;
}

flatbuffers::Offset<file::Mesh> writeMesh(flatbuffers::FlatBufferBuilder& builder, const NavMesh& mesh) {
  const MeshArrays& info = mesh.info();
  const NavMesh::Views& views = mesh.views();
  const auto environment = writeTopology(builder, info.environment);
  return file::CreateMesh(
      builder, builder.CreateString(info.generator), info.settingsHash, info.environmentHash, environment,
      info.traits.convex, info.traits.disjoint, info.traits.exact, structs<file::Vec2>(builder, views.vertices),
      scalars(builder, views.heights), scalars(builder, views.cellBegin), scalars(builder, views.cellLayer),
      scalars(builder, views.sideVertex), scalars(builder, views.sideTwin), scalars(builder, views.sideCell));
}

bool isEdited(const LiveState& live) {
  return !live.isEmpty() || live.stature != Stature{};
}

// Of the environment, the mesh and the medial axis, and of what edits made of them.
uint64_t fileHash(const World& world) {
  const WorldAccess::Data& data = WorldAccess::of(world);
  if (!isEdited(*data.live) && !data.settings) return hash(world);
  Hash sum;
  sum.add(hash(world));
  sum.add(hash(*data.live));
  sum.add(data.settings ? hash(*data.settings) : 0);
  return sum.value();
}

// --- Reading --------------------------------------------------------------------------------------------------------

// The version is the first field of the root table, and must be readable in files that this version cannot read.
std::optional<uint32_t> readVersion(std::span<const uint8_t> bytes) {
  flatbuffers::Verifier verifier(bytes.data(), bytes.size(), kMaxDepth, kMaxTables);
  if (bytes.size() < kMinBytes || verifier.VerifyOffset(0) == 0) return std::nullopt;
  const auto* root = flatbuffers::GetRoot<flatbuffers::Table>(bytes.data());
  if (!root->VerifyTableStart(verifier)) return std::nullopt;
  if (!root->VerifyField<uint32_t>(verifier, file::WorldFile::VT_VERSION, 4)) return std::nullopt;
  return root->GetField<uint32_t>(file::WorldFile::VT_VERSION, 0);
}

// The layers of a mesh are those of its environment.
MeshArrays readInfo(const file::Mesh& table, const Environment& environment, TableReading& reading) {
  MeshArrays info;
  info.lattice = environment.lattice;
  info.generator = text(table.generator(), reading);
  info.settingsHash = table.settings_hash();
  info.environmentHash = table.environment_hash();
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION  // no mutation satisfies a hash, but much lies behind it
  info.environmentHash = hash(environment);
#endif
  info.traits = {table.convex(), table.disjoint(), table.exact()};
  if (table.environment() != nullptr) info.environment = readTopology(*table.environment());
  for (const Layer& layer : environment.layers) {
    info.layerIds.push_back(layer.id);
    info.layerNames.push_back(layer.name);
    info.layerHeights.push_back(layer.heights);
  }
  return info;
}

// Walks around vertices and cells rely on these two to come to an end, and what cuts convex cells relies on the third
// to stay within memory.
std::optional<std::string> findBrokenLoop(const NavMesh& mesh) {
  for (CellId c = 0; c < mesh.cellCount(); ++c) {
    if (mesh.sideCount(c) < 3) return fmt::format("cell {} has {} sides", c, mesh.sideCount(c));
  }
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    if (mesh.isWall(s)) continue;
    const SideId twin = mesh.twin(s);
    if (twin == s || mesh.twin(twin) != s || mesh.startVertex(s) != mesh.endVertex(twin)) {
      return fmt::format("side {} and its twin disagree", s);
    }
  }
  if (mesh.info().traits.convex) {
    const CellId reflex = findReflexCell(mesh);
    if (reflex != kNone) return fmt::format("it promises convex cells, but cell {} has a reflex corner", reflex);
  }
  return std::nullopt;
}

Result<NavMesh> readMesh(const file::WorldFile& root, const Environment& environment, std::shared_ptr<const void> owner,
                         std::string_view name, TableReading& reading) {
  const file::Mesh& table = *root.mesh();
  const NavMesh::Views views{view<Vec2>(table.vertices(), reading),        view<double>(table.heights(), reading),
                             view<uint32_t>(table.cell_begin(), reading),  view<uint32_t>(table.cell_layer(), reading),
                             view<uint32_t>(table.side_vertex(), reading), view<uint32_t>(table.side_twin(), reading),
                             view<uint32_t>(table.side_cell(), reading)};
  std::shared_ptr<CorridorMap> map;
  if (const file::CorridorMap* axis = root.corridor_map()) {
    map = std::make_shared<CorridorMap>(readCorridorMap(*axis, environment.lattice, reading));
  }
  MeshArrays info = readInfo(table, environment, reading);
  if (!reading.isSound()) return unsound(name, reading);
  NavMesh mesh(std::move(info), views, std::move(owner));
  if (map) mesh = mesh.withCorridorMap(std::move(map));
  return mesh;
}

// The world with its base, obstacles, doors and settings. They must give the environment that the file holds.
Result<World> readEdits(const file::WorldFile& root, const World& world, TableReading& reading) {
  WorldAccess::Data data = WorldAccess::of(world);
  if (root.settings() != nullptr) data.settings = readSettings(*root.settings(), reading);
  if (root.live() != nullptr) {
    std::shared_ptr<const Environment> base = data.environment;
    if (root.base() != nullptr) {
      Result<Environment> read = readEnvironmentTable(*root.base(), data.environment->lattice, reading);
      if (!read.ok()) return read.error();
      base = std::make_shared<const Environment>(*std::move(read));
    }
    if (!validate(*base, 1).empty()) return Error{ErrorCode::kFormat, "its base is not a valid environment"};
    data.base = std::make_shared<const LiveBase>(std::move(base));
    Result<LiveState> live = readLive(*root.live(), *data.base, reading);
    if (!live.ok()) return live.error();
    Result<EditedEnvironment> edited = applyFootprints(*data.base, live->footprints());
    if (!edited.ok()) return edited.error();
    if (edited->environment != *data.environment) {
      return Error{ErrorCode::kFormat, "its base and obstacles do not give its environment"};
    }
    live->cut = std::move(edited->cut);
    live->clusters = std::move(edited->clusters);
    data.live = std::make_shared<const LiveState>(*std::move(live));
  }
  return WorldAccess::make(std::move(data));
}

bool isVerified(std::span<const uint8_t> bytes) {
  flatbuffers::Verifier verifier(bytes.data(), bytes.size(), kMaxDepth, kMaxTables);
  return file::VerifyWorldFileBuffer(verifier);
}

// `bytes` must be aligned for doubles and live as long as the owner.
Result<World> readTables(std::span<const uint8_t> bytes, std::shared_ptr<const void> owner, std::string_view name) {
  if (!isWorldFile(std::as_bytes(bytes))) return formatError(name, "is not a .wend file");
  if (bytes.size() > kMaxBytes) {
    return Error{ErrorCode::kLimit, fmt::format("'{}' is larger than the 2 GB of a .wend file", name)};
  }
  const std::optional<uint32_t> version = readVersion(bytes);
  if (!version || *version == 0) return formatError(name, "is damaged: its header cannot be read; bake it again");
  if (*version != kWorldFileVersion) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("'{}' is a .wend file of version {}; this wend reads version {}: {}", name, *version,
                             kWorldFileVersion,
                             *version < kWorldFileVersion ? "bake it again from its environment or scene"
                                                          : "update wend, or bake it again with this one")};
  }
  if (!isVerified(bytes)) {
    return formatError(name, "is damaged or cut off: its tables do not fit the file; bake it again");
  }
  const file::WorldFile& root = *file::GetWorldFile(bytes.data());
  if (root.environment() == nullptr || root.mesh() == nullptr) {
    return formatError(name, "is damaged: it holds no environment or no mesh; bake it again");
  }
  TableReading reading(bytes.size());
  Result<Environment> environment = readEnvironmentTable(*root.environment(), Lattice{root.unit()}, reading);
  if (!reading.isSound()) return unsound(name, reading);
  if (!environment.ok()) return formatError(name, "holds no valid environment: " + environment.error().message);
  Result<NavMesh> mesh = readMesh(root, *environment, std::move(owner), name, reading);
  if (!mesh.ok()) return mesh.error();
  const std::vector<MeshFault> faults = checkArrays(*mesh, 1);
  if (!faults.empty()) return formatError(name, "holds no valid mesh: " + faults.front().message);
  if (const auto broken = findBrokenLoop(*mesh)) return formatError(name, "holds no valid mesh: " + *broken);
  Result<World> world = World::of(*std::move(environment), *std::move(mesh));
  if (!world.ok()) return formatError(name, "is damaged: " + world.error().message);
  world = readEdits(root, *world, reading);
  if (!reading.isSound()) return unsound(name, reading);
  if (!world.ok()) return formatError(name, "is damaged: " + world.error().message);
#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION  // no mutation satisfies a hash, but much lies behind it
  if (fileHash(*world) != root.hash()) {
    return formatError(name, "is damaged: its contents do not have the hash it records; bake it again");
  }
#endif
  return world;
}

// A file mapped read-only. Stays as it is unless a program writes into the file in place; saveWorld() renames.
struct Mapping {
  void* data = nullptr;
  size_t size = 0;
  Mapping() = default;
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() {
    if (data != nullptr) ::munmap(data, size);
  }
};

Result<std::shared_ptr<const Mapping>> mapFile(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return Error{ErrorCode::kFileNotFound, fmt::format("cannot open '{}': {}", path, std::strerror(errno))};
  struct stat status {};
  auto mapping = std::make_shared<Mapping>();
  std::optional<Error> error;
  if (::fstat(fd, &status) != 0) {
    error = Error{ErrorCode::kFileNotFound, fmt::format("cannot read '{}': {}", path, std::strerror(errno))};
  } else if (!S_ISREG(status.st_mode)) {
    error = Error{ErrorCode::kFileNotFound, fmt::format("'{}' is not a regular file", path)};
  } else if (status.st_size == 0) {
    error = formatError(path, "is empty, not a .wend file");
  } else {
    mapping->size = static_cast<size_t>(status.st_size);
    void* data = ::mmap(nullptr, mapping->size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED) {
      error = Error{ErrorCode::kFileNotFound, fmt::format("cannot map '{}': {}", path, std::strerror(errno))};
    } else {
      mapping->data = data;
    }
  }
  ::close(fd);
  if (error) return *error;
  return std::shared_ptr<const Mapping>(std::move(mapping));
}

}  // namespace

Result<std::string> serialiseWorld(const World& world) {
  const NavMesh& mesh = world.mesh();
  const Environment& environment = world.environment();
  const WorldAccess::Data& data = WorldAccess::of(world);
  // As baked, there is nothing to tell of edits.
  const bool edited = isEdited(*data.live);
  const bool hasBase = edited && data.base && data.base->environment() != environment;
  const size_t bytes = mesh.memory() + bytesOf(environment) + (hasBase ? bytesOf(world.base()) : 0) +
                       bytesOf(*data.live) + mesh.info().generator.size() + 4096;
  const size_t tables = tablesOf(environment) + (hasBase ? tablesOf(world.base()) : 0) + tablesOf(*data.live);
  if (bytes > kMaxBytes || tables > kMaxTables / 2) {
    return Error{ErrorCode::kLimit,
                 fmt::format("the world needs {} bytes in {} layers, but a .wend file holds 2 GB: divide the world, or "
                             "choose a generator with larger cells",
                             bytes, environment.layers.size())};
  }
  const std::vector<MeshFault> faults = checkArrays(mesh, 1);
  if (!faults.empty()) return Error{ErrorCode::kInternal, "the mesh cannot be saved: " + faults.front().message};

  flatbuffers::FlatBufferBuilder builder(bytes);
  // Default values are written too, so that the version is always there to be read.
  builder.ForceDefaults(true);
  const auto environmentTable = writeEnvironmentTable(builder, environment);
  const auto meshTable = writeMesh(builder, mesh);
  flatbuffers::Offset<file::CorridorMap> corridorMap;
  if (mesh.corridorMap() != nullptr) corridorMap = writeCorridorMap(builder, *mesh.corridorMap());
  flatbuffers::Offset<file::Environment> base;
  if (hasBase) base = writeEnvironmentTable(builder, world.base());
  flatbuffers::Offset<file::Live> live;
  if (edited) live = writeLive(builder, *data.live);
  flatbuffers::Offset<file::Settings> settings;
  if (data.settings) settings = writeSettings(builder, *data.settings);
  const auto root = file::CreateWorldFile(builder, kWorldFileVersion, fileHash(world), environment.lattice.unit,
                                          environmentTable, meshTable, corridorMap, base, live, settings);
  file::FinishWorldFileBuffer(builder, root);
  WEND_ASSERT(isVerified({builder.GetBufferPointer(), builder.GetSize()}), "a file that is written can be read");
  return std::string(reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize());
}

Status saveWorld(const World& world, const std::string& path) {
  const Result<std::string> bytes = serialiseWorld(world);
  if (!bytes.ok()) return bytes.error();
  return writeFile(path, *bytes);
}

Result<World> loadWorld(const std::string& path) {
  auto mapped = mapFile(path);
  if (!mapped.ok()) return mapped.error();
  std::shared_ptr<const Mapping> mapping = *std::move(mapped);
  return readTables({static_cast<const uint8_t*>(mapping->data), mapping->size}, mapping, path);
}

Result<World> parseWorld(std::span<const std::byte> bytes, std::string_view name) {
  if (!isWorldFile(bytes)) return formatError(name, "is not a .wend file");
  // The caller's bytes may go away, and may begin anywhere.
  auto copied = std::make_shared<std::vector<double>>((bytes.size() + sizeof(double) - 1) / sizeof(double));
  std::memcpy(copied->data(), bytes.data(), bytes.size());
  return readTables({reinterpret_cast<const uint8_t*>(copied->data()), bytes.size()}, copied, name);
}

bool isWorldFile(std::span<const std::byte> bytes) {
  return bytes.size() >= kMinBytes && std::memcmp(bytes.data() + 4, file::WorldFileIdentifier(), 4) == 0;
}

}  // namespace wend
