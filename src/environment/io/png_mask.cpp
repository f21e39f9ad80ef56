#include <csetjmp>
#include <cstring>

#include <fmt/format.h>
#include <png.h>

#include "environment/io/formats.h"
#include "environment/io/grid_draft.h"

// A picture as a floor plan: light pixels are free. Row 0 of the picture is its top, and the world's y axis points up,
// so pixel (column, row) covers [column, column+1] x [height-1-row, height-row] times the cell size.
namespace wend {
namespace {

constexpr uint32_t kMaxSide = 16384;                // pixels
constexpr size_t kMaxChunkBytes = size_t{8} << 20;  // of one text, profile or palette chunk
constexpr uint64_t kLumaTotal = 10'000;             // sum of the weights of Rec. 709 below
constexpr uint64_t kLuma[3] = {2126, 7152, 722};

// libpng reports errors by longjmp. Everything that owns memory therefore lives here, in a frame that no jump skips,
// and the functions between setjmp and libpng hold plain values only.
struct Decoder {
  std::string_view rest;  // bytes not yet read
  png_structp png = nullptr;
  png_infop info = nullptr;
  char message[128] = {};

  uint32_t width = 0;
  uint32_t height = 0;
  bool interlaced = false;
  uint32_t channels = 0;
  bool deep = false;  // 16 bits per channel
  std::vector<png_byte> row;
  std::vector<uint8_t> free;

  explicit Decoder(std::string_view bytes) : rest(bytes) {}
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  ~Decoder() { png_destroy_read_struct(&png, &info, nullptr); }
};

extern "C" {
void keepMessage(png_structp png, png_const_charp message) {
  auto* decoder = static_cast<Decoder*>(png_get_error_ptr(png));
  std::strncpy(decoder->message, message, sizeof(decoder->message) - 1);
  png_longjmp(png, 1);
}
void ignoreWarning(png_structp, png_const_charp) {}
void readBytes(png_structp png, png_bytep out, png_size_t size) {
  auto* decoder = static_cast<Decoder*>(png_get_io_ptr(png));
  if (size > decoder->rest.size()) png_error(png, "the file ends too early");
  std::memcpy(out, decoder->rest.data(), size);
  decoder->rest.remove_prefix(size);
}
}

bool open(Decoder& decoder) {
  decoder.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &decoder, keepMessage, ignoreWarning);
  if (decoder.png == nullptr) return false;
  if (setjmp(png_jmpbuf(decoder.png)) != 0) return false;
  decoder.info = png_create_info_struct(decoder.png);
  if (decoder.info == nullptr) return false;
  png_set_read_fn(decoder.png, &decoder, readBytes);
  png_set_user_limits(decoder.png, kMaxSide, kMaxSide);
  png_set_chunk_malloc_max(decoder.png, kMaxChunkBytes);
  png_set_keep_unknown_chunks(decoder.png, PNG_HANDLE_CHUNK_NEVER, nullptr, 0);
  png_read_info(decoder.png, decoder.info);
  decoder.width = png_get_image_width(decoder.png, decoder.info);
  decoder.height = png_get_image_height(decoder.png, decoder.info);
  decoder.interlaced = png_get_interlace_type(decoder.png, decoder.info) != PNG_INTERLACE_NONE;
  return true;
}

// From here on a row holds 1 to 4 channels of 8 or 16 bits, whatever the file holds.
bool prepare(Decoder& decoder) {
  if (setjmp(png_jmpbuf(decoder.png)) != 0) return false;
  png_set_expand(decoder.png);
  png_read_update_info(decoder.png, decoder.info);
  decoder.channels = png_get_channels(decoder.png, decoder.info);
  decoder.deep = png_get_bit_depth(decoder.png, decoder.info) == 16;
  return true;
}

bool readRow(Decoder& decoder) {
  if (setjmp(png_jmpbuf(decoder.png)) != 0) return false;
  png_read_row(decoder.png, decoder.row.data(), nullptr);
  return true;
}

// Sample of the current row, 0 to 65535.
uint64_t sample(const Decoder& decoder, size_t column, size_t channel) {
  const size_t i = column * decoder.channels + channel;
  if (!decoder.deep) return uint64_t{257} * decoder.row[i];
  return uint64_t{256} * decoder.row[2 * i] + decoder.row[2 * i + 1];
}

bool isFree(const Decoder& decoder, size_t column, double threshold) {
  const bool colour = decoder.channels >= 3;
  const bool alpha = decoder.channels == 2 || decoder.channels == 4;
  if (alpha && sample(decoder, column, decoder.channels - 1) == 0) return false;
  uint64_t brightness = 0;  // times kLumaTotal
  if (colour) {
    for (size_t c = 0; c < 3; ++c) brightness += kLuma[c] * sample(decoder, column, c);
  } else {
    brightness = kLumaTotal * sample(decoder, column, 0);
  }
  return static_cast<double>(brightness) >= threshold * 65535.0 * static_cast<double>(kLumaTotal);
}

// An interlaced file holds seven pictures of growing detail; each of their pixels goes to its place at once, so that
// one row is all the memory besides the mask.
bool readPixels(Decoder& decoder, double threshold, const Context& context) {
  const int passes = decoder.interlaced ? PNG_INTERLACE_ADAM7_PASSES : 1;
  for (int pass = 0; pass < passes; ++pass) {
    const uint32_t rows = decoder.interlaced ? PNG_PASS_ROWS(decoder.height, pass) : decoder.height;
    const uint32_t columns = decoder.interlaced ? PNG_PASS_COLS(decoder.width, pass) : decoder.width;
    if (columns == 0) continue;
    for (uint32_t r = 0; r < rows; ++r) {
      if (context.cancelled() || !readRow(decoder)) return false;
      const uint32_t y = decoder.interlaced ? PNG_ROW_FROM_PASS_ROW(r, pass) : r;
      uint8_t* const out = decoder.free.data() + static_cast<size_t>(decoder.height - 1 - y) * decoder.width;
      for (uint32_t c = 0; c < columns; ++c) {
        const uint32_t x = decoder.interlaced ? PNG_COL_FROM_PASS_COL(c, pass) : c;
        out[x] = isFree(decoder, c, threshold) ? 1 : 0;
      }
    }
  }
  return true;
}

}  // namespace

Result<EnvironmentDraft> readPngMask(const Source& source) {
  Decoder decoder(source.text);
  const auto broken = [&]() {
    return Error{ErrorCode::kFormat, fmt::format("'{}': no valid PNG: {}", source.name,
                                                 decoder.message[0] != 0 ? decoder.message : "not enough memory")};
  };
  if (!open(decoder)) return broken();
  const size_t pixels = static_cast<size_t>(decoder.width) * decoder.height;
  if (pixels > source.settings.maxCells) {
    return Error{ErrorCode::kLimit, fmt::format("'{}': {} x {} pixels are more than the limit of {}", source.name,
                                                decoder.width, decoder.height, source.settings.maxCells)};
  }
  if (!prepare(decoder)) return broken();
  decoder.row.resize(static_cast<size_t>(decoder.width) * decoder.channels * (decoder.deep ? 2 : 1));
  decoder.free.resize(pixels);
  if (!readPixels(decoder, source.settings.threshold, source.context)) {
    if (source.context.cancelled()) {
      return Error{ErrorCode::kCancelled, fmt::format("reading of '{}' was stopped", source.name)};
    }
    return broken();
  }
  return gridDraft(source, decoder.free, decoder.width, decoder.height);
}

}  // namespace wend
