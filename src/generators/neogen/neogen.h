#pragma once

#include <wend/generator.h>

// Few convex cells: each notch (reflex vertex) is cut by one portal, two notches by the same portal where possible.
// See docs/neogen.md.
namespace wend::neogen {

struct Settings {
  double alpha = 0;      // degrees, 0 to 90: corners of cells up to 180 + alpha are allowed
  double tau = 0;        // metres, 0 or more: notches may stand out of the convex hull of their cell by this
  bool optimise = true;  // search for fewer cells
  uint64_t hash() const;
};

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context = {});

Generator entry();

}  // namespace wend::neogen
