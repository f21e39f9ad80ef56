#pragma once

#include <wend/generator.h>

// Convex cells from the constrained Delaunay triangulation by leaving out every edge that no corner needs.
//
// Edges are visited once, in a fixed order; an edge is left out if both corners that it divides stay convex. Corners
// only grow, so an edge that is needed stays needed and one pass is enough. What remains per notch is at most two
// edges: with r notches, C components and h holes at most 2r + C - h cells, and without holes at most four times the
// optimum (on random polygons 1.04 times, with the longest edges first). Corners with an angle of 180 degrees are kept.
// O(n log n) after the triangulation.
namespace wend::hertel_mehlhorn {

enum class Order : uint8_t { kLongest, kShortest, kId, kRandom };

struct Settings {
  Order order = Order::kLongest;
  uint64_t seed = 1;  // of the random order
  uint64_t hash() const;
};

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context = {});

Generator entry();

}  // namespace wend::hertel_mehlhorn
