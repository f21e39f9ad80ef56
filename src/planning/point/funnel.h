#pragma once

#include <span>
#include <vector>

#include "planning/point/search.h"

// The shortest path inside a sequence of portals: the funnel of Lee and Preparata (1984) with both chains in one array,
// so that a chain of m portals costs O(m). Exact turns; portals may share ends, and the path may touch them.
namespace wend {

struct FunnelScratch {
  std::vector<Bend> chain;
};

// The ends of one portal, left and right in the direction of travel.
struct StringPortal {
  Vec2 left;
  Vec2 right;
};

// For portals that are no sides of a mesh. `bends` get the index of their portal as vertex.
void pullString(std::span<const StringPortal> portals, Vec2 start, Vec2 goal, FunnelScratch& scratch, SearchPath& path);

// `path.entries` are the sides by which the cells are entered; fills `path.bends`.
void pullString(const NavMesh& mesh, Vec2 start, Vec2 goal, FunnelScratch& scratch, SearchPath& path);

}  // namespace wend
