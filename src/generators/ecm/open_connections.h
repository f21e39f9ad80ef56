#pragma once

#include <cstdint>

#include <wend/context.h>
#include <wend/environment.h>
#include <wend/result.h>

#include "generators/ecm/diagram.h"

// From the diagram with all connections closed to the one with all of them open.
namespace wend::ecm {

enum class OpeningMethod : uint8_t {
  kSafe,    // project the neighbours where a test shows that this is right, sweep where it is not
  kSimple,  // always project; kUnsupported where that is not known to be right
  kSweep,   // always sweep
};

enum class OpeningOrder : uint8_t {
  kEasiestFirst,  // fewest neighbours first: O(n log n log k) in all
  kGiven,         // as the environment lists them: O(k n log n) in the worst case
  kReversed,
};

struct OpeningSettings {
  OpeningMethod method = OpeningMethod::kSafe;
  OpeningOrder order = OpeningOrder::kEasiestFirst;
};

struct OpeningStats {
  uint32_t simple = 0;      // segments opened by projecting
  uint32_t swept = 0;       // segments opened by sweeping
  uint32_t points = 0;      // points removed that nothing closed is left at
  uint64_t neighbours = 0;  // summed over all openings
};

// Opens every connection. The result does not depend on the order but for rounding. Segments of a line are opened one
// by one; a point with nothing closed left around it (inner points of a line, places where several layers meet) is
// taken away in the same manner.
//
// Afterwards every vertex has the layer it lies in, found by walking straight from the connection across those opened
// before; a site keeps its layer, an end of a connection that of one of its two.
//
// kInternal, naming the place, if rounding leaves a zone that cannot be filled; kCancelled.
Result<OpeningStats> openConnections(Diagram& diagram, const Environment& environment,
                                     const OpeningSettings& settings = {}, const Context& context = {});

}  // namespace wend::ecm
