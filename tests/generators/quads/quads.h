#pragma once

#include <wend/generator.h>

// Pairs of Delaunay triangles joined into convex quadrilaterals, first come, first served. O(n log n).
namespace wend::quads {

struct Settings {
  double keep = 0;  // metres, 0 to 1000: shared edges up to this length stay; large values leave only triangles
  uint64_t hash() const;
};

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context = {});

Generator entry();

}  // namespace wend::quads
