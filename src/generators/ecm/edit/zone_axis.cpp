#include "generators/ecm/edit/zone_axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>

#include "generators/ecm/arc.h"
#include "generators/ecm/open_circle.h"
#include "generators/ecm/open_passages.h"
#include "geometry/predicates.h"
#include "geometry/vec2.h"
#include "geometry/voronoi/voronoi.h"

namespace wend::ecm {
namespace {

// Lattice units: how far the middle of a border arc may lie beyond the end of its new edge. Border arcs are far longer.
constexpr Wide kOff = 1e-3L;
// Lattice units: Voronoi vertices this near to a wall lie in a corner. More than their error anywhere on the lattice.
constexpr double kCorner = 1e-3;

using SiteKey = std::tuple<LayerId, Point, Point>;
SiteKey keyOf(const CorridorMap::Site& site) {
  return {site.layer, site.a, site.b};
}

class ZoneBuilder {
 public:
  ZoneBuilder(const LiveAxis& axis, const Environment& after, const AxisZone& zone, const ChangedWalls& walls,
              const Walls& wallsNow)
      : axis_(axis), map_(axis.map), after_(after), zone_(zone), walls_(walls), wallsNow_(wallsNow) {}

  Result<ZoneAxis> run() {
    if (!zone_.allFound) return unsupported("a wall that is gone has no arc");
    findLayers();
    gatherSites();
    if (!(layered_ ? gatherLabels() : gatherWalls())) return unsupported("walls lie above each other");
    if (edges_.empty()) return std::move(out_);
    if (!buildVoronoi()) return unsupported("walls near it almost touch");
    nameSites();
    if (!placeBorders()) return unsupported("its border is not found again");
    seed();
    if (!flood()) return unsupported("it does not close");
    link();
    if (layered_ && !nameLayers()) return unsupported("walls of different layers lie above each other");
    return std::move(out_);
  }

 private:
  struct WallEdge {
    Point a, b;
    uint32_t site;  // of the run
    LayerId layer;  // its own; a run may go on in another one
  };
  // The middle of a border arc on a pair of half-edges.
  struct Marker {
    uint32_t pair;
    Wide along;   // in the direction of the even half-edge
    bool rising;  // whether the zone lies further along
    uint32_t border;
  };

  static Error unsupported(const char* why) {
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

  uint32_t siteOf(const CorridorMap::Site& site) {
    const auto [it, isNew] = siteIds_.try_emplace(keyOf(site), static_cast<uint32_t>(out_.sites.size()));
    if (isNew) out_.sites.push_back({site, kNone});
    return it->second;
  }

  // Sites keep the number that they have.
  void gatherSites() {
    const auto know = [&](uint32_t site) {
      if (zone_.goneSites[site] != 0) return;
      ZoneAxis::Site& known = out_.sites[siteOf(map_.sites[site])];
      known.known = std::min(known.known, site);
    };
    for (const uint32_t arc : zone_.inside) {
      know(map_.arcs[arc].left);
      know(map_.arcs[arc].right);
    }
    for (const AxisZone::Border& border : zone_.borders) {
      know(map_.arcs[border.arc].left);
      know(map_.arcs[border.arc].right);
    }
  }

  bool gatherWalls() {
    wallsNow_.forEach(layer_, zone_.box, [&](Point a, Point b, const WallRun& run) {
      edges_.push_back({a, b, siteOf({run.a, run.b, CorridorMap::SiteKind::kSegment, run.layer}), layer_});
    });
    return true;
  }

  // The sites of the zone's own arcs and the new walls, whatever layer they are in. These are all that a point of the
  // zone can have as its nearest one: the straight way to another would leave the zone where one of them is nearer.
  // Whether each of them is met where it stands in top view is tested on every vertex afterwards.
  bool gatherLabels() {
    for (const WallRun& run : walls_.added) siteOf({run.a, run.b, CorridorMap::SiteKind::kSegment, run.layer});
    for (const ZoneAxis::Site& site : out_.sites) {
      if (site.site.kind != CorridorMap::SiteKind::kPoint) continue;
      points_.push_back(site.site.a);
      if (!pointLayer_.try_emplace(site.site.a, site.site.layer).second) return false;
    }
    for (LayerId layer = 0; layer < after_.layers.size(); ++layer) {
      wallsNow_.forEach(layer, zone_.box, [&](Point a, Point b, const WallRun& run) {
        const auto it = siteIds_.find({run.layer, run.a, run.b});
        if (it != siteIds_.end()) edges_.push_back({a, b, it->second, layer});
      });
    }
    // Ends of walls that are no sites themselves yet.
    for (const WallEdge& edge : edges_) {
      for (const Point p : {edge.a, edge.b}) pointLayer_.try_emplace(p, edge.layer);
    }
    for (const Connection& connection : after_.connections) {
      connectionEnds_.push_back(connection.line.front());
      connectionEnds_.push_back(connection.line.back());
    }
    std::sort(connectionEnds_.begin(), connectionEnds_.end());
    std::vector<std::pair<Point, Point>> all;
    for (const WallEdge& edge : edges_) all.emplace_back(edge.a, edge.b);
    std::sort(all.begin(), all.end());
    return std::adjacent_find(all.begin(), all.end()) == all.end();
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
      return siteOf(
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
    left_.assign(v_.edges.size(), kNone);
    wall_.assign(v_.edges.size(), kNone);
    for (uint32_t e = 0; e < v_.edges.size(); ++e) {
      if (v_.edges[e].primary) left_[e] = leftSite(e);
    }
    for (uint32_t e = 0; e < v_.edges.size(); e += 2) {
      if (left_[e] == kNone || left_[e + 1] == kNone) left_[e] = left_[e + 1] = kNone;
    }
  }

  bool isArc(uint32_t e) const { return left_[e] != kNone; }

  TangentSite tangent(uint32_t site) const {
    const CorridorMap::Site& s = out_.sites[site].site;
    return {s.a, s.b};
  }

  // --- borders ------------------------------------------------------------------------------------------------------

  bool placeBorders() {
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> byPair;
    for (uint32_t e = 0; e < v_.edges.size(); ++e) {
      if (isArc(e)) byPair[{left_[e], left_[e ^ 1U]}].push_back(e);
    }
    for (uint32_t i = 0; i < zone_.borders.size(); ++i) {
      const AxisZone::Border& border = zone_.borders[i];
      const CorridorMap::Arc& arc = map_.arcs[border.arc];
      // Half-edges in the direction of the arc.
      const uint32_t left = siteOf(map_.sites[arc.left]);
      const uint32_t right = siteOf(map_.sites[arc.right]);
      const auto found = byPair.find({left, right});
      if (found == byPair.end()) return false;
      const WideVec direction = bisectorDirection(tangent(left), tangent(right));
      const WideVec middle = wide(border.middle);
      uint32_t edge = kNone;
      for (const uint32_t e : found->second) {
        const uint32_t start = v_.edges[e].start;
        const uint32_t end = v_.end(e);
        if ((start == kNone || dot(middle - wide(v_.vertices[start]), direction) >= -kOff) &&
            (end == kNone || dot(middle - wide(v_.vertices[end]), direction) <= kOff)) {
          edge = e;
          break;
        }
      }
      if (edge == kNone) return false;
      const Wide along = dot(middle, direction);
      const bool even = edge % 2 == 0;
      markers_.push_back({edge / 2, even ? along : -along, even == border.forward, i});
    }
    std::sort(markers_.begin(), markers_.end(),
              [](const Marker& a, const Marker& b) { return std::tie(a.pair, a.along) < std::tie(b.pair, b.along); });
    // From a border into the zone, and out again at the next one.
    for (size_t i = 0; i + 1 < markers_.size(); ++i) {
      if (markers_[i].pair == markers_[i + 1].pair && markers_[i].rising == markers_[i + 1].rising) return false;
    }
    return true;
  }

  // --- what belongs to the zone -------------------------------------------------------------------------------------

  void include(uint32_t e) {
    if (included_[e / 2] != 0) return;
    included_[e / 2] = 1;
    pairs_.push_back(e / 2);
    push(v_.edges[e].start);
    push(v_.end(e));
  }
  void push(uint32_t v) {
    if (v == kNone) {
      endless_ = true;
    } else if (seen_[v] == 0) {
      seen_[v] = 1;
      stack_.push_back(v);
    }
  }

  void seed() {
    included_.assign(v_.edges.size() / 2, 0);
    seen_.assign(v_.vertices.size(), 0);
    anyEdge_.assign(v_.vertices.size(), kNone);
    for (uint32_t e = 0; e < v_.edges.size(); ++e) {
      if (v_.edges[e].start != kNone) anyEdge_[v_.edges[e].start] = e;
    }
    for (const Marker& marker : markers_) included_[marker.pair] = 2;
    for (size_t i = 0; i < markers_.size(); ++i) {
      const Marker& marker = markers_[i];
      const bool first = i == 0 || markers_[i - 1].pair != marker.pair;
      const bool last = i + 1 == markers_.size() || markers_[i + 1].pair != marker.pair;
      if (!marker.rising && first) push(v_.edges[2 * marker.pair].start);
      if (marker.rising && last) push(v_.end(2 * marker.pair));
    }
    // Walls whose cells belong to the zone wholly: new ones, and those that have no arc outside.
    std::unordered_map<uint32_t, uint32_t> usesInside;
    for (const uint32_t arc : zone_.inside) {
      ++usesInside[map_.arcs[arc].left];
      ++usesInside[map_.arcs[arc].right];
    }
    const auto isOutside = [&](uint32_t site) {
      const auto found = usesInside.find(site);
      return axis_.siteUses[site] > (found == usesInside.end() ? 0 : found->second);
    };
    std::vector<uint8_t> wholly(out_.sites.size(), 0);
    for (size_t s = 0; s < out_.sites.size(); ++s) {
      const ZoneAxis::Site& site = out_.sites[s];
      if (site.site.kind == CorridorMap::SiteKind::kPoint) continue;
      wholly[s] =
          std::binary_search(walls_.added.begin(), walls_.added.end(), WallRun{layer_, site.site.a, site.site.b}) ||
                  (site.known != kNone && !isOutside(site.known))
              ? 1
              : 0;
    }
    for (uint32_t e = 0; e < v_.edges.size(); ++e) {
      if (isArc(e) && wholly[left_[e]] != 0 && included_[e / 2] == 0) include(e);
    }
  }

  bool isCorner(uint32_t v) const { return distanceAt(v, v_.edges[anyEdge_[v]].site) < kCorner; }

  bool flood() {
    while (!stack_.empty()) {
      const uint32_t v = stack_.back();
      stack_.pop_back();
      if (isCorner(v)) continue;
      const uint32_t first = anyEdge_[v];
      uint32_t e = first;
      do {
        if (v_.edges[e].primary && !isArc(e)) return false;  // into an obstacle
        if (isArc(e) && included_[e / 2] == 0) include(e);
        e = previous_[e] ^ 1U;
      } while (e != first);
    }
    std::sort(pairs_.begin(), pairs_.end());
    return !endless_;
  }

  // --- the graph ----------------------------------------------------------------------------------------------------

  uint32_t nodeOf(uint32_t v) {
    if (nodeOf_[v] == kNone) {
      nodeOf_[v] = addNode(v_.vertices[v], distanceAt(v, v_.edges[anyEdge_[v]].site));
      vertexOf_.back() = v;
    }
    return nodeOf_[v];
  }
  uint32_t addNode(Vec2 p, double clearance) {
    out_.nodes.push_back({p, clearance, layer_, {}});
    vertexOf_.push_back(kNone);
    return static_cast<uint32_t>(zone_.borders.size() + out_.nodes.size()) - 1;
  }
  // In a corner every arc ends for itself.
  uint32_t endNode(uint32_t v) {
    if (!isCorner(v)) return nodeOf(v);
    const Vec2 p{std::round(v_.vertices[v].x), std::round(v_.vertices[v].y)};
    return addNode(p, 0);
  }

  // The nearest point of the site left of half-edge e where it starts, or where it ends.
  ZoneAxis::Foot footAt(uint32_t e, bool atEnd) const {
    const uint32_t v = atEnd ? v_.end(e) : v_.edges[e].start;
    const CorridorMap::Site& site = out_.sites[left_[e]].site;
    const LayerId layer = wall_[e] == kNone ? site.layer : edges_[wall_[e]].layer;
    if (isCorner(v)) return {{std::round(v_.vertices[v].x), std::round(v_.vertices[v].y)}, layer};
    if (site.kind == CorridorMap::SiteKind::kPoint) return {toVec2(site.a), layer};
    const uint32_t beside = atEnd ? v_.edges[e].next : previous_[e];
    if (!v_.edges[beside].primary) return {toVec2(v_.sites[v_.across(beside)].a), layer};
    return {nearestOn(site, v_.vertices[v]), layer};
  }

  // The feet in the outer end of a border arc, left and right of the way into the zone.
  std::array<ZoneAxis::Foot, 2> outerFeet(const AxisZone::Border& border) const {
    const auto& bp = map_.bendingPoints[border.forward ? border.arc : border.arc + 1];
    const ZoneAxis::Foot l{bp.l, bp.layerL};
    const ZoneAxis::Foot r{bp.r, bp.layerR};
    return border.forward ? std::array{l, r} : std::array{r, l};
  }

  // The whole half-edge e, but for ends that are borders.
  void addArc(uint32_t e, uint32_t fromBorder, uint32_t toBorder) {
    ZoneAxis::Arc arc;
    arc.left = left_[e];
    arc.right = left_[e ^ 1U];
    const auto id = static_cast<uint32_t>(out_.arcs.size());
    if (fromBorder != kNone) {
      arc.from = fromBorder;
      const auto feet = outerFeet(zone_.borders[fromBorder]);
      arc.leftAtFrom = feet[0];
      arc.rightAtFrom = feet[1];
    } else {
      arc.from = endNode(v_.edges[e].start);
      arc.leftAtFrom = footAt(e, false);
      arc.rightAtFrom = footAt(e ^ 1U, true);
    }
    if (toBorder != kNone) {
      arc.to = toBorder;
      const auto feet = outerFeet(zone_.borders[toBorder]);
      arc.leftAtTo = feet[1];
      arc.rightAtTo = feet[0];
    } else {
      arc.to = endNode(v_.end(e));
      arc.leftAtTo = footAt(e, true);
      arc.rightAtTo = footAt(e ^ 1U, false);
    }
    // Half-arcs by the Voronoi half-edge with which they leave their node.
    const auto leave = [&](uint32_t node, uint32_t half, uint32_t vEdge) {
      if (node < zone_.borders.size()) return;
      const uint32_t index = node - static_cast<uint32_t>(zone_.borders.size());
      if (vertexOf_[index] == kNone) {
        out_.nodes[index].out.push_back(half);
      } else {
        leaving_[vEdge] = half;
      }
    };
    leave(arc.from, 2 * id, e);
    leave(arc.to, 2 * id + 1, e ^ 1U);
    out_.arcs.push_back(arc);
  }

  void link() {
    nodeOf_.assign(v_.vertices.size(), kNone);
    leaving_.assign(v_.edges.size(), kNone);
    for (const uint32_t pair : pairs_) addArc(2 * pair, kNone, kNone);
    for (size_t i = 0; i < markers_.size(); ++i) {
      const Marker& marker = markers_[i];
      const bool first = i == 0 || markers_[i - 1].pair != marker.pair;
      const bool last = i + 1 == markers_.size() || markers_[i + 1].pair != marker.pair;
      if (marker.rising) {
        addArc(2 * marker.pair, marker.border, last ? kNone : markers_[i + 1].border);
      } else if (first) {
        addArc(2 * marker.pair, kNone, marker.border);
      }
    }
    for (size_t n = 0; n < out_.nodes.size(); ++n) {
      if (vertexOf_[n] == kNone) continue;
      const uint32_t first = anyEdge_[vertexOf_[n]];
      uint32_t e = first;
      do {
        if (leaving_[e] != kNone) out_.nodes[n].out.push_back(leaving_[e]);
        e = previous_[e] ^ 1U;
      } while (e != first);
    }
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
  std::map<SiteKey, uint32_t> siteIds_;
  VoronoiDiagram v_;
  std::vector<uint32_t> previous_;                // per half-edge: the one before it around its site
  std::vector<std::array<uint32_t, 2>> wallsOf_;  // per Voronoi segment: the wall with its direction, and against it
  std::vector<uint32_t> left_;                    // per half-edge: site on its left, kNone if it is no arc
  std::vector<uint32_t> wall_;                    // per half-edge: the wall edge on its left, if it is one
  std::vector<Marker> markers_;
  std::vector<uint8_t> included_;  // per pair of half-edges: 1 in the zone, 2 cut by a border
  std::vector<uint32_t> pairs_;    // those with 1
  std::vector<uint8_t> seen_;      // per Voronoi vertex
  std::vector<uint32_t> anyEdge_;  // per Voronoi vertex: a half-edge that leaves it
  std::vector<uint32_t> stack_;
  bool endless_ = false;
  std::vector<uint32_t> nodeOf_;    // per Voronoi vertex
  std::vector<uint32_t> vertexOf_;  // per new node: Voronoi vertex, kNone in a corner
  std::vector<uint32_t> leaving_;   // per half-edge: the half-arc
  ZoneAxis out_;
};

}  // namespace

Result<ZoneAxis> buildZoneAxis(const LiveAxis& axis, const Environment& after, const AxisZone& zone,
                               const ChangedWalls& walls, const Walls& wallsNow) {
  return ZoneBuilder(axis, after, zone, walls, wallsNow).run();
}

}  // namespace wend::ecm
