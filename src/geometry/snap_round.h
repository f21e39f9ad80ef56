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

// More pieces than this are an Error (kLimit): the memory of snapRound() stays below about 3 GB.
inline constexpr size_t kMaxPieces = 20'000'000;

// Splits segments wherever they cross, touch or overlap, rounding each crossing to the nearest lattice point, until any
// two pieces have disjoint interiors and meet in common ends only (equal pieces from overlapping sources are kept, one
// per source). Pieces come in the order of their sources, along each source. Segments that already satisfy this come
// back unchanged. Segments of length 0 vanish.
//
// Rounding a crossing bends both segments by less than one unit, which may make new crossings with what lies within
// that unit. Passes are repeated until none is left; after a fixed number of passes, what is left is snapped to hot
// pixels (Hobby 1999; Guibas and Marimont 1998), after which no two cross. So a segment moves by less than one unit per
// pass, two or three passes in practice, and never beyond the box of the input. Expected O((n + k) log n) for k
// crossings.
// `roundingPasses` is how many passes come before the hot pixels; 0 is classic snap rounding.
Result<std::vector<Piece>> snapRound(std::span<const Segment> segments, const Context& context = {},
                                     int roundingPasses = 6);

// The crossing of two segments that cross, each coordinate rounded to the nearest whole number, halves upwards: the
// centre of the pixel that the crossing lies in. The same for (s, t) and (t, s).
Point roundedCrossing(const Segment& s, const Segment& t);

// Whether the closed segment has a point that rounds to p: one in the half-open unit square around it, the pixel of p.
bool passesPixel(const Segment& s, Point p);

// What snapRound() guarantees for any two pieces that are not equal.
bool meetInEndsOnly(const Segment& s, const Segment& t);

}  // namespace wend
