#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <wend/context.h>
#include <wend/polygon.h>
#include <wend/result.h>

#include "geometry/snap_round.h"

// The Voronoi diagram of points and segments, the base of the medial axis. Boost.Polygon's sweep behind one source file.
namespace wend {

// A site of the diagram: a point (an isolated one, or a segment's end) or an open segment.
struct VoronoiSite {
  enum class Kind : uint8_t { kPoint, kSegment };
  Kind kind = Kind::kPoint;
  Point a;
  Point b;                 // equal to a for a point
  uint32_t source = kNone;  // index of the input segment; for isolated points, segments.size() + index of the point
};

// Half-edges come in twin pairs: edge e and e ^ 1. The cell of edge e's site lies left of it.
struct VoronoiDiagram {
  struct HalfEdge {
    uint32_t start = kNone;  // vertex id; kNone at infinity
    uint32_t site = kNone;   // the site on its left
    uint32_t next = kNone;   // next half-edge around the site, counter-clockwise
    bool primary = true;     // false between a segment and its own end
    bool curved = false;     // parabola: between a point and a segment
  };
  std::vector<VoronoiSite> sites;
  std::vector<Vec2> vertices;  // lattice units; error below 1e-6 of a unit plus 1e-15 of the coordinate
  std::vector<HalfEdge> edges;
  int attempts = 1;  // 1 = the first construction passed the validator; more = rotated input was needed
};

// Sites must be interior-disjoint (snapRound): crossing segments are an Error. Duplicate points and segments are merged.
// The result is validated; if the library lost something (known for rare near-vertical input), the construction is
// repeated on the input turned by 90, 180 and 270 degrees and mirrored, and turned back; if none passes: kInternal.
// O(n log n).
Result<VoronoiDiagram> voronoi(std::span<const Segment> segments, std::span<const Point> points,
                               const Context& context = {});

// What the validator checks: twins and rings consistent, every site has a closed ring of edges (or one through
// infinity), Euler's relation, each vertex equally far from the sites around it within the bound, no edge crossing its
// neighbours around a vertex. Empty when right, else one sentence.
std::string findVoronoiFault(const VoronoiDiagram& diagram);

}  // namespace wend
