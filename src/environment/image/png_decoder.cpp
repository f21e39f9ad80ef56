#include "environment/image/png_decoder.h"

#include <cstring>

namespace wend::image {
namespace {

constexpr size_t kMaxChunkBytes = size_t{8} << 20;  // of one text, profile or palette chunk
constexpr uint64_t kLuma[3] = {2126, 7152, 722};    // Rec. 709

extern "C" {
static void keepPngMessage(png_structp png, png_const_charp message) {
  static_cast<PngDecoder*>(png_get_error_ptr(png))->keepMessage(message);
  png_longjmp(png, 1);
}
static void ignorePngWarning(png_structp, png_const_charp) {}
static void readPngBytes(png_structp png, png_bytep out, png_size_t size) {
  if (!static_cast<PngDecoder*>(png_get_io_ptr(png))->take(out, size)) png_error(png, "the file ends too early");
}
}

}  // namespace

void PngDecoder::keepMessage(const char* text) {
  std::strncpy(message_, text, sizeof(message_) - 1);
}

bool PngDecoder::take(png_bytep out, size_t size) {
  if (size > rest_.size()) return false;
  std::memcpy(out, rest_.data(), size);
  rest_.remove_prefix(size);
  return true;
}

bool PngDecoder::open() {
  png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, keepPngMessage, ignorePngWarning);
  if (png_ == nullptr) return false;
  if (setjmp(png_jmpbuf(png_)) != 0) return false;
  info_ = png_create_info_struct(png_);
  if (info_ == nullptr) return false;
  png_set_read_fn(png_, this, readPngBytes);
  png_set_user_limits(png_, maxSide_, maxSide_);
  png_set_chunk_malloc_max(png_, kMaxChunkBytes);
  png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, 0);
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION  // no mutation satisfies a checksum, but much lies behind it
  png_set_crc_action(png_, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
  png_set_option(png_, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
#endif
  png_read_info(png_, info_);
  width_ = png_get_image_width(png_, info_);
  height_ = png_get_image_height(png_, info_);
  interlaced_ = png_get_interlace_type(png_, info_) != PNG_INTERLACE_NONE;
  return true;
}

// From here on a row holds 1 to 4 channels of 8 or 16 bits, whatever the file holds.
bool PngDecoder::prepare() {
  if (setjmp(png_jmpbuf(png_)) != 0) return false;
  png_set_expand(png_);
  png_read_update_info(png_, info_);
  channels_ = png_get_channels(png_, info_);
  deep_ = png_get_bit_depth(png_, info_) == 16;
  return true;
}

bool PngDecoder::readRow() {
  if (setjmp(png_jmpbuf(png_)) != 0) return false;
  png_read_row(png_, row_.data(), nullptr);
  return true;
}

uint64_t PngDecoder::sample(size_t column, size_t channel) const {
  const size_t i = column * channels_ + channel;
  if (!deep_) return uint64_t{257} * row_[i];
  return uint64_t{256} * row_[2 * i] + row_[2 * i + 1];
}

PngDecoder::Pixel PngDecoder::pixel(size_t column) const {
  const bool colour = channels_ >= 3;
  const bool alpha = channels_ == 2 || channels_ == 4;
  Pixel result;
  result.transparent = alpha && sample(column, channels_ - 1) == 0;
  if (colour) {
    for (size_t c = 0; c < 3; ++c) result.brightness += kLuma[c] * sample(column, c);
  } else {
    result.brightness = kLumaTotal * sample(column, 0);
  }
  return result;
}

}  // namespace wend::image
