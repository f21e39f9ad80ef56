#pragma once

#include <wend/context.h>

#include "generators/lct/triangle_net.h"

// Splits walls until no vertex disturbs a crossing of a triangle.
namespace wend::lct {

struct Refinement {
  size_t splits = 0;
  size_t unrefined = 0;  // disturbances without a place to split
};

// Stops early when the context is cancelled; the caller must then drop the net.
Refinement refine(TriangleNet& net, const Context& context);

}  // namespace wend::lct
