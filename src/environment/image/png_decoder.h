#pragma once

#include <csetjmp>
#include <cstdint>
#include <string_view>
#include <vector>

#include <wend/context.h>

#include <png.h>

// The pixels of a PNG file, row by row, for hostile bytes: sizes, chunks and memory are limited.
namespace wend::image {

// libpng reports errors by longjmp. Everything that owns memory therefore lives here, in a frame that no jump skips,
// and the functions between setjmp and libpng hold plain values only.
class PngDecoder {
 public:
  PngDecoder(std::string_view bytes, uint32_t maxSide) : rest_(bytes), maxSide_(maxSide) {}
  PngDecoder(const PngDecoder&) = delete;
  PngDecoder& operator=(const PngDecoder&) = delete;
  ~PngDecoder() { png_destroy_read_struct(&png_, &info_, nullptr); }

  // Reads the header. False: see message().
  bool open();
  uint32_t width() const { return width_; }
  uint32_t height() const { return height_; }
  bool isDeep() const { return deep_; }  // 16 bits per channel; known after prepare()
  const char* message() const { return message_[0] != 0 ? message_ : "not enough memory"; }

  // Brightness times kLumaTotal; samples are 0 to 65535 whatever the file's depth.
  static constexpr uint64_t kLumaTotal = 10'000;
  struct Pixel {
    uint64_t brightness = 0;
    bool transparent = false;
  };

  // Calls f(row, column, pixel) for every pixel, rows from the top; an interlaced file comes in seven passes. One row
  // is all the memory. False if the file is damaged, or f's caller cancelled.
  template <typename F>
  bool readPixels(const Context& context, F&& f) {
    if (!prepare()) return false;
    row_.resize(static_cast<size_t>(width_) * channels_ * (deep_ ? 2 : 1));
    const int passes = interlaced_ ? PNG_INTERLACE_ADAM7_PASSES : 1;
    for (int pass = 0; pass < passes; ++pass) {
      const uint32_t rows = interlaced_ ? PNG_PASS_ROWS(height_, pass) : height_;
      const uint32_t columns = interlaced_ ? PNG_PASS_COLS(width_, pass) : width_;
      if (columns == 0) continue;
      for (uint32_t r = 0; r < rows; ++r) {
        if (context.cancelled() || !readRow()) return false;
        const uint32_t y = interlaced_ ? PNG_ROW_FROM_PASS_ROW(r, pass) : r;
        for (uint32_t c = 0; c < columns; ++c) f(y, interlaced_ ? PNG_COL_FROM_PASS_COL(c, pass) : c, pixel(c));
      }
    }
    return true;
  }

  // For the callbacks of libpng.
  void keepMessage(const char* text);
  bool take(png_bytep out, size_t size);

 private:
  bool prepare();
  bool readRow();
  uint64_t sample(size_t column, size_t channel) const;
  Pixel pixel(size_t column) const;

  std::string_view rest_;  // bytes not yet read
  uint32_t maxSide_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  char message_[128] = {};
  uint32_t width_ = 0;
  uint32_t height_ = 0;
  bool interlaced_ = false;
  uint32_t channels_ = 0;
  bool deep_ = false;
  std::vector<png_byte> row_;
};

}  // namespace wend::image
