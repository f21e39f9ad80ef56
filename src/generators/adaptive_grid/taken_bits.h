#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

// One bit per pixel: 1 where a cluster may not grow, because the pixel is blocked or belongs to a cluster. A picture of
// 4096 x 4096 pixels takes 2 MB this way, which stays in the cache while clusters grow.
namespace wend::adaptive_grid {

class TakenBits {
 public:
  TakenBits() = default;
  TakenBits(uint32_t width, uint32_t height, std::span<const uint8_t> free)
      : stride_((static_cast<size_t>(width) + 63) / 64), words_(stride_ * height, 0) {
    for (uint32_t row = 0; row < height; ++row) {
      const uint8_t* pixels = free.data() + static_cast<size_t>(row) * width;
      uint64_t* words = words_.data() + row * stride_;
      for (uint32_t first = 0; first < width; first += 64) {
        const uint32_t count = std::min(64U, width - first);
        uint64_t word = 0;
        uint32_t i = 0;
        for (; i + 8 <= count; i += 8) word |= uint64_t{blockedOf(pixels + first + i)} << i;
        for (; i < count; ++i) word |= static_cast<uint64_t>(pixels[first + i] == 0) << i;
        if (count < 64) word |= ~uint64_t{0} << count;
        words[first / 64] = word;
      }
    }
  }

  bool isTaken(uint32_t row, uint32_t column) const {
    return (words_[row * stride_ + column / 64] >> (column % 64) & 1U) != 0;
  }
  void take(uint32_t row, uint32_t column) { words_[row * stride_ + column / 64] |= uint64_t{1} << (column % 64); }
  void release(uint32_t row, uint32_t column) {
    words_[row * stride_ + column / 64] &= ~(uint64_t{1} << (column % 64));
  }

  // Of a row from `first` to `last`, both included.
  bool isRowFree(uint32_t row, uint32_t first, uint32_t last) const {
    return eachWord(row, first, last, [](const uint64_t& word, uint64_t mask) { return (word & mask) == 0; });
  }
  void takeRow(uint32_t row, uint32_t first, uint32_t last) {
    const auto take = [](const uint64_t& word, uint64_t mask) {
      const_cast<uint64_t&>(word) |= mask;
      return true;
    };
    eachWord(row, first, last, take);
  }
  // Of a column.
  bool isColumnFree(uint32_t column, uint32_t first, uint32_t last) const {
    const uint64_t* word = words_.data() + first * stride_ + column / 64;
    const uint64_t mask = uint64_t{1} << (column % 64);
    for (uint32_t row = first; row <= last; ++row, word += stride_) {
      if ((*word & mask) != 0) return false;
    }
    return true;
  }
  void takeColumn(uint32_t column, uint32_t first, uint32_t last) {
    uint64_t* word = words_.data() + first * stride_ + column / 64;
    const uint64_t mask = uint64_t{1} << (column % 64);
    for (uint32_t row = first; row <= last; ++row, word += stride_) *word |= mask;
  }

  // The first pixel that is not taken at or after a place, row by row; false if there is none.
  bool findFree(uint32_t width, uint32_t height, uint32_t& row, uint32_t& column) const {
    for (; row < height; ++row, column = 0) {
      for (uint32_t word = column / 64; word < stride_; ++word) {
        uint64_t open = ~words_[row * stride_ + word];
        if (word == column / 64) open &= ~uint64_t{0} << (column % 64);
        if (open == 0) continue;
        column = word * 64 + static_cast<uint32_t>(std::countr_zero(open));
        if (column < width) return true;
        break;
      }
    }
    return false;
  }
  uint64_t countFree() const {
    uint64_t count = 0;
    for (const uint64_t word : words_) count += static_cast<uint64_t>(std::popcount(~word));
    return count;
  }
  // For rounds, where several threads take pixels at once.
  uint64_t& wordAt(uint32_t row, uint32_t column) { return words_[row * stride_ + column / 64]; }

 private:
  // One bit for each of eight pixels that is zero.
  static uint8_t blockedOf(const uint8_t* pixels) {
    uint64_t bytes = 0;
    std::memcpy(&bytes, pixels, sizeof(bytes));
    constexpr uint64_t kLow = 0x7f7f7f7f7f7f7f7fU;
    const uint64_t nonzero = (((bytes & kLow) + kLow) | bytes) >> 7 & 0x0101010101010101U;
    // The factor moves the lowest bit of byte i to bit i of the highest byte.
    return static_cast<uint8_t>(~(nonzero * 0x0102040810204080U >> 56));
  }

  template <typename F>
  bool eachWord(uint32_t row, uint32_t first, uint32_t last, F&& f) const {
    const uint64_t* words = words_.data() + row * stride_;
    const uint32_t begin = first / 64;
    const uint32_t end = last / 64;
    const uint64_t head = ~uint64_t{0} << (first % 64);
    const uint64_t tail = ~uint64_t{0} >> (63 - last % 64);
    if (begin == end) return f(words[begin], head & tail);
    if (!f(words[begin], head)) return false;
    for (uint32_t i = begin + 1; i < end; ++i) {
      if (!f(words[i], ~uint64_t{0})) return false;
    }
    return f(words[end], tail);
  }

  size_t stride_ = 0;  // words per row
  std::vector<uint64_t> words_;
};

}  // namespace wend::adaptive_grid
