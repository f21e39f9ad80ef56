#pragma once

#include <vector>

#include "planning/search.h"

// The shortest path inside a sequence of portals: the funnel of Lee and Preparata (1984) with both chains in one array,
// so that a chain of m portals costs O(m). Exact turns; portals may share ends, and the path may touch them.
namespace wend {

struct FunnelScratch {
  std::vector<Bend> chain;
};

// `path.entries` are the sides by which the cells are entered; fills `path.bends`.
void pullString(const NavMesh& mesh, Vec2 start, Vec2 goal, FunnelScratch& scratch, SearchPath& path);

}  // namespace wend
