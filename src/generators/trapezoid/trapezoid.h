#pragma once

#include <wend/generator.h>

// The vertical decomposition: from each vertex a vertical line up and down through free space to the first walls. Cells
// are trapezoids and triangles.
//
// n boundary vertices, h holes and C components in one layer give n + h - C cells if no two vertices have the same x;
// each empty space between vertices above one another is a cell less. Ends of the lines are the only corners off the
// lattice; they are rounded (below 1e-6 units). Works on every layer, with portals across connections. O(n log n).
namespace wend::trapezoid {

enum class Axis : uint8_t { kX, kY };

struct Settings {
  Axis axis = Axis::kX;  // the sweep's direction: lines are vertical for x, horizontal for y
  uint64_t hash() const;
};

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context = {});

Generator entry();

}  // namespace wend::trapezoid
