#pragma once

#include <cstdint>
#include <vector>

#include "environment/extract/exact/soup.h"

// Which triangle lies beyond each side of a triangle, among those of the same kind.
namespace wend::exact {

enum class Kind : uint8_t {
  kFloor = 1,
  kRiser = 2,  // too steep to stand on, low enough to step over
  kWall = 4,   // near-vertical; may be a riser too
};

class SidePartners {
 public:
  // `kinds` holds the kinds of each triangle as bits.
  SidePartners(const Soup& soup, const std::vector<uint8_t>& kinds, const Context& context);

  // kNone unless there is exactly one triangle of that kind, running the other way along the side from corner `side` to
  // the next. The triangle is of that kind itself.
  uint32_t of(Kind kind, uint32_t triangle, uint32_t side) const {
    return (kind == Kind::kWall ? wall_ : surface_)[3 * size_t{triangle} + side];
  }

 private:
  std::vector<uint32_t> surface_;  // of floors and risers: no triangle is both
  std::vector<uint32_t> wall_;
};

}  // namespace wend::exact
