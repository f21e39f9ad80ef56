#include "geometry/voronoi/sweep_edges.h"

#include <bit>

namespace wend {
namespace {

// How many doubles lie between the two; 0 is one number.
uint64_t steps(double a, double b) {
  const auto rank = [](double v) {
    const auto bits = std::bit_cast<uint64_t>(v);
    constexpr uint64_t kZero = uint64_t{1} << 63;
    return bits < kZero ? kZero - bits : bits;
  };
  const uint64_t rankA = rank(a);
  const uint64_t rankB = rank(b);
  return rankA > rankB ? rankA - rankB : rankB - rankA;
}

// Twice what a coordinate of a circle event may be off.
bool isSamePlace(Vec2 a, Vec2 b) {
  constexpr uint64_t kSteps = 128;
  return steps(a.x, b.x) <= kSteps && steps(a.y, b.y) <= kSteps;
}

}  // namespace

SweepEdges::SweepEdges(size_t sites) : sites_(sites) {
  vertices_.reserve(2 * sites);
  edges_.reserve(6 * sites);
}

// The ends become the start of e.
void SweepEdges::collapse(uint32_t e) {
  const uint32_t vertex = edges_[e].start;
  const uint32_t twin = e ^ 1;
  for (uint32_t out = edges_[twin].previous ^ 1; out != twin; out = edges_[out].previous ^ 1)
    edges_[out].start = vertex;
  link(edges_[e].previous, edges_[e].next);
  link(edges_[twin].previous, edges_[twin].next);
  edges_[e].site = edges_[twin].site = kNone;
  left_ -= 2;
}

void SweepEdges::dropShort() {
  left_ = edges_.size();
  for (uint32_t e = 0; e < edges_.size(); e += 2) {
    const uint32_t from = edges_[e].start;
    const uint32_t to = edges_[e ^ 1].start;
    if (from != kNone && to != kNone && isSamePlace(vertices_[from], vertices_[to])) collapse(e);
  }
}

// Lines that nothing ends: each cell between two of them has both as its ring.
void SweepEdges::closeParallel() {
  if (edges_.empty()) return;
  link(0, 0);
  for (uint32_t e = 1; e + 1 < edges_.size(); e += 2) {
    link(e, e + 1);
    link(e + 1, e);
  }
  const auto last = static_cast<uint32_t>(edges_.size() - 1);
  link(last, last);
}

void SweepEdges::closeAtInfinity() {
  if (vertices_.empty()) return closeParallel();
  std::vector<uint32_t> outwards(sites_, kNone);
  std::vector<uint32_t> inwards;
  for (uint32_t e = 0; e < edges_.size(); ++e) {
    const HalfEdge& edge = edges_[e];
    if ((edge.next != kNone && edge.previous != kNone) || edge.site == kNone) continue;
    if (edge.next == kNone) outwards[edge.site] = e;
    if (edge.previous == kNone) inwards.push_back(e);
  }
  for (const uint32_t e : inwards) {
    if (outwards[edges_[e].site] != kNone) link(outwards[edges_[e].site], e);
  }
}

// In the order of the sweep, the ring of a site is scattered. Along the rings, site by site, a walk around neighbouring
// sites stays in the caches.
std::vector<uint32_t> SweepEdges::numberAlongRings(std::vector<uint32_t>& idOf) const {
  std::vector<uint32_t> ringOf(sites_, kNone);
  for (uint32_t e = 0; e < edges_.size(); ++e) {
    if (edges_[e].site != kNone) ringOf[edges_[e].site] = e;
  }
  std::vector<uint32_t> order(edges_.size());
  uint32_t count = 0;
  const auto number = [&](uint32_t e) {
    if (idOf[e] != kNone) return;
    idOf[e] = count;
    idOf[e ^ 1] = count + 1;
    order[count++] = e;
    order[count++] = e ^ 1;
  };
  size_t steps = 0;  // a broken ring ends somewhere, too; the validator tells
  for (const uint32_t first : ringOf) {
    uint32_t e = first;
    while (e != kNone && steps++ < edges_.size()) {
      number(e);
      e = edges_[e].next == first ? kNone : edges_[e].next;
    }
  }
  for (uint32_t e = 0; e < edges_.size() && count < left_; ++e) {
    if (edges_[e].site != kNone) number(e);
  }
  order.resize(count);
  return order;
}

VoronoiDiagram SweepEdges::finish(const std::vector<VoronoiSite>& sites) && {
  dropShort();
  closeAtInfinity();
  std::vector<uint32_t> idOf(edges_.size(), kNone);
  const std::vector<uint32_t> order = numberAlongRings(idOf);

  VoronoiDiagram result;
  result.sites = sites;
  result.edgeOf.assign(sites.size(), kNone);
  result.edges.resize(order.size());
  result.vertices.reserve(vertices_.size());
  std::vector<uint32_t> vertexIdOf(vertices_.size(), kNone);
  for (uint32_t id = 0; id < order.size(); ++id) {
    const HalfEdge& edge = edges_[order[id]];
    VoronoiDiagram::HalfEdge& half = result.edges[id];
    if (edge.start != kNone) {
      uint32_t& start = vertexIdOf[edge.start];
      if (start == kNone) {
        start = static_cast<uint32_t>(result.vertices.size());
        result.vertices.push_back(vertices_[edge.start]);
      }
      half.start = start;
    }
    half.site = edge.site;
    half.next = edge.next == kNone ? kNone : idOf[edge.next];
    const uint32_t across = edges_[order[id] ^ 1].site;
    const bool isSegment = sites[edge.site].kind == VoronoiSite::Kind::kSegment;
    if (isSegment != (sites[across].kind == VoronoiSite::Kind::kSegment)) {
      const VoronoiSite& segment = sites[isSegment ? edge.site : across];
      const uint32_t point = isSegment ? across : edge.site;
      half.primary = segment.siteA != point && segment.siteB != point;
      half.curved = half.primary;
    }
    if (result.edgeOf[edge.site] == kNone) result.edgeOf[edge.site] = id;
  }
  return result;
}

}  // namespace wend
