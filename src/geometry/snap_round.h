#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <wend/context.h>
#include <wend/polygon.h>
#include <wend/result.h>

// From any set of segments to interior-disjoint ones on the lattice.
namespace wend {

struct Segment {
  Point a;
  Point b;
  bool operator==(const Segment&) const = default;
};

// A piece of an input segment after rounding, in the direction of its source.
struct Piece {
  Point a;
  Point b;
  uint32_t source;  // index of the input segment
};

// Splits segments wherever they cross, touch or overlap, rounding each crossing to the nearest lattice point, until any
// two pieces have disjoint interiors and meet in common ends only (equal pieces from overlapping sources are kept, one
// per source). Segments that already satisfy this come back unchanged. Rounding moves a segment by at most one unit per
// crossing on it; new crossings created by rounding are resolved by snapping to hot pixels (Hobby; Guibas and Marimont),
// which terminates. Segments of length 0 vanish. Expected O((n + k) log n) for k crossings.
Result<std::vector<Piece>> snapRound(std::span<const Segment> segments, const Context& context = {});

}  // namespace wend
