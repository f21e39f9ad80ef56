#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wend {

// Sorts numbers by the lowest `bits` bits of their upper halves, which hold no others. Many are sorted digit by digit
// in O(n), and equal ones keep their order; few are sorted as they are.
void sortByUpperHalf(std::vector<uint64_t>& numbers, size_t bits);
// With memory to work in, for callers that sort often.
void sortByUpperHalf(std::vector<uint64_t>& numbers, size_t bits, std::vector<uint64_t>& scratch);

}  // namespace wend
