#pragma once

#include <functional>

#include <wend/generate.h>

#include "geometry/growth/grow.h"

// Repairs a mesh of grown cells after an edit (Hale 2011, section 4.4: DASFV): the cells that the edit touches, and
// those at walls that are gone, are taken out, and new ones grow in their place. The cells around them stay and are
// what the new ones grow against.
namespace wend {

struct RegrowSettings {
  bool merge = true;    // cells whose union is convex are joined, also with cells beside the place
  bool terrain = true;  // cells end at the borders of labelled regions
};

// Grows what is free in a space, from the seeds; as growth::grow().
using GrowPlace = std::function<void(growth::GrowthSpace&, std::span<const growth::Seed>, const growth::GrowSettings&,
                                     const Context&)>;

// The mesh must be exact, with axis-aligned portals, as `pasfv` and `wavefront` make it. kUnsupported where labelled
// regions lie around the change, since borders of terrain are cut for a whole layer. O(vertices of the changed layers +
// cells) to find the place, growth in it, and copies of the arrays.
Result<MeshUpdate> regrowCells(const NavMesh& mesh, const Environment& before, const Environment& after,
                               const ChangedArea& changed, const RegrowSettings& settings, const GrowPlace& grow,
                               const Context& context);

}  // namespace wend
