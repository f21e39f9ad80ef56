#include "geometry/voronoi_sweep.h"

#include <boost/polygon/voronoi_builder.hpp>
#include <boost/polygon/voronoi_diagram.hpp>

#include "geometry/sweep_circle.h"
#include "geometry/sweep_numbers.h"

// The only place that knows Boost.
namespace wend {
namespace {

namespace bp = boost::polygon;

struct ToDouble {
  template <typename T>
  double operator()(const T& number) const {
    return static_cast<double>(number);
  }
  double operator()(const WideInt& number) const {
    const auto [value, exponent] = number.scaled();
    return std::ldexp(value, exponent);
  }
  double operator()(const ScaledDouble& number) const { return number.value(); }
};

struct ToScaledDouble {
  ScaledDouble operator()(const WideInt& number) const {
    const auto [value, exponent] = number.scaled();
    return ScaledDouble(value, exponent);
  }
};

// The numbers that the sweep computes with, named as Boost asks.
struct SweepNumbers {
  using int_type = int32_t;
  using int_x2_type = int64_t;
  using uint_x2_type = uint64_t;
  using big_int_type = WideInt;
  using fpt_type = double;
  using efpt_type = ScaledDouble;
  using ulp_cmp_type = bp::detail::ulp_comparison<double>;
  using to_fpt_converter_type = ToDouble;
  using to_efpt_converter_type = ToScaledDouble;
};

using BoostPredicates = bp::detail::voronoi_predicates<SweepNumbers>;

// Circle events from sweep_circle.h, and from exact numbers what is not sure there. The order of the arguments and what
// their indices mean are Boost's.
template <typename Site, typename Circle>
class CircleFormation {
 public:
  void ppp(const Site& p, const Site& q, const Site& r, Circle& event) {
    const SweepCircle circle = sweepCircle(point(p), point(q), point(r));
    event = Circle(circle.x, circle.y, circle.lowerX);
    if (!circle.sure()) exact_.ppp(p, q, r, event, !circle.sureX, !circle.sureY, !circle.sureLowerX);
  }
  void pps(const Site& p, const Site& q, const Site& s, int segmentIndex, Circle& event) {
    const SweepCircle circle = sweepCircle(point(p), point(q), line(s), segmentIndex == 2);
    event = Circle(circle.x, circle.y, circle.lowerX);
    if (!circle.sure()) exact_.pps(p, q, s, segmentIndex, event, !circle.sureX, !circle.sureY, !circle.sureLowerX);
  }
  void pss(const Site& p, const Site& s, const Site& t, int pointIndex, Circle& event) {
    const SweepCircle circle = sweepCircle(point(p), reversed(line(s)), line(t), pointIndex == 2);
    event = Circle(circle.x, circle.y, circle.lowerX);
    if (!circle.sure()) exact_.pss(p, s, t, pointIndex, event, !circle.sureX, !circle.sureY, !circle.sureLowerX);
  }
  void sss(const Site& s, const Site& t, const Site& u, Circle& event) {
    const SweepCircle circle = sweepCircle(line(s), line(t), line(u));
    event = Circle(circle.x, circle.y, circle.lowerX);
    if (!circle.sure()) exact_.sss(s, t, u, event, !circle.sureX, !circle.sureY, !circle.sureLowerX);
  }

 private:
  static Point point(const Site& site) { return {site.x0(), site.y0()}; }
  static SweepLine line(const Site& site) { return {{site.x0(), site.y0()}, {site.x1(), site.y1()}}; }
  static SweepLine reversed(const SweepLine& line) { return {line.b, line.a}; }

  BoostPredicates::mp_circle_formation_functor<Site, Circle> exact_;
};

struct SweepPredicates : BoostPredicates {
  template <typename Site, typename Circle>
  using circle_formation_predicate =
      BoostPredicates::circle_formation_predicate<Site, Circle, BoostPredicates::circle_existence_predicate<Site>,
                                                  CircleFormation<Site, Circle>>;
};

}  // namespace

VoronoiDiagram sweepVoronoi(const std::vector<VoronoiSite>& sites) {
  // Boost adds the ends of segments by itself; only isolated points are given to it.
  std::vector<uint8_t> isEnd(sites.size(), 0);
  for (const VoronoiSite& site : sites) {
    if (site.kind != VoronoiSite::Kind::kSegment) continue;
    isEnd[site.siteA] = 1;
    isEnd[site.siteB] = 1;
  }
  bp::voronoi_builder<int32_t, SweepNumbers, SweepPredicates> builder;
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
  using Edge = bp::voronoi_diagram<double>::edge_type;
  VoronoiDiagram result;
  result.sites = sites;
  result.edgeOf.assign(sites.size(), kNone);
  result.edges.resize(source.num_edges());
  result.vertices.resize(source.num_vertices());
  if (source.num_edges() == 0) return result;

  // Boost numbers in the order of the sweep, in which the ring of a site is scattered. Here edges and vertices are
  // numbered along the rings, site by site, so that whoever walks around neighbouring sites stays in the caches. Twins
  // get ids that differ in the last bit.
  const Edge* const firstEdge = &source.edges().front();
  const auto* const firstVertex = source.num_vertices() == 0 ? nullptr : &source.vertices().front();
  std::vector<uint32_t> idOf(source.num_edges(), kNone);
  std::vector<const Edge*> edgeOf;
  edgeOf.reserve(source.num_edges());
  const auto number = [&](const Edge* edge) {
    uint32_t& id = idOf[static_cast<size_t>(edge - firstEdge)];
    if (id != kNone) return;
    id = static_cast<uint32_t>(edgeOf.size());
    idOf[static_cast<size_t>(edge->twin() - firstEdge)] = id + 1;
    edgeOf.insert(edgeOf.end(), {edge, edge->twin()});
  };
  std::vector<const Edge*> ringOf(sites.size(), nullptr);
  for (const auto& cell : source.cells()) ringOf[siteOf(cell)] = cell.incident_edge();
  std::vector<uint8_t> walked(source.num_edges(), 0);  // a broken ring ends somewhere, too; the validator tells
  for (const Edge* edge : ringOf) {
    for (; edge != nullptr && walked[static_cast<size_t>(edge - firstEdge)] == 0; edge = edge->next()) {
      walked[static_cast<size_t>(edge - firstEdge)] = 1;
      number(edge);
    }
  }
  for (const Edge& edge : source.edges()) number(&edge);

  std::vector<uint32_t> vertexIdOf(source.num_vertices(), kNone);
  uint32_t vertices = 0;
  for (uint32_t id = 0; id < edgeOf.size(); ++id) {
    const Edge& edge = *edgeOf[id];
    VoronoiDiagram::HalfEdge& half = result.edges[id];
    if (const auto* const vertex = edge.vertex0(); vertex != nullptr) {
      uint32_t& start = vertexIdOf[static_cast<size_t>(vertex - firstVertex)];
      if (start == kNone) {
        result.vertices[vertices] = {vertex->x(), vertex->y()};
        start = vertices++;
      }
      half.start = start;
    }
    half.site = siteOf(*edge.cell());
    half.next = edge.next() == nullptr ? kNone : idOf[static_cast<size_t>(edge.next() - firstEdge)];
    half.primary = edge.is_primary();
    half.curved = edge.is_curved();
    if (result.edgeOf[half.site] == kNone) result.edgeOf[half.site] = id;
  }
  return result;
}

}  // namespace wend
