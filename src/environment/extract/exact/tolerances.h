#pragma once

#include <algorithm>

#include <wend/extract.h>

// The tolerances of the exact method, in lattice units. Each is a length in metres, and a number of units below which
// rounding would defeat it.
namespace wend::exact {

struct Tolerances {
  explicit Tolerances(const ExtractSettings& settings) : unit(settings.lattice.unit) {
    height = settings.height / unit;
    step = settings.step / unit;
    gap = settings.gap / unit;
  }

  double unit;
  double height;
  double step;
  double gap;
  // A triangle joins a facet if all its corners are this near the facet's plane: below `contact`, so that joining can
  // neither make nor hide an obstacle.
  double plane = length(0.0005, 5);
  // Geometry nearer to the floor than this is contact, not obstacle; also the slack on height and step. More than
  // `plane` and snapping together.
  double contact = length(0.001, 10);
  // Thickness of walls that have none. Rounding must not open them.
  double wall = length(0.001, 10);
  // Free necks narrower than this come from rounding.
  double neck = length(0.001, 10);
  // Contacts shorter than this are corner touches.
  double passage = length(0.02, 40);
  // Polygons with 2 area / perimeter below this are dropped.
  double sliver = length(0.0005, 5);

  // Two roundings: lines this near are the same.
  static constexpr double kSame = 1.5;
  // Borders of two patches that were cut along one line, each on its own, overlap by no more than this.
  static constexpr double kOverlap = 4;
  // Closing a neck leaves jags up to this long on the border beside it: nothing passes there, and nothing parts.
  static constexpr double kJag = 12;

 private:
  double length(double metres, double units) const { return std::max(metres / unit, units); }
};

}  // namespace wend::exact
