#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <wend/context.h>
#include <wend/image/range_image.h>

// Filters on rasters of whole numbers. Each works on bands of rows, in parallel; a band reads beyond its rows, so bands
// leave no trace. At the border the outermost pixels are repeated: a frame of zeros would become an edge.
//
// Written here and not taken from OpenCV: all are a page together, exact in whole numbers for 32-bit heights (OpenCV's
// median takes 32-bit floating point up to 5 x 5 only and no integers beyond 16 bits), skip pixels without return, and
// give the same bits everywhere; OpenCV's vector paths differ between machines and would double the size of a build.
namespace wend::image {

// Row by row from the top.
template <typename T>
struct Raster {
  uint32_t width = 0;
  uint32_t height = 0;
  std::vector<T> values;

  Raster() = default;
  Raster(uint32_t w, uint32_t h, T value = {}) : width(w), height(h), values(static_cast<size_t>(w) * h, value) {}
  const T* row(uint32_t y) const { return values.data() + static_cast<size_t>(y) * width; }
  T* row(uint32_t y) { return values.data() + static_cast<size_t>(y) * width; }
  T at(uint32_t x, uint32_t y) const { return row(y)[x]; }
};
using Heights = Raster<int32_t>;  // RangeImage::kNoReturn where none is known
using Mask = Raster<uint8_t>;     // 0 or 1

// Binomial weights, 1 2 1 or 1 4 6 4 1 in both directions; pixels without return have no weight and stay as they are.
Heights gaussian(const Heights& in, uint32_t side, const Context& context);
// Of the pixels with a return in the square; a pixel without one gets the median of those around it.
Heights median(const Heights& in, uint32_t side, const Context& context);
// Grey dilation, then erosion, with a square: fills pixels without return, and pits.
Heights closeHeights(const Heights& in, uint32_t side, const Context& context);
// The lowest height in a square window.
Heights lowest(const Heights& in, uint32_t side, const Context& context);

// 1 where the absolute response of a Sobel filter in direction 0, 45, 90 or 135 degrees (index 0 to 3) is larger than
// `threshold`. A step of h along the edge has a response of 4 h. Pixels without return count as edges.
Mask sobelEdges(const Heights& in, int direction, int64_t threshold, const Context& context);

Mask dilate(const Mask& in, uint32_t side, const Context& context);
Mask erode(const Mask& in, uint32_t side, const Context& context);
Mask close(const Mask& in, uint32_t side, const Context& context);
Mask open(const Mask& in, uint32_t side, const Context& context);

// 1 where a pixel is higher than the mean of the window around it by more than `offset`: sums over the window come from
// integral images of a band, so a pixel costs the same for any window.
Mask aboveMean(const Heights& in, uint32_t window, int64_t offset, const Context& context);
// 1 where a pixel is higher than the lowest one of the window by more than `offset`.
Mask aboveLowest(const Heights& in, uint32_t window, int64_t offset, const Context& context);

}  // namespace wend::image
