#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "geometry/snap_round.h"

// Finds pairs of segments that may meet: a sweep, or a grid that refines itself where segments crowd.
namespace wend {

enum class PairSearch : uint8_t { kDone, kOverBudget, kStopped };

// Calls visit(i, j), i != j, for every two segments that have a point in common, and for some more whose boxes meet; a
// pair may come more than once. With `marked` not empty only pairs with a marked member come. visit returns false to
// stop.
//
// Where shadows on an axis tell most segments apart, they are compared in the order of these. Elsewhere segments are
// cut along their own line into the buckets of a grid, so a long diagonal one fills a strip and not its box; buckets
// that hold many segments are cut again, so a crowded corner of a large world costs no more than elsewhere; segments
// that share one end are paired by direction. Expected O(n log n + pairs); `budget` bounds the steps for input that
// defeats this (many long, almost parallel segments): kOverBudget then. Memory O(n) per level, a few levels.
PairSearch forEachClosePair(std::span<const Segment> segments, std::span<const uint8_t> marked, uint64_t budget,
                            const std::function<bool(uint32_t, uint32_t)>& visit);

// Enough for any sane world of n segments.
inline uint64_t pairBudget(size_t n) {
  return (uint64_t{1} << 33) + 4096 * static_cast<uint64_t>(n);
}

}  // namespace wend
