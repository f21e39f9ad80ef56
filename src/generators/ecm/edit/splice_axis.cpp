#include "generators/ecm/edit/splice_axis.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/slot_plan.h"
#include "generators/ecm/arc.h"

namespace wend::ecm {
namespace {

class Splice {
 public:
  Splice(const CorridorMap& map, const AxisZone& zone, const ZoneAxis& axis, AxisDraft& draft)
      : old_(map), zone_(zone), axis_(axis), draft_(draft), firstNew_(static_cast<uint32_t>(zone.borders.size())) {}

  SplicedAxis run() {
    makeNodes();
    makeLinks();
    nameSites();
    findVertices();
    addEdges();
    addCycles();
    placeEdges();
    placeVertices();
    freeSites();
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

  // --- sites and vertices -------------------------------------------------------------------------------------------

  // New sites take the numbers of those that no arc has any more. Most walls near the zone have no arc in it.
  void nameSites() {
    std::vector<uint8_t> isUsed(axis_.sites.size(), 0);
    for (const ZoneAxis::Arc& arc : axis_.arcs) isUsed[arc.left] = isUsed[arc.right] = 1;
    for (size_t i = 0; i < axis_.sites.size(); ++i) {
      const ZoneAxis::Site& site = axis_.sites[i];
      if (site.known != kNone || isUsed[i] == 0) {
        siteOf_.push_back(site.known);
        continue;
      }
      if (draft_.freeSites().empty()) {
        siteOf_.push_back(static_cast<uint32_t>(draft_.sites().size()));
        draft_.sites().push_back(site.site);
        draft_.siteUses().push_back(0);
        usedSites_.push_back(siteOf_.back());
        continue;
      }
      siteOf_.push_back(draft_.freeSites().back());
      usedSites_.push_back(siteOf_.back());
      draft_.freeSites().pop_back();
      draft_.sites().set(siteOf_.back(), site.site);
    }
  }

  void findVertices() {
    for (const uint32_t arc : zone_.inside) {
      const CorridorMap::Edge& edge = old_.edges[edgeOfArc(old_, arc)];
      if (arc == edge.first) goneVertices_.push_back(edge.from);
      if (arc + 2 == edge.first + edge.count) goneVertices_.push_back(edge.to);
    }
    // A vertex of degree 2 only closes a loop; the loop may open now.
    for (const auto& [vertex, node] : nodeOfVertex_) {
      if (old_.vertices[vertex].degree == 2) goneVertices_.push_back(vertex);
    }
    std::sort(goneVertices_.begin(), goneVertices_.end());
    goneVertices_.erase(std::unique(goneVertices_.begin(), goneVertices_.end()), goneVertices_.end());
    const auto isGone = [&](uint32_t v) { return std::binary_search(goneVertices_.begin(), goneVertices_.end(), v); };
    for (Node& node : nodes_) {
      if (node.kind == Node::Kind::kOldVertex && !isGone(node.id)) node.vertex = node.id;
      if (node.kind == Node::Kind::kNew && node.ends.size() != 2) addVertex(node);
    }
  }

  // New vertices are numbered behind the old ones until they get their place.
  void addVertex(Node& node) {
    node.vertex = static_cast<uint32_t>(old_.vertices.size() + added_.size());
    added_.push_back(static_cast<uint32_t>(&node - nodes_.data()));
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

  void push(const CorridorMap::BendingPoint& bp, const CorridorMap::Arc& arc, uint32_t oldArc) {
    points_.push_back(bp);
    arcs_.push_back(arc);
    oldArc_.push_back(oldArc);
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
      if (fresh && arcs_.back().left == now.left && arcs_.back().right == now.right) return;
      push(newPoint(end, false), now, kNone);
      fresh = true;
      return;
    }
    fresh = false;
    for (uint32_t k = 0; k < link.last - link.first; ++k) {
      const uint32_t arc = backwards ? link.last - 1 - k : link.first + k;
      CorridorMap::Arc same = old_.arcs[arc];
      if (backwards) std::swap(same.left, same.right);
      push(backwards ? reversed(old_.bendingPoints[arc + 1]) : old_.bendingPoints[arc], same, arc);
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

  // New edges with their points lie in arrays of their own first.
  void addEdge(uint32_t start) {
    CorridorMap::Edge edge;
    edge.first = static_cast<uint32_t>(points_.size());
    edge.from = nodes_[nodeAt(start)].vertex;
    const auto id = static_cast<uint32_t>(edges_.size());
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
    push(lastPoint(end), {}, kNone);
    halfOfEnd_[end ^ 1U] = 2 * id + 1;
    edge.to = nodes_[nodeAt(end ^ 1U)].vertex;
    edge.count = static_cast<uint32_t>(points_.size()) - edge.first;
    measure(edge);
    edges_.push_back(edge);
  }

  // As for every map: lengths and clearances of the new arcs, and their sums.
  void measure(CorridorMap::Edge& edge) {
    edge.minClearance = points_[edge.first].clearance;
    for (uint32_t i = edge.first; i + 1 < edge.first + edge.count; ++i) {
      CorridorMap::Arc& arc = arcs_[i];
      const CorridorMap::BendingPoint& from = points_[i];
      const CorridorMap::BendingPoint& to = points_[i + 1];
      const ArcCurve curve(draft_.map().sites[arc.left], draft_.map().sites[arc.right], from.p, to.p, from.clearance,
                           to.clearance);
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

  // --- places -------------------------------------------------------------------------------------------------------

  void use(uint32_t site, int by) {
    if (site == kNone) return;
    draft_.siteUses().set(site, draft_.siteUses()[site] + static_cast<uint32_t>(by));
    usedSites_.push_back(site);
  }

  // The bending points of edges lie one behind the other, in the order of the edges.
  void placeEdges() {
    std::vector<uint32_t> sizes;
    for (const CorridorMap::Edge& edge : edges_) sizes.push_back(edge.count);
    plan_ = planSlots(
        static_cast<uint32_t>(old_.edges.size()), [&](uint32_t e) { return old_.edges[e].count; }, zone_.edges, sizes);
    for (const uint32_t id : zone_.edges) {
      const CorridorMap::Edge& edge = old_.edges[id];
      for (uint32_t i = edge.first; i < edge.first + edge.count; ++i) {
        use(old_.arcs[i].left, -1);
        use(old_.arcs[i].right, -1);
        if (old_.arcs[i].left != kNone) out_.arcNow[i] = kNone;
      }
    }
    for (const CorridorMap::Arc& arc : arcs_) {
      use(arc.left, 1);
      use(arc.right, 1);
    }
    // Which edge is in a slot that changes: an old one, or a new one behind them.
    const auto olds = static_cast<uint32_t>(old_.edges.size());
    std::map<uint32_t, uint32_t> inSlot;
    for (const SlotPlan::Move& move : plan_.moves) {
      inSlot[move.to] = move.from;
      edgeNow_[move.from] = move.to;
    }
    for (uint32_t i = 0; i < edges_.size(); ++i) inSlot[plan_.slotOfItem[i]] = olds + i;
    const auto countOf = [&](uint32_t e) { return e < olds ? old_.edges[e].count : edges_[e - olds].count; };
    const uint32_t first = std::min(plan_.firstMoved, olds);
    uint32_t points = first < olds ? old_.edges[first].first : static_cast<uint32_t>(old_.bendingPoints.size());
    for (auto it = inSlot.lower_bound(first); it != inSlot.end(); ++it) points += countOf(it->second);
    draft_.edges().resize(plan_.slots, {});
    draft_.bendingPoints().resize(points, {});
    draft_.arcs().resize(points, {});
    draft_.arcCell().resize(points, kNone);
    uint32_t next = first < olds ? old_.edges[first].first : static_cast<uint32_t>(old_.bendingPoints.size());
    for (const auto& [slot, edge] : inSlot) {
      const uint32_t begin = slot < first ? old_.edges[slot].first : next;
      if (slot >= first) next += countOf(edge);
      writeEdge(slot, begin, edge);
    }
    std::sort(out_.added.begin(), out_.added.end());
  }

  void writeEdge(uint32_t slot, uint32_t begin, uint32_t id) {
    const auto olds = static_cast<uint32_t>(old_.edges.size());
    const bool isNew = id >= olds;
    CorridorMap::Edge edge = isNew ? edges_[id - olds] : old_.edges[id];
    for (uint32_t k = 0; k < edge.count; ++k) {
      const uint32_t from = edge.first + k;
      const CorridorMap::Arc& arc = isNew ? arcs_[from] : old_.arcs[from];
      draft_.bendingPoints().set(begin + k, isNew ? points_[from] : old_.bendingPoints[from]);
      draft_.arcs().set(begin + k, arc);
      draft_.arcCell().set(begin + k, kNone);
      if (arc.left == kNone) continue;
      if (!isNew) {
        out_.arcNow[from] = begin + k;
      } else if (oldArc_[from] != kNone) {
        out_.arcNow[oldArc_[from]] = begin + k;
      } else {
        out_.added.push_back(begin + k);
      }
    }
    edge.first = begin;
    draft_.edges().set(slot, edge);
  }

  uint32_t halfNow(uint32_t half) const {
    const auto end = endAt_.find(half);
    if (end != endAt_.end()) return newHalf(halfOfEnd_[end->second]);
    const auto moved = edgeNow_.find(half / 2);
    return moved == edgeNow_.end() ? half : 2 * moved->second + half % 2;
  }
  uint32_t newHalf(uint32_t half) const { return 2 * plan_.slotOfItem[half / 2] + half % 2; }

  // The half-edges that leave vertices lie one behind the other, in the order of the vertices.
  void placeVertices() {
    const auto olds = static_cast<uint32_t>(old_.vertices.size());
    std::vector<uint32_t> sizes;
    for (const uint32_t node : added_) sizes.push_back(static_cast<uint32_t>(nodes_[node].ends.size()));
    const SlotPlan plan = planSlots(
        olds, [&](uint32_t v) { return old_.vertices[v].degree; }, goneVertices_, sizes);
    std::map<uint32_t, uint32_t> inSlot;  // slots to write: an old vertex, or a new one behind them
    std::unordered_map<uint32_t, uint32_t> vertexNow;
    for (const SlotPlan::Move& move : plan.moves) {
      inSlot[move.to] = move.from;
      vertexNow[move.from] = move.to;
    }
    for (uint32_t i = 0; i < added_.size(); ++i) {
      inSlot[plan.slotOfItem[i]] = olds + i;
      vertexNow[olds + i] = plan.slotOfItem[i];
    }
    const auto now = [&](uint32_t v) {
      const auto it = vertexNow.find(v);
      return it == vertexNow.end() ? v : it->second;
    };
    const auto sizeOf = [&](uint32_t v) { return v < olds ? old_.vertices[v].degree : sizes[v - olds]; };
    const uint32_t first = std::min(plan.firstMoved, olds);
    const uint32_t begin = first < olds ? old_.vertices[first].firstOut : static_cast<uint32_t>(old_.out.size());
    uint32_t halves = begin;
    for (auto it = inSlot.lower_bound(first); it != inSlot.end(); ++it) halves += sizeOf(it->second);
    draft_.vertices().resize(plan.slots, {});
    draft_.out().resize(halves, 0);
    // Vertices that stay where they are, at edges that do not.
    for (const auto& [vertex, node] : nodeOfVertex_) stay(vertex, nodes_[node].vertex != kNone, now, inSlot);
    for (const auto& [edge, slot] : edgeNow_) {
      stay(old_.edges[edge].from, true, now, inSlot);
      stay(old_.edges[edge].to, true, now, inSlot);
    }
    uint32_t next = begin;
    for (const auto& [slot, vertex] : inSlot) {
      const uint32_t at = slot < first ? old_.vertices[slot].firstOut : next;
      if (slot >= first) next += sizeOf(vertex);
      CorridorMap::Vertex v = vertex < olds ? old_.vertices[vertex] : newVertex(added_[vertex - olds]);
      const uint32_t from = v.firstOut;
      for (uint32_t k = 0; k < v.degree; ++k) {
        draft_.out().set(at + k, vertex < olds ? halfNow(old_.out[from + k])
                                               : newHalf(halfOfEnd_[nodes_[added_[vertex - olds]].ends[k]]));
      }
      v.firstOut = at;
      draft_.vertices().set(slot, v);
    }
    // The ends of edges: of the new ones, and at vertices that moved.
    for (const uint32_t slot : plan_.slotOfItem) {
      CorridorMap::Edge& edge = draft_.edges().edit(slot);
      edge.from = now(edge.from);
      edge.to = now(edge.to);
    }
    for (const SlotPlan::Move& move : plan.moves) {
      const CorridorMap::Vertex& v = old_.vertices[move.from];
      for (uint32_t k = v.firstOut; k < v.firstOut + v.degree; ++k) {
        if (endAt_.contains(old_.out[k])) continue;
        const uint32_t half = halfNow(old_.out[k]);
        CorridorMap::Edge& edge = draft_.edges().edit(half / 2);
        (half % 2 == 0 ? edge.from : edge.to) = move.to;
      }
    }
  }

  template <typename Now>
  void stay(uint32_t vertex, bool isThere, const Now& now, std::map<uint32_t, uint32_t>& inSlot) const {
    if (!isThere || std::binary_search(goneVertices_.begin(), goneVertices_.end(), vertex)) return;
    if (now(vertex) == vertex) inSlot.try_emplace(vertex, vertex);
  }

  CorridorMap::Vertex newVertex(uint32_t node) const {
    const CorridorMap::BendingPoint at = placeOf(nodes_[node]);
    return {at.p, at.clearance, at.layer, 0, static_cast<uint32_t>(nodes_[node].ends.size())};
  }

  // A site without arcs repeats one that has some, so that all sites are obstacles.
  void freeSites() {
    std::sort(usedSites_.begin(), usedSites_.end());
    usedSites_.erase(std::unique(usedSites_.begin(), usedSites_.end()), usedSites_.end());
    for (const uint32_t site : usedSites_) {
      if (draft_.siteUses()[site] == 0) draft_.freeSites().push_back(site);
    }
    if (draft_.freeSites().empty()) return;
    uint32_t some = 0;
    while (some < draft_.siteUses().size() && draft_.siteUses()[some] == 0) ++some;
    if (some == draft_.siteUses().size()) return;
    for (const uint32_t site : draft_.freeSites()) {
      if (!(draft_.sites()[site] == draft_.sites()[some])) {
        draft_.sites().set(site, CorridorMap::Site(draft_.sites()[some]));
      }
    }
  }

  const CorridorMap& old_;
  const AxisZone& zone_;
  const ZoneAxis& axis_;
  AxisDraft& draft_;
  uint32_t firstNew_;  // node of the zone's axis
  std::vector<Node> nodes_;
  std::vector<Link> links_;
  std::vector<uint32_t> borderNode_;                     // per border: node
  std::unordered_map<uint32_t, uint32_t> nodeOfVertex_;  // by vertex of the old map
  std::unordered_map<uint32_t, uint32_t> nodeOfPoint_;   // by bending point of the old map
  std::unordered_map<uint32_t, uint32_t> endAt_;         // by half-edge of the old map that leaves a kept vertex
  std::vector<uint32_t> goneVertices_;                   // of the old map, ascending
  std::vector<uint32_t> siteOf_;                         // per site of the zone's axis
  std::vector<uint32_t> added_;                          // nodes that became new vertices
  std::vector<uint8_t> visited_;                         // per link
  std::vector<uint32_t> halfOfEnd_;                      // per end of a link that leaves a vertex
  std::vector<CorridorMap::Edge> edges_;                 // the new ones, with the numbers of their own arrays
  std::vector<CorridorMap::BendingPoint> points_;
  std::vector<CorridorMap::Arc> arcs_;
  std::vector<uint32_t> oldArc_;  // per new arc: the old one that it is, or kNone
  std::vector<uint32_t> usedSites_;
  SlotPlan plan_;                                   // of edges
  std::unordered_map<uint32_t, uint32_t> edgeNow_;  // of edges that stay and move
  SplicedAxis out_;
};

}  // namespace

SplicedAxis spliceAxis(const CorridorMap& map, const AxisZone& zone, const ZoneAxis& axis, AxisDraft& draft) {
  return Splice(map, zone, axis, draft).run();
}

}  // namespace wend::ecm
