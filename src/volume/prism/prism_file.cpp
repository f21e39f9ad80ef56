#include <bit>
#include <cmath>
#include <cstring>
#include <exception>
#include <new>

#include <wend/file.h>
#include <wend/volume/prism_grid.h>

#include <fmt/format.h>

#include "base/file_section.h"
#include "base/hash.h"
#include "volume/prism/prism_file_generated.h"
#include "volume/prism/voxel_limits.h"

namespace wend {
namespace {

static_assert(std::endian::native == std::endian::little, "a file of prisms is little-endian");

constexpr size_t kMaxFile = size_t{1} << 32;

Error damaged(std::string_view name, std::string_view what) {
  return {ErrorCode::kFormat, fmt::format("'{}': the prisms are damaged: {}; make them again", name, what)};
}

bool isInRange(const PrismGrid& grid) {
  size_t count = 1;
  for (const uint32_t side : grid.size) {
    if (side == 0 || side > kMaxVoxelSide) return false;
    count *= side;
  }
  return count <= kMaxVoxels && std::isfinite(grid.voxel) && grid.voxel > 0 && std::isfinite(grid.origin.x) &&
         std::isfinite(grid.origin.y) && std::isfinite(grid.origin.z);
}

bool isInside(const PrismGrid& grid, const GridPrism& prism) {
  for (size_t i = 0; i < 3; ++i) {
    if (prism.low[i] > prism.high[i] || prism.high[i] >= grid.size[i]) return false;
  }
  return true;
}

// Writes the ids of all prisms; the index of the first that overlaps another one, or kNone.
uint32_t paint(const PrismGrid& grid, std::vector<uint32_t>& ids) {
  ids.assign(static_cast<size_t>(grid.size[0]) * grid.size[1] * grid.size[2], 0);
  for (uint32_t i = 0; i < grid.prisms.size(); ++i) {
    const GridPrism& p = grid.prisms[i];
    for (uint32_t z = p.low[2]; z <= p.high[2]; ++z) {
      for (uint32_t y = p.low[1]; y <= p.high[1]; ++y) {
        uint32_t* row = ids.data() + (static_cast<size_t>(z) * grid.size[1] + y) * grid.size[0];
        for (uint32_t x = p.low[0]; x <= p.high[0]; ++x) {
          if (row[x] != 0) return i;
          row[x] = i + 1;
        }
      }
    }
  }
  return kNone;
}

Result<PrismGrid> parse(std::span<const std::byte> bytes, std::string_view name) {
  // The caller's bytes may begin anywhere.
  std::vector<uint64_t> aligned((bytes.size() + 7) / 8);
  if (!bytes.empty()) std::memcpy(aligned.data(), bytes.data(), bytes.size());
  const auto* data = reinterpret_cast<const uint8_t*>(aligned.data());
  flatbuffers::Verifier verifier(data, bytes.size());
  if (bytes.size() < 16 || !file::VerifyPrismGridBuffer(verifier)) {
    return damaged(name, "their fields do not fit the bytes");
  }
  const file::PrismGrid& root = *file::GetPrismGrid(data);
  if (root.version() != kPrismFileVersion) {
    return Error{ErrorCode::kUnsupported, fmt::format("'{}': prisms of version {}; this wend reads {}", name,
                                                      root.version(), kPrismFileVersion)};
  }
  PrismGrid grid;
  grid.size = {root.size_x(), root.size_y(), root.size_z()};
  grid.voxel = root.voxel();
  grid.origin = {root.origin_x(), root.origin_y(), root.origin_z()};
  if (!isInRange(grid)) return damaged(name, "a size is out of range");
  const size_t count = root.corners() == nullptr ? 0 : root.corners()->size();
  if (count % 6 != 0) return damaged(name, "a prism is not whole");
  for (uint32_t i = 0; i < count; i += 6) {
    GridPrism prism;
    for (uint32_t k = 0; k < 3; ++k) {
      prism.low[k] = root.corners()->Get(i + k);
      prism.high[k] = root.corners()->Get(i + 3 + k);
    }
    if (!isInside(grid, prism)) return damaged(name, fmt::format("prism {} lies outside of the grid", i / 6));
    grid.prisms.push_back(prism);
  }
  if (paint(grid, grid.ids) != kNone) return damaged(name, "two prisms overlap");
#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION  // no mutation satisfies a hash, but much lies behind it
  if (hash(grid) != root.hash()) return damaged(name, "they do not have the hash that is recorded");
#endif
  return grid;
}

}  // namespace

// The ids follow from the prisms.
uint64_t hash(const PrismGrid& grid) {
  Hash sum;
  for (const uint32_t side : grid.size) sum.add(side);
  sum.add(grid.voxel);
  sum.add(grid.origin.x);
  sum.add(grid.origin.y);
  sum.add(grid.origin.z);
  sum.array(std::span<const GridPrism>(grid.prisms));
  return sum.value();
}

std::vector<std::string> checkPrisms(const PrismGrid& grid, size_t limit) {
  std::vector<std::string> faults;
  if (!isInRange(grid)) return {"the size of the grid, its voxels or its origin is out of range"};
  for (uint32_t i = 0; i < grid.prisms.size() && faults.size() < limit; ++i) {
    if (!isInside(grid, grid.prisms[i])) faults.push_back(fmt::format("prism {} lies outside of the grid", i));
  }
  if (!faults.empty()) return faults;
  std::vector<uint32_t> ids;
  if (const uint32_t overlapping = paint(grid, ids); overlapping != kNone) {
    return {fmt::format("prism {} overlaps another one", overlapping)};
  }
  if (ids != grid.ids) faults.emplace_back("the ids of voxels are not those of the prisms");
  return faults;
}

bool isPrismFile(std::span<const std::byte> bytes) {
  return bytes.size() >= 8 && std::memcmp(bytes.data() + 4, "WPRM", 4) == 0;
}

std::string serialisePrisms(const PrismGrid& grid) {
  std::vector<uint16_t> corners;
  corners.reserve(grid.prisms.size() * 6);
  for (const GridPrism& prism : grid.prisms) {
    for (const uint32_t value : prism.low) corners.push_back(static_cast<uint16_t>(value));
    for (const uint32_t value : prism.high) corners.push_back(static_cast<uint16_t>(value));
  }
  flatbuffers::FlatBufferBuilder builder(corners.size() * sizeof(uint16_t) + 1024);
  builder.ForceDefaults(true);
  const auto list = builder.CreateVector(corners);
  const auto root = file::CreatePrismGrid(builder, kPrismFileVersion, grid.size[0], grid.size[1], grid.size[2],
                                          grid.voxel, grid.origin.x, grid.origin.y, grid.origin.z, list, hash(grid));
  file::FinishPrismGridBuffer(builder, root);
  return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
}

Result<PrismGrid> parsePrisms(std::span<const std::byte> bytes, std::string_view name) {
  try {
    return parse(bytes, name);
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kLimit, fmt::format("'{}': there is not enough memory for its prisms", name)};
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kInternal, fmt::format("'{}': reading prisms failed: {}", name, exception.what())};
  }
}

Status savePrisms(const PrismGrid& grid, const std::string& path) {
  return writeFile(path, serialisePrisms(grid));
}

Result<PrismGrid> loadPrisms(const std::string& path) {
  const Result<std::vector<std::byte>> bytes = readFile(path, kMaxFile);
  if (!bytes.ok()) return bytes.error();
  if (isPrismFile(*bytes)) return parsePrisms(*bytes, path);
  const auto section = findSection(*bytes, kPrismSection);
  if (section) return parsePrisms(*section, path);
  return Error{ErrorCode::kEmpty, fmt::format("'{}' holds no prisms; make them with wend prisms", path)};
}

}  // namespace wend
