#pragma once

#include <cstddef>
#include <cstdint>

// How large a grid of voxels may be.
namespace wend {

inline constexpr uint32_t kMaxVoxelSide = 4096;
inline constexpr size_t kMaxVoxels = size_t{1} << 28;

}  // namespace wend
