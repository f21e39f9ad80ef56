#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "environment/extract/exact/free_space/patches.h"
#include "environment/extract/facets/facets.h"

// Slits: two floors face each other across less than the gap, and what lies between them is lower than both.
namespace wend::exact {

struct Slit {
  std::array<Point, 4> area;  // in top view, counter-clockwise
  double low, high;           // of the floors on its sides
};

// An agent passes a slit without stepping into it. Where the bottom is more than a step below one side it would part
// the two floors, so it is no floor: patches at the bottom of a slit lose what lies in it. False if there are none.
// Floors below the head room are left alone, and facets without a mark in `wanted` are not looked at. `before` gets the
// number that each point of the rings had, or kNone if its patch was cut.
bool closeSlits(const std::vector<Slit>& slits, const Soup& soup, const Facets& facets, const TriangleTrees& trees,
                const std::vector<uint8_t>& wanted, const Tolerances& tolerances, const Context& context,
                Patches& patches, std::vector<uint32_t>& before);

}  // namespace wend::exact
