#pragma once

#include <span>
#include <vector>

#include "environment/extract/exact/free_space/slits.h"
#include "environment/extract/exact/layers/facing.h"

namespace wend::exact {

// What lies between two edges that face each other across a gap, of those that may be passed; `points` are the starts
// of the edges. A little wider than the gap: what lies at the bottom ends beneath both edges.
std::vector<Slit> slitsOf(std::span<const RawLink> raw, std::span<const Point> points, const Tolerances& tolerances);

}  // namespace wend::exact
