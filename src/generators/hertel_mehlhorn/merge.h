#pragma once

#include <vector>

#include "generators/hertel_mehlhorn/hertel_mehlhorn.h"
#include "geometry/triangulation/triangulation.h"

// The edge removal of Hertel and Mehlhorn on one layer.
namespace wend::hertel_mehlhorn {

// Convex loops, counter-clockwise, as ids into the triangulation's points.
struct Loops {
  std::vector<uint32_t> begin{0};
  std::vector<uint32_t> corners;
};

// Stops early when the context is cancelled; the caller must then drop the result. `stream` separates the random
// orders of several layers.
Loops mergeTriangles(const FreeTriangulation& triangulation, const Settings& settings, uint64_t stream,
                     const Context& context);

}  // namespace wend::hertel_mehlhorn
