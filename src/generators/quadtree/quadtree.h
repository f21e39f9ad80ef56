#pragma once

#include <wend/generator.h>

// Squares of different sizes that no wall enters, by halving the world's bounding square: large ones in open space,
// small ones along walls. Approximate: what the smallest squares cannot fill stays uncovered (at most
// sqrt(2) a L + 3 m a^2 for m walls of total length L and smallest side a), but no cell leaves the free space.
//
// The root is the smallest square with side a 2^k over the bounding box of all layers, from its lower left. Layers are
// joined only where a connection runs along sides of squares of both. O(depth (walls / a + n)) squares and time.
namespace wend::quadtree {

struct Settings {
  double smallest = 0.25;  // metres, 0.001 to 1000: side of the smallest squares; rounded to lattice units
  uint64_t hash() const;
};

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context = {});

Generator entry();

}  // namespace wend::quadtree
