#include "generators/neogen/wall_points.h"

#include <cstdlib>
#include <numeric>

namespace wend::neogen {
namespace {

constexpr double kFraction = 0x1.0p22;

int64_t scaled(double coordinate) {
  return static_cast<int64_t>(coordinate * kFraction);
}

}  // namespace

WallPoints::WallPoints(Vec2 from, Vec2 to)
    : x_(scaled(from.x)), y_(scaled(from.y)), dx_(scaled(to.x) - x_), dy_(scaled(to.y) - y_) {
  parts_ = std::gcd(std::abs(dx_), std::abs(dy_));
  if (parts_ == 0) return;
  dx_ /= parts_;
  dy_ /= parts_;
  const auto length = [&] {
    const auto x = static_cast<double>(dx_);
    const auto y = static_cast<double>(dy_);
    return x * x + y * y;
  };
  while (parts_ % 2 == 0 && length() < kFraction * kFraction) {
    parts_ /= 2;
    dx_ *= 2;
    dy_ *= 2;
  }
}

Vec2 WallPoints::at(int64_t k) const {
  return {static_cast<double>(x_ + k * dx_) / kFraction, static_cast<double>(y_ + k * dy_) / kFraction};
}

}  // namespace wend::neogen
