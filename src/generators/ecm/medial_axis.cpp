#include "generators/ecm/medial_axis.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/parallel.h"
#include "generators/ecm/arc.h"
#include "generators/ecm/bending_points.h"
#include "generators/ecm/open_connections.h"
#include "geometry/predicates.h"

namespace wend::ecm {
namespace {

class Maker {
 public:
  Maker(const Diagram& diagram, const Lattice& lattice) : d_(diagram) { map_.lattice = lattice; }

  CorridorMap run(const Context& context) {
    joinStraightWalls();
    collectStars();
    visited_.assign(d_.edges.size() / 2, 0);
    vertexOf_.assign(d_.vertices.size(), kNone);
    edgeOf_.assign(d_.edges.size(), kNone);
    size_t vertices = 0;
    size_t ends = 0;
    for (uint32_t v = 0; v < d_.vertices.size(); ++v) {
      if (degree(v) == 0 || degree(v) == 2) continue;
      ++vertices;
      ends += degree(v);
    }
    reserve(vertices, ends / 2);
    for (uint32_t v = 0; v < d_.vertices.size(); ++v) {
      if (degree(v) != 0 && degree(v) != 2) addVertex(v);
    }
    const auto trueVertices = static_cast<uint32_t>(source_.size());
    for (uint32_t i = 0; i < trueVertices; ++i) {
      for (uint32_t k = starBegin_[source_[i]]; k < starBegin_[source_[i] + 1]; ++k) {
        if (visited_[star_[k] / 2] == 0) addEdge(star_[k]);
      }
    }
    for (uint32_t e = 0; e < d_.edges.size(); e += 2) {
      if (isArc(e) && visited_[e / 2] == 0) addCycle(e);
    }
    parallelBlocks(map_.edges.size(), 1024, context, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) measure(map_.edges[i]);
    });
    fillOut();
    map_.voronoiAttempts = d_.voronoiAttempts;
    return std::move(map_);
  }

 private:
  bool isArc(uint32_t e) const { return !d_.edges[e].removed && !d_.edges[e].secondary; }
  uint32_t degree(uint32_t v) const { return starBegin_[v + 1] - starBegin_[v]; }

  // Enough but for closed curves.
  void reserve(size_t vertices, size_t edges) {
    source_.reserve(vertices);
    map_.vertices.reserve(vertices);
    map_.edges.reserve(edges);
    map_.out.reserve(2 * edges);
    map_.bendingPoints.reserve(star_.size() / 2 + edges);
    map_.arcs.reserve(star_.size() / 2 + edges);
  }

  // Segments that continue each other without a turn act as one site.
  void joinStraightWalls() {
    const auto count = static_cast<uint32_t>(d_.sites.size());
    std::vector<uint32_t> following(count, kNone);
    std::vector<uint8_t> follows(count, 0);
    for (const Diagram::Site& p : d_.sites) {
      if (!isStraight(p)) continue;
      following[p.before] = p.after;
      follows[p.after] = 1;
    }
    runOf_.resize(count);
    runEnd_.resize(count);
    for (uint32_t s = 0; s < count; ++s) {
      if (follows[s] != 0) continue;
      uint32_t last = s;
      for (uint32_t t = s; t != kNone; t = following[t]) {
        runOf_[t] = s;
        last = t;
      }
      runEnd_[s] = d_.sites[last].b;
    }
    siteOf_.assign(count, kNone);
  }

  bool isStraight(const Diagram::Site& p) const {
    if (p.removed || p.first == kNone || p.before == kNone || !p.isPoint()) return false;
    const uint32_t second = d_.edges[p.first].next;
    if (second == kNone || d_.edges[second].next != kNone) return false;
    const Diagram::Site& s = d_.sites[p.before];
    const Diagram::Site& t = d_.sites[p.after];
    if (s.connection != t.connection || s.piece != t.piece) return false;
    // A bare end is collinear too, but folds back.
    return orient(s.a, p.a, t.b) == 0 && onSegment(s.a, t.b, p.a);
  }

  uint32_t mapSite(uint32_t site) {
    const uint32_t run = runOf_[site];
    if (siteOf_[run] == kNone) {
      const Diagram::Site& s = d_.sites[run];
      siteOf_[run] = static_cast<uint32_t>(map_.sites.size());
      map_.sites.push_back(
          {s.a, runEnd_[run], s.isPoint() ? CorridorMap::SiteKind::kPoint : CorridorMap::SiteKind::kSegment, s.layer});
    }
    return siteOf_[run];
  }

  // The arcs that leave each vertex, counter-clockwise from the smallest.
  void collectStars() {
    starBegin_.assign(d_.vertices.size() + 1, 0);
    std::vector<uint32_t> smallest(d_.vertices.size(), kNone);
    for (uint32_t e = 0; e < d_.edges.size(); ++e) {
      if (!isArc(e)) continue;
      ++starBegin_[d_.edges[e].start + 1];
      smallest[d_.edges[e].start] = std::min(smallest[d_.edges[e].start], e);
    }
    for (size_t v = 0; v < d_.vertices.size(); ++v) starBegin_[v + 1] += starBegin_[v];
    star_.resize(starBegin_.back());
    for (uint32_t v = 0; v < d_.vertices.size(); ++v) {
      uint32_t e = smallest[v];
      for (uint32_t k = starBegin_[v]; k < starBegin_[v + 1]; ++k) {
        star_[k] = e;
        do {
          e = d_.nextAround(e);
        } while (e != kNone && !isArc(e));
        if (e == kNone) break;
      }
    }
  }

  void addVertex(uint32_t v) {
    vertexOf_[v] = static_cast<uint32_t>(map_.vertices.size());
    source_.push_back(v);
    map_.vertices.push_back({d_.vertices[v].p, d_.vertices[v].clearance, d_.vertices[v].layer, 0, 0});
  }

  // The arc that continues e at a vertex of degree 2.
  uint32_t continuation(uint32_t e) const {
    const uint32_t k = starBegin_[d_.end(e)];
    return star_[k] == (e ^ 1U) ? star_[k + 1] : star_[k];
  }

  bool sameGenerators(uint32_t e, uint32_t f) const {
    return runOf_[d_.edges[e].site] == runOf_[d_.edges[f].site] && runOf_[d_.across(e)] == runOf_[d_.across(f)];
  }

  void addPoint(const CorridorMap::BendingPoint& point) {
    map_.bendingPoints.push_back(point);
    map_.arcs.emplace_back();
  }

  // From a vertex of the map along arcs to the next.
  void addEdge(uint32_t first) {
    CorridorMap::Edge edge;
    edge.from = vertexOf_[d_.edges[first].start];
    edge.first = static_cast<uint32_t>(map_.bendingPoints.size());
    const auto id = static_cast<uint32_t>(map_.edges.size());
    edgeOf_[first] = 2 * id;
    uint32_t e = first;
    startArc(e);
    while (true) {
      visited_[e / 2] = 1;
      if (vertexOf_[d_.end(e)] != kNone) break;
      const uint32_t next = continuation(e);
      if (!sameGenerators(e, next)) startArc(next);
      e = next;
    }
    addPoint(bendingPointAtEnd(d_, e));
    edgeOf_[e ^ 1U] = 2 * id + 1;
    edge.to = vertexOf_[d_.end(e)];
    edge.count = static_cast<uint32_t>(map_.bendingPoints.size()) - edge.first;
    map_.edges.push_back(edge);
  }

  void startArc(uint32_t e) {
    addPoint(bendingPointAtStart(d_, e));
    map_.arcs.back().left = mapSite(d_.edges[e].site);
    map_.arcs.back().right = mapSite(d_.across(e));
  }

  void measure(CorridorMap::Edge& edge) {
    edge.minClearance = map_.bendingPoints[edge.first].clearance;
    for (uint32_t i = edge.first; i + 1 < edge.first + edge.count; ++i) {
      CorridorMap::Arc& arc = map_.arcs[i];
      const CorridorMap::BendingPoint& from = map_.bendingPoints[i];
      const CorridorMap::BendingPoint& to = map_.bendingPoints[i + 1];
      const ArcCurve curve(map_.sites[arc.left], map_.sites[arc.right], from.p, to.p, from.clearance, to.clearance);
      arc.length = curve.length();
      arc.minClearance = curve.minClearance();
      edge.length += arc.length;
      edge.minClearance = std::min(edge.minClearance, arc.minClearance);
    }
  }

  // A closed curve of vertices of degree 2 starts at its first bending point.
  void addCycle(uint32_t e) {
    uint32_t start = e;
    uint32_t f = e;
    do {
      const uint32_t next = continuation(f);
      if (!sameGenerators(f, next)) {
        start = next;
        break;
      }
      f = next;
    } while (f != e);
    addVertex(d_.edges[start].start);
    addEdge(start);
  }

  void fillOut() {
    for (size_t i = 0; i < source_.size(); ++i) {
      CorridorMap::Vertex& vertex = map_.vertices[i];
      vertex.firstOut = static_cast<uint32_t>(map_.out.size());
      for (uint32_t k = starBegin_[source_[i]]; k < starBegin_[source_[i] + 1]; ++k) {
        map_.out.push_back(edgeOf_[star_[k]]);
      }
      vertex.degree = static_cast<uint32_t>(map_.out.size()) - vertex.firstOut;
    }
  }

  const Diagram& d_;
  CorridorMap map_;
  std::vector<uint32_t> runOf_;   // per site: the first segment of its straight run
  std::vector<Point> runEnd_;     // per first segment of a run
  std::vector<uint32_t> siteOf_;  // per run: site of the map
  std::vector<uint32_t> starBegin_;
  std::vector<uint32_t> star_;
  std::vector<uint8_t> visited_;    // per pair of half-edges
  std::vector<uint32_t> vertexOf_;  // per vertex of the diagram: of the map
  std::vector<uint32_t> source_;    // the reverse
  std::vector<uint32_t> edgeOf_;    // per half-edge that leaves a vertex of the map: half-edge of the map
};

// Opening relies on every segment of a connection having a face in both of its layers.
Status checkFaces(const Diagram& diagram, const Environment& environment) {
  std::vector<size_t> faces(environment.connections.size(), 0);
  for (const Diagram::Site& site : diagram.sites) {
    if (site.connection != kNone) ++faces[site.connection];
  }
  for (size_t c = 0; c < faces.size(); ++c) {
    const Connection& connection = environment.connections[c];
    if (connection.line.size() >= 2 && connection.layerA != connection.layerB &&
        faces[c] == 2 * (connection.line.size() - 1)) {
      continue;
    }
    return Error{ErrorCode::kInvalidGeometry,
                 fmt::format("Connection {} does not run along the boundary of two layers; check the environment with "
                             "validate().",
                             c)};
  }
  return Done{};
}

}  // namespace

CorridorMap makeCorridorMap(const Diagram& diagram, const Lattice& lattice, const Context& context) {
  return Maker(diagram, lattice).run(context);
}

Result<CorridorMap> buildCorridorMap(const Environment& environment, const Context& context,
                                     std::span<const ExtraWalks> extra) {
  Result<Diagram> diagram = buildDiagram(environment, context, extra);
  if (!diagram.ok()) return diagram.error();
  if (const Status status = checkFaces(*diagram, environment); !status.ok()) return status.error();
  const Result<OpeningStats> opened = openConnections(*diagram, environment, {}, context);
  if (!opened.ok()) return opened.error();
  WEND_ASSERT(context.cancelled() || findDiagramFault(*diagram).empty(), "the Voronoi diagram is right");
  CorridorMap map = makeCorridorMap(*diagram, environment.lattice, context);
  if (context.cancelled()) return Error{ErrorCode::kCancelled, "The medial axis was cancelled by the caller."};
  map.simpleOpenings = opened->simple;
  map.sweptOpenings = opened->swept;
  return map;
}

}  // namespace wend::ecm
