#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

// A 64-bit hash for results and files: the same on every little-endian machine, not cryptographic.
namespace wend {

class Hash {
 public:
  // Feeds raw bytes; eight at a time, so that a mesh of 100 MB is hashed in a fraction of a second.
  void bytes(const void* data, size_t size) {
    const auto* p = static_cast<const unsigned char*>(data);
    for (; size >= 8; p += 8, size -= 8) {
      uint64_t word = 0;
      std::memcpy(&word, p, 8);
      mix(word);
    }
    uint64_t tail = size;
    for (size_t i = 0; i < size; ++i) tail |= static_cast<uint64_t>(p[i]) << (8 * (i + 1));
    mix(tail);
  }
  template <typename T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void add(T value) {
    uint64_t word = 0;
    std::memcpy(&word, &value, sizeof(value));
    mix(word);
  }
  void add(std::string_view text) {
    add(text.size());
    bytes(text.data(), text.size());
  }
  // A contiguous array of plain values; T must have no padding.
  template <typename T>
  void array(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    add(values.size());
    bytes(values.data(), values.size_bytes());
  }
  uint64_t value() const {
    uint64_t h = state_;
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93ULL;
    h ^= h >> 32;
    return h;
  }

 private:
  void mix(uint64_t word) {
    state_ = (std::rotl(state_, 25) ^ (word * 0x9e3779b97f4a7c15ULL)) * 0xff51afd7ed558ccdULL;
    state_ ^= state_ >> 29;
  }
  uint64_t state_ = 0x243f6a8885a308d3ULL;
};

}  // namespace wend
