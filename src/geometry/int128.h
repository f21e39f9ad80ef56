#pragma once

#include <wend/lattice.h>

namespace wend {

// Wide enough for every exact predicate on lattice points (orient 2^63, in-circle 2^127).
__extension__ using Int128 = __int128;

// The number that a public DoubledArea stands for, and back.
constexpr Int128 toInt128(DoubledArea area) {
  return Int128{area.high} * (Int128{1} << 64) + area.low;
}
constexpr DoubledArea toDoubledArea(Int128 value) {
  return {static_cast<int64_t>(value >> 64), static_cast<uint64_t>(value)};
}

}  // namespace wend
