#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <wend/context.h>

#include "environment/edit/cut_rings.h"
#include "environment/edit/footprint.h"
#include "environment/edit/live_base.h"

// Obstacles and walls that concern each other, cut once and kept from version to version.
namespace wend {

// The same pointer, the same footprint.
using SharedFootprint = std::shared_ptr<const Footprint>;

// Footprints and rings that meet, over all layers, and what they leave. Two clusters share no ring, and their
// footprints do not overlap, so neither can change the other.
struct CutCluster {
  std::vector<SharedFootprint> members;
  std::vector<CutGroup> groups;                            // their footprint indices mean nothing any more
  std::unordered_map<uint32_t, std::vector<Point>> walls;  // RoutedSources::walls
  std::vector<uint32_t> rings;                             // sorted
  std::vector<std::pair<uint32_t, Box>> boxes;             // layer and box of each member
};

struct CutClusters {
  std::vector<std::shared_ptr<const CutCluster>> all;
};

// The clusters of a set of footprints. Those of `before` that nothing new concerns are kept. O(clusters) and the work
// for what is cut anew.
Result<CutClusters> cutClusters(const LiveBase& base, std::span<const SharedFootprint> footprints,
                                const CutClusters& before, const Context& context);

}  // namespace wend
