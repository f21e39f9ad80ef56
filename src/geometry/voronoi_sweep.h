#pragma once

#include <functional>
#include <vector>

#include "geometry/voronoi.h"

// The steps of voronoi(), apart so that tests can put a faulty sweep in the place of the real one.
namespace wend {

// Builds the diagram of distinct, interior-disjoint sites, points first; not validated.
using VoronoiSweep = std::function<VoronoiDiagram(const std::vector<VoronoiSite>&)>;

// Fortune's sweep along x, with Boost.Polygon's predicates.
VoronoiDiagram sweepVoronoi(const std::vector<VoronoiSite>& sites);

Result<VoronoiDiagram> voronoiBy(const VoronoiSweep& sweep, std::span<const Segment> segments,
                                 std::span<const Point> points, const Context& context);

}  // namespace wend
