#include <bit>
#include <csetjmp>
#include <cstring>

#include <wend/image/range_image.h>

#include <fmt/format.h>
#include <png.h>

namespace wend {
namespace {

extern "C" {
static void appendPngBytes(png_structp png, png_bytep data, png_size_t size) {
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(data), size);
}
static void flushNoPng(png_structp) {}
}

// Holds plain values only: a jump of libpng may leave it.
bool writeRows(png_structp png, png_infop info, std::string* out, uint32_t width, uint32_t height, int bits,
               const uint8_t* bytes) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_write_fn(png, out, appendPngBytes, flushNoPng);
  png_set_IHDR(png, info, width, height, bits, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_set_compression_level(png, 3);
  png_write_info(png, info);
  if (bits == 16 && std::endian::native == std::endian::little) png_set_swap(png);
  const size_t stride = static_cast<size_t>(width) * static_cast<size_t>(bits / 8);
  for (uint32_t y = 0; y < height; ++y) png_write_row(png, bytes + y * stride);
  png_write_end(png, info);
  return true;
}

Result<std::string> encode(uint32_t width, uint32_t height, int bits, const uint8_t* bytes, size_t values) {
  if (width == 0 || height == 0 || values != static_cast<size_t>(width) * height) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("a picture of {} x {} pixels cannot hold {} values", width, height, values)};
  }
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
  std::string out;
  const bool done = info != nullptr && writeRows(png, info, &out, width, height, bits, bytes);
  png_destroy_write_struct(&png, &info);
  if (!done) return Error{ErrorCode::kLimit, "the picture could not be written as PNG: not enough memory"};
  return out;
}

}  // namespace

Result<std::string> encodePng(uint32_t width, uint32_t height, std::span<const uint8_t> grey) {
  return encode(width, height, 8, grey.data(), grey.size());
}
Result<std::string> encodePng16(uint32_t width, uint32_t height, std::span<const uint16_t> grey) {
  return encode(width, height, 16, reinterpret_cast<const uint8_t*>(grey.data()), grey.size());
}

}  // namespace wend
