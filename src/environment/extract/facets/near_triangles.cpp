#include "environment/extract/facets/near_triangles.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "environment/extract/steep/steep_faces.h"

namespace wend::extraction {
namespace {

// Whether the line along a side keeps another triangle more than a distance away.
template <size_t kCorners>
bool liesBeyondSide(const std::array<Point3, 3>& corners, const std::array<Point3, kCorners>& other, double distance) {
  for (uint32_t k = 0; k < 3; ++k) {
    const SideLine side = sideOf(corners, k);
    double most = side.left(other[0].x, other[0].y);
    for (size_t i = 1; i < kCorners; ++i) most = std::max(most, side.left(other[i].x, other[i].y));
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

BoxTree::Extent NearTriangles::around(const Segment& segment) const {
  const Box box = boxOf(segment.a, segment.b);
  const auto [low, high] = std::minmax(segment.za, segment.zb);
  return {{{box.min.x - margin_, box.min.y - margin_}, {box.max.x + margin_, box.max.y + margin_}},
          BoxTree::wholeFloor(low - climb_),
          -BoxTree::wholeFloor(-high - climb_)};
}

bool NearTriangles::isNear(const Segment& segment, uint32_t triangle) const {
  const std::array<Point3, 3> corners = soup_.corners(soup_.triangles[triangle]);
  const std::array<Point3, 2> ends{Point3{segment.a.x, segment.a.y, 0}, {segment.b.x, segment.b.y, 0}};
  if (liesBeyondSide(corners, ends, distance_)) return false;
  const double x = double(segment.b.x) - segment.a.x;
  const double y = double(segment.b.y) - segment.a.y;
  double least = 1e300;
  double most = -1e300;
  for (const Point3& p : corners) {
    const double left = x * (double(p.y) - segment.a.y) - y * (double(p.x) - segment.a.x);
    least = std::min(least, left);
    most = std::max(most, left);
  }
  const double beside = std::max(least, -most);
  return beside <= 0 || beside * beside <= distance_ * distance_ * (x * x + y * y);
}

}  // namespace wend::extraction
