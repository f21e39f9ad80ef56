#pragma once

#include <wend/generate.h>

// Insertion of obstacles into the medial axis, and their deletion: the Explicit Corridor Map after an edit, without
// making it anew.
//
// Van Toll inserts an obstacle by a trace around it and deletes it by its neighbours (2017, chapter 6). Both are one
// step here, his "hybrid": the arcs that the edit can change are found by the clearance of their cells, the diagram of
// the walls around them is built by the sweep that builds whole maps, and the part inside is put in the place of the
// old one. So obstacles may touch and cross walls and each other, and may come and go in any number at once.
namespace wend::ecm {

// The mesh must be one of this generator, made of `before`. The result is the map that a new construction gives, but
// for rounding: see tests/generators/ecm/axis_equality.h.
//
// Three ways are tried: the walls around in top view (zone_axis.h); the layers around with their connections
// (zone_surface.h); the same with all arcs above and below the change. kUnsupported where each fails, because walls
// almost touch. O(m log m) for the m walls around, and copies of the arrays.
Result<MeshUpdate> updateAxis(const NavMesh& mesh, const Environment& before, const Environment& after,
                              const ChangedArea& changed, const Context& context = {});

}  // namespace wend::ecm
