#pragma once

#include <span>

#include "planning/replan/axis_graph.h"
#include "planning/replan/odpa.h"

// Planning a path on the medial axis again after the world changed.
namespace wend {

// A path planned on the old axis: half-edges, and how much of the first one was walked. Lattice units.
struct OldAxisPath {
  std::span<const uint32_t> halfEdges;
  double lead = 0;
  bool optimal = false;
};

struct AxisReplanScratch {
  GraphSearchScratch search;
  OldGraphPath old;
  std::vector<uint32_t> mapped;  // the old half-edges on the new axis
  ChangedPart part;
  GraphPath path;
};

// The rest of the old path for an agent whose retraction is `start`, in terms of the new axis. O(length of the path).
//
// The cost of the rest is known if the agent is on the path, or on an edge into a corner beside it. Elsewhere it is
// not: another path may have been shorter from there.
void findRest(const CorridorGraph& graph, const AxisChange& change, const AxisPoint& start, const AxisPoint& goal,
              double radius, const OldAxisPath& path, AxisReplanScratch& scratch);

// True unless the rest of the path is intact and no way through the changed part is shorter. No search.
bool isAxisPathConcerned(const CorridorGraph& graph, const AxisChange& change, const AxisPoint& start,
                         const AxisPoint& goal, double radius, const OldAxisPath& path, AxisReplanScratch& scratch);

// Fills scratch.path; false if there is none. `path` may be empty: then it is A*.
bool replanOnAxis(const CorridorGraph& graph, const AxisChange& change, const AxisPoint& start, const AxisPoint& goal,
                  double radius, const OldAxisPath& path, const ReplanQuery& how, AxisReplanScratch& scratch,
                  ReplanReport& report);

}  // namespace wend
