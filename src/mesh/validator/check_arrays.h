#pragma once

#include <vector>

#include <wend/navmesh.h>

// The first step of every check, and of every load: nothing else may index into the arrays before it has passed.
namespace wend {

// Sizes that do not fit each other, ids out of range, numbers that are not finite or beyond the lattice. Reads no
// element it has not made sure of. O(n).
std::vector<MeshFault> checkArrays(const NavMesh& mesh, size_t limit);

}  // namespace wend
