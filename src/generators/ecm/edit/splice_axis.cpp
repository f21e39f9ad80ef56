#include "generators/ecm/edit/splice_axis.h"

#include <algorithm>
#include <unordered_map>

#include "generators/ecm/arc.h"

namespace wend::ecm {
namespace {

class Splice {
 public:
  Splice(const CorridorMap& map, const AxisZone& zone, const ZoneAxis& axis)
      : old_(map), zone_(zone), axis_(axis), firstNew_(static_cast<uint32_t>(zone.borders.size())) {}

  SplicedAxis run() {
    makeNodes();
    makeLinks();
    copyVertices();
    copyEdges();
    addEdges();
    addCycles();
    fillOut();
    packSites();
    std::sort(out_.added.begin(), out_.added.end());
    return std::move(out_);
  }

 private:
  // Where links meet: the outer end of a border that is no vertex, a vertex of the old map at an edge that the zone
  // touches, or a new node.
  struct Node {
    enum class Kind : uint8_t { kBendingPoint, kOldVertex, kNew } kind = Kind::kNew;
    uint32_t id = kNone;         // bending point or vertex of the old map, or index of the new node
    std::vector<uint32_t> ends;  // of links; counter-clockwise where it is a vertex
    uint32_t vertex = kNone;     // in the new map
  };
  // A new arc (the first axis_.arcs.size() links, in their order) or a chain of kept arcs of an edge that the zone
  // touches. End 2 * link leaves from its start, end 2 * link + 1 from its end.
  struct Link {
    uint32_t from = kNone;  // node
    uint32_t to = kNone;
    uint32_t first = kNone;  // bending points of a chain
    uint32_t last = kNone;
  };

  bool isNewArc(uint32_t link) const { return link < axis_.arcs.size(); }
  uint32_t nodeAt(uint32_t end) const { return end % 2 == 0 ? links_[end / 2].from : links_[end / 2].to; }

  // --- nodes and links ----------------------------------------------------------------------------------------------

  uint32_t addNode(Node::Kind kind, uint32_t id) {
    nodes_.push_back({kind, id, {}, kNone});
    return static_cast<uint32_t>(nodes_.size()) - 1;
  }
  uint32_t oldNode(uint32_t edge, uint32_t point) {
    const CorridorMap::Edge& e = old_.edges[edge];
    const bool atStart = point == e.first;
    const bool atEnd = point == e.first + e.count - 1;
    auto& ids = atStart || atEnd ? nodeOfVertex_ : nodeOfPoint_;
    const uint32_t id = atStart ? e.from : atEnd ? e.to : point;
    const auto [it, isNew] = ids.try_emplace(id, kNone);
    if (isNew) it->second = addNode(atStart || atEnd ? Node::Kind::kOldVertex : Node::Kind::kBendingPoint, id);
    return it->second;
  }

  void makeNodes() {
    for (uint32_t i = 0; i < axis_.nodes.size(); ++i) addNode(Node::Kind::kNew, i);
    for (const AxisZone::Border& border : zone_.borders) {
      borderNode_.push_back(oldNode(border.edge, border.forward ? border.arc : border.arc + 1));
    }
  }

  void makeLinks() {
    const auto nodeOf = [&](uint32_t n) { return n < firstNew_ ? borderNode_[n] : n - firstNew_; };
    for (const ZoneAxis::Arc& arc : axis_.arcs) links_.push_back({nodeOf(arc.from), nodeOf(arc.to), kNone, kNone});
    for (uint32_t i = 0; i < axis_.nodes.size(); ++i) nodes_[i].ends = axis_.nodes[i].out;
    for (uint32_t i = 0; i < axis_.arcs.size(); ++i) {
      if (axis_.arcs[i].from < firstNew_) leaveOld(axis_.arcs[i].from, 2 * i);
      if (axis_.arcs[i].to < firstNew_) leaveOld(axis_.arcs[i].to, 2 * i + 1);
    }
    for (const uint32_t edge : zone_.edges) addChains(edge);
    // Around vertices, links leave in the order of the edges that they replace.
    for (auto& [vertex, node] : nodeOfVertex_) {
      const CorridorMap::Vertex& v = old_.vertices[vertex];
      for (uint32_t k = v.firstOut; k < v.firstOut + v.degree; ++k) {
        const auto it = endAt_.find(old_.out[k]);
        if (it != endAt_.end()) nodes_[node].ends.push_back(it->second);
      }
    }
  }

  // A new arc leaves the outer end of a border.
  void leaveOld(uint32_t border, uint32_t end) {
    const AxisZone::Border& b = zone_.borders[border];
    const uint32_t node = borderNode_[border];
    if (nodes_[node].kind == Node::Kind::kBendingPoint) {
      nodes_[node].ends.push_back(end);
    } else {
      endAt_[2 * b.edge + (b.forward ? 0 : 1)] = end;
    }
  }

  void addChains(uint32_t id) {
    const CorridorMap::Edge& edge = old_.edges[id];
    const uint32_t last = edge.first + edge.count - 1;
    for (uint32_t i = edge.first; i < last;) {
      if (zone_.part[i] != AxisZone::Part::kKept) {
        ++i;
        continue;
      }
      uint32_t end = i;
      while (end < last && zone_.part[end] == AxisZone::Part::kKept) ++end;
      const auto link = static_cast<uint32_t>(links_.size());
      links_.push_back({oldNode(id, i), oldNode(id, end), i, end});
      addChainEnd(2 * id, i == edge.first, links_[link].from, 2 * link);
      addChainEnd(2 * id + 1, end == last, links_[link].to, 2 * link + 1);
      i = end;
    }
  }
  void addChainEnd(uint32_t half, bool atVertex, uint32_t node, uint32_t end) {
    if (atVertex) {
      endAt_[half] = end;
    } else {
      nodes_[node].ends.push_back(end);
    }
  }

  // --- what stays ---------------------------------------------------------------------------------------------------

  void copyVertices() {
    CorridorMap& map = out_.map;
    map.lattice = old_.lattice;
    map.voronoiAttempts = old_.voronoiAttempts;
    map.simpleOpenings = old_.simpleOpenings;
    map.sweptOpenings = old_.sweptOpenings;
    isGone_.assign(old_.vertices.size(), 0);
    for (const uint32_t arc : zone_.inside) {
      const CorridorMap::Edge& edge = old_.edges[edgeOfArc(old_, arc)];
      if (arc == edge.first) isGone_[edge.from] = 1;
      if (arc + 2 == edge.first + edge.count) isGone_[edge.to] = 1;
    }
    // A vertex of degree 2 only closes a loop; the loop may open now.
    for (const auto& [vertex, node] : nodeOfVertex_) {
      if (old_.vertices[vertex].degree == 2) isGone_[vertex] = 1;
    }
    vertexOfOld_.assign(old_.vertices.size(), kNone);
    map.vertices.reserve(old_.vertices.size() + axis_.nodes.size());
    for (uint32_t v = 0; v < old_.vertices.size(); ++v) {
      if (isGone_[v] != 0) continue;
      vertexOfOld_[v] = static_cast<uint32_t>(map.vertices.size());
      map.vertices.push_back(old_.vertices[v]);
    }
    for (Node& node : nodes_) {
      if (node.kind == Node::Kind::kOldVertex) node.vertex = vertexOfOld_[node.id];
      if (node.kind == Node::Kind::kNew && node.ends.size() != 2) addVertex(node);
    }
  }

  void addVertex(Node& node) {
    node.vertex = static_cast<uint32_t>(out_.map.vertices.size());
    added_.push_back(static_cast<uint32_t>(&node - nodes_.data()));
    const CorridorMap::BendingPoint at = placeOf(node);
    out_.map.vertices.push_back({at.p, at.clearance, at.layer, 0, 0});
  }

  CorridorMap::BendingPoint placeOf(const Node& node) const {
    CorridorMap::BendingPoint at;
    if (node.kind == Node::Kind::kNew) {
      const ZoneAxis::Node& n = axis_.nodes[node.id];
      at.p = n.p;
      at.clearance = n.clearance;
      at.layer = n.layer;
    } else if (node.kind == Node::Kind::kBendingPoint) {
      at = old_.bendingPoints[node.id];
    } else {
      const CorridorMap::Vertex& v = old_.vertices[node.id];
      at.p = v.p;
      at.clearance = v.clearance;
      at.layer = v.layer;
    }
    return at;
  }

  void copyEdges() {
    CorridorMap& map = out_.map;
    map.sites = old_.sites;
    for (const ZoneAxis::Site& site : axis_.sites) {
      siteOf_.push_back(site.known != kNone ? site.known : static_cast<uint32_t>(map.sites.size()));
      if (site.known == kNone) map.sites.push_back(site.site);
    }
    out_.arcOfOld.assign(old_.arcs.size(), kNone);
    halfOfOld_.assign(2 * old_.edges.size(), kNone);
    map.edges.reserve(old_.edges.size() + axis_.arcs.size());
    map.bendingPoints.reserve(old_.bendingPoints.size() + 2 * axis_.arcs.size());
    map.arcs.reserve(old_.arcs.size() + 2 * axis_.arcs.size());
    // All edges between two touched ones at once.
    uint32_t begin = 0;
    for (const uint32_t touched : zone_.edges) {
      copyRange(begin, touched);
      begin = touched + 1;
    }
    copyRange(begin, static_cast<uint32_t>(old_.edges.size()));
  }

  void copyRange(uint32_t begin, uint32_t end) {
    if (begin == end) return;
    CorridorMap& map = out_.map;
    const uint32_t from = old_.edges[begin].first;
    const uint32_t to = old_.edges[end - 1].first + old_.edges[end - 1].count;
    const auto now = static_cast<uint32_t>(map.bendingPoints.size());
    map.bendingPoints.insert(map.bendingPoints.end(), old_.bendingPoints.begin() + from,
                             old_.bendingPoints.begin() + to);
    map.arcs.insert(map.arcs.end(), old_.arcs.begin() + from, old_.arcs.begin() + to);
    for (uint32_t i = from; i < to; ++i) out_.arcOfOld[i] = now + (i - from);
    for (uint32_t e = begin; e < end; ++e) {
      CorridorMap::Edge edge = old_.edges[e];
      edge.first = edge.first - from + now;
      edge.from = vertexOfOld_[edge.from];
      edge.to = vertexOfOld_[edge.to];
      halfOfOld_[2 * e] = 2 * static_cast<uint32_t>(map.edges.size());
      halfOfOld_[2 * e + 1] = halfOfOld_[2 * e] + 1;
      map.edges.push_back(edge);
    }
  }

  // --- new edges ----------------------------------------------------------------------------------------------------

  static CorridorMap::BendingPoint reversed(CorridorMap::BendingPoint bp) {
    std::swap(bp.l, bp.r);
    std::swap(bp.layerL, bp.layerR);
    return bp;
  }

  // The bending point where a new arc begins or ends, seen along `end`.
  CorridorMap::BendingPoint newPoint(uint32_t end, bool atFar) const {
    const ZoneAxis::Arc& arc = axis_.arcs[end / 2];
    const bool backwards = end % 2 != 0;
    CorridorMap::BendingPoint bp = placeOf(nodes_[nodeAt(atFar ? end ^ 1U : end)]);
    const bool atFrom = backwards == atFar;
    const ZoneAxis::Foot l = atFrom ? arc.leftAtFrom : arc.leftAtTo;
    const ZoneAxis::Foot r = atFrom ? arc.rightAtFrom : arc.rightAtTo;
    bp.l = l.p;
    bp.layerL = l.layer;
    bp.r = r.p;
    bp.layerR = r.layer;
    return backwards ? reversed(bp) : bp;
  }

  void push(const CorridorMap::BendingPoint& bp, const CorridorMap::Arc& arc) {
    out_.map.bendingPoints.push_back(bp);
    out_.map.arcs.push_back(arc);
  }

  // All bending points of a link but its last, seen along `end`. `fresh` tells whether the arc before is a new one of
  // this edge.
  void emit(uint32_t end, bool& fresh) {
    const Link& link = links_[end / 2];
    const bool backwards = end % 2 != 0;
    if (isNewArc(end / 2)) {
      const ZoneAxis::Arc& arc = axis_.arcs[end / 2];
      CorridorMap::Arc now;
      now.left = siteOf_[backwards ? arc.right : arc.left];
      now.right = siteOf_[backwards ? arc.left : arc.right];
      // Nothing bends where the sites stay the same.
      if (fresh && out_.map.arcs.back().left == now.left && out_.map.arcs.back().right == now.right) return;
      out_.added.push_back(static_cast<uint32_t>(out_.map.arcs.size()));
      push(newPoint(end, false), now);
      fresh = true;
      return;
    }
    fresh = false;
    for (uint32_t k = 0; k < link.last - link.first; ++k) {
      const uint32_t arc = backwards ? link.last - 1 - k : link.first + k;
      CorridorMap::Arc same = old_.arcs[arc];
      if (backwards) std::swap(same.left, same.right);
      out_.arcOfOld[arc] = static_cast<uint32_t>(out_.map.arcs.size());
      push(backwards ? reversed(old_.bendingPoints[arc + 1]) : old_.bendingPoints[arc], same);
    }
  }

  CorridorMap::BendingPoint lastPoint(uint32_t end) const {
    if (isNewArc(end / 2)) return newPoint(end, true);
    const Link& link = links_[end / 2];
    return end % 2 == 0 ? old_.bendingPoints[link.last] : reversed(old_.bendingPoints[link.first]);
  }

  // The other end at the far node of a link, kNone at a vertex.
  uint32_t onwards(uint32_t end) const {
    const uint32_t arriving = end ^ 1U;
    const Node& node = nodes_[nodeAt(arriving)];
    if (node.vertex != kNone || node.ends.size() != 2) return kNone;
    return node.ends[0] == arriving ? node.ends[1] : node.ends[0];
  }

  void addEdge(uint32_t start) {
    CorridorMap& map = out_.map;
    CorridorMap::Edge edge;
    edge.first = static_cast<uint32_t>(map.bendingPoints.size());
    edge.from = nodes_[nodeAt(start)].vertex;
    const auto id = static_cast<uint32_t>(map.edges.size());
    halfOfEnd_[start] = 2 * id;
    bool fresh = false;
    uint32_t end = start;
    while (true) {
      visited_[end / 2] = 1;
      emit(end, fresh);
      const uint32_t next = onwards(end);
      if (next == kNone) break;
      end = next;
    }
    push(lastPoint(end), {});
    halfOfEnd_[end ^ 1U] = 2 * id + 1;
    edge.to = nodes_[nodeAt(end ^ 1U)].vertex;
    edge.count = static_cast<uint32_t>(map.bendingPoints.size()) - edge.first;
    measure(edge);
    map.edges.push_back(edge);
  }

  // As for every map: lengths and clearances of the new arcs, and their sums.
  void measure(CorridorMap::Edge& edge) {
    CorridorMap& map = out_.map;
    edge.minClearance = map.bendingPoints[edge.first].clearance;
    for (uint32_t i = edge.first; i + 1 < edge.first + edge.count; ++i) {
      CorridorMap::Arc& arc = map.arcs[i];
      const CorridorMap::BendingPoint& from = map.bendingPoints[i];
      const CorridorMap::BendingPoint& to = map.bendingPoints[i + 1];
      const ArcCurve curve(map.sites[arc.left], map.sites[arc.right], from.p, to.p, from.clearance, to.clearance);
      arc.length = curve.length();
      arc.minClearance = curve.minClearance();
      edge.length += arc.length;
      edge.minClearance = std::min(edge.minClearance, arc.minClearance);
    }
  }

  void addEdges() {
    visited_.assign(links_.size(), 0);
    halfOfEnd_.assign(2 * links_.size(), kNone);
    std::vector<uint32_t> starts;
    for (const auto& [vertex, node] : nodeOfVertex_) starts.push_back(vertex);
    std::sort(starts.begin(), starts.end());
    for (uint32_t& start : starts) start = nodeOfVertex_[start];
    starts.insert(starts.end(), added_.begin(), added_.end());
    for (const uint32_t node : starts) {
      if (nodes_[node].vertex == kNone) continue;
      for (size_t k = 0; k < nodes_[node].ends.size(); ++k) {
        const uint32_t end = nodes_[node].ends[k];
        if (visited_[end / 2] == 0) addEdge(end);
      }
    }
  }

  // Whether the sites change between the link before `end` and the link of `end`.
  bool bends(uint32_t before, uint32_t end) const {
    if (!isNewArc(before / 2) || !isNewArc(end / 2)) return true;
    const auto sites = [&](uint32_t e) {
      const ZoneAxis::Arc& arc = axis_.arcs[e / 2];
      return e % 2 == 0 ? std::pair(arc.left, arc.right) : std::pair(arc.right, arc.left);
    };
    return sites(before) != sites(end);
  }

  void addCycles() {
    for (uint32_t link = 0; link < links_.size(); ++link) {
      if (visited_[link] != 0) continue;
      uint32_t start = 2 * link;
      for (uint32_t end = start;;) {
        const uint32_t next = onwards(end);
        if (bends(end, next)) {
          start = next;
          break;
        }
        if (next == 2 * link) break;
        end = next;
      }
      addVertex(nodes_[nodeAt(start)]);
      addEdge(start);
    }
  }

  void fillOut() {
    CorridorMap& map = out_.map;
    map.out.reserve(2 * map.edges.size());
    const auto begin = [&](uint32_t v) { map.vertices[v].firstOut = static_cast<uint32_t>(map.out.size()); };
    const auto finish = [&](uint32_t v) {
      map.vertices[v].degree = static_cast<uint32_t>(map.out.size()) - map.vertices[v].firstOut;
    };
    for (uint32_t v = 0; v < old_.vertices.size(); ++v) {
      const uint32_t now = vertexOfOld_[v];
      if (now == kNone) continue;
      begin(now);
      const CorridorMap::Vertex& vertex = old_.vertices[v];
      for (uint32_t k = vertex.firstOut; k < vertex.firstOut + vertex.degree; ++k) {
        const uint32_t half = halfOfOld_[old_.out[k]];
        map.out.push_back(half != kNone ? half : halfOfEnd_[endAt_.at(old_.out[k])]);
      }
      finish(now);
    }
    for (const uint32_t node : added_) {
      begin(nodes_[node].vertex);
      for (const uint32_t end : nodes_[node].ends) map.out.push_back(halfOfEnd_[end]);
      finish(nodes_[node].vertex);
    }
  }

  // Sites without arcs are dropped.
  void packSites() {
    CorridorMap& map = out_.map;
    std::vector<uint32_t> moved(map.sites.size(), kNone);
    for (const CorridorMap::Arc& arc : map.arcs) {
      if (arc.left != kNone) moved[arc.left] = moved[arc.right] = 0;
    }
    uint32_t count = 0;
    for (size_t s = 0; s < moved.size(); ++s) {
      if (moved[s] == kNone) continue;
      map.sites[count] = map.sites[s];
      moved[s] = count++;
    }
    map.sites.resize(count);
    for (CorridorMap::Arc& arc : map.arcs) {
      if (arc.left == kNone) continue;
      arc.left = moved[arc.left];
      arc.right = moved[arc.right];
    }
  }

  const CorridorMap& old_;
  const AxisZone& zone_;
  const ZoneAxis& axis_;
  uint32_t firstNew_;  // node of the zone's axis
  std::vector<Node> nodes_;
  std::vector<Link> links_;
  std::vector<uint32_t> borderNode_;                     // per border: node
  std::unordered_map<uint32_t, uint32_t> nodeOfVertex_;  // by vertex of the old map
  std::unordered_map<uint32_t, uint32_t> nodeOfPoint_;   // by bending point of the old map
  std::unordered_map<uint32_t, uint32_t> endAt_;         // by half-edge of the old map that leaves a kept vertex
  std::vector<uint8_t> isGone_;                          // per vertex of the old map
  std::vector<uint32_t> vertexOfOld_;
  std::vector<uint32_t> halfOfOld_;  // per half-edge of the old map, if its edge stays
  std::vector<uint32_t> siteOf_;     // per site of the zone's axis
  std::vector<uint32_t> added_;      // nodes that became new vertices
  std::vector<uint8_t> visited_;     // per link
  std::vector<uint32_t> halfOfEnd_;  // per end of a link that leaves a vertex
  SplicedAxis out_;
};

}  // namespace

SplicedAxis spliceAxis(const CorridorMap& map, const AxisZone& zone, const ZoneAxis& axis) {
  return Splice(map, zone, axis).run();
}

}  // namespace wend::ecm
