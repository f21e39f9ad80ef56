#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "environment/edit/footprint.h"
#include "environment/edit/live_base.h"

// Where the outlines of obstacles and the walls of the base meet, rounded so that the order of edits cannot matter.
//
// A pixel is hot if an end of a source or a crossing of two sources lies in it. Every source that an edit concerns runs
// through the centres of all hot pixels it meets (Guibas and Marimont 1998). "Concerned" are the edges of obstacles,
// and each wall that this bends, until nothing is added: a closure, so the result depends on the set of obstacles
// alone. Walls that nothing bends stay as they are. A wall on a connection is one source of two layers: both get its
// points.
namespace wend {

struct RoutedSources {
  // The inner points of each wall that has got some, in the direction of the edge. Keys are edges of the base.
  std::unordered_map<uint32_t, std::vector<Point>> walls;
  // Per footprint: its loops over all their points.
  std::vector<std::vector<Ring>> loops;
  // Rings of the base and footprints (ring count + index) that meet in a hot pixel, in pairs.
  std::vector<std::pair<uint32_t, uint32_t>> links;
};

// Expected O(m log m) for m edges of footprints and edges of the base beside them.
RoutedSources routeSources(const LiveBase& base, std::span<const Footprint> footprints);

// The ring of the base over all its points.
Ring routedRing(const LiveBase& base, uint32_t ring, const RoutedSources& routed);

}  // namespace wend
