#include "environment/extract/exact/digit_sort.h"

#include <algorithm>
#include <array>

namespace wend::exact {
namespace {

// With fewer numbers counting digits costs more than comparing.
constexpr size_t kDigitsFrom = 512;
constexpr size_t kDigitBits = 11;

}  // namespace

void sortByUpperHalf(std::vector<uint64_t>& numbers, size_t bits) {
  if (numbers.size() < kDigitsFrom) {
    std::sort(numbers.begin(), numbers.end());
    return;
  }
  constexpr size_t kDigits = size_t{1} << kDigitBits;
  std::vector<uint64_t> sorted(numbers.size());
  for (size_t shift = 32; shift < 32 + bits; shift += kDigitBits) {
    std::array<uint32_t, kDigits + 1> begin{};
    const auto digit = [&](uint64_t number) { return static_cast<size_t>(number >> shift) & (kDigits - 1); };
    for (const uint64_t number : numbers) ++begin[digit(number) + 1];
    for (size_t d = 1; d <= kDigits; ++d) begin[d] += begin[d - 1];
    for (const uint64_t number : numbers) sorted[begin[digit(number)]++] = number;
    numbers.swap(sorted);
  }
}

}  // namespace wend::exact
