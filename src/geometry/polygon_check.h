#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <wend/polygon.h>

// Whether polygons are what Polygon promises. Exact: every fault reported is one, and a set without a fault is valid.
namespace wend {

enum class PolygonFaultKind : uint8_t {
  kRingTooShort,    // fewer than three points
  kRepeatedPoint,   // two consecutive points are equal (last and first included)
  kOutsideLattice,  // beyond kMaxCoordinate
  kCrossing,        // two boundary segments cross or overlap
  kVertexOnEdge,    // a vertex touches the interior of a segment
  kOrientation,     // outer ring clockwise, or hole counter-clockwise
  kNesting,         // hole outside its polygon, polygons overlap
  kBoundaryWalk,    // a ring turns the wrong way at a vertex it visits twice, or one walk is cut into two rings
};
const char* polygonFaultName(PolygonFaultKind kind);

struct PolygonFault {
  PolygonFaultKind kind = PolygonFaultKind::kCrossing;
  uint32_t polygon = 0;  // index into the span
  uint32_t ring = 0;     // 0 = outer, 1 + i = holes[i]
  Point place;
  std::string message;  // one sentence, coordinates in lattice units
};

// What is known of the sides: those that meet in common ends only, no two of them equal, are not looked at again.
enum class SidesMeet : uint8_t { kAnywhere, kInEnds };

// The faults of a set of polygons with disjoint interiors, at most `limit` of them, in a fixed order. Different
// polygons may touch in vertices and lie in each other's holes; a shared edge counts as an overlap. The checks come in
// stages, and a stage that finds something ends the search, since the next would see only echoes: 1 single rings
// (length, repeated points, range), 2 segments (crossings, overlaps, vertices on edges), 3 walks, orientation and
// nesting. Expected O(n log n); a second thread prepares stage 3 during stage 2.
std::vector<PolygonFault> findPolygonFaults(std::span<const Polygon> polygons, size_t limit = 100,
                                            SidesMeet meet = SidesMeet::kAnywhere, int threads = 1);

}  // namespace wend
