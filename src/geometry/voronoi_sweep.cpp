#include "geometry/voronoi_sweep.h"

#include <boost/polygon/voronoi_builder.hpp>
#include <boost/polygon/voronoi_diagram.hpp>

// The only place that knows Boost.
namespace wend {

VoronoiDiagram sweepVoronoi(const std::vector<VoronoiSite>& sites) {
  namespace bp = boost::polygon;
  // Boost adds the ends of segments by itself; only isolated points are given to it.
  std::vector<uint8_t> isEnd(sites.size(), 0);
  for (const VoronoiSite& site : sites) {
    if (site.kind != VoronoiSite::Kind::kSegment) continue;
    isEnd[site.siteA] = 1;
    isEnd[site.siteB] = 1;
  }
  bp::default_voronoi_builder builder;
  std::vector<uint32_t> inserted;
  for (uint32_t i = 0; i < sites.size(); ++i) {
    const VoronoiSite& site = sites[i];
    if (site.kind == VoronoiSite::Kind::kSegment) {
      builder.insert_segment(site.a.x, site.a.y, site.b.x, site.b.y);
    } else if (isEnd[i] == 0) {
      builder.insert_point(site.a.x, site.a.y);
    } else {
      continue;
    }
    inserted.push_back(i);
  }
  bp::voronoi_diagram<double> source;
  builder.construct(&source);

  const auto siteOf = [&](const bp::voronoi_diagram<double>::cell_type& cell) {
    const uint32_t i = inserted[cell.source_index()];
    switch (cell.source_category()) {
      case bp::SOURCE_CATEGORY_SEGMENT_START_POINT:
        return sites[i].siteA;
      case bp::SOURCE_CATEGORY_SEGMENT_END_POINT:
        return sites[i].siteB;
      default:
        return i;
    }
  };
  VoronoiDiagram result;
  result.sites = sites;
  result.edgeOf.assign(sites.size(), kNone);
  result.vertices.reserve(source.num_vertices());
  for (const auto& vertex : source.vertices()) result.vertices.push_back({vertex.x(), vertex.y()});
  result.edges.resize(source.num_edges());
  if (source.num_edges() == 0) return result;

  // Twins get ids that differ in the last bit, whatever Boost's own order is.
  const auto* const firstEdge = &source.edges().front();
  const auto* const firstVertex = source.num_vertices() == 0 ? nullptr : &source.vertices().front();
  std::vector<uint32_t> idOf(source.num_edges(), kNone);
  uint32_t next = 0;
  for (const auto& edge : source.edges()) {
    if (idOf[static_cast<size_t>(&edge - firstEdge)] != kNone) continue;
    idOf[static_cast<size_t>(&edge - firstEdge)] = next++;
    idOf[static_cast<size_t>(edge.twin() - firstEdge)] = next++;
  }
  for (const auto& edge : source.edges()) {
    const uint32_t id = idOf[static_cast<size_t>(&edge - firstEdge)];
    VoronoiDiagram::HalfEdge& half = result.edges[id];
    half.start = edge.vertex0() == nullptr ? kNone : static_cast<uint32_t>(edge.vertex0() - firstVertex);
    half.site = siteOf(*edge.cell());
    half.next = edge.next() == nullptr ? kNone : idOf[static_cast<size_t>(edge.next() - firstEdge)];
    half.primary = edge.is_primary();
    half.curved = edge.is_curved();
    if (result.edgeOf[half.site] == kNone) result.edgeOf[half.site] = id;
  }
  return result;
}

}  // namespace wend
