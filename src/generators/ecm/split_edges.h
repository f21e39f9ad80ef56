#pragma once

#include <wend/corridor_map.h>
#include <wend/environment.h>

// Edges that cross connections, cut there (van Toll's dissertation, 5.5): a choice, because nothing in wend needs it
// and the map grows by up to one vertex per connection and edge.
namespace wend::ecm {

// Adds a vertex of degree 2 wherever an edge passes from one layer to another; afterwards all bending points of an edge
// have one layer, that of the edge. A split vertex is a bending point of both of its edges, with that edge's layer; its
// own layer is the lower of the two. Where the connection passes within 0.02 units of a bending point, that is the
// split. Every other vertex keeps its number. What lies along a connection is in one layer.
//
// With s splits, V and E grow by s; the bending points by 2 for each split inside an arc and by 1 for each one in a
// bending point. Lengths, clearances and cells of the whole stay what they were. cellArc must be empty.
// O(bending points and connections near them).
CorridorMap splitEdges(const CorridorMap& map, const Environment& environment);

}  // namespace wend::ecm
