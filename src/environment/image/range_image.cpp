#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <new>

#include <wend/file.h>
#include <wend/image/range_image.h>

#include <fmt/format.h>

#include "environment/image/png_decoder.h"
#include "environment/image/tiff_reader.h"

namespace wend {
namespace {

constexpr std::string_view kPngSignature = "\x89PNG\r\n\x1a\n";

Status checkSettings(const RangeReadSettings& settings) {
  if (!(settings.pixel >= 0 && settings.pixel <= 1e6)) {
    return Error{
        ErrorCode::kInvalidSettings,
        fmt::format("the size of a pixel is {} m; it must be from 0 (as the file says) to 1e6", settings.pixel)};
  }
  if (!(settings.heightScale >= 1e-9 && settings.heightScale <= 1e6)) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("the scale of heights is {}; it must be from 1e-9 to 1e6", settings.heightScale)};
  }
  return Done{};
}

Result<RangeImage> readPng(std::string_view bytes, std::string_view name, const RangeReadSettings& settings,
                           const Context& context) {
  image::PngDecoder decoder(bytes, kMaxGridSide);
  const auto broken = [&] {
    return Error{ErrorCode::kFormat, fmt::format("'{}': no valid PNG: {}", name, decoder.message())};
  };
  if (!decoder.open()) return broken();
  RangeImage image;
  image.width = decoder.width();
  image.height = decoder.height();
  image.pixel = settings.pixel > 0 ? settings.pixel : 1;
  // Deflate makes a byte of at most 1032: a header that claims more is not believed.
  const size_t pixels = static_cast<size_t>(image.width) * image.height;
  constexpr size_t kMostPixelsPerByte = 8 * 1040;  // of one bit each
  if (pixels / kMostPixelsPerByte > bytes.size()) {
    return Error{ErrorCode::kFormat, fmt::format("'{}': {} bytes cannot hold the {} x {} pixels that its header claims",
                                                 name, bytes.size(), image.width, image.height)};
  }
  if (Status status = image::checkPixels(image.width, image.height, bytes.size(), name, settings); !status.ok()) {
    return status.error();
  }
  image.heights.resize(pixels);
  bool fits = true;
  const bool read = decoder.readPixels(context, [&](uint32_t row, uint32_t column, const image::PngDecoder::Pixel& p) {
    const uint64_t sample = p.brightness / image::PngDecoder::kLumaTotal;
    const auto value = static_cast<double>(decoder.isDeep() ? sample : sample / 257);
    int32_t& out = image.heights[static_cast<size_t>(row) * image.width + column];
    if (p.transparent) {
      out = RangeImage::kNoReturn;
    } else {
      fits = image::heightOf(value, settings, settings.noData, out) && fits;
    }
  });
  if (!read && context.cancelled()) {
    return Error{ErrorCode::kCancelled, fmt::format("reading of '{}' was stopped", name)};
  }
  if (!read) return broken();
  if (!fits) {
    return Error{ErrorCode::kLimit, fmt::format("'{}': heights beyond +-2000 km; give the scale of the heights", name)};
  }
  return image;
}

}  // namespace

Status image::checkPixels(size_t width, size_t height, size_t bytes, std::string_view name,
                          const RangeReadSettings& settings) {
  constexpr size_t kAlways = size_t{1} << 25;
  constexpr size_t kPerByte = 64;
  const bool isUsual = settings.maxPixels == RangeReadSettings{}.maxPixels;
  const size_t most = isUsual ? std::min(settings.maxPixels, kAlways + kPerByte * bytes) : settings.maxPixels;
  if (width * height <= most) return Done{};
  return Error{ErrorCode::kLimit,
               fmt::format("'{}': {} x {} pixels are more than {}, which is the limit for a file of {} bytes; set "
                           "--image-pixels, or RangeReadSettings::maxPixels, if you trust it",
                           name, width, height, most, bytes)};
}

bool isTiff(std::span<const std::byte> bytes) {
  if (bytes.size() < 4) return false;
  const std::string_view head(reinterpret_cast<const char*>(bytes.data()), 4);
  using namespace std::string_view_literals;
  return head == "II\x2a\0"sv || head == "MM\0\x2a"sv || head == "II\x2b\0"sv || head == "MM\0\x2b"sv;
}

Result<RangeImage> parseRangeImage(std::span<const std::byte> bytes, std::string_view name,
                                   const RangeReadSettings& settings, const Context& context) {
  try {
    if (const Status status = checkSettings(settings); !status.ok()) return status.error();
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.starts_with(kPngSignature)) return readPng(text, name, settings, context);
    if (isTiff(bytes)) return image::readTiff(text, name, settings, context);
    return Error{ErrorCode::kFormat, fmt::format("'{}' is not a range image; wend reads PNG and TIFF", name)};
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kLimit, fmt::format("'{}': not enough memory", name)};
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kInternal, fmt::format("'{}': {}", name, exception.what())};
  }
}

Result<RangeImage> readRangeImage(const std::string& path, const RangeReadSettings& settings, const Context& context) {
  const Result<std::vector<std::byte>> bytes = readFile(path, settings.maxBytes);
  if (!bytes.ok()) return bytes.error();
  return parseRangeImage(*bytes, path, settings, context);
}

}  // namespace wend
