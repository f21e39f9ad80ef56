#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <wend/lattice.h>

#include "draw/palette.h"

// A picture of pixels with a depth each, for scenes of any number of triangles.
namespace wend {

class Raster {
 public:
  Raster(uint32_t width, uint32_t height);

  // Corners in pixels (y down), z is the nearness: larger is in front.
  void triangle(const std::array<Vec3, 3>& corners, Colour colour);
  // Half the size, each pixel the mean of four: smooth edges.
  Raster halved() const;
  // The pixels as a PNG file.
  std::string png() const;

  uint32_t width() const { return width_; }
  uint32_t height() const { return height_; }

 private:
  uint32_t width_;
  uint32_t height_;
  std::vector<Colour> pixels_;
  std::vector<float> nearness_;
};

}  // namespace wend
