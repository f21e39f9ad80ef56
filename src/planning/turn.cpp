#include "planning/turn.h"

#include "geometry/predicates.h"

namespace wend {
namespace {

bool isWhole(Vec2 p) {
  return p.x == std::trunc(p.x) && p.y == std::trunc(p.y);
}

}  // namespace

int turnExact(Vec2 a, Vec2 b, Vec2 c) {
  if (!isWhole(a) || !isWhole(b) || !isWhole(c)) return orient(a, b, c);
  // Whole numbers of a mesh stay below 2^31, so differences are exact and products fit 64 bits.
  const auto left = static_cast<int64_t>(b.x - a.x) * static_cast<int64_t>(c.y - a.y);
  const auto right = static_cast<int64_t>(b.y - a.y) * static_cast<int64_t>(c.x - a.x);
  return (left > right) - (left < right);
}

}  // namespace wend
