#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <wend/context.h>

#include "environment/edit/cut_clusters.h"
#include "environment/edit/footprint.h"
#include "environment/edit/live_base.h"

// Edits as a function: base and obstacles to environment, independent of earlier edits.
namespace wend {

// What is left of a connection of the base.
struct CutConnection {
  uint32_t base = 0;                       // index in the base
  std::vector<std::vector<Point>> pieces;  // in order along the line; empty if nothing is open
  bool operator==(const CutConnection&) const = default;
};

struct EditedEnvironment {
  Environment environment;
  std::vector<CutConnection> cut;  // connections of the base that are not as they were
  CutClusters clusters;            // for the next version
};

// Free space = base without the union of the footprints, exact on the lattice after the rounding of hot_pixels.h. It
// depends on the set of footprints alone: neither on their order nor on how they came there; without footprints it is
// the base, bit for bit. Heights and regions stay. A connection keeps what is open on both sides; where an obstacle
// touches its line in a point, it is cut in two there; a covered part becomes a wall of the layer that is not covered.
//
// Layers may end up without free space; kEmpty if all do. Only rings and footprints that meet something that came or
// went since `before` are cut anew: O(m log m) for those, O(n) for copying the rest. The result does not depend on
// `before`.
Result<EditedEnvironment> applyFootprints(const LiveBase& base, std::span<const SharedFootprint> footprints,
                                          const CutClusters& before = {}, const Context& context = {});
// Its first part: how the footprints are cut.
Result<CutClusters> tryCutClusters(const LiveBase& base, std::span<const SharedFootprint> footprints,
                                   const CutClusters& before, const Context& context);
// The same from nothing.
Result<EditedEnvironment> applyFootprints(const LiveBase& base, std::span<const Footprint> footprints,
                                          const Context& context = {});

}  // namespace wend
