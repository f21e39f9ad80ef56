#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <wend/context.h>
#include <wend/polygon.h>
#include <wend/result.h>

#include "geometry/snap_round.h"

// The Voronoi diagram of points and segments, the base of the medial axis: a sweep with Boost.Polygon's predicates,
// behind one source file.
namespace wend {

// A site of the diagram: a point (an isolated one, or a segment's end) or an open segment.
struct VoronoiSite {
  enum class Kind : uint8_t { kPoint, kSegment };
  Kind kind = Kind::kPoint;
  Point a;
  Point b;                  // equal to a for a point
  uint32_t source = kNone;  // index of the first input segment that it belongs to; for isolated points, segments.size()
                            // + index of the point
  uint32_t siteA = kNone;   // of a segment: the sites of its ends
  uint32_t siteB = kNone;
  bool operator==(const VoronoiSite&) const = default;
};

// Half-edges come in twin pairs: edge e and e ^ 1. The cell of edge e's site lies left of it.
struct VoronoiDiagram {
  struct HalfEdge {
    uint32_t start = kNone;  // vertex id; kNone at infinity
    uint32_t site = kNone;   // the site on its left
    uint32_t next = kNone;   // next half-edge around the site, counter-clockwise, also across infinity
    bool primary = true;     // false between a segment and its own end
    bool curved = false;     // parabola: between a point and a segment that it is no end of
    bool operator==(const HalfEdge&) const = default;
  };
  std::vector<VoronoiSite> sites;  // distinct: points first, then segments in the order of the input
  std::vector<Vec2> vertices;  // lattice units; each coordinate is off by less than kVoronoiError of max(1, |x|, |y|)
  std::vector<HalfEdge> edges;
  std::vector<uint32_t> edgeOf;  // per site: an edge of its ring; kNone if its cell is only the site itself (an end of
  // segments that enclose it, less than 180 degrees from one to the next), or if it is the only site
  int attempts = 1;     // 1 = the first construction passed the validator; more = turned input was needed
  bool inside = false;  // only the part inside loops of segments

  uint32_t end(uint32_t e) const { return edges[e ^ 1].start; }
  uint32_t across(uint32_t e) const { return edges[e ^ 1].site; }
};

// Boost states 64 units in the last place for a vertex, and merges vertices that agree within 128; this is 225.
inline constexpr double kVoronoiError = 5e-14;

// Sites must be interior-disjoint (snapRound): segments that cross or overlap, or points and ends inside a segment, are
// an Error (kInvalidGeometry). Duplicate points and segments are merged; a segment of length 0 is a point.
//
// The edges between a segment and its own end are straight lines through that end; they may pass through it without a
// vertex. Vertices of degree above three are kept as one vertex.
//
// The result is validated; if the sweep lost something (known for rare near-vertical input: boostorg/polygon issues 43
// and 72), the construction is repeated on the input turned by 90, 180 and 270 degrees and mirrored, and turned back;
// if none passes: kInternal. Large input with more upright than level segments is turned from the start. O(n log n).
Result<VoronoiDiagram> voronoi(std::span<const Segment> segments, std::span<const Point> points,
                               const Context& context = {});

// At least the part of the diagram that lies to the left of segments which form loops, as the boundaries of free space
// do: half of the work. Edges that leave it have no end there, and rings close across what is not known. The whole
// diagram if the segments are no such loops, if loops touch, or if the part does not pass the validator.
Result<VoronoiDiagram> voronoiInside(std::span<const Segment> segments, const Context& context = {});

// What the validator checks: twins and rings consistent, every site has one closed ring of edges (possibly through
// infinity; only enclosed ends have none), Euler's relation, each vertex equally far from the sites around it within
// the bound, every ring in order around its site, so that cells do not fold over. Empty when right, else one sentence.
// O(n). Of a part inside loops, `euler` is the number of loops around it less those in it.
std::string findVoronoiFault(const VoronoiDiagram& diagram, int64_t euler = 1);

}  // namespace wend
