#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include <wend/lattice.h>

// Gives equal points one number.
namespace wend {

// Whether a point lies on the lattice; such points are only ever equal or different.
inline bool isOnLattice(Vec2 p) {
  return std::abs(p.x) <= kMaxCoordinate && std::abs(p.y) <= kMaxCoordinate && p.x == static_cast<int32_t>(p.x) &&
         p.y == static_cast<int32_t>(p.y);
}

struct Welding {
  std::vector<Vec2> positions;     // distinct, in the order of their first use
  std::vector<uint32_t> position;  // one per input point
  std::vector<uint8_t> whole;      // per position: 1 on the lattice
  bool allWhole = true;
};

// Points on the lattice are matched exactly. Another point joins the nearest position within `tolerance`, lattice
// positions first; positions never chain, so no point moves further than the tolerance. Expected O(n).
Welding weld(std::span<const Vec2> points, double tolerance);

}  // namespace wend
