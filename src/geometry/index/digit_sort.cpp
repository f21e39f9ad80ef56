#include "geometry/index/digit_sort.h"

#include <algorithm>
#include <array>

namespace wend {
namespace {

// With fewer numbers counting digits costs more than comparing; with many, longer digits pay.
constexpr size_t kDigitsFrom = 24;
constexpr size_t kLongFrom = 1024;
constexpr size_t kShortBits = 7;
constexpr size_t kLongBits = 11;

void sortByDigits(std::vector<uint64_t>& numbers, std::vector<uint64_t>& sorted, size_t bits, size_t mostDigitBits) {
  // As short as so many digits can be: each value that a digit may have costs too.
  const size_t digits = (bits + mostDigitBits - 1) / mostDigitBits;
  const size_t digitBits = digits == 0 ? 0 : (bits + digits - 1) / digits;
  const size_t mask = (size_t{1} << digitBits) - 1;
  std::array<uint32_t, (size_t{1} << kLongBits) + 1> begin;
  sorted.resize(numbers.size());
  for (size_t shift = 32; shift < 32 + bits; shift += digitBits) {
    const auto digit = [&](uint64_t number) { return static_cast<size_t>(number >> shift) & mask; };
    std::fill_n(begin.begin(), mask + 2, 0);
    for (const uint64_t number : numbers) ++begin[digit(number) + 1];
    for (size_t d = 1; d <= mask; ++d) begin[d] += begin[d - 1];
    for (const uint64_t number : numbers) sorted[begin[digit(number)]++] = number;
    numbers.swap(sorted);
  }
}

}  // namespace

void sortByUpperHalf(std::vector<uint64_t>& numbers, size_t bits, std::vector<uint64_t>& scratch) {
  if (numbers.size() < kDigitsFrom) {
    std::sort(numbers.begin(), numbers.end());
  } else {
    sortByDigits(numbers, scratch, bits, numbers.size() < kLongFrom ? kShortBits : kLongBits);
  }
}

void sortByUpperHalf(std::vector<uint64_t>& numbers, size_t bits) {
  std::vector<uint64_t> scratch;
  sortByUpperHalf(numbers, bits, scratch);
}

}  // namespace wend
