#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <wend/context.h>

#include "base/versions.h"
#include "environment/edit/apply_footprints.h"

// The environment of the next version, in the memory of an older one.
namespace wend {

// How holes of polygons differ between two versions; everything else is the same.
struct HoleStep {
  struct Change {
    uint32_t layer = 0;
    uint32_t polygon = 0;  // in the layer, in both versions
    std::vector<Ring> gone;
    std::vector<Ring> added;
  };
  bool isKnown = false;  // false: more than holes differs
  std::vector<Change> changes;
};

struct LiveEnvironment {
  uint64_t state = 0;
  Environment environment;
  void copyAll(const LiveEnvironment& other) { environment = other.environment; }
  bool follow(const LiveEnvironment& current, const HoleStep& step, bool forward);
};
using EnvironmentVersions = Versions<LiveEnvironment, HoleStep>;

struct NextEnvironment {
  std::shared_ptr<const Environment> environment;
  // Holes away from connections came or went, and nothing else differs: `cut` is as before, and not given.
  bool hasHolesOnly = false;
  std::vector<CutConnection> cut;
  CutClusters clusters;
};

// As applyFootprints(), with an environment that shares memory with versions without readers. `before` is
// that of the version whose clusters are given, unless `isKnown` says that these are not all of them. Where obstacles
// stand free or at others, and not at a connection, O(what changes, and the holes of the polygon); else as
// applyFootprints().
Result<NextEnvironment> nextEnvironment(const LiveBase& base, const std::shared_ptr<const Environment>& before,
                                        const CutClusters& clusters, bool isKnown,
                                        std::span<const SharedFootprint> footprints, const Context& context);

}  // namespace wend
