#include "generators/ecm/edit/zone_graph.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "generators/ecm/open_circle.h"

namespace wend::ecm {
namespace {

// Lattice units: how far the middle of a border arc may lie beyond the end of its new edge. Border arcs are far longer.
constexpr Wide kOff = 1e-3L;

class ZoneCutter {
 public:
  ZoneCutter(const LiveAxis& axis, const AxisZone& zone, const ChangedWalls& walls, const ZoneGraph& graph,
             const FootAt& footAt, ZoneSites& sites, ZoneAxis& out)
      : axis_(axis),
        map_(axis.map),
        zone_(zone),
        walls_(walls),
        graph_(graph),
        footAt_(footAt),
        sites_(sites),
        out_(out) {}

  std::string run() {
    if (!placeBorders()) return "its border is not found again";
    seed();
    if (!flood()) return "it does not close";
    link();
    return "";
  }

 private:
  // The middle of a border arc on a pair of half-edges.
  struct Marker {
    uint32_t pair;
    Wide along;   // in the direction of the even half-edge
    bool rising;  // whether the zone lies further along
    uint32_t border;
  };

  // --- borders ------------------------------------------------------------------------------------------------------

  TangentSite tangent(uint32_t site) const {
    const CorridorMap::Site& s = sites_.all()[site].site;
    return {s.a, s.b};
  }

  bool placeBorders() {
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> byPair;
    for (uint32_t e = 0; e < graph_.halves.size(); ++e) {
      if (graph_.isArc(e)) byPair[{graph_.halves[e].left, graph_.halves[e ^ 1U].left}].push_back(e);
    }
    for (uint32_t i = 0; i < zone_.borders.size(); ++i) {
      const AxisZone::Border& border = zone_.borders[i];
      const CorridorMap::Arc& arc = map_.arcs[border.arc];
      // Half-edges in the direction of the arc.
      const uint32_t left = sites_.of(map_.sites[arc.left]);
      const uint32_t right = sites_.of(map_.sites[arc.right]);
      const auto found = byPair.find({left, right});
      if (found == byPair.end()) return false;
      const WideVec direction = bisectorDirection(tangent(left), tangent(right));
      const WideVec middle = wide(border.middle);
      const auto passes = [&](uint32_t e) {
        const uint32_t start = graph_.halves[e].start;
        const uint32_t end = graph_.end(e);
        return (start == kNone || dot(middle - wide(graph_.nodes[start].p), direction) >= -kOff) &&
               (end == kNone || dot(middle - wide(graph_.nodes[end].p), direction) <= kOff);
      };
      const auto edge = std::find_if(found->second.begin(), found->second.end(), passes);
      if (edge == found->second.end()) return false;
      const Wide along = dot(middle, direction);
      const bool even = *edge % 2 == 0;
      markers_.push_back({*edge / 2, even ? along : -along, even == border.forward, i});
    }
    std::sort(markers_.begin(), markers_.end(),
              [](const Marker& a, const Marker& b) { return std::tie(a.pair, a.along) < std::tie(b.pair, b.along); });
    // From a border into the zone, and out again at the next one.
    for (size_t i = 0; i + 1 < markers_.size(); ++i) {
      if (markers_[i].pair == markers_[i + 1].pair && markers_[i].rising == markers_[i + 1].rising) return false;
    }
    return true;
  }

  bool isFirst(size_t marker) const { return marker == 0 || markers_[marker - 1].pair != markers_[marker].pair; }
  bool isLast(size_t marker) const {
    return marker + 1 == markers_.size() || markers_[marker + 1].pair != markers_[marker].pair;
  }

  // --- what belongs to the zone -------------------------------------------------------------------------------------

  void include(uint32_t e) {
    if (included_[e / 2] != 0) return;
    included_[e / 2] = 1;
    pairs_.push_back(e / 2);
    push(graph_.halves[e].start);
    push(graph_.end(e));
  }
  void push(uint32_t node) {
    if (node == kNone) {
      endless_ = true;
    } else if (seen_[node] == 0) {
      seen_[node] = 1;
      stack_.push_back(node);
    }
  }

  // Walls whose cells belong to the zone wholly: new ones, and those that have no arc outside.
  std::vector<uint8_t> whollyInside() const {
    std::unordered_map<uint32_t, uint32_t> usesInside;
    for (const uint32_t arc : zone_.inside) {
      ++usesInside[map_.arcs[arc].left];
      ++usesInside[map_.arcs[arc].right];
    }
    const auto isOutside = [&](uint32_t site) {
      const auto found = usesInside.find(site);
      return axis_.siteUses[site] > (found == usesInside.end() ? 0 : found->second);
    };
    std::vector<uint8_t> wholly(sites_.all().size(), 0);
    for (size_t s = 0; s < wholly.size(); ++s) {
      const ZoneAxis::Site& site = sites_.all()[s];
      if (site.site.kind == CorridorMap::SiteKind::kPoint) continue;
      const WallRun run{site.site.layer, site.site.a, site.site.b};
      wholly[s] = std::binary_search(walls_.added.begin(), walls_.added.end(), run) ||
                          (site.known != kNone && !isOutside(site.known))
                      ? 1
                      : 0;
    }
    return wholly;
  }

  void seed() {
    included_.assign(graph_.halves.size() / 2, 0);
    seen_.assign(graph_.nodes.size(), 0);
    for (const Marker& marker : markers_) included_[marker.pair] = 2;
    for (size_t i = 0; i < markers_.size(); ++i) {
      const Marker& marker = markers_[i];
      if (!marker.rising && isFirst(i)) push(graph_.halves[2 * marker.pair].start);
      if (marker.rising && isLast(i)) push(graph_.end(2 * marker.pair));
    }
    const std::vector<uint8_t> wholly = whollyInside();
    for (uint32_t e = 0; e < graph_.halves.size(); ++e) {
      if (graph_.isArc(e) && wholly[graph_.halves[e].left] != 0 && included_[e / 2] == 0) include(e);
    }
  }

  bool flood() {
    while (!stack_.empty()) {
      const ZoneGraph::Node& node = graph_.nodes[stack_.back()];
      stack_.pop_back();
      if (node.corner) continue;
      if (node.blocked) return false;
      for (uint32_t k = node.firstOut; k < node.firstOut + node.degree; ++k) {
        if (included_[graph_.out[k] / 2] == 0) include(graph_.out[k]);
      }
    }
    std::sort(pairs_.begin(), pairs_.end());
    return !endless_;
  }

  // --- nodes and arcs -----------------------------------------------------------------------------------------------

  uint32_t addNode(uint32_t node) {
    out_.nodes.push_back({graph_.nodes[node].p, graph_.nodes[node].clearance, graph_.nodes[node].layer, {}});
    source_.push_back(node);
    return static_cast<uint32_t>(zone_.borders.size() + out_.nodes.size()) - 1;
  }
  uint32_t nodeOf(uint32_t node) {
    if (graph_.nodes[node].corner) return addNode(node);
    if (nodeOf_[node] == kNone) nodeOf_[node] = addNode(node);
    return nodeOf_[node];
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
    arc.left = graph_.halves[e].left;
    arc.right = graph_.halves[e ^ 1U].left;
    const auto id = static_cast<uint32_t>(out_.arcs.size());
    if (fromBorder != kNone) {
      arc.from = fromBorder;
      const auto feet = outerFeet(zone_.borders[fromBorder]);
      arc.leftAtFrom = feet[0];
      arc.rightAtFrom = feet[1];
    } else {
      arc.from = nodeOf(graph_.halves[e].start);
      arc.leftAtFrom = footAt_(e, false);
      arc.rightAtFrom = footAt_(e ^ 1U, true);
    }
    if (toBorder != kNone) {
      arc.to = toBorder;
      const auto feet = outerFeet(zone_.borders[toBorder]);
      arc.leftAtTo = feet[1];
      arc.rightAtTo = feet[0];
    } else {
      arc.to = nodeOf(graph_.end(e));
      arc.leftAtTo = footAt_(e, true);
      arc.rightAtTo = footAt_(e ^ 1U, false);
    }
    const auto leave = [&](uint32_t node, uint32_t half, uint32_t graphHalf) {
      if (node < zone_.borders.size()) return;
      const uint32_t index = node - static_cast<uint32_t>(zone_.borders.size());
      if (graph_.nodes[source_[index]].corner) {
        out_.nodes[index].out.push_back(half);
      } else {
        leaving_[graphHalf] = half;
      }
    };
    leave(arc.from, 2 * id, e);
    leave(arc.to, 2 * id + 1, e ^ 1U);
    out_.arcs.push_back(arc);
  }

  void link() {
    nodeOf_.assign(graph_.nodes.size(), kNone);
    leaving_.assign(graph_.halves.size(), kNone);
    for (const uint32_t pair : pairs_) addArc(2 * pair, kNone, kNone);
    for (size_t i = 0; i < markers_.size(); ++i) {
      const Marker& marker = markers_[i];
      if (marker.rising) {
        addArc(2 * marker.pair, marker.border, isLast(i) ? kNone : markers_[i + 1].border);
      } else if (isFirst(i)) {
        addArc(2 * marker.pair, kNone, marker.border);
      }
    }
    for (size_t n = 0; n < out_.nodes.size(); ++n) {
      const ZoneGraph::Node& node = graph_.nodes[source_[n]];
      if (node.corner) continue;
      for (uint32_t k = node.firstOut; k < node.firstOut + node.degree; ++k) {
        if (leaving_[graph_.out[k]] != kNone) out_.nodes[n].out.push_back(leaving_[graph_.out[k]]);
      }
    }
  }

  const LiveAxis& axis_;
  const CorridorMap& map_;
  const AxisZone& zone_;
  const ChangedWalls& walls_;
  const ZoneGraph& graph_;
  const FootAt& footAt_;
  ZoneSites& sites_;
  ZoneAxis& out_;
  std::vector<Marker> markers_;
  std::vector<uint8_t> included_;  // per pair of half-edges: 1 in the zone, 2 cut by a border
  std::vector<uint32_t> pairs_;    // those with 1
  std::vector<uint8_t> seen_;      // per node of the graph
  std::vector<uint32_t> stack_;
  bool endless_ = false;
  std::vector<uint32_t> nodeOf_;   // per node of the graph
  std::vector<uint32_t> source_;   // per new node: node of the graph
  std::vector<uint32_t> leaving_;  // per half-edge: the half-arc
};

}  // namespace

ZoneSites::ZoneSites(const CorridorMap& map, const AxisZone& zone) {
  const auto know = [&](uint32_t site) {
    if (zone.goneSites[site] != 0) return;
    ZoneAxis::Site& known = sites_[of(map.sites[site])];
    known.known = std::min(known.known, site);
  };
  for (const uint32_t arc : zone.inside) {
    know(map.arcs[arc].left);
    know(map.arcs[arc].right);
  }
  for (const AxisZone::Border& border : zone.borders) {
    know(map.arcs[border.arc].left);
    know(map.arcs[border.arc].right);
  }
}

uint32_t ZoneSites::of(const CorridorMap::Site& site) {
  const auto [it, isNew] = ids_.try_emplace(keyOf(site), static_cast<uint32_t>(sites_.size()));
  if (isNew) sites_.push_back({site, kNone});
  return it->second;
}

uint32_t ZoneSites::find(const CorridorMap::Site& site) const {
  const auto it = ids_.find(keyOf(site));
  return it == ids_.end() ? kNone : it->second;
}

std::string cutZone(const LiveAxis& axis, const AxisZone& zone, const ChangedWalls& walls, const ZoneGraph& graph,
                    const FootAt& footAt, ZoneSites& sites, ZoneAxis& out) {
  return ZoneCutter(axis, zone, walls, graph, footAt, sites, out).run();
}

}  // namespace wend::ecm
