#pragma once

#include <span>
#include <vector>

#include "environment/extract/exact/layers/facing.h"
#include "environment/extract/exact/layers/links.h"

// Touches: contacts that are no passage, because two patches meet in a corner only, or by rounding.
namespace wend::exact {

// Drops them. Ends of edges are `points`; `match` are those that are linked already, edge to edge.
void dropTouches(std::span<const Point> points, const Edges& edges, std::span<const uint32_t> match,
                 const Tolerances& tolerances, std::vector<RawLink>& raw);

}  // namespace wend::exact
