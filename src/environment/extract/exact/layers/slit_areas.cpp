#include "environment/extract/exact/layers/slit_areas.h"

#include <algorithm>

namespace wend::exact {

std::vector<Slit> slitsOf(std::span<const RawLink> raw, std::span<const Point> points, const Tolerances& tolerances) {
  const double beyond = 2 * tolerances.grain;
  std::vector<Slit> slits;
  for (const RawLink& link : raw) {
    const Facing& f = link.facing;
    if (std::max(f.lateral(link.from), f.lateral(link.to)) <= tolerances.same) continue;
    if (link.to - link.from < tolerances.passage) continue;
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
