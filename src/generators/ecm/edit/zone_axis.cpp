#include "generators/ecm/edit/zone_axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "generators/connection_edges.h"
#include "generators/ecm/arc.h"
#include "generators/ecm/edit/zone_graph.h"
#include "generators/ecm/open_passages.h"
#include "geometry/predicates.h"
#include "geometry/vec2.h"
#include "geometry/voronoi/voronoi.h"

namespace wend::ecm {
namespace {

// Lattice units: Voronoi vertices this near to a wall lie in a corner. More than their error anywhere on the lattice.
constexpr double kCorner = 1e-3;

class ZoneBuilder {
 public:
  ZoneBuilder(const LiveAxis& axis, const Environment& after, const AxisZone& zone, const ChangedWalls& walls,
              const Walls& wallsNow)
      : axis_(axis),
        map_(axis.map),
        after_(after),
        zone_(zone),
        walls_(walls),
        wallsNow_(wallsNow),
        sites_(axis.map, zone) {}

  Result<ZoneAxis> run() {
    if (!zone_.allFound) return unsupported("a wall that is gone has no arc");
    findLayers();
    if (!(layered_ ? gatherLabels() : gatherWalls())) return unsupported("walls lie above each other");
    if (!edges_.empty()) {
      if (!buildVoronoi()) return unsupported("walls near it almost touch");
      nameSites();
      makeNodes();
      const std::string fault = cutZone(
          axis_, zone_, walls_, graph_, [this](uint32_t e, bool atEnd) { return footAt(e, atEnd); }, sites_, out_);
      if (!fault.empty()) return unsupported(fault);
      if (layered_ && !nameLayers()) return unsupported("walls of different layers lie above each other");
    }
    out_.sites = sites_.take();
    return std::move(out_);
  }

 private:
  struct WallEdge {
    Point a, b;
    uint32_t site;  // of the run
    LayerId layer;  // its own; a run may go on in another one
  };
  static Error unsupported(const std::string& why) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("the changed part of the medial axis cannot be repaired: {}", why)};
  }

  // --- walls --------------------------------------------------------------------------------------------------------

  // One layer without a connection near the zone is a plane. Otherwise the zone may reach across connections, and
  // layers may lie above each other.
  void findLayers() {
    std::optional<LayerId> layer;
    const auto add = [&](LayerId id) {
      layered_ = layered_ || (layer && *layer != id);
      layer = id;
    };
    const auto addArc = [&](uint32_t arc) {
      for (const uint32_t i : {arc, arc + 1}) {
        const auto& bp = map_.bendingPoints[i];
        for (const LayerId id : {bp.layer, bp.layerL, bp.layerR}) add(id);
      }
    };
    for (const uint32_t arc : zone_.inside) addArc(arc);
    for (const AxisZone::Border& border : zone_.borders) addArc(border.arc);
    for (const auto* runs : {&walls_.added, &walls_.gone}) {
      for (const WallRun& run : *runs) add(run.layer);
    }
    layer_ = layer.value_or(0);
    for (const auto& [a, b] : connectionEdges(after_, layer_)) {
      if (std::max(a.x, b.x) >= zone_.box.min.x && std::min(a.x, b.x) <= zone_.box.max.x &&
          std::max(a.y, b.y) >= zone_.box.min.y && std::min(a.y, b.y) <= zone_.box.max.y) {
        layered_ = true;
      }
    }
  }

  bool gatherWalls() {
    wallsNow_.forEach(layer_, zone_.box, [&](Point a, Point b, const WallRun& run) {
      edges_.push_back({a, b, sites_.of({run.a, run.b, CorridorMap::SiteKind::kSegment, run.layer}), layer_});
    });
    return true;
  }

  // The sites of the zone's own arcs and the new walls, whatever layer they are in. These are all that a point of the
  // zone can have as its nearest one: the straight way to another would leave the zone where one of them is nearer.
  // Whether each of them is met where it stands in top view is tested on every vertex afterwards.
  bool gatherLabels() {
    for (const WallRun& run : walls_.added) sites_.of({run.a, run.b, CorridorMap::SiteKind::kSegment, run.layer});
    for (const ZoneAxis::Site& site : sites_.all()) {
      if (site.site.kind != CorridorMap::SiteKind::kPoint) continue;
      points_.push_back(site.site.a);
      if (!pointLayer_.try_emplace(site.site.a, site.site.layer).second) return false;
    }
    bool oneNameEach = true;
    for (LayerId layer = 0; layer < after_.layers.size(); ++layer) {
      wallsNow_.forEach(layer, zone_.box, [&](Point a, Point b, const WallRun& run) {
        const uint32_t site = sites_.find({run.a, run.b, CorridorMap::SiteKind::kSegment, run.layer});
        if (site == kNone) return;
        edges_.push_back({a, b, site, layer});
        // Ends of walls that are no sites themselves yet.
        for (const auto& [p, id] : {std::pair(run.a, run.layerOfA), std::pair(run.b, run.layerOfB)}) {
          if (pointLayer_.try_emplace(p, id).first->second != id) oneNameEach = false;
        }
      });
    }
    for (const Connection& connection : after_.connections) {
      connectionEnds_.push_back(connection.line.front());
      connectionEnds_.push_back(connection.line.back());
    }
    std::sort(connectionEnds_.begin(), connectionEnds_.end());
    std::vector<std::pair<Point, Point>> all;
    for (const WallEdge& edge : edges_) all.emplace_back(edge.a, edge.b);
    std::sort(all.begin(), all.end());
    return oneNameEach && std::adjacent_find(all.begin(), all.end()) == all.end();
  }

  bool buildVoronoi() {
    std::vector<Segment> segments;
    segments.reserve(edges_.size());
    std::map<std::pair<Point, Point>, uint32_t> ids;
    for (uint32_t i = 0; i < edges_.size(); ++i) {
      ids[{edges_[i].a, edges_[i].b}] = i;
      // A wall without thickness is walked in both directions.
      if (!ids.contains({edges_[i].b, edges_[i].a})) segments.push_back({edges_[i].a, edges_[i].b});
    }
    Context serial;
    serial.threads = 1;
    Result<VoronoiDiagram> result = voronoi(segments, points_, serial);
    if (!result.ok()) return false;
    v_ = std::move(result).value();
    previous_.assign(v_.edges.size(), kNone);
    for (uint32_t e = 0; e < v_.edges.size(); ++e) previous_[v_.edges[e].next] = e;
    wallsOf_.assign(v_.sites.size(), {kNone, kNone});
    for (uint32_t s = 0; s < v_.sites.size(); ++s) {
      const VoronoiSite& site = v_.sites[s];
      if (site.kind == VoronoiSite::Kind::kPoint) continue;
      const auto find = [&](Point a, Point b) {
        const auto it = ids.find({a, b});
        return it == ids.end() ? kNone : it->second;
      };
      wallsOf_[s] = {find(site.a, site.b), find(site.b, site.a)};
    }
    return true;
  }

  // --- sites of half-edges ------------------------------------------------------------------------------------------

  // Left of the segment's direction positive.
  static double sideOf(const VoronoiSite& site, Vec2 p) {
    const Vec2 along{static_cast<double>(site.b.x) - site.a.x, static_cast<double>(site.b.y) - site.a.y};
    return (along.x * (p.y - site.a.y) - along.y * (p.x - site.a.x)) / std::hypot(along.x, along.y);
  }

  double distanceAt(uint32_t v, uint32_t site) const {
    const VoronoiSite& s = v_.sites[site];
    const Vec2 p = v_.vertices[v];
    return s.kind == VoronoiSite::Kind::kPoint ? std::hypot(p.x - s.a.x, p.y - s.a.y) : std::abs(sideOf(s, p));
  }

  // The site left of a half-edge; kNone inside of obstacles.
  uint32_t leftSite(uint32_t e) {
    const uint32_t s = v_.edges[e].site;
    const VoronoiSite& site = v_.sites[s];
    if (site.kind == VoronoiSite::Kind::kPoint) {
      const auto layer = pointLayer_.find(site.a);
      return sites_.of(
          {site.a, site.a, CorridorMap::SiteKind::kPoint, layer == pointLayer_.end() ? layer_ : layer->second});
    }
    double side = 0;
    for (const uint32_t v : {v_.edges[e].start, v_.end(e)}) {
      if (v == kNone) continue;
      const double d = sideOf(site, v_.vertices[v]);
      if (std::abs(d) > std::abs(side)) side = d;
    }
    wall_[e] = side >= 0 ? wallsOf_[s][0] : wallsOf_[s][1];
    return wall_[e] == kNone ? kNone : edges_[wall_[e]].site;
  }

  void nameSites() {
    graph_.halves.assign(v_.edges.size(), {});
    wall_.assign(v_.edges.size(), kNone);
    for (uint32_t e = 0; e < v_.edges.size(); ++e) {
      graph_.halves[e].start = v_.edges[e].start;
      if (v_.edges[e].primary) graph_.halves[e].left = leftSite(e);
    }
    for (uint32_t e = 0; e < v_.edges.size(); e += 2) {
      ZoneGraph::Half& one = graph_.halves[e];
      ZoneGraph::Half& twin = graph_.halves[e + 1];
      if (one.left == kNone || twin.left == kNone) one.left = twin.left = kNone;
    }
  }

  // --- nodes --------------------------------------------------------------------------------------------------------

  void makeNodes() {
    std::vector<uint32_t> anyEdge(v_.vertices.size(), kNone);
    for (uint32_t e = 0; e < v_.edges.size(); ++e) {
      if (v_.edges[e].start != kNone) anyEdge[v_.edges[e].start] = e;
    }
    graph_.nodes.resize(v_.vertices.size());
    for (uint32_t v = 0; v < v_.vertices.size(); ++v) {
      ZoneGraph::Node& node = graph_.nodes[v];
      node.p = v_.vertices[v];
      node.layer = layer_;
      node.firstOut = static_cast<uint32_t>(graph_.out.size());
      const uint32_t first = anyEdge[v];
      if (first == kNone) continue;
      node.clearance = distanceAt(v, v_.edges[first].site);
      node.corner = node.clearance < kCorner;
      if (node.corner) {
        node.p = {std::round(node.p.x), std::round(node.p.y)};
        node.clearance = 0;
      }
      uint32_t e = first;
      do {
        if (graph_.isArc(e)) graph_.out.push_back(e);
        node.blocked = node.blocked || (v_.edges[e].primary && !graph_.isArc(e));
        e = previous_[e] ^ 1U;
      } while (e != first);
      node.degree = static_cast<uint32_t>(graph_.out.size()) - node.firstOut;
    }
  }

  // The nearest point of the site left of half-edge e where it starts, or where it ends.
  ZoneAxis::Foot footAt(uint32_t e, bool atEnd) const {
    const uint32_t v = atEnd ? v_.end(e) : v_.edges[e].start;
    const CorridorMap::Site& site = sites_.all()[graph_.halves[e].left].site;
    const LayerId layer = wall_[e] == kNone ? site.layer : edges_[wall_[e]].layer;
    if (graph_.nodes[v].corner) return {graph_.nodes[v].p, layer};
    if (site.kind == CorridorMap::SiteKind::kPoint) return {toVec2(site.a), layer};
    const uint32_t beside = atEnd ? v_.edges[e].next : previous_[e];
    if (!v_.edges[beside].primary) return {toVec2(v_.sites[v_.across(beside)].a), layer};
    return {nearestOn(site, v_.vertices[v]), layer};
  }

  // --- layers -------------------------------------------------------------------------------------------------------

  // Every new vertex gets the layer in which a straight walk from its wall ends; all its walls must agree. Then they
  // are as near on the surface as in top view, since no layer lies above itself. Ends of connections belong to several
  // layers and have no say.
  bool nameLayers() {
    Passages passages(after_.layers.size());
    for (const Connection& connection : after_.connections) {
      for (size_t i = 0; i + 1 < connection.line.size(); ++i) {
        passages.add(connection.line[i], connection.line[i + 1], connection.layerA, connection.layerB);
      }
    }
    const auto isEnd = [&](Vec2 p) {
      return std::binary_search(
                 connectionEnds_.begin(), connectionEnds_.end(),
                 Point{static_cast<int32_t>(std::lround(p.x)), static_cast<int32_t>(std::lround(p.y))}) &&
             p.x == std::round(p.x) && p.y == std::round(p.y);
    };
    const auto first = static_cast<uint32_t>(zone_.borders.size());
    std::vector<LayerId> layerOf(out_.nodes.size(), kNone);
    for (const ZoneAxis::Arc& arc : out_.arcs) {
      const auto vote = [&](uint32_t node, const ZoneAxis::Foot& foot) {
        if (node < first) return true;
        const ZoneAxis::Node& n = out_.nodes[node - first];
        if (n.clearance == 0 || isEnd(foot.p)) return true;
        const LayerId found = passages.walk(foot.layer, foot.p, n.p);
        LayerId& known = layerOf[node - first];
        if (known == kNone) known = found;
        return known == found;
      };
      if (!vote(arc.from, arc.leftAtFrom) || !vote(arc.from, arc.rightAtFrom) || !vote(arc.to, arc.leftAtTo) ||
          !vote(arc.to, arc.rightAtTo)) {
        return false;
      }
    }
    for (size_t i = 0; i < out_.nodes.size(); ++i) {
      if (layerOf[i] != kNone) out_.nodes[i].layer = layerOf[i];
    }
    // Corners, and vertices between ends of connections only: along an arc from the other end.
    for (const ZoneAxis::Arc& arc : out_.arcs) {
      for (const auto& [node, foot] : {std::pair(arc.from, arc.leftAtFrom), std::pair(arc.to, arc.leftAtTo)}) {
        if (node < first || layerOf[node - first] != kNone) continue;
        if (out_.nodes[node - first].clearance > 0) return false;
        out_.nodes[node - first].layer = foot.layer;
      }
    }
    return true;
  }

  const LiveAxis& axis_;
  const CorridorMap& map_;
  const Environment& after_;
  const AxisZone& zone_;
  const ChangedWalls& walls_;
  const Walls& wallsNow_;
  LayerId layer_ = 0;
  bool layered_ = false;
  std::vector<Point> points_;            // layered: sites that are points
  std::map<Point, LayerId> pointLayer_;  // layered
  std::vector<Point> connectionEnds_;    // layered, sorted
  std::vector<WallEdge> edges_;
  ZoneSites sites_;
  VoronoiDiagram v_;
  std::vector<uint32_t> previous_;                // per half-edge: the one before it around its site
  std::vector<std::array<uint32_t, 2>> wallsOf_;  // per Voronoi segment: the wall with its direction, and against it
  std::vector<uint32_t> wall_;                    // per half-edge: the wall edge on its left, if it is one
  ZoneGraph graph_;                               // its halves and nodes are those of the Voronoi diagram
  ZoneAxis out_;
};

}  // namespace

Result<ZoneAxis> buildZoneAxis(const LiveAxis& axis, const Environment& after, const AxisZone& zone,
                               const ChangedWalls& walls, const Walls& wallsNow) {
  return ZoneBuilder(axis, after, zone, walls, wallsNow).run();
}

}  // namespace wend::ecm
