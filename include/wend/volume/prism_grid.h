#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <wend/context.h>
#include <wend/lattice.h>
#include <wend/result.h>

// The adaptive grid in space: free voxels divided into disjoint boxes (prisms) that grow from single voxels in six
// directions. The source names this extension and gives no algorithm; the rules are those of the plane, layer by layer.
namespace wend {

struct VoxelGrid {
  std::array<uint32_t, 3> size{};  // voxels along x, y, z; at most 4096 each and 2^30 in all
  std::vector<uint8_t> free;       // x fastest, then y, then z from below; nonzero where free
  double voxel = 1;                // metres
  Vec3 origin;                     // metres; the lowest corner

  size_t index(uint32_t x, uint32_t y, uint32_t z) const {
    return (static_cast<size_t>(z) * size[1] + y) * size[0] + x;
  }
};

struct PrismSettings {
  uint32_t period =
      16;  // seeds at the free ones among the voxels (i, j, k) * period, at least 1; 0: the first free voxel
  bool memory = false;     // begin with the side after the one that grew last, which gives compact prisms
  uint64_t maxVoxels = 0;  // of a prism; 0: no limit
  uint32_t maxSide = 0;    // voxels; 0: no limit
};

// Inclusive.
struct GridPrism {
  std::array<uint32_t, 3> low{};
  std::array<uint32_t, 3> high{};
  uint64_t voxels() const { return (uint64_t{high[0]} - low[0] + 1) * (high[1] - low[1] + 1) * (high[2] - low[2] + 1); }
  bool operator==(const GridPrism&) const = default;
};

// The rectangle that two prisms share.
struct PrismPassage {
  uint32_t from = 0;
  uint32_t to = 0;
  uint32_t axis = 0;              // 0, 1, 2: `to` lies behind the high side of `from` along x, y or z
  std::array<uint32_t, 2> low{};  // lines on the other two axes, in their order; high is exclusive
  std::array<uint32_t, 2> high{};
  bool operator==(const PrismPassage&) const = default;
};

struct PrismGrid {
  std::array<uint32_t, 3> size{};
  double voxel = 1;
  Vec3 origin;
  std::vector<GridPrism> prisms;  // prism i has the id i + 1
  std::vector<uint32_t> ids;      // per voxel; 0 where no prism is

  // The prism at a place, metres, or kNone. O(1).
  uint32_t locate(Vec3 metres) const;
  bool operator==(const PrismGrid&) const = default;
};

// In turn, one side per call: east, north, west, south, up, down. Every free voxel belongs to exactly one prism. A
// layer that is blocked once stays blocked, so growth is linear in voxels.
Result<PrismGrid> growPrisms(const VoxelGrid& grid, const PrismSettings& settings = {}, const Context& context = {});

// All, each once, ordered by `from` and axis.
std::vector<PrismPassage> passagesOf(const PrismGrid& grid);

// The prisms along the shortest path between the centres of prisms, from one place to another, both included; empty if
// nothing leads there or a place is in no prism. Dijkstra over `passages`.
std::vector<uint32_t> pathOf(const PrismGrid& grid, std::span<const PrismPassage> passages, Vec3 from, Vec3 to);

// The ids of one layer of voxels, row by row from the top (y from above): a slice for pictures.
std::vector<uint32_t> sliceOf(const PrismGrid& grid, uint32_t z);

}  // namespace wend
