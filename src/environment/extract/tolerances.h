#pragma once

#include <algorithm>

#include <wend/extract.h>

// The tolerances of the exact method, in lattice units. Each is a length in metres, and a number of units below which
// rounding would defeat it.
namespace wend::extraction {

struct Tolerances {
  explicit Tolerances(const ExtractSettings& settings) : unit(settings.lattice.unit) {
    height = settings.height / unit;
    step = settings.step / unit;
    gap = settings.gap / unit;
    leastArea = 2 * settings.minArea / (unit * unit);
  }

  double unit;
  double height;
  double step;
  double gap;
  double leastArea;  // of a component, doubled, square units
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
  // The same for polygons without a connection. More than a neck, so that the result is the same whether a neck joins
  // such a polygon to another or was closed.
  double isolated = length(0.002, 20);

  // What places are off by: half a unit each by rounding, and a few micrometres in scenes of single precision, which a
  // finer lattice would tell apart.
  double grain = length(0.00001, 1);
  // Two roundings: lines this near are the same.
  double same = 1.5 * grain;
  // Borders of two patches that were cut along one line, each on its own, overlap by no more than this.
  double overlap = 4 * grain;
  // Closing a neck leaves jags up to this long on the border beside it: nothing passes there, and nothing parts.
  double jag = 12 * grain;

 private:
  double length(double metres, double units) const { return std::max(metres / unit, units); }
};

}  // namespace wend::extraction

// The exact method uses the soup, the facets and the polygons of extraction.
namespace wend::exact {
using namespace extraction;
}
