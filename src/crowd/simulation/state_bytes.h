#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

// Plain values to bytes and back, for checkpoints on one machine.
namespace wend {

class StateWriter {
 public:
  template <typename T>
  void add(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto* data = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), data, data + sizeof(T));
  }
  template <typename T>
  void array(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    add(values.size());
    const auto* data = reinterpret_cast<const std::byte*>(values.data());
    bytes.insert(bytes.end(), data, data + values.size() * sizeof(T));
  }
  void text(const std::string& value) { array(std::vector<char>(value.begin(), value.end())); }

  std::vector<std::byte> bytes;
};

// A bool that came from bytes may hold any of 256 values; only two of them may be used.
inline bool isTruthValue(const bool& value) {
  uint8_t byte = 2;
  std::memcpy(&byte, &value, 1);
  return byte <= 1;
}

inline bool areNumbers(std::initializer_list<double> values) {
  for (const double value : values) {
    if (std::isnan(value)) return false;
  }
  return true;
}

inline bool areFinite(std::initializer_list<double> values) {
  for (const double value : values) {
    if (!std::isfinite(value)) return false;
  }
  return true;
}

class StateReader {
 public:
  explicit StateReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  template <typename T>
  void get(T& value) {
    if (bytes_.size() < sizeof(T)) {
      ok = false;
      return;
    }
    std::memcpy(&value, bytes_.data(), sizeof(T));
    bytes_ = bytes_.subspan(sizeof(T));
  }
  template <typename T>
  void array(std::vector<T>& values) {
    size_t count = 0;
    get(count);
    if (!ok || count > bytes_.size() / sizeof(T)) {
      ok = false;
      return;
    }
    values.resize(count);
    if (count == 0) return;
    std::memcpy(values.data(), bytes_.data(), count * sizeof(T));
    bytes_ = bytes_.subspan(count * sizeof(T));
  }
  void text(std::string& value) {
    std::vector<char> letters;
    array(letters);
    value.assign(letters.begin(), letters.end());
  }
  std::span<const std::byte> rest() const { return bytes_; }

  bool ok = true;

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace wend
