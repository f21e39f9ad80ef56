#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include <wend/extract.h>

// The lengths of the voxel method in lattice units, and its three grids: pixels, columns of voxels, blocks.
namespace wend::voxel {

// Pixels along the side of a block: what one thread draws at a time.
inline constexpr int32_t kBlockShift = 6;
inline constexpr int32_t kBlock = 1 << kBlockShift;
inline constexpr int32_t kBlockPixels = kBlock * kBlock;

struct Measures {
  explicit Measures(const ExtractSettings& settings)
      : unit(settings.lattice.unit),
        height(settings.height / unit),
        step(settings.step / unit),
        gap(settings.gap / unit),
        strict(settings.strict),
        singleLayer(settings.voxel.singleLayer),
        turn(std::cos(settings.voxel.turn * std::numbers::pi / 180) - 1e-9),
        simplify(settings.voxel.simplify) {
    // Even, so that pixels have their centres on the lattice.
    pixel = 2 * static_cast<int32_t>(std::lround(settings.voxel.resolution / unit / 2));
    const double width = settings.voxel.width > 0 ? settings.voxel.width / unit / pixel : 8;
    columnShift = std::clamp(static_cast<int32_t>(std::lround(std::log2(width))), 0, kBlockShift);
    voxelHeight = std::max({step, height / 16, 1.0});
    rise = std::max(step, pixel * std::tan(settings.slope * std::numbers::pi / 180)) + contact;
  }

  double unit;  // metres
  int32_t pixel;
  int32_t columnShift;  // log2 of the pixels along the side of a column
  double voxelHeight;
  double height;
  double step;
  double gap;
  // Nearer to the floor than this is contact, not obstacle; also the slack on height and step.
  double contact = std::max(0.001 / unit, 10.0);
  // Heights of linked neighbouring pixels differ by at most this: a step, or the steepest floor.
  double rise;
  bool strict;
  bool singleLayer;
  double turn;      // cosine of the largest angle between the normals of neighbours, in a single layer
  double simplify;  // pixels

  int32_t columns() const { return kBlock >> columnShift; }  // along the side of a block
  double centre(int32_t index) const { return (index + 0.5) * pixel; }
  // The pixel that holds a coordinate.
  int32_t pixelOf(double units) const { return static_cast<int32_t>(std::floor(units / pixel)); }
  int32_t columnOf(int32_t localPixel) const {  // within a block
    return ((localPixel >> kBlockShift) >> columnShift) * columns() + ((localPixel & (kBlock - 1)) >> columnShift);
  }
};

}  // namespace wend::voxel
