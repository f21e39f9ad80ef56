#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "environment/extract/exact/free_space/patches.h"
#include "environment/extract/polygons/cut.h"

namespace wend::exact {

// Cuts pieces out of an outline, closes the necks that rounding leaves, and adds what is free as patches of a facet.
// Not thread-safe: one per thread.
class PatchCutter {
 public:
  PatchCutter(const Cutter::Limits& limits, const Tolerances& tolerances) : cutter_(limits), tol_(tolerances) {}

  // The outline is used up. Errors are those of Cutter::cut(); no patch is added then.
  Status cut(Rings& outline, std::span<const Convex> pieces, uint32_t facet, Patches& patches);
  // Of the last cut.
  uint64_t tests() const { return tests_; }

 private:
  Cutter cutter_;
  const Tolerances& tol_;
  Rings free_;
  std::vector<Convex> plugs_;
  uint64_t tests_ = 0;
};

}  // namespace wend::exact
