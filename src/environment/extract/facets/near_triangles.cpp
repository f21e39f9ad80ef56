#include "environment/extract/facets/near_triangles.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "environment/extract/steep/steep_faces.h"

namespace wend::extraction {
namespace {

// Whether the line along a side keeps another triangle more than a distance away.
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

// Floors may be off the planes of their facets.
NearTriangles::NearTriangles(const Soup& soup, const Tolerances& tolerances)
    : soup_(soup),
      distance_(tolerances.gap + tolerances.contact),
      margin_(static_cast<int32_t>(std::ceil(distance_))),
      climb_(tolerances.step + tolerances.contact + 2 * tolerances.plane + 1) {}

std::span<const BoxTree::Extent> NearTriangles::around(std::span<const uint32_t> triangles, Boxes& boxes) const {
  boxes[0] = around(soup_.triangles[triangles[0]]);
  BoxTree::Extent all = boxes[0];
  size_t count = 1;
  for (; count < std::min(boxes.size(), triangles.size()); ++count) {
    const BoxTree::Extent next = around(soup_.triangles[triangles[count]]);
    if (!meet(all.box, next.box) || all.low > next.high || all.high < next.low) break;
    all = {joined(all.box, next.box), std::min(all.low, next.low), std::max(all.high, next.high)};
    boxes[count] = next;
  }
  return std::span(boxes).first(count);
}

bool NearTriangles::anyNear(std::span<const uint32_t> triangles, uint32_t which, uint32_t other) const {
  const std::array<Point3, 3> corners = soup_.corners(soup_.triangles[other]);
  for (; which != 0; which &= which - 1) {
    const uint32_t own = triangles[static_cast<size_t>(std::countr_zero(which))];
    const std::array<Point3, 3> ownCorners = soup_.corners(soup_.triangles[own]);
    if (!liesBeyondSide(ownCorners, corners, distance_) && !liesBeyondSide(corners, ownCorners, distance_)) return true;
  }
  return false;
}

BoxTree::Extent NearTriangles::around(const Triangle& t) const {
  return {{{t.box.min.x - margin_, t.box.min.y - margin_}, {t.box.max.x + margin_, t.box.max.y + margin_}},
          BoxTree::wholeFloor(t.low - climb_),
          -BoxTree::wholeFloor(-t.high - climb_)};
}

}  // namespace wend::extraction
