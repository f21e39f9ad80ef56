#include "environment/extract/exact/digit_sort.h"

#include <algorithm>
#include <array>

namespace wend::exact {
namespace {

// With fewer numbers counting digits costs more than comparing; with many, longer digits pay.
constexpr size_t kDigitsFrom = 24;
constexpr size_t kLongFrom = 1024;

template <size_t kDigitBits>
void sortByDigits(std::vector<uint64_t>& numbers, std::vector<uint64_t>& sorted, size_t bits) {
  constexpr size_t kDigits = size_t{1} << kDigitBits;
  sorted.resize(numbers.size());
  for (size_t shift = 32; shift < 32 + bits; shift += kDigitBits) {
    std::array<uint32_t, kDigits + 1> begin{};
    const auto digit = [&](uint64_t number) { return static_cast<size_t>(number >> shift) & (kDigits - 1); };
    for (const uint64_t number : numbers) ++begin[digit(number) + 1];
    for (size_t d = 1; d <= kDigits; ++d) begin[d] += begin[d - 1];
    for (const uint64_t number : numbers) sorted[begin[digit(number)]++] = number;
    numbers.swap(sorted);
  }
}

}  // namespace

void sortByUpperHalf(std::vector<uint64_t>& numbers, size_t bits, std::vector<uint64_t>& scratch) {
  if (numbers.size() < kDigitsFrom) {
    std::sort(numbers.begin(), numbers.end());
  } else if (numbers.size() < kLongFrom) {
    sortByDigits<7>(numbers, scratch, bits);
  } else {
    sortByDigits<11>(numbers, scratch, bits);
  }
}

void sortByUpperHalf(std::vector<uint64_t>& numbers, size_t bits) {
  std::vector<uint64_t> scratch;
  sortByUpperHalf(numbers, bits, scratch);
}

}  // namespace wend::exact
