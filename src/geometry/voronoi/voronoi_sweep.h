#pragma once

#include <functional>
#include <vector>

#include "geometry/voronoi/voronoi.h"

// The steps of voronoi(), apart so that tests can put a faulty sweep in the place of the real one.
namespace wend {

// Builds the diagram of distinct, interior-disjoint sites, points first; not validated.
using VoronoiSweep = std::function<VoronoiDiagram(const std::vector<VoronoiSite>&)>;

// Fortune's sweep along x, with Boost.Polygon's predicates.
VoronoiDiagram sweepVoronoi(const std::vector<VoronoiSite>& sites);

// A point of loops of segments, with an inside to their left.
struct LoopCorner {
  uint32_t in, out;  // the segments that lead to it and on
};
// The part inside. Corners of all points; throws where their loops have no inside to the left of all of them.
VoronoiDiagram sweepInside(const std::vector<VoronoiSite>& sites, const std::vector<LoopCorner>& corners);

Result<VoronoiDiagram> voronoiBy(const VoronoiSweep& sweep, std::span<const Segment> segments,
                                 std::span<const Point> points, const Context& context);

}  // namespace wend
