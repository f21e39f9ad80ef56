#pragma once

#include <span>

#include "planning/corridor/axis_search.h"
#include "planning/density/density.h"

// Planning a path on the medial axis again while it is being walked, with densities (van Toll 2017, section 9.4).
//
// Density counts only near the agent. Once the search reaches a vertex of the old path, beyond that distance both now
// and when the old path was made, the rest of the old path is what the search would find, and is taken over.
namespace wend {

// Edges of the axis are density cells.
struct EdgeDensityCost {
  DensityCost cost;
  double operator()(uint32_t halfEdge, double length, double before) const {
    return cost(halfEdge >> 1, length, before);
  }
};

// How much of the i-th half-edge of a path between two points of the axis is walked.
double stepLength(const CorridorGraph& graph, const AxisPoint& start, const AxisPoint& goal,
                  std::span<const uint32_t> path, size_t i);
double pathLength(const CorridorGraph& graph, const AxisPoint& start, const AxisPoint& goal,
                  std::span<const uint32_t> path);
double pathCost(const CorridorGraph& graph, const AxisPoint& start, const AxisPoint& goal,
                std::span<const uint32_t> path, const EdgeDensityCost& cost);

// A path planned before.
struct OldPath {
  std::span<const uint32_t> halfEdges;
  double lead = 0;  // length of the first half-edge that was walked
  double view = 0;  // how far density counted
};

struct ReplanScratch {
  CorridorPath rest;              // of the old path, from where the agent is now
  CorridorPath candidate;         // memory
  StampedArray<uint32_t> inRest;  // per vertex: the index of the half-edge of `rest` that ends there
};

enum class Replanned : uint8_t { kNoWay, kKept, kChanged };

// The path from where the agent is now. kKept: the old one is as good, and `path` is what is left of it. O(n log n) at
// worst for the part within the viewing distance, plus the length of the path.
Replanned replanCorridor(const CorridorGraph& graph, const AxisPoint& start, const AxisPoint& goal, double radius,
                         const EdgeDensityCost& cost, const OldPath& old, QueryStamp now, CorridorSearchScratch& search,
                         ReplanScratch& scratch, CorridorPath& path, uint64_t& expanded);

}  // namespace wend
