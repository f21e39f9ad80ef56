#include "generators/ecm/open_splice.h"

#include <algorithm>
#include <cmath>

namespace wend::ecm {
namespace {

class Splicer {
 public:
  Splicer(Diagram& diagram, const Zone& zone, const ZoneTree& tree, std::vector<uint32_t>& lengths,
          std::vector<uint32_t>& bare)
      : diagram_(diagram), zone_(zone), tree_(tree), lengths_(lengths), bare_(bare), base_(size(diagram.edges)) {}

  void run(const Passages& passages) {
    uniteEnds();
    removeObstacle();
    addTree();
    findLayers(passages);
    joinGaps();
    repairFirst();
    absorbJoints();
    contract();
  }

 private:
  template <typename T>
  static uint32_t size(const std::vector<T>& list) {
    return static_cast<uint32_t>(list.size());
  }
  uint32_t vertexOf(uint32_t start) const {
    const uint32_t gaps = size(zone_.gaps);
    return start < gaps ? zone_.gaps[start].vertex : firstVertex_ + start - gaps;
  }
  void remove(uint32_t edge) {
    if (diagram_.edges[edge].removed) return;
    for (const uint32_t e : {edge, edge ^ 1U}) {
      diagram_.edges[e].removed = true;
      --lengths_[diagram_.edges[e].site];
    }
  }
  void link(uint32_t first, uint32_t second) {
    diagram_.edges[first].next = second;
    diagram_.edges[second].previous = first;
  }

  // `kept` and `other` are the visits of one end by both faces; the walls that remain are `before` and `after`.
  void unite(uint32_t kept, uint32_t other, uint32_t before, uint32_t after) {
    std::vector<Diagram::Site>& sites = diagram_.sites;
    if (kept == other) {
      diagram_.vertices[sites[kept].corner].removed = true;
      sites[kept].corner = kNone;
      sites[kept].before = kNone;
      sites[kept].after = kNone;
      bare_.push_back(kept);
      return;
    }
    for (uint32_t e = sites[other].first; e != kNone; e = diagram_.edges[e].next) {
      diagram_.edges[e].site = kept;
      if (diagram_.edges[e].start == sites[other].corner) diagram_.edges[e].start = sites[kept].corner;
      if (diagram_.end(e) == sites[other].corner) diagram_.edges[e ^ 1U].start = sites[kept].corner;
      --lengths_[other];
      ++lengths_[kept];
    }
    // The least layer names the vertex, in whatever order the connections are opened.
    sites[kept].layer = std::min(sites[kept].layer, sites[other].layer);
    sites[kept].before = before;
    sites[kept].after = after;
    sites[before].after = kept;
    sites[after].before = kept;
    sites[other].removed = true;
    diagram_.vertices[sites[other].corner].removed = true;
  }

  void uniteEnds() {
    if (zone_.isPoint()) return;
    const std::vector<Diagram::Site>& sites = diagram_.sites;
    const uint32_t aA = sites[zone_.faceA].before;
    const uint32_t aB = sites[zone_.faceB].after;
    firstOfA_ = sites[aB].first;
    unite(aA, aB, sites[aA].before, sites[aB].after);
    const uint32_t bA = sites[zone_.faceA].after;
    const uint32_t bB = sites[zone_.faceB].before;
    firstOfB_ = sites[bA].first;
    unite(bA, bB, sites[bB].before, sites[bA].after);
    endA_ = aA;
    endB_ = bA;
  }

  void removeFace(uint32_t face) {
    if (face == kNone) return;
    const uint32_t first = diagram_.sites[face].first;
    for (uint32_t e = first; e != kNone;) {
      const uint32_t next = diagram_.edges[e].next;
      remove(e);
      e = next == first ? kNone : next;
    }
    diagram_.sites[face].removed = true;
  }

  void removeObstacle() {
    removeFace(zone_.faceA);
    removeFace(zone_.faceB);
    for (const Zone::Gap& gap : zone_.gaps) {
      if (gap.in != kNone) diagram_.vertices[gap.vertex].removed = true;
    }
  }

  bool isNormal(uint32_t u, uint32_t v) const {
    const Diagram::Site& site = diagram_.sites[u];
    return site.isPoint() != diagram_.sites[v].isPoint() && (site.before == v || site.after == v);
  }

  void addTree() {
    firstVertex_ = size(diagram_.vertices);
    for (const ZoneTree::Vertex& vertex : tree_.vertices) {
      diagram_.vertices.push_back({vertex.p, vertex.clearance, 0, vertex.joint});
    }
    for (uint32_t e = 0; e < size(tree_.edges); ++e) {
      const ZoneTree::HalfEdge& edge = tree_.edges[e];
      const uint32_t site = zone_.labels[edge.label];
      Diagram::HalfEdge& added = diagram_.edges.emplace_back();
      added.start = vertexOf(edge.start);
      added.site = site;
      added.secondary = isNormal(site, zone_.labels[tree_.edges[e ^ 1U].label]);
      ++lengths_[site];
    }
    for (uint32_t e = 0; e < size(tree_.edges); ++e) {
      if (tree_.edges[e].next != kNone) link(base_ + e, base_ + tree_.edges[e].next);
    }
  }

  // Around the tree from a gap whose layer is known. The chord of an arc ends in the same place of the surface as the
  // arc: between them lies only the cell of one site.
  void findLayers(const Passages& passages) {
    const uint32_t gaps = size(zone_.gaps);
    uint32_t first = 0;
    while (first + 1 < gaps && zone_.gaps[first].in == kNone) ++first;
    std::vector<bool> known(tree_.vertices.size(), false);
    for (uint32_t e = 2 * first, step = 0; step < size(tree_.edges); ++step) {
      const uint32_t end = tree_.edges[e ^ 1U].start;
      if (end >= gaps && !known[end - gaps]) {
        known[end - gaps] = true;
        const Diagram::Vertex& from = diagram_.vertices[vertexOf(tree_.edges[e].start)];
        Diagram::Vertex& to = diagram_.vertices[vertexOf(end)];
        to.layer = passages.walk(from.layer, from.p, to.p);
      }
      e = tree_.edges[e].next == kNone ? 2 * end : tree_.edges[e].next;
    }
  }

  // e and the half-edge after it become one edge.
  void absorbNext(uint32_t e) {
    const uint32_t gone = diagram_.edges[e].next;
    remove(gone);
    const uint32_t next = diagram_.edges[gone].next;
    const uint32_t previous = diagram_.edges[gone ^ 1U].previous;
    diagram_.edges[e].next = next;
    if (next != kNone) diagram_.edges[next].previous = e;
    diagram_.edges[e ^ 1U].previous = previous;
    if (previous != kNone) diagram_.edges[previous].next = e ^ 1U;
    diagram_.edges[e ^ 1U].start = diagram_.edges[gone ^ 1U].start;
    for (const uint32_t g : {gone, gone ^ 1U}) {
      const uint32_t site = diagram_.edges[g].site;
      if (diagram_.sites[site].first == g) diagram_.sites[site].first = g == gone ? e : e ^ 1U;
    }
  }

  void joinGaps() {
    for (uint32_t k = 0; k < size(zone_.gaps); ++k) {
      const uint32_t in = zone_.gaps[k].in;
      if (in == kNone) continue;
      link(in, base_ + 2 * k);
      link(base_ + 2 * k + 1, in ^ 1U);
    }
  }

  // Chains that began or ended with a part of the outline.
  void repairFirst() {
    std::vector<Diagram::Site>& sites = diagram_.sites;
    for (uint32_t k = 0; k < size(zone_.gaps); ++k) {
      // Every chain begins in a corner; a bare point's may begin anywhere.
      const uint32_t site = zone_.labels[k];
      const bool cornered = zone_.gaps[k].in == kNone;
      const bool lost = sites[site].first != kNone && diagram_.edges[sites[site].first].removed;
      if (cornered || (lost && sites[site].corner == kNone && sites[site].isPoint())) sites[site].first = base_ + 2 * k;
    }
    if (zone_.isPoint()) return;
    repairEnd(endA_, firstOfA_);
    repairEnd(endB_, firstOfB_);
  }

  // `first`: the chain of the visit whose beginning stays, kNone if it had none.
  void repairEnd(uint32_t end, uint32_t first) {
    Diagram::Site& site = diagram_.sites[end];
    if (site.corner == kNone) return;
    if (first != kNone && !diagram_.edges[first].removed) site.first = first;
    if (site.first != kNone && diagram_.edges[site.first].removed) site.first = kNone;
  }

  bool isJoint(uint32_t vertex) const { return vertex >= firstVertex_ && tree_.vertices[vertex - firstVertex_].joint; }

  void absorbJoints() {
    for (uint32_t e = base_; e < size(diagram_.edges); ++e) {
      while (!diagram_.edges[e].removed && isJoint(diagram_.end(e))) absorbNext(e);
    }
    for (const Zone::Gap& gap : zone_.gaps) {
      if (gap.in != kNone && !diagram_.edges[gap.in].removed) absorbNext(gap.in);
    }
  }

  void contract() {
    for (uint32_t e = base_; e < size(diagram_.edges); e += 2) {
      if (diagram_.edges[e].removed) continue;
      const uint32_t from = diagram_.edges[e].start;
      const uint32_t to = diagram_.end(e);
      const Diagram::Vertex& v = diagram_.vertices[from];
      const Diagram::Vertex& w = diagram_.vertices[to];
      if (from == to || v.clearance == 0 || w.clearance == 0) continue;
      const double scale = std::max({1.0, std::abs(v.p.x), std::abs(v.p.y)});
      if (std::hypot(v.p.x - w.p.x, v.p.y - w.p.y) > kSamePlace * scale) continue;
      merge(e, from, to);
    }
  }

  void merge(uint32_t e, uint32_t from, uint32_t to) {
    std::vector<Diagram::HalfEdge>& edges = diagram_.edges;
    for (uint32_t g = edges[e ^ 1U].previous ^ 1U; g != (e ^ 1U); g = edges[g].previous ^ 1U) edges[g].start = from;
    for (const uint32_t g : {e, e ^ 1U}) {
      link(edges[g].previous, edges[g].next);
      Diagram::Site& site = diagram_.sites[edges[g].site];
      if (site.first == g) site.first = edges[g].next;
    }
    remove(e);
    diagram_.vertices[to].removed = true;
  }

  Diagram& diagram_;
  const Zone& zone_;
  const ZoneTree& tree_;
  std::vector<uint32_t>& lengths_;
  std::vector<uint32_t>& bare_;
  uint32_t base_;
  uint32_t firstVertex_ = 0;
  uint32_t endA_ = kNone;
  uint32_t endB_ = kNone;
  uint32_t firstOfA_ = kNone;
  uint32_t firstOfB_ = kNone;
};

}  // namespace

void spliceZone(Diagram& diagram, const Zone& zone, const ZoneTree& tree, const Passages& passages,
                std::vector<uint32_t>& lengths, std::vector<uint32_t>& bare) {
  Splicer(diagram, zone, tree, lengths, bare).run(passages);
}

}  // namespace wend::ecm
