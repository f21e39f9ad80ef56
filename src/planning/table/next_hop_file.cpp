#include <cstring>

#include <wend/file.h>
#include <wend/next_hop_table.h>

#include <fmt/format.h>

#include "base/file_section.h"
#include "planning/table/next_hop_builder.h"
#include "planning/table/next_hop_file_generated.h"

namespace wend {
namespace {

constexpr uint32_t kVersion = 1;
constexpr size_t kMaxFile = (size_t{1} << 31) + (size_t{1} << 31);

Error damaged(std::string_view name, std::string_view what) {
  return {ErrorCode::kFormat, fmt::format("'{}': the table of next hops is damaged: {}; build it anew", name, what)};
}

bool areSound(const NextHopTable& table, const NavMesh& mesh) {
  for (uint32_t row = 0; row < table.goalCount(); ++row) {
    for (CellId cell = 0; cell < table.cellCount(); ++cell) {
      const SideId side = table.next(mesh, cell, row);
      if (side != kNone && (side >= mesh.endSide(cell) || mesh.isWall(side))) return false;
    }
  }
  return true;
}

}  // namespace

std::string NextHopTable::serialise(const NavMesh& mesh) const {
  const std::span<const CellId> goals = NextHopBuilder::goalCells(*this);
  const std::span<const uint32_t> entries = NextHopBuilder::entries(*this);
  flatbuffers::FlatBufferBuilder builder(entries.size_bytes() + 1024);
  builder.ForceDefaults(true);
  const auto goalList = builder.CreateVector(goals.data(), goals.size());
  const auto entryList = builder.CreateVector(entries.data(), entries.size());
  const auto root = file::CreateNextHopTable(builder, kVersion, wend::hash(mesh), cells_, width_,
                                             static_cast<uint8_t>(metric_), radius_, goalList, entryList, hash());
  file::FinishNextHopTableBuffer(builder, root);
  return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
}

Result<NextHopTable> NextHopTable::parse(std::span<const std::byte> bytes, const NavMesh& mesh, std::string_view name) {
  // The caller's bytes may begin anywhere.
  std::vector<uint64_t> aligned((bytes.size() + 7) / 8);
  if (!bytes.empty()) std::memcpy(aligned.data(), bytes.data(), bytes.size());
  const auto* data = reinterpret_cast<const uint8_t*>(aligned.data());
  flatbuffers::Verifier verifier(data, bytes.size());
  if (bytes.size() < 16 || !file::VerifyNextHopTableBuffer(verifier)) {
    return damaged(name, "its fields do not fit the bytes");
  }
  const file::NextHopTable& root = *file::GetNextHopTable(data);
  if (root.version() != kVersion) {
    return Error{ErrorCode::kUnsupported, fmt::format("'{}': a table of next hops of version {}; this wend reads {}",
                                                      name, root.version(), kVersion)};
  }
  const uint32_t width = root.width();
  if (root.cells() != mesh.cellCount() || width != entryBytesFor(mesh) ||
      root.metric() > static_cast<uint8_t>(HopMetric::kShortest) || root.goals() == nullptr ||
      root.entries() == nullptr || !(root.radius() >= 0 && root.radius() <= 100)) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("'{}': the table of next hops was built from another mesh; build it anew", name)};
  }
  std::vector<CellId> goals(root.goals()->begin(), root.goals()->end());
  for (size_t i = 0; i < goals.size(); ++i) {
    if (goals[i] >= mesh.cellCount() || (i > 0 && goals[i] <= goals[i - 1])) return damaged(name, "a wrong goal");
  }
  const size_t rows = goals.empty() ? mesh.cellCount() : goals.size();
  const size_t words = (rows * mesh.cellCount() * width + 3) / 4;
  if (root.entries()->size() != words) return damaged(name, "a wrong number of entries");
  NextHopTable table =
      NextHopBuilder::assemble(root.cells(), std::move(goals), width, static_cast<HopMetric>(root.metric()),
                               root.radius(), std::vector<uint32_t>(root.entries()->begin(), root.entries()->end()));
#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION  // no mutation satisfies a hash, but much lies behind it
  if (root.mesh_hash() != wend::hash(mesh)) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("'{}': the table of next hops was built from another mesh; build it anew", name)};
  }
  if (root.hash() != table.hash()) return damaged(name, "it does not have the hash that it records");
#endif
  if (!areSound(table, mesh)) return damaged(name, "a hop leads through a wall");
  return table;
}

Status saveWorldWithTable(const World& world, const NextHopTable& table, const std::string& path) {
  if (table.cellCount() != world.mesh().cellCount()) {
    return Error{ErrorCode::kInvalidSettings, "the table of next hops was built from another mesh; build it anew"};
  }
  Result<std::string> bytes = serialiseWorld(world);
  if (!bytes.ok()) return bytes.error();
  putSection(*bytes, kHopSection, table.serialise(world.mesh()));
  return writeFile(path, *bytes);
}

Result<NextHopTable> loadTable(const std::string& path, const World& world) {
  const Result<std::vector<std::byte>> bytes = readFile(path, kMaxFile);
  if (!bytes.ok()) return bytes.error();
  const auto section = findSection(*bytes, kHopSection);
  if (!section) {
    return Error{ErrorCode::kEmpty, fmt::format("'{}' holds no table of next hops; make one with wend table", path)};
  }
  return NextHopTable::parse(*section, world.mesh(), path);
}

}  // namespace wend
