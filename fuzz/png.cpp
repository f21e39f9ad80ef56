#include <array>
#include <vector>

#include "check_environment.h"

// Every chunk of a PNG ends in a checksum that mutation breaks, so the checksums are repaired first: the fuzzer then
// reaches what lies behind them. Broken checksums are tried as well.
namespace {

uint32_t checksum(const uint8_t* data, size_t size) {
  uint32_t sum = 0xffffffffU;
  for (size_t i = 0; i < size; ++i) {
    sum ^= data[i];
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ ((sum & 1U) != 0 ? 0xedb88320U : 0U);
  }
  return ~sum;
}

std::vector<uint8_t> repaired(const uint8_t* data, size_t size) {
  std::vector<uint8_t> bytes(data, data + size);
  for (size_t at = 8; at + 12 <= size;) {
    const size_t length =
        size_t{bytes[at]} << 24 | size_t{bytes[at + 1]} << 16 | size_t{bytes[at + 2]} << 8 | bytes[at + 3];
    if (length > size - at - 12) break;
    const uint32_t sum = checksum(bytes.data() + at + 4, length + 4);
    for (size_t k = 0; k < 4; ++k) bytes[at + 8 + length + k] = static_cast<uint8_t>(sum >> (24 - 8 * k));
    at += length + 12;
  }
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::vector<uint8_t> bytes = repaired(data, size);
  wend::fuzz::checkEnvironment(data, size, wend::EnvironmentFormat::kPngMask);
  return wend::fuzz::checkEnvironment(bytes.data(), bytes.size(), wend::EnvironmentFormat::kPngMask);
}
