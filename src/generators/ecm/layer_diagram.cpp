#include "generators/ecm/layer_diagram.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

#include <fmt/format.h>

#include "geometry/voronoi/voronoi.h"

namespace wend::ecm {
namespace {

// Which part of a half-edge of the Voronoi diagram: normals at bare ends and exactly straight vertices pass through the
// vertex, and are cut there.
enum class Part : uint8_t { kWhole, kFromVertex, kToVertex };

struct ChainPlace {
  uint32_t half = kNone;  // of the Voronoi diagram
  Part part = Part::kWhole;
};

// Distinct undirected segments of the walks.
struct DistinctSegments {
  std::vector<Segment> segments;
  std::vector<uint32_t> idOf;  // per visit
};

DistinctSegments distinctSegments(const LayerWalks& walks) {
  DistinctSegments out;
  const auto count = static_cast<uint32_t>(walks.visits.size());
  out.idOf.assign(count, kNone);
  out.segments.reserve(count);
  std::vector<std::tuple<Point, Point, uint32_t>> ends;
  for (uint32_t v = 0; v < count; ++v) {
    const Visit& visit = walks.visits[v];
    if (visit.next == kNone) continue;
    const Point to = walks.visits[visit.next].p;
    if (walks.repeated) {
      ends.emplace_back(std::min(visit.p, to), std::max(visit.p, to), v);
    } else {
      out.idOf[v] = static_cast<uint32_t>(out.segments.size());
      out.segments.push_back({visit.p, to});
    }
  }
  std::sort(ends.begin(), ends.end());
  for (size_t i = 0; i < ends.size(); ++i) {
    const auto& [low, high, v] = ends[i];
    if (i == 0 || low != std::get<0>(ends[i - 1]) || high != std::get<1>(ends[i - 1])) {
      out.segments.push_back({walks.visits[v].p, walks.visits[walks.visits[v].next].p});
    }
    out.idOf[v] = static_cast<uint32_t>(out.segments.size()) - 1;
  }
  return out;
}

// What cannot be a boundary; becomes an Error at the border of this file.
struct BadBoundary : std::runtime_error {
  explicit BadBoundary(Point p)
      : std::runtime_error(fmt::format("the free space around ({}, {}), in lattice units, is not enclosed by boundary "
                                       "walks, or obstacles almost touch there; check the environment with validate()",
                                       p.x, p.y)) {}
};

class Builder {
 public:
  Builder(const LayerWalks& walks, const DistinctSegments& distinct, const VoronoiDiagram& voronoi)
      : walks_(walks.visits), segmentOf_(distinct.idOf), v_(voronoi) {
    points_ = static_cast<uint32_t>(v_.sites.size() - distinct.segments.size());
  }

  LayerDiagram run() {
    const size_t visits = walks_.size();
    out_.corner.assign(visits, kNone);
    out_.firstOfPoint.assign(visits, kNone);
    out_.firstOfSegment.assign(visits, kNone);
    out_.vertices.reserve(visits + v_.vertices.size());
    out_.edges.reserve(v_.edges.size());
    pairOf_.assign(v_.edges.size() / 2, kNone);
    backPairOf_.assign(v_.edges.size() / 2, kNone);
    vertexOf_.assign(v_.vertices.size(), kNone);
    first_.resize(visits);
    last_.resize(visits);
    for (uint32_t v = 0; v < visits; ++v) {
      if (walks_[v].next == kNone) continue;
      out_.corner[v] = static_cast<uint32_t>(out_.vertices.size());
      out_.vertices.push_back({toVec2(walks_[v].p), 0, 0, false});
    }
    findCorners();
    for (uint32_t v = 0; v < visits; ++v) {
      if (walks_[v].next != kNone) takeSegment(v);
    }
    for (uint32_t v = 0; v < visits; ++v) {
      if (walks_[v].next == kNone) {
        takeBarePoint(v);
      } else if (out_.edges[halfOf(last_[v])].secondary) {
        takeNotch(v);
      }
    }
    for (uint32_t e = 0; e < out_.edges.size(); ++e) {
      if (out_.edges[e].site == kNone || out_.edges[e].start == kNone) throw BadBoundary(placeOf(e ^ 1));
    }
    return std::move(out_);
  }

 private:
  Point placeOf(uint32_t e) const {
    const uint32_t v = out_.edges[e].start == kNone ? out_.edges[e ^ 1].start : out_.edges[e].start;
    if (v == kNone) return {};
    return {static_cast<int32_t>(out_.vertices[v].p.x), static_cast<int32_t>(out_.vertices[v].p.y)};
  }

  // The Voronoi vertices that lie in obstacle vertices: all sites around them end there. Normals that pass through an
  // obstacle vertex have none. Where free space touches itself, an obstacle vertex may have several.
  void findCorners() {
    pointOf_.assign(v_.vertices.size(), kNone);
    constexpr double kNear = 1e-3;  // more than the error of a Voronoi vertex anywhere on the lattice
    std::vector<uint8_t> inCorner(v_.vertices.size(), 0);
    std::vector<Point> rounded(v_.vertices.size());
    for (uint32_t v = 0; v < inCorner.size(); ++v) {
      const Vec2 p = v_.vertices[v];
      if (std::abs(p.x) > kMaxCoordinate || std::abs(p.y) > kMaxCoordinate) continue;
      const auto nearest = [](double value) { return static_cast<int32_t>(value + (value < 0 ? -0.5 : 0.5)); };
      rounded[v] = {nearest(p.x), nearest(p.y)};
      inCorner[v] = std::abs(p.x - rounded[v].x) < kNear && std::abs(p.y - rounded[v].y) < kNear ? 1 : 0;
    }
    for (const VoronoiDiagram::HalfEdge& half : v_.edges) {
      if (half.start == kNone || inCorner[half.start] == 0) continue;
      const VoronoiSite& site = v_.sites[half.site];
      if (site.a != rounded[half.start] && site.b != rounded[half.start]) {
        inCorner[half.start] = 0;
        pointOf_[half.start] = kNone;
      } else if (site.kind == VoronoiSite::Kind::kPoint) {
        pointOf_[half.start] = half.site;
      } else {
        pointOf_[half.start] = site.a == rounded[half.start] ? site.siteA : site.siteB;
      }
    }
  }

  bool isIn(uint32_t vertex, uint32_t point) const { return vertex != kNone && pointOf_[vertex] == point; }

  // Whether a normal passes through the obstacle vertex of the given point site, instead of ending there.
  bool passes(uint32_t half, uint32_t point) const {
    return !v_.edges[half].primary && v_.across(half) == point && !isIn(v_.edges[half].start, point) &&
           !isIn(v_.end(half), point);
  }

  // The ends of a visit's segment as point sites.
  struct Ends {
    uint32_t segment, from, to;
  };
  Ends endsOf(uint32_t visit) const {
    const uint32_t segment = points_ + segmentOf_[visit];
    const VoronoiSite& site = v_.sites[segment];
    if (site.a == walks_[visit].p) return {segment, site.siteA, site.siteB};
    return {segment, site.siteB, site.siteA};
  }

  void takeSegment(uint32_t visit) {
    const Ends ends = endsOf(visit);
    const uint32_t ring = v_.edgeOf[ends.segment];
    if (ring == kNone) throw BadBoundary(walks_[visit].p);
    ChainPlace place;
    uint32_t e = ring;
    do {
      if (isIn(v_.edges[e].start, ends.to)) place = {e, Part::kWhole};
      if (passes(e, ends.to)) place = {e, Part::kFromVertex};
      e = v_.edges[e].next;
    } while (e != ring);
    if (place.half == kNone) throw BadBoundary(walks_[visit].p);

    first_[visit] = place;
    const uint32_t start = place.half;
    const uint32_t site = walks_[visit].segmentSite;
    uint32_t id = open(place, site, out_.corner[walks_[visit].next]);
    out_.firstOfSegment[visit] = id;
    while (place.part == Part::kToVertex || !isIn(v_.end(place.half), ends.from)) {
      place = {v_.edges[place.half].next, Part::kWhole};
      if (place.half == start) throw BadBoundary(walks_[visit].p);
      if (passes(place.half, ends.from)) place.part = Part::kToVertex;
      id = append(id, place, site);
      if (place.part == Part::kToVertex) break;
    }
    last_[visit] = place;
  }

  void takeNotch(uint32_t visit) {
    const uint32_t site = walks_[visit].pointSite;
    const auto turned = [](ChainPlace place) {
      place.half ^= 1U;
      if (place.part != Part::kWhole) {
        place.part = place.part == Part::kToVertex ? Part::kFromVertex : Part::kToVertex;
      }
      return place;
    };
    ChainPlace place = turned(last_[visit]);
    const ChainPlace stop = turned(first_[walks_[visit].previous]);
    const uint32_t start = place.half;
    uint32_t id = open(place, site, out_.corner[visit]);
    out_.firstOfPoint[visit] = id;
    while (true) {
      place = {v_.edges[place.half].next, Part::kWhole};
      if (place.half == stop.half) break;
      if (place.half == start) throw BadBoundary(walks_[visit].p);
      id = append(id, place, site);
    }
    append(id, stop, site);
  }

  void takeBarePoint(uint32_t visit) {
    const uint32_t point = findBarePoint(visit);
    const uint32_t start = v_.edgeOf[point];
    if (start == kNone) throw BadBoundary(walks_[visit].p);
    const uint32_t site = walks_[visit].pointSite;
    uint32_t id = open({start, Part::kWhole}, site, vertex(v_.edges[start].start, point));
    const uint32_t first = id;
    for (uint32_t e = v_.edges[start].next; e != start; e = v_.edges[e].next) id = append(id, {e, Part::kWhole}, site);
    out_.edges[id].next = first;
    out_.edges[first].previous = id;
    out_.firstOfPoint[visit] = first;
  }

  uint32_t findBarePoint(uint32_t visit) const {
    for (uint32_t site = 0; site < points_; ++site) {
      if (v_.sites[site].a == walks_[visit].p) return site;
    }
    throw BadBoundary(walks_[visit].p);
  }

  uint32_t halfOf(ChainPlace place) {
    const uint32_t pair = place.half / 2;
    // The part towards the start of the even half-edge gets a pair of its own.
    const bool back = place.part != Part::kWhole && (place.half % 2 == 0) == (place.part == Part::kToVertex);
    uint32_t& id = back ? backPairOf_[pair] : pairOf_[pair];
    if (id == kNone) {
      id = static_cast<uint32_t>(out_.edges.size() / 2);
      out_.edges.resize(out_.edges.size() + 2);
    }
    // Parts run outward from the vertex in their even half-edge.
    if (place.part == Part::kWhole) return 2 * id + place.half % 2;
    return 2 * id + (place.part == Part::kToVertex ? 1 : 0);
  }

  uint32_t open(ChainPlace place, uint32_t site, uint32_t start) {
    const uint32_t id = halfOf(place);
    Diagram::HalfEdge& half = out_.edges[id];
    if (half.site != kNone) throw BadBoundary(placeOf(id));
    half.site = site;
    half.start = start;
    half.secondary = !v_.edges[place.half].primary;
    return id;
  }

  uint32_t append(uint32_t previous, ChainPlace place, uint32_t site) {
    const uint32_t v = v_.edges[place.half].start;
    if (v == kNone) throw BadBoundary(placeOf(previous));
    const uint32_t id = open(place, site, vertex(v, v_.edges[place.half].site));
    out_.edges[id].previous = previous;
    out_.edges[previous].next = id;
    return id;
  }

  uint32_t vertex(uint32_t v, uint32_t site) {
    if (v == kNone) throw BadBoundary(v_.sites[site].a);
    if (vertexOf_[v] == kNone) {
      vertexOf_[v] = static_cast<uint32_t>(out_.vertices.size());
      out_.vertices.push_back({v_.vertices[v], distance(v_.sites[site], v_.vertices[v]), 0, false});
    }
    return vertexOf_[v];
  }

  static double distance(const VoronoiSite& site, Vec2 p) {
    const Vec2 v{p.x - site.a.x, p.y - site.a.y};
    if (site.kind == VoronoiSite::Kind::kPoint) return std::hypot(v.x, v.y);
    const Vec2 u{static_cast<double>(site.b.x) - site.a.x, static_cast<double>(site.b.y) - site.a.y};
    return std::abs(u.x * v.y - u.y * v.x) / std::hypot(u.x, u.y);
  }

  const std::vector<Visit>& walks_;
  const std::vector<uint32_t>& segmentOf_;
  const VoronoiDiagram& v_;
  uint32_t points_ = 0;               // point sites of the Voronoi diagram
  std::vector<uint32_t> pointOf_;     // per Voronoi vertex: the point site that it lies in
  std::vector<uint32_t> pairOf_;      // per Voronoi pair: pair of the result
  std::vector<uint32_t> backPairOf_;  // the same for the second part of a normal that passes through a vertex
  std::vector<uint32_t> vertexOf_;
  std::vector<ChainPlace> first_;  // per visit: ends of its segment's chain
  std::vector<ChainPlace> last_;
  LayerDiagram out_;
};

}  // namespace

Result<LayerDiagram> buildLayerDiagram(const LayerWalks& walks, const Context& context) {
  for (const Visit& visit : walks.visits) {
    if (visit.next == kNone || walks.visits[visit.next].p != visit.p) continue;
    return Error{ErrorCode::kInvalidGeometry,
                 fmt::format("a boundary walk repeats the point ({}, {}); check the environment with validate()",
                             visit.p.x, visit.p.y)};
  }
  const DistinctSegments distinct = distinctSegments(walks);
  std::vector<Point> points;
  for (const Visit& visit : walks.visits) {
    if (visit.next == kNone) points.push_back(visit.p);
  }
  const Result<VoronoiDiagram> voronoi =
      points.empty() ? voronoiInside(distinct.segments, context) : wend::voronoi(distinct.segments, points, context);
  if (!voronoi.ok()) return voronoi.error();
  size_t segments = 0;
  for (const VoronoiSite& site : voronoi->sites) segments += site.kind == VoronoiSite::Kind::kSegment ? 1 : 0;
  if (segments != distinct.segments.size()) {
    return Error{ErrorCode::kInvalidGeometry,
                 "two boundary segments of a layer are equal; check the environment with validate()"};
  }
  try {
    LayerDiagram diagram = Builder(walks, distinct, *voronoi).run();
    diagram.attempts = voronoi->attempts;
    return diagram;
  } catch (const BadBoundary& error) {
    return Error{ErrorCode::kInvalidGeometry, error.what()};
  }
}

}  // namespace wend::ecm
