#pragma once

#include <string>

#include <wend/corridor_map.h>

namespace wend {

// Whether the arrays of a map are safe to use on a mesh with so many layers and cells: sizes, ids, numbers finite and
// on the lattice, each half-edge once around the vertex it leaves. Reads no element it has not made sure of. Empty when
// right, else one sentence. O(n).
std::string findCorridorFault(const CorridorMap& map, size_t layers, size_t cells);

}  // namespace wend
