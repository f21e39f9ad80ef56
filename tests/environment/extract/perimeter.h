#pragma once

#include <cmath>

#include <wend/environment.h>

namespace wend::testing {

// Length of all boundaries, metres.
inline double perimeterOf(const Environment& environment) {
  double sum = 0;
  const auto add = [&](const Ring& ring) {
    for (size_t i = 0; i < ring.size(); ++i) {
      const Point a = ring[i];
      const Point b = ring[(i + 1) % ring.size()];
      sum += std::hypot(double(b.x) - a.x, double(b.y) - a.y) * environment.lattice.unit;
    }
  };
  for (const Layer& layer : environment.layers) {
    for (const Polygon& polygon : layer.free) {
      add(polygon.outer);
      for (const Ring& hole : polygon.holes) add(hole);
    }
  }
  return sum;
}

}  // namespace wend::testing
