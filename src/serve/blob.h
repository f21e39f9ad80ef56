#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

// Named arrays of numbers in one piece of memory, which the page reads without parsing.
//
//   "WVB1", u32 length of the header, header (JSON, padded with spaces to a multiple of 8), arrays (each at a multiple
//   of 8) header: {"meta": {...}, "arrays": {NAME: {"type": "f32"|"u32"|"u16"|"u8", "offset": bytes, "count": items}}}
//
// Little-endian, as every machine that wend runs on.
namespace wend::serve {

class BlobWriter {
 public:
  void add(std::string_view name, std::span<const float> values) {
    put(name, "f32", std::as_bytes(values), values.size());
  }
  void add(std::string_view name, std::span<const uint32_t> values) {
    put(name, "u32", std::as_bytes(values), values.size());
  }
  void add(std::string_view name, std::span<const uint16_t> values) {
    put(name, "u16", std::as_bytes(values), values.size());
  }
  void add(std::string_view name, std::span<const uint8_t> values) {
    put(name, "u8", std::as_bytes(values), values.size());
  }

  std::shared_ptr<const std::string> finish(nlohmann::json meta);

 private:
  void put(std::string_view name, const char* type, std::span<const std::byte> bytes, size_t count);

  nlohmann::json arrays_ = nlohmann::json::object();
  std::string data_;
};

}  // namespace wend::serve
