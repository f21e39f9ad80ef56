#pragma once

#include <cstdint>
#include <vector>

#include "environment/extract/exact/drawing/patch_borders.h"

// Patches of one layer that touch in top view but may not be walked across (the side of a ramp above the floor; the two
// ends of a full turn of a spiral) are taken apart by the width of a wall.
namespace wend::exact {

// What is left of a patch that was trimmed, or a strip of it that another layer took over.
struct Trimmed {
  uint32_t patch = 0;
  uint32_t layer = 0;
  Rings rings;
};

struct Separation {
  std::vector<BorderSegment> borders;                   // the boundary of all layers
  std::vector<std::pair<uint32_t, uint32_t>> openings;  // pairs of segments between layers
  std::vector<uint8_t> marked;                          // of each patch: trimmed
  std::vector<Trimmed> parts;                           // sorted by patch
};

// A strip that leads to another layer is not lost but goes there, so that the connection stays: the line moves by the
// width of the strip. That layer must keep clear of the strip in turn: turns of a spiral that each end short of their
// own beginning add up to less than whole turns, so the n-th one hands on n widths of a wall, from as many patches as
// that crosses. Each layer costs what its own strips do, however many layers handed them on.
Separation separate(const Facets& facets, const Patches& patches, const PatchBorders& borders, const LayerPlan& plan,
                    const Tolerances& tolerances, const Context& context);

}  // namespace wend::exact
