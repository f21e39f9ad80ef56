#include "environment/image/tiff_reader.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <span>

#include <fmt/format.h>

#ifdef WEND_WITH_TIFF
#include <tiffio.h>
#endif

namespace wend::image {

#ifndef WEND_WITH_TIFF

Result<RangeImage> readTiff(std::string_view, std::string_view name, const RangeReadSettings&, const Context&) {
  return Error{ErrorCode::kUnsupported,
               fmt::format("'{}' is a TIFF file, and wend was built without libtiff; install libtiff-dev and build "
                           "again, or save it as PNG of 16 bits",
                           name)};
}

#else

namespace {

// Tags of GeoTIFF and GDAL.
constexpr uint32_t kPixelScale = 33550;
constexpr uint32_t kTiePoint = 33922;
constexpr uint32_t kGeoKeys = 34735;
constexpr uint32_t kNoDataText = 42113;
constexpr uint16_t kModelTypeKey = 1024;
constexpr uint16_t kRasterTypeKey = 1025;

constexpr size_t kMaxAllocation = size_t{256} << 20;  // of libtiff, at once
constexpr size_t kMaxRowBytes = size_t{1} << 20;      // 16384 pixels of 64 bits
constexpr size_t kMaxTileBytes = size_t{128} << 20;

// The bytes of the file as libtiff reads them, and its first complaint.
struct Source {
  std::string_view bytes;
  uint64_t at = 0;
  char message[256] = {};
};

extern "C" {
static tmsize_t readSome(thandle_t handle, void* out, tmsize_t size) {
  auto* source = static_cast<Source*>(handle);
  if (size <= 0 || source->at >= source->bytes.size()) return 0;
  const size_t count = std::min(static_cast<size_t>(size), source->bytes.size() - source->at);
  std::memcpy(out, source->bytes.data() + source->at, count);
  source->at += count;
  return static_cast<tmsize_t>(count);
}
static tmsize_t writeNothing(thandle_t, void*, tmsize_t) {
  return 0;
}
static toff_t seek(thandle_t handle, toff_t offset, int whence) {
  auto* source = static_cast<Source*>(handle);
  source->at = whence == SEEK_SET ? offset : whence == SEEK_CUR ? source->at + offset : source->bytes.size() + offset;
  return source->at;
}
static int closeNothing(thandle_t) {
  return 0;
}
static toff_t sizeOf(thandle_t handle) {
  return static_cast<Source*>(handle)->bytes.size();
}
static int keepError(TIFF*, void* user, const char*, const char* format, va_list arguments) {
  auto* source = static_cast<Source*>(user);
  if (source->message[0] == 0) std::vsnprintf(source->message, sizeof(source->message), format, arguments);
  return 1;
}
static int ignoreWarning(TIFF*, void*, const char*, const char*, va_list) {
  return 1;
}
}

class Tiff {
 public:
  Tiff(std::string_view bytes, std::string_view name, const RangeReadSettings& settings, const Context& context)
      : source_{bytes}, name_(name), settings_(settings), context_(context) {}
  Tiff(const Tiff&) = delete;
  Tiff& operator=(const Tiff&) = delete;
  ~Tiff() {
    if (tiff_ != nullptr) TIFFClose(tiff_);
  }

  Result<RangeImage> read() {
    TIFFOpenOptions* options = TIFFOpenOptionsAlloc();
    if (options == nullptr) return wrong("not enough memory");
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, static_cast<tmsize_t>(kMaxAllocation));
    TIFFOpenOptionsSetErrorHandlerExtR(options, keepError, &source_);
    TIFFOpenOptionsSetWarningHandlerExtR(options, ignoreWarning, nullptr);
    // "m": the file is not mapped; "c": strips are not chopped into smaller ones.
    tiff_ = TIFFClientOpenExt("range image", "rm", &source_, readSome, writeNothing, seek, closeNothing, sizeOf,
                              nullptr, nullptr, options);
    TIFFOpenOptionsFree(options);
    if (tiff_ == nullptr) return wrong("its header cannot be read");
    if (const Status status = readShape(); !status.ok()) return status.error();
    if (const Status status = readPlace(); !status.ok()) return status.error();
    const Status status = TIFFIsTiled(tiff_) != 0 ? readTiles() : readRows();
    if (!status.ok()) return status.error();
    return std::move(image_);
  }

 private:
  Error wrong(std::string_view what) const {
    return {ErrorCode::kFormat, fmt::format("'{}': no valid TIFF: {}{}{}", name_, what,
                                            source_.message[0] != 0 ? ": " : "", source_.message)};
  }

  Status readShape() {
    uint32_t width = 0;
    uint32_t height = 0;
    if (TIFFGetField(tiff_, TIFFTAG_IMAGEWIDTH, &width) != 1 ||
        TIFFGetField(tiff_, TIFFTAG_IMAGELENGTH, &height) != 1 || width == 0 || height == 0) {
      return wrong("it states no size");
    }
    if (width > kMaxGridSide || height > kMaxGridSide) {
      return Error{ErrorCode::kLimit,
                   fmt::format("'{}': {} x {} pixels are more than {} x {}; cut the picture into parts", name_, width,
                               height, kMaxGridSide, kMaxGridSide)};
    }
    if (Status status = checkPixels(width, height, source_.bytes.size(), name_, settings_); !status.ok()) return status;
    uint16_t photometric = PHOTOMETRIC_MINISBLACK;
    uint16_t planar = PLANARCONFIG_CONTIG;
    TIFFGetFieldDefaulted(tiff_, TIFFTAG_BITSPERSAMPLE, &bits_);
    TIFFGetFieldDefaulted(tiff_, TIFFTAG_SAMPLESPERPIXEL, &samples_);
    TIFFGetFieldDefaulted(tiff_, TIFFTAG_SAMPLEFORMAT, &format_);
    TIFFGetFieldDefaulted(tiff_, TIFFTAG_PLANARCONFIG, &planar);
    TIFFGetField(tiff_, TIFFTAG_PHOTOMETRIC, &photometric);
    const bool known = (format_ == SAMPLEFORMAT_IEEEFP && (bits_ == 32 || bits_ == 64)) ||
                       ((format_ == SAMPLEFORMAT_UINT || format_ == SAMPLEFORMAT_INT || format_ == SAMPLEFORMAT_VOID) &&
                        (bits_ == 8 || bits_ == 16 || bits_ == 32));
    if (!known) {
      return Error{
          ErrorCode::kUnsupported,
          fmt::format("'{}': heights of {} bits in format {}; save them as 8, 16 or 32 bits", name_, bits_, format_)};
    }
    if (photometric != PHOTOMETRIC_MINISBLACK || samples_ < 1 || samples_ > 4) {
      return Error{ErrorCode::kUnsupported,
                   fmt::format("'{}' is a picture in colours, not of heights; save one band in grey", name_)};
    }
    stride_ = planar == PLANARCONFIG_CONTIG ? samples_ : uint16_t{1};
    image_.width = width;
    image_.height = height;
    return Done{};
  }

  // The values of a tag that libtiff does not know; none if they have another type than they should: libtiff hands out
  // what the file states.
  template <typename T>
  std::span<const T> values(uint32_t tag, TIFFDataType type) const {
    const TIFFField* field = TIFFFindField(tiff_, tag, TIFF_ANY);
    if (field == nullptr || TIFFFieldDataType(field) != type || TIFFFieldPassCount(field) == 0 ||
        TIFFFieldReadCount(field) != TIFF_VARIABLE2) {
      return {};
    }
    uint32_t count = 0;
    const T* data = nullptr;
    if (TIFFGetField(tiff_, tag, &count, &data) != 1 || data == nullptr) return {};
    return {data, count};
  }

  // The georeference, and the value that means "no return".
  Status readPlace() {
    image_.pixel = settings_.pixel > 0 ? settings_.pixel : 1;
    if (const auto text = values<char>(kNoDataText, TIFF_ASCII); !text.empty()) {
      double value = 0;
      const size_t length = strnlen(text.data(), text.size());
      if (std::from_chars(text.data(), text.data() + length, value).ec == std::errc()) noData_ = value;
    }
    if (settings_.noData) noData_ = settings_.noData;
    const auto scale = values<double>(kPixelScale, TIFF_DOUBLE);
    const auto tie = values<double>(kTiePoint, TIFF_DOUBLE);
    if (scale.size() < 2 || tie.size() < 6) return Done{};
    const double x = scale[0];
    const double y = scale[1];
    if (!(x > 0 && y > 0) || !std::isfinite(x) || std::abs(x - y) > 1e-6 * x) {
      return wrong(fmt::format("pixels of {:g} x {:g} are not squares; resample the picture", x, y));
    }
    bool isPoint = false;
    bool isDegrees = false;
    readKeys(isPoint, isDegrees);
    if (isDegrees) {
      if (settings_.pixel > 0) return Done{};
      return Error{ErrorCode::kUnsupported,
                   fmt::format("'{}' lies in degrees; reproject it to metres, or give the size of a pixel", name_)};
    }
    if (settings_.pixel == 0) image_.pixel = x;
    const double half = isPoint ? 0.5 : 0;
    image_.origin = {tie[3] - (tie[0] + half) * image_.pixel,
                     tie[4] + (tie[1] + half) * image_.pixel - image_.height * image_.pixel};
    image_.georeferenced = std::isfinite(image_.origin.x) && std::isfinite(image_.origin.y);
    if (!image_.georeferenced) return wrong("its georeference is not a number");
    return Done{};
  }

  void readKeys(bool& isPoint, bool& isDegrees) {
    const auto keys = values<uint16_t>(kGeoKeys, TIFF_SHORT);
    for (size_t i = 4; i + 3 < keys.size(); i += 4) {
      if (keys[i] == kModelTypeKey) isDegrees = keys[i + 3] == 2;
      if (keys[i] == kRasterTypeKey) isPoint = keys[i + 3] == 2;
    }
  }

  double sample(const uint8_t* data, size_t index) const {
    const auto load = [&]<typename T>(T value) {
      std::memcpy(&value, data + index * sizeof(T), sizeof(T));
      return static_cast<double>(value);
    };
    if (format_ == SAMPLEFORMAT_IEEEFP) return bits_ == 64 ? load(double{}) : load(float{});
    if (format_ == SAMPLEFORMAT_INT)
      return bits_ == 8 ? load(int8_t{}) : bits_ == 16 ? load(int16_t{}) : load(int32_t{});
    return bits_ == 8 ? load(uint8_t{}) : bits_ == 16 ? load(uint16_t{}) : load(uint32_t{});
  }

  // Memory grows row by row, as far as the file's data goes.
  Status addRow(const uint8_t* data) {
    const size_t first = image_.heights.size();
    image_.heights.resize(first + image_.width);
    return setPixels(data, image_.width, image_.heights.data() + first);
  }
  Status setPixels(const uint8_t* data, uint32_t count, int32_t* out) const {
    for (uint32_t x = 0; x < count; ++x) {
      const double value = sample(data, static_cast<size_t>(x) * stride_);
      if (!heightOf(value, settings_, noData_, out[x])) {
        return Error{ErrorCode::kLimit,
                     fmt::format("'{}': a height of {:g} m does not fit into +-2000 km; give the scale "
                                 "of the heights",
                                 name_, value * settings_.heightScale)};
      }
    }
    return Done{};
  }

  Status stopped() const { return Error{ErrorCode::kCancelled, fmt::format("reading of '{}' was stopped", name_)}; }

  Status readRows() {
    const tmsize_t size = TIFFScanlineSize(tiff_);
    if (size <= 0 || static_cast<size_t>(size) > kMaxRowBytes * samples_) return wrong("its rows have a wrong size");
    if (static_cast<size_t>(size) < static_cast<size_t>(image_.width) * stride_ * bits_ / 8) {
      return wrong("its rows are too short");
    }
    std::vector<uint8_t> row(static_cast<size_t>(size));
    for (uint32_t y = 0; y < image_.height; ++y) {
      if (context_.cancelled()) return stopped();
      if (TIFFReadScanline(tiff_, row.data(), y, 0) != 1) return wrong(fmt::format("row {} is missing", y));
      if (Status status = addRow(row.data()); !status.ok()) return status;
    }
    return Done{};
  }

  Status readTiles() {
    uint32_t tileWidth = 0;
    uint32_t tileHeight = 0;
    TIFFGetField(tiff_, TIFFTAG_TILEWIDTH, &tileWidth);
    TIFFGetField(tiff_, TIFFTAG_TILELENGTH, &tileHeight);
    const tmsize_t size = TIFFTileSize(tiff_);
    const size_t rowBytes = static_cast<size_t>(tileWidth) * stride_ * bits_ / 8;
    // A tile may be larger than the picture, but what is unpacked for nothing must not be a thousand times of it.
    if (tileWidth > kMaxGridSide || tileHeight > kMaxGridSide) return wrong("its tiles are longer than any picture");
    if (tileWidth == 0 || tileHeight == 0 || size <= 0 || static_cast<size_t>(size) > kMaxTileBytes ||
        static_cast<size_t>(size) < rowBytes * tileHeight) {
      return wrong("its tiles have a wrong size");
    }
    std::vector<uint8_t> tile(static_cast<size_t>(size));
    for (uint32_t top = 0; top < image_.height; top += tileHeight) {
      const uint32_t rows = std::min(tileHeight, image_.height - top);
      image_.heights.resize(static_cast<size_t>(top + rows) * image_.width);
      for (uint32_t left = 0; left < image_.width; left += tileWidth) {
        if (context_.cancelled()) return stopped();
        if (TIFFReadTile(tiff_, tile.data(), left, top, 0, 0) < 0) {
          return wrong(fmt::format("the tile at {}, {} is missing", left, top));
        }
        const uint32_t columns = std::min(tileWidth, image_.width - left);
        for (uint32_t y = 0; y < rows; ++y) {
          int32_t* out = image_.heights.data() + static_cast<size_t>(top + y) * image_.width + left;
          if (Status status = setPixels(tile.data() + y * rowBytes, columns, out); !status.ok()) return status;
        }
      }
    }
    return Done{};
  }

  Source source_;
  std::string_view name_;
  const RangeReadSettings& settings_;
  const Context& context_;
  TIFF* tiff_ = nullptr;
  RangeImage image_;
  uint16_t bits_ = 1;
  uint16_t samples_ = 1;
  uint16_t format_ = SAMPLEFORMAT_UINT;
  uint16_t stride_ = 1;  // samples from one pixel to the next
  std::optional<double> noData_;
};

}  // namespace

Result<RangeImage> readTiff(std::string_view bytes, std::string_view name, const RangeReadSettings& settings,
                            const Context& context) {
  return Tiff(bytes, name, settings, context).read();
}

#endif

bool heightOf(double value, const RangeReadSettings& settings, const std::optional<double>& noData, int32_t& out) {
  constexpr double kMost = 2e9;  // millimetres
  if (std::isnan(value) || (noData && (value == *noData || (std::isnan(*noData) && std::isnan(value))))) {
    out = RangeImage::kNoReturn;
    return true;
  }
  const double units = value * settings.heightScale / RangeImage::kStep;
  if (!(std::abs(units) <= kMost)) return false;
  out = static_cast<int32_t>(std::llround(units));
  return true;
}

}  // namespace wend::image
