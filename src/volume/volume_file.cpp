#include <bit>
#include <cstring>
#include <optional>

#include <wend/file.h>
#include <wend/volume/volume_mesh.h>

#include <fmt/format.h>

#include "volume/volume_file_generated.h"

namespace wend {
namespace {

static_assert(std::endian::native == std::endian::little, "a .wvol file is little-endian");

constexpr size_t kMaxBytes = (size_t{1} << 31) - (size_t{1} << 16);
constexpr uint32_t kMaxTables = 16;
constexpr uint32_t kMaxDepth = 4;
constexpr size_t kMinBytes = 16;
// Classes that a mesh may name.
constexpr size_t kMaxLabels = 65'536;

Error formatError(std::string_view name, std::string_view what) {
  return {ErrorCode::kFormat, fmt::format("'{}' {}", name, what)};
}

std::optional<uint32_t> readVersion(std::span<const uint8_t> bytes) {
  flatbuffers::Verifier verifier(bytes.data(), bytes.size(), kMaxDepth, kMaxTables);
  if (bytes.size() < kMinBytes || verifier.VerifyOffset(0) == 0) return std::nullopt;
  const auto* root = flatbuffers::GetRoot<flatbuffers::Table>(bytes.data());
  if (!root->VerifyTableStart(verifier)) return std::nullopt;
  if (!root->VerifyField<uint32_t>(verifier, volume_file::VolumeFile::VT_VERSION, 4)) return std::nullopt;
  return root->GetField<uint32_t>(volume_file::VolumeFile::VT_VERSION, 0);
}

Result<VolumeDraft> readDraft(const volume_file::VolumeFile& file, size_t bytes, std::string_view name) {
  VolumeDraft draft;
  draft.lattice.unit = file.unit();
  if (file.origin() == nullptr || file.origin()->size() != 3 || file.bounds() == nullptr ||
      file.bounds()->size() != 6 || file.cell_begin() == nullptr || file.cell_label() == nullptr ||
      file.planes() == nullptr || file.labels() == nullptr || file.labels()->size() == 0 ||
      file.labels()->size() > kMaxLabels || file.free_residues() == nullptr || file.free_residues()->size() != 2) {
    return formatError(name, "is damaged: an array is missing or has a wrong size; make it again");
  }
  draft.lattice.origin = {file.origin()->Get(0), file.origin()->Get(1), file.origin()->Get(2)};
  const auto& bounds = *file.bounds();
  draft.low = {bounds.Get(0), bounds.Get(1), bounds.Get(2)};
  draft.high = {bounds.Get(3), bounds.Get(4), bounds.Get(5)};
  if (file.generator() != nullptr) draft.generator = file.generator()->str();
  draft.settingsHash = file.settings_hash();
  draft.traits = {file.disjoint(), file.exact()};
  if (file.has_free_volume()) {
    draft.freeVolume = ExactVolume{file.free_volume(), {file.free_residues()->Get(0), file.free_residues()->Get(1)}};
  }
  draft.labels.clear();
  size_t left = bytes;
  for (const auto* label : *file.labels()) {
    draft.labels.push_back(label == nullptr ? std::string() : label->str());
    // Strings may be one string in the file, named often.
    if (draft.labels.back().size() > left) return formatError(name, "is damaged: its labels share text; make it again");
    left -= draft.labels.back().size();
  }
  const auto& begin = *file.cell_begin();
  const size_t cells = file.cell_label()->size();
  if (begin.size() != cells + 1 || begin.Get(0) != 0 ||
      begin.Get(static_cast<uint32_t>(cells)) != file.planes()->size()) {
    return formatError(name, "is damaged: its cells do not fit its half-spaces; make it again");
  }
  draft.cells.resize(cells);
  for (uint32_t c = 0; c < cells; ++c) {
    if (begin.Get(c) > begin.Get(c + 1) || begin.Get(c + 1) > file.planes()->size()) {
      return formatError(name, fmt::format("is damaged: volume {} ends before it begins; make it again", c));
    }
    draft.cells[c].label = file.cell_label()->Get(c);
    for (uint32_t p = begin.Get(c); p < begin.Get(c + 1); ++p) {
      const volume_file::HalfSpace& plane = *file.planes()->Get(p);
      draft.cells[c].planes.push_back({plane.a(), plane.b(), plane.c(), plane.d()});
    }
  }
  return draft;
}

}  // namespace

bool isVolumeFile(std::span<const std::byte> bytes) {
  return bytes.size() >= 8 && std::memcmp(bytes.data() + 4, "WVOL", 4) == 0;
}

Result<std::string> serialiseVolumes(const VolumeMesh& mesh) {
  const VolumeDraft& info = mesh.info();
  const size_t bytes = size_t{mesh.faceCount()} * sizeof(HalfSpace) + size_t{mesh.cellCount()} * 8 + 4096;
  if (bytes > kMaxBytes || info.labels.size() > kMaxLabels) {
    return Error{ErrorCode::kLimit,
                 fmt::format("{} volumes need more than the 2 GB of a .wvol file; divide the world", mesh.cellCount())};
  }
  flatbuffers::FlatBufferBuilder builder(bytes);
  builder.ForceDefaults(true);
  std::vector<uint32_t> begin{0};
  std::vector<uint32_t> labels;
  std::vector<volume_file::HalfSpace> planes;
  for (VolumeId c = 0; c < mesh.cellCount(); ++c) {
    for (FaceId f = mesh.firstFace(c); f < mesh.endFace(c); ++f) {
      const HalfSpace& plane = mesh.plane(f);
      planes.emplace_back(plane.a, plane.b, plane.c, plane.d);
    }
    begin.push_back(static_cast<uint32_t>(planes.size()));
    labels.push_back(mesh.label(c));
  }
  const std::vector<double> origin{info.lattice.origin.x, info.lattice.origin.y, info.lattice.origin.z};
  const std::vector<int32_t> bounds{info.low.x, info.low.y, info.low.z, info.high.x, info.high.y, info.high.z};
  const ExactVolume free = info.freeVolume.value_or(ExactVolume{});
  const std::vector<uint64_t> residues(free.residues.begin(), free.residues.end());
  const auto originVector = builder.CreateVector(origin);
  const auto boundsVector = builder.CreateVector(bounds);
  const auto generator = builder.CreateString(info.generator);
  const auto residueVector = builder.CreateVector(residues);
  const auto names = builder.CreateVectorOfStrings(info.labels);
  const auto beginVector = builder.CreateVector(begin);
  const auto labelVector = builder.CreateVector(labels);
  const auto planeVector = builder.CreateVectorOfStructs(planes);
  const auto root = volume_file::CreateVolumeFile(
      builder, kVolumeFileVersion, hash(mesh), info.lattice.unit, originVector, boundsVector, generator,
      info.settingsHash, info.traits.disjoint, info.traits.exact, info.freeVolume.has_value(), free.cubicMetres,
      residueVector, names, beginVector, labelVector, planeVector);
  volume_file::FinishVolumeFileBuffer(builder, root);
  return std::string(reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize());
}

Status saveVolumes(const VolumeMesh& mesh, const std::string& path) {
  const Result<std::string> bytes = serialiseVolumes(mesh);
  if (!bytes.ok()) return bytes.error();
  return writeFile(path, *bytes);
}

Result<VolumeMesh> parseVolumes(std::span<const std::byte> bytes, std::string_view name, const Context& context) {
  if (!isVolumeFile(bytes)) return formatError(name, "is not a .wvol file");
  if (bytes.size() > kMaxBytes) {
    return Error{ErrorCode::kLimit, fmt::format("'{}' is larger than the 2 GB of a .wvol file", name)};
  }
  // The caller's bytes may begin anywhere; numbers of eight bytes may not.
  std::vector<uint64_t> aligned((bytes.size() + 7) / 8);
  std::memcpy(aligned.data(), bytes.data(), bytes.size());
  const std::span<const uint8_t> view{reinterpret_cast<const uint8_t*>(aligned.data()), bytes.size()};
  const std::optional<uint32_t> version = readVersion(view);
  if (!version || *version == 0) return formatError(name, "is damaged: its header cannot be read; make it again");
  if (*version != kVolumeFileVersion) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("'{}' is a .wvol file of version {}; this wend reads version {}: make it again with wend "
                             "volumes",
                             name, *version, kVolumeFileVersion)};
  }
  flatbuffers::Verifier verifier(view.data(), view.size(), kMaxDepth, kMaxTables);
  if (!volume_file::VerifyVolumeFileBuffer(verifier)) {
    return formatError(name, "is damaged or cut off: its tables do not fit the file; make it again");
  }
  const volume_file::VolumeFile& file = *volume_file::GetVolumeFile(view.data());
  Result<VolumeDraft> draft = readDraft(file, bytes.size(), name);
  if (!draft.ok()) return draft.error();
  Result<VolumeMesh> mesh = buildVolumes(*std::move(draft), context);
  if (!mesh.ok()) {
    if (mesh.error().code == ErrorCode::kCancelled) return mesh.error();
    return formatError(name, "holds no valid volumes: " + mesh.error().message);
  }
#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION  // no mutation satisfies a hash, but much lies behind it
  if (hash(*mesh) != file.hash()) {
    return formatError(name, "is damaged: its contents do not have the hash it records; make it again");
  }
#endif
  return mesh;
}

Result<VolumeMesh> loadVolumes(const std::string& path, const Context& context) {
  const Result<std::vector<std::byte>> bytes = readFile(path, kMaxBytes);
  if (!bytes.ok()) return bytes.error();
  return parseVolumes(*bytes, path, context);
}

}  // namespace wend
