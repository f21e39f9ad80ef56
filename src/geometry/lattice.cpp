#include <cmath>

#include <wend/lattice.h>

#include <fmt/format.h>

namespace wend {

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
