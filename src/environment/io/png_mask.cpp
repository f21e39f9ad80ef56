#include <fmt/format.h>

#include "environment/image/png_decoder.h"
#include "environment/io/formats.h"
#include "environment/io/grid_draft.h"

// A picture as a floor plan: light pixels are free. Row 0 of the picture is its top, and the world's y axis points up,
// so pixel (column, row) covers [column, column+1] x [height-1-row, height-row] times the cell size.
namespace wend {
namespace {

constexpr uint32_t kMaxSide = 16384;  // pixels

}  // namespace

Result<EnvironmentDraft> readPngMask(const Source& source) {
  image::PngDecoder decoder(source.text, kMaxSide);
  const auto broken = [&]() {
    return Error{ErrorCode::kFormat, fmt::format("'{}': no valid PNG: {}", source.name, decoder.message())};
  };
  if (!decoder.open()) return broken();
  const uint32_t width = decoder.width();
  const uint32_t height = decoder.height();
  const size_t pixels = static_cast<size_t>(width) * height;
  if (pixels > source.settings.maxCells) {
    return Error{ErrorCode::kLimit, fmt::format("'{}': {} x {} pixels are more than the limit of {}", source.name,
                                                width, height, source.settings.maxCells)};
  }
  std::vector<uint8_t> free(pixels);
  const double least = source.settings.threshold * 65535.0 * static_cast<double>(image::PngDecoder::kLumaTotal);
  const bool read =
      decoder.readPixels(source.context, [&](uint32_t row, uint32_t column, const image::PngDecoder::Pixel& pixel) {
        const bool isFree = !pixel.transparent && static_cast<double>(pixel.brightness) >= least;
        free[static_cast<size_t>(height - 1 - row) * width + column] = isFree ? 1 : 0;
      });
  if (!read) {
    if (source.context.cancelled()) {
      return Error{ErrorCode::kCancelled, fmt::format("reading of '{}' was stopped", source.name)};
    }
    return broken();
  }
  return gridDraft(source, free, width, height);
}

}  // namespace wend
