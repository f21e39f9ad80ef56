#pragma once

#include <vector>

#include <wend/navmesh.h>

#include "mesh/validator/fault_list.h"

// The steps of checkMesh(), each in a file of its own. All take a mesh whose arrays have passed checkArrays().
namespace wend {

// Loops: at least three sides, simple, counter-clockwise, convex as promised. Returns which layers have a bad loop.
std::vector<bool> checkLoops(const NavMesh& mesh, FaultList& faults);

// A cell with a corner that turns right by more than rounding explains, or kNone. O(n).
CellId findReflexCell(const NavMesh& mesh);

// Twins mutual over the same vertices. Returns which sides have a twin that can be relied on.
std::vector<bool> checkTwins(const NavMesh& mesh, FaultList& faults);

// One fan of cells around each vertex, as far as the twins can be relied on.
void checkFans(const NavMesh& mesh, const std::vector<bool>& joined, FaultList& faults);

// No two cells of a layer overlap; no slit between cells. Layers with bad loops are left out.
void checkOverlap(const NavMesh& mesh, const std::vector<bool>& joined, const std::vector<bool>& badLayers,
                  FaultList& faults);

// The outline of each layer (its walls, and its portals to other layers) is the boundary of the layer's free space,
// piece by piece and once each, with the connections open. Then the cells, if they are counter-clockwise, cover each
// place of the free space once and nothing else: a closed curve in the plane bounds one area only.
void checkOutline(const NavMesh& mesh, const std::vector<bool>& joined, const Environment& environment,
                  FaultList& faults);

}  // namespace wend
