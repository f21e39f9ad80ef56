#include <bit>
#include <cerrno>
#include <cstring>
#include <optional>

#include <wend/file.h>
#include <wend/mesh_file.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mesh/check_arrays.h"
#include "mesh/corridor_file.h"
#include "mesh/wend_file_generated.h"

namespace wend {

namespace {

static_assert(std::endian::native == std::endian::little, "a .wend file is read in place, and is little-endian");
static_assert(sizeof(Vec2) == sizeof(file::Vec2) && alignof(Vec2) == alignof(file::Vec2));
static_assert(sizeof(Point) == sizeof(file::Point) && alignof(Point) == alignof(file::Point));
static_assert(sizeof(std::array<uint32_t, 3>) == sizeof(file::Triangle));

// The largest offset of FlatBuffers, with room for tables and padding.
constexpr size_t kMaxBytes = (size_t{1} << 31) - (size_t{1} << 16);
// Tables in a file: three per layer and a few more; depth: file, layers, layer, height field.
constexpr uint32_t kMaxTables = 1 << 22;
constexpr uint32_t kMaxDepth = 8;
constexpr size_t kMinBytes = 16;

Error formatError(std::string_view name, std::string_view what) {
  return {ErrorCode::kFormat, fmt::format("'{}' {}", name, what)};
}

// --- Writing
// ----------------------------------------------------------------------------------------------------------

size_t estimateBytes(const NavMesh& mesh) {
  size_t bytes = mesh.memory() + mesh.info().generator.size() + 4096;
  bytes += mesh.layerCount() * size_t{256};
  return bytes;
}

template <typename Target, typename Source>
flatbuffers::Offset<flatbuffers::Vector<const Target*>> structs(flatbuffers::FlatBufferBuilder& builder,
                                                                std::span<const Source> values) {
  return builder.CreateVectorOfStructs(reinterpret_cast<const Target*>(values.data()), values.size());
}

template <typename T>
flatbuffers::Offset<flatbuffers::Vector<T>> scalars(flatbuffers::FlatBufferBuilder& builder,
                                                    std::span<const T> values) {
  return builder.CreateVector(values.data(), values.size());
}

flatbuffers::Offset<file::Layer> writeLayer(flatbuffers::FlatBufferBuilder& builder, const MeshArrays& info, size_t i) {
  const HeightField& field = info.layerHeights[i];
  const auto heights = file::CreateHeightField(
      builder, field.base, structs<file::Point>(builder, std::span<const Point>(field.points)),
      scalars(builder, std::span<const double>(field.z)),
      structs<file::Triangle>(builder, std::span<const std::array<uint32_t, 3>>(field.triangles)));
  return file::CreateLayer(builder, info.layerIds[i], builder.CreateString(info.layerNames[i]), heights);
}

// --- Reading
// ----------------------------------------------------------------------------------------------------------

// The version is the first field of the root table, and must be readable in files that this version cannot read.
std::optional<uint32_t> readVersion(std::span<const uint8_t> bytes) {
  flatbuffers::Verifier verifier(bytes.data(), bytes.size(), kMaxDepth, kMaxTables);
  if (bytes.size() < kMinBytes || verifier.VerifyOffset(0) == 0) return std::nullopt;
  const auto* root = flatbuffers::GetRoot<flatbuffers::Table>(bytes.data());
  if (!root->VerifyTableStart(verifier)) return std::nullopt;
  if (!root->VerifyField<uint32_t>(verifier, file::MeshFile::VT_VERSION, 4)) return std::nullopt;
  return root->GetField<uint32_t>(file::MeshFile::VT_VERSION, 0);
}

// The vector in place. FlatBuffers aligns what it writes; a file that lies about it is refused by the caller.
template <typename T, typename Vector>
std::span<const T> view(const Vector* vector, bool& aligned) {
  if (vector == nullptr || vector->size() == 0) return {};
  if (reinterpret_cast<uintptr_t>(vector->Data()) % alignof(T) != 0) {
    aligned = false;
    return {};
  }
  return {reinterpret_cast<const T*>(vector->Data()), vector->size()};
}

std::string text(const flatbuffers::String* string) {
  return string == nullptr ? std::string() : std::string(string->c_str(), string->size());
}

template <typename T>
std::vector<T> copy(std::span<const T> values) {
  return {values.begin(), values.end()};
}

MeshArrays readInfo(const file::MeshFile& root, bool& aligned) {
  MeshArrays info;
  info.lattice.unit = root.unit();
  info.generator = text(root.generator());
  info.settingsHash = root.settings_hash();
  info.environmentHash = root.environment_hash();
  info.traits = {root.convex(), root.disjoint(), root.exact()};
  if (const file::Topology* known = root.environment()) {
    info.environment.doubledArea = {static_cast<int64_t>(known->doubled_area_high()), known->doubled_area_low()};
    info.environment.components = known->components();
    info.environment.boundaries = known->boundaries();
    info.environment.genus = known->genus();
  }
  if (root.layers() == nullptr) return info;
  for (const file::Layer* layer : *root.layers()) {
    info.layerIds.push_back(layer->id());
    info.layerNames.push_back(text(layer->name()));
    HeightField& field = info.layerHeights.emplace_back();
    if (const file::HeightField* heights = layer->heights()) {
      field.base = heights->base();
      field.points = copy(view<Point>(heights->points(), aligned));
      field.z = copy(view<double>(heights->z(), aligned));
      field.triangles = copy(view<std::array<uint32_t, 3>>(heights->triangles(), aligned));
    }
  }
  return info;
}

// Walks around vertices and cells rely on these two to come to an end.
std::optional<std::string> findBrokenLoop(const NavMesh& mesh) {
  for (CellId c = 0; c < mesh.cellCount(); ++c) {
    if (mesh.sideCount(c) < 3) return fmt::format("cell {} has {} sides", c, mesh.sideCount(c));
  }
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    if (mesh.isWall(s)) continue;
    if (mesh.twin(s) == s || mesh.twin(mesh.twin(s)) != s) return fmt::format("side {} and its twin disagree", s);
  }
  return std::nullopt;
}

// `bytes` must be aligned for doubles and live as long as the owner.
Result<NavMesh> readMesh(std::span<const uint8_t> bytes, std::shared_ptr<const void> owner, std::string_view name) {
  if (!isMeshFile(std::as_bytes(bytes))) return formatError(name, "is not a .wend file");
  if (bytes.size() > kMaxBytes) {
    return Error{ErrorCode::kLimit, fmt::format("'{}' is larger than the 2 GB of a .wend file", name)};
  }
  const std::optional<uint32_t> version = readVersion(bytes);
  if (!version || *version == 0) return formatError(name, "is damaged: its header cannot be read; bake it again");
  if (*version > kMeshFileVersion) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("'{}' was made by a newer wend, version {}; this one reads up to {}: update wend, or bake "
                             "the mesh again with this one",
                             name, *version, kMeshFileVersion)};
  }
  flatbuffers::Verifier verifier(bytes.data(), bytes.size(), kMaxDepth, kMaxTables);
  if (!file::VerifyMeshFileBuffer(verifier)) {
    return formatError(name, "is damaged or cut off: its tables do not fit the file; bake it again");
  }

  const file::MeshFile& root = *file::GetMeshFile(bytes.data());
  bool aligned = true;
  MeshArrays info = readInfo(root, aligned);
  const NavMesh::Views views{view<Vec2>(root.vertices(), aligned),        view<double>(root.heights(), aligned),
                             view<uint32_t>(root.cell_begin(), aligned),  view<uint32_t>(root.cell_layer(), aligned),
                             view<uint32_t>(root.side_vertex(), aligned), view<uint32_t>(root.side_twin(), aligned),
                             view<uint32_t>(root.side_cell(), aligned)};
  std::shared_ptr<CorridorMap> map;
  if (const file::CorridorMap* table = root.corridor_map()) {
    map = std::make_shared<CorridorMap>(readCorridorMap(*table, info.lattice, aligned));
  }
  if (!aligned) return formatError(name, "is damaged: its arrays are not aligned; bake it again");
  NavMesh mesh(std::move(info), views, std::move(owner));
  if (map) mesh = mesh.withCorridorMap(std::move(map));
#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION  // no mutation satisfies a hash, but much lies behind it
  if (hash(mesh) != root.hash()) {
    return formatError(name, "is damaged: its contents do not have the hash it records; bake it again");
  }
#endif
  const std::vector<MeshFault> faults = checkArrays(mesh, 1);
  if (!faults.empty()) return formatError(name, "is no valid mesh: " + faults.front().message);
  if (const auto broken = findBrokenLoop(mesh)) return formatError(name, "is no valid mesh: " + *broken);
  return mesh;
}

// A file mapped read-only. Never changes under us unless someone writes into the file in place; saveMesh() renames.
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

Result<std::string> serialiseMesh(const NavMesh& mesh) {
  const size_t bytes = estimateBytes(mesh);
  const MeshArrays& info = mesh.info();
  if (bytes > kMaxBytes || info.layerIds.size() > kMaxTables / 4) {
    return Error{ErrorCode::kLimit,
                 fmt::format("the mesh needs {} bytes in {} layers, but a .wend file holds 2 GB: divide the world, or "
                             "choose a generator with larger cells",
                             bytes, info.layerIds.size())};
  }
  const std::vector<MeshFault> faults = checkArrays(mesh, 1);
  if (!faults.empty()) return Error{ErrorCode::kInternal, "the mesh cannot be saved: " + faults.front().message};

  flatbuffers::FlatBufferBuilder builder(bytes);
  // Default values are written too, so that the version is always there to be read.
  builder.ForceDefaults(true);
  std::vector<flatbuffers::Offset<file::Layer>> layers;
  for (size_t i = 0; i < info.layerIds.size(); ++i) layers.push_back(writeLayer(builder, info, i));
  const DoubledArea area = info.environment.doubledArea;
  const auto known =
      file::CreateTopology(builder, area.low, static_cast<uint64_t>(area.high), info.environment.components,
                           info.environment.boundaries, info.environment.genus);
  const NavMesh::Views& views = mesh.views();
  flatbuffers::Offset<file::CorridorMap> corridorMap;
  if (mesh.corridorMap() != nullptr) corridorMap = writeCorridorMap(builder, *mesh.corridorMap());
  const auto root = file::CreateMeshFile(
      builder, kMeshFileVersion, hash(mesh), info.lattice.unit, builder.CreateString(info.generator), info.settingsHash,
      info.environmentHash, known, info.traits.convex, info.traits.disjoint, info.traits.exact,
      structs<file::Vec2>(builder, views.vertices), scalars(builder, views.heights), scalars(builder, views.cellBegin),
      scalars(builder, views.cellLayer), scalars(builder, views.sideVertex), scalars(builder, views.sideTwin),
      scalars(builder, views.sideCell), builder.CreateVector(layers), corridorMap);
  file::FinishMeshFileBuffer(builder, root);
  return std::string(reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize());
}

Status saveMesh(const NavMesh& mesh, const std::string& path) {
  const Result<std::string> bytes = serialiseMesh(mesh);
  if (!bytes) return bytes.error();
  return writeFile(path, *bytes);
}

Result<NavMesh> loadMesh(const std::string& path) {
  auto mapped = mapFile(path);
  if (!mapped) return mapped.error();
  std::shared_ptr<const Mapping> mapping = *std::move(mapped);
  return readMesh({static_cast<const uint8_t*>(mapping->data), mapping->size}, mapping, path);
}

Result<NavMesh> parseMesh(std::span<const std::byte> bytes, std::string_view name) {
  if (!isMeshFile(bytes)) return formatError(name, "is not a .wend file");
  // The caller's bytes may go away, and may begin anywhere.
  auto copied = std::make_shared<std::vector<double>>((bytes.size() + sizeof(double) - 1) / sizeof(double));
  std::memcpy(copied->data(), bytes.data(), bytes.size());
  return readMesh({reinterpret_cast<const uint8_t*>(copied->data()), bytes.size()}, copied, name);
}

bool isMeshFile(std::span<const std::byte> bytes) {
  return bytes.size() >= kMinBytes && std::memcmp(bytes.data() + 4, file::MeshFileIdentifier(), 4) == 0;
}

}  // namespace wend
