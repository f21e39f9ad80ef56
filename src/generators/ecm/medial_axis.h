#pragma once

#include <wend/corridor_map.h>

#include "generators/ecm/diagram.h"

// The construction of the medial axis from the Voronoi diagram of the boundary, as the map that the papers call the
// ECM.
namespace wend::ecm {

// Normals are dropped, chains of arcs between true vertices become edges. Boundary vertices of exactly 180 degrees
// leave no trace: the collinear walls on both sides are one site, with the ends of the whole run.
//
// A closed curve without true vertex (free space around one obstacle may have none) becomes a loop at an artificial
// vertex of degree 2, one of its bending points. So #edges - #vertices + #components is the number of holes, always.
//
// Vertices of the map keep the order of the diagram's. O(n). The diagram must be right (findDiagramFault). cellArc
// stays empty.
CorridorMap makeCorridorMap(const Diagram& diagram, const Lattice& lattice, const Context& context = {});

// The map of an environment, connections open.
Result<CorridorMap> buildCorridorMap(const Environment& environment, const Context& context = {},
                                     std::span<const ExtraWalks> extra = {});

}  // namespace wend::ecm
