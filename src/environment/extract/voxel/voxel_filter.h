#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "environment/extract/voxel/blocks.h"

// The voxel filter: finds the voxels in which an agent may be able to stand. It never drops a walkable place.
namespace wend::voxel {

// A voxel that floor passes through, with the heights that floor takes in its column and head room that is not ruled
// out. Heights in lattice units.
struct Voxel {
  int32_t column = 0;  // within its block
  int32_t low = 0;
  int32_t high = 0;
  bool wanted = true;
};

struct Voxels {
  std::vector<std::vector<Voxel>> list;      // of each block, by column, then height
  std::vector<std::vector<uint32_t>> begin;  // of each block: where each column begins, and the end
  bool pruned = false;                       // by seed points: some are not wanted

  std::span<const Voxel> of(uint32_t block, int32_t column) const {
    const auto c = static_cast<size_t>(column);
    return std::span(list[block]).subspan(begin[block][c], begin[block][c + 1] - begin[block][c]);
  }
  uint64_t count() const;
};

// A voxel is dropped for want of head room only where one triangle covers its whole column too low.
Voxels makeVoxels(const extraction::Soup& soup, const extraction::Facets& facets, const Blocks& blocks,
                  const Measures& measures, const Context& context);

// Keeps what a walk over neighbouring voxels can reach from the seed points. It crosses walls, so what is left is at
// least what can be reached. An error (kNotOnMesh) if a seed point has no voxel near.
Status prune(Voxels& voxels, const Blocks& blocks, const ExtractSettings& settings, const Measures& measures);

}  // namespace wend::voxel
