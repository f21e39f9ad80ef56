#pragma once

#include <wend/generator.h>

// Iterative Wavefront Edge Expansion (Hale 2011, chapter 7): regions of PASFV that grow one at a time and jump from
// event to event instead of taking small steps. Seeds lie beside the walls and are taken in random order. When a region
// has no event left, its sides that are not stopped grow on as in PASFV, so that it is as large as it can be.
//
// Guarantees as `pasfv`: exact, convex, axis-aligned portals within a layer and terrain class, at most four cells at a
// point inside free space. The faithful mode classifies all edges for each region, O(n^2 log n) in all; the indexed
// mode those around it, near O(n log n) for vertices that are spread evenly.
namespace wend::wavefront {

enum class Events : uint8_t { kIndexed, kFaithful };

struct Settings {
  Events events = Events::kIndexed;  // for what is around a region, or for everything, as in the source
  bool merge = true;                 // off: regions as they grew
  bool terrain = true;               // off: cells may lie on several terrain classes
  uint32_t tries = 1;                // 1 to 1000: orders of seeds tried; the fewest cells win
  uint32_t frames = 0;               // 0 to 1e9: stop after so many regions, for pictures; 0 = never
  uint64_t seed = 1;                 // of the order of seeds

  uint64_t hash() const;
};

// What growth did, summed over all spaces (of the best try).
struct Report {
  uint64_t regions = 0;     // before joining
  uint64_t classified = 0;  // edges looked at for events
  uint64_t events = 0;
  uint64_t jumps = 0;  // events that moved a side
  uint64_t steps = 0;  // tries to move a side
  uint64_t tests = 0;  // exact tests of a strip against a wall or a region
};

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context = {},
                         Report* report = nullptr);

Generator entry();

}  // namespace wend::wavefront
