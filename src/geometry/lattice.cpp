#include <cmath>

#include <wend/lattice.h>

#include <fmt/format.h>

#include "geometry/int128.h"

namespace wend {

double Lattice::area(DoubledArea doubled) const {
  return static_cast<double>(toInt128(doubled)) * 0.5 * unit * unit;
}

Result<Point> Lattice::snap(Vec2 metres) const {
  if (!std::isfinite(metres.x) || !std::isfinite(metres.y)) {
    return Error{ErrorCode::kOutsideLattice,
                 fmt::format("coordinate ({}, {}) is not a finite number", metres.x, metres.y)};
  }
  const double x = std::round(metres.x / unit);
  const double y = std::round(metres.y / unit);
  if (std::abs(x) > kMaxCoordinate || std::abs(y) > kMaxCoordinate) {
    return Error{ErrorCode::kOutsideLattice,
                 fmt::format("coordinate ({:.6g}, {:.6g}) m lies beyond the lattice of +-{:.6g} m; choose a coarser "
                             "unit than {:g} m, or move the world nearer to the origin",
                             metres.x, metres.y, reach(), unit)};
  }
  return Point{static_cast<int32_t>(x), static_cast<int32_t>(y)};
}

}  // namespace wend
