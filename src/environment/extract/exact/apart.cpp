#include "environment/extract/exact/apart.h"

#include <algorithm>

#include "environment/extract/exact/steep_faces.h"

namespace wend::exact {
namespace {

bool liesBeyondSide(const std::array<Point3, 3>& corners, const std::array<Point3, 3>& other, double distance) {
  for (uint32_t k = 0; k < 3; ++k) {
    const SideLine side = sideOf(corners, k);
    const auto left = [&](const Point3& p) { return side.left(p.x, p.y); };
    const double most = std::max(std::max(left(other[0]), left(other[1])), left(other[2]));
    if (most < 0 && most * most > distance * distance * (side.dx * side.dx + side.dy * side.dy)) return true;
  }
  return false;
}

}  // namespace

bool areApart(const Soup& soup, const Triangle& p, const Triangle& q, double distance) {
  const std::array<Point3, 3> a = soup.corners(p);
  const std::array<Point3, 3> b = soup.corners(q);
  return liesBeyondSide(a, b, distance) || liesBeyondSide(b, a, distance);
}

}  // namespace wend::exact
