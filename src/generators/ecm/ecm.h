#pragma once

#include <wend/generator.h>

// The Explicit Corridor Map as a generator: the mesh of its cells, with the map attached (NavMesh::corridorMap).
//
// n boundary vertices give O(n) cells; O(n log n). The cells cover the free space exactly, up to the rounding of their
// corners off the lattice (relative 1e-9 of the area), and are not convex in general.
namespace wend::ecm {

struct Settings {
  bool splitEdges = false;  // cut edges where they cross a connection, so that each has one layer (split_edges.h)

  uint64_t hash() const;
};

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context = {});

Generator entry();

}  // namespace wend::ecm
