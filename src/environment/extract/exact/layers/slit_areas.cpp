#include "environment/extract/exact/layers/slit_areas.h"

#include <algorithm>

namespace wend::exact {
namespace {

constexpr double kSharp = 5;  // as long as this many times as wide

}  // namespace

std::vector<Slit> slitsOf(std::span<const RawLink> raw, std::span<const Point> points, const Tolerances& tolerances) {
  const double beyond = 2 * tolerances.grain;
  std::vector<Slit> slits;
  for (const RawLink& link : raw) {
    const Facing& f = link.facing;
    const auto [narrow, wide] = std::minmax({f.lateral(link.from), f.lateral(link.to)});
    if (wide <= tolerances.same) continue;
    // Edges that meet in a corner face each other beside it: no slit unless the angle is small.
    const double least = narrow <= tolerances.same ? kSharp * tolerances.gap : 0;
    if (link.to - link.from < std::max(least, tolerances.passage)) continue;
    const Point a = points[link.e];
    const auto at = [&](double t, double right) {
      return rounded(a.x + f.ux * t + f.uy * right, a.y + f.uy * t - f.ux * right);
    };
    const auto far = [&](double t) { return at(t, f.lateral(t) + beyond); };
    const auto [low, high] =
        std::minmax({f.heightE(link.from), f.heightE(link.to), f.heightG(link.from), f.heightG(link.to)});
    slits.push_back({{at(link.from, -beyond), far(link.from), far(link.to), at(link.to, -beyond)}, low, high});
  }
  return slits;
}

}  // namespace wend::exact
