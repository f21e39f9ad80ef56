#include "generators/ecm/open_simple.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "generators/ecm/open_circle.h"
#include "geometry/voronoi/voronoi.h"

namespace wend::ecm {
namespace {

// Lattice units: how far a crossing may lie from its gap, and a gap beyond the end of its edge. Anything worse is left
// to the sweep.
constexpr Wide kOff = 1e-3L;

class Projection {
 public:
  Projection(const Diagram& diagram, const Zone& zone) : diagram_(diagram), zone_(zone) {}

  std::optional<ZoneTree> run() {
    if (!gather() || !findGaps() || !isSafe() || !walk()) return std::nullopt;
    return std::move(tree_);
  }

 private:
  using Edge = VoronoiDiagram::HalfEdge;
  static uint32_t size(const auto& list) { return static_cast<uint32_t>(list.size()); }

  // The sites in top view: several labels may be one site of the surface, but not two sites of it.
  struct Neighbour {
    Point a, b;  // a <= b
    uint32_t site;
    auto operator<=>(const Neighbour&) const = default;
  };

  bool gather() {
    std::vector<Neighbour> all;
    for (const uint32_t label : zone_.labels) {
      const Diagram::Site& site = diagram_.sites[label];
      all.push_back({std::min(site.a, site.b), std::max(site.a, site.b), label});
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    std::vector<Segment> segments;
    std::vector<Point> points;
    for (size_t i = 0; i < all.size(); ++i) {
      if (i > 0 && all[i].a == all[i - 1].a && all[i].b == all[i - 1].b) return false;
      if (all[i].a == all[i].b) {
        points.push_back(all[i].a);
      } else {
        segments.push_back({all[i].a, all[i].b});
      }
    }
    Context serial;
    serial.threads = 1;
    Result<VoronoiDiagram> result = voronoi(segments, points, serial);
    if (!result.ok()) return false;
    voronoi_ = std::move(result).value();
    for (const VoronoiSite& site : voronoi_.sites) {
      const Neighbour wanted{std::min(site.a, site.b), std::max(site.a, site.b), 0};
      const auto it = std::lower_bound(all.begin(), all.end(), wanted);
      const bool known = it != all.end() && it->a == wanted.a && it->b == wanted.b;
      siteOf_.push_back(known ? it->site : kNone);
      // The end of a neighbour that is none itself is never the nearest one inside of the zone.
      const Diagram::Site* own = known ? &diagram_.sites[it->site] : nullptr;
      tangentSites_.push_back(own != nullptr ? TangentSite(own->a, own->b) : TangentSite(site.a, site.b));
    }
    return true;
  }

  WideVec vertex(uint32_t v) const { return wide(voronoi_.vertices[v]); }

  // Whether a point of the bisector lies on the half-edge, by its progress. Edges may be endless.
  bool isOn(uint32_t e, const TangentSite& u, const TangentSite& v, WideVec p) const {
    const WideVec direction = voronoi_.edges[e].primary ? bisectorDirection(u, v) : normalDirection(u, v);
    const uint32_t start = voronoi_.edges[e].start;
    const uint32_t end = voronoi_.end(e);
    return (start == kNone || dot(p - vertex(start), direction) >= -kOff) &&
           (end == kNone || dot(p - vertex(end), direction) <= kOff);
  }

  // Along the normal in a segment's end, whether in front of the segment or behind it.
  static WideVec normalDirection(const TangentSite& u, const TangentSite& v) {
    const TangentSite& line = u.isPoint() ? v : u;
    const Point end = u.isPoint() ? u.a : v.a;
    const WideVec inwards = wide(line.a == end ? line.b : line.a) - wide(end);
    const WideVec direction = left(inwards) * (1 / norm(inwards));
    return u.isPoint() ? direction : direction * -1;
  }

  // A segment's cell lies on both of its sides. Those on which the edge runs: the free one, the other one; a normal
  // may run through the end from one to the other.
  struct Sides {
    bool front = false;
    bool back = false;
  };
  Sides sidesOf(uint32_t e, uint32_t site) const {
    const TangentSite& tangentSite = tangentSites_[site];
    if (tangentSite.isPoint()) return {true, false};
    Sides sides;
    for (const uint32_t v : {voronoi_.edges[e].start, voronoi_.end(e)}) {
      if (v == kNone) continue;
      const Wide d = distance(tangentSite, vertex(v));
      sides.front = sides.front || d > kOff;
      sides.back = sides.back || d < -kOff;
    }
    if (!voronoi_.edges[e].primary || (!sides.front && !sides.back)) return {true, true};
    return sides;
  }

  // The half-edge on which each gap lies, its label on the left.
  bool findGaps() {
    std::vector<std::tuple<uint32_t, uint32_t, uint32_t>> byPair;
    for (uint32_t e = 0; e < size(voronoi_.edges); ++e) {
      const uint32_t u = siteOf_[voronoi_.edges[e].site];
      const uint32_t v = siteOf_[voronoi_.across(e)];
      if (u != kNone && v != kNone) byPair.emplace_back(u, v, e);
    }
    std::sort(byPair.begin(), byPair.end());
    const uint32_t count = size(zone_.labels);
    for (uint32_t k = 0; k < count; ++k) {
      const uint32_t u = zone_.labels[k];
      const uint32_t v = zone_.labels[k + 1 == count ? 0 : k + 1];
      const WideVec p = place(k);
      uint32_t found = kNone;
      for (auto it = std::lower_bound(byPair.begin(), byPair.end(), std::tuple(u, v, 0U));
           it != byPair.end() && std::get<0>(*it) == u && std::get<1>(*it) == v; ++it) {
        const uint32_t e = std::get<2>(*it);
        const TangentSite& left = tangentSites_[voronoi_.edges[e].site];
        const TangentSite& right = tangentSites_[voronoi_.across(e)];
        if (!sidesOf(e, voronoi_.edges[e].site).front || !sidesOf(e, voronoi_.across(e)).front) continue;
        if (!isOn(e, left, right, p)) continue;
        if (found != kNone) return false;
        found = e;
      }
      if (found == kNone) return false;
      gapEdge_.push_back(found);
    }
    return true;
  }

  WideVec place(uint32_t gap) const { return wide(diagram_.vertices[zone_.gaps[gap].vertex].p); }

  bool isSafe() const {
    std::vector<std::vector<uint32_t>> gapsOn(voronoi_.edges.size() / 2);
    for (uint32_t k = 0; k < size(gapEdge_); ++k) gapsOn[gapEdge_[k] / 2].push_back(k);
    for (uint32_t e = 0; e < size(voronoi_.edges); e += 2) {
      const uint32_t u = voronoi_.edges[e].site;
      const uint32_t v = voronoi_.across(e);
      const Sides ofU = sidesOf(e, u);
      const Sides ofV = sidesOf(e, v);
      for (const bool frontU : {true, false}) {
        if (!(frontU ? ofU.front : ofU.back)) continue;
        for (const bool frontV : {true, false}) {
          if (!(frontV ? ofV.front : ofV.back)) continue;
          if (!crossesInGaps(e, seen(u, frontU), seen(v, frontV), gapsOn[e / 2])) return false;
        }
      }
    }
    return true;
  }

  TangentSite seen(uint32_t site, bool front) const {
    const TangentSite& tangentSite = tangentSites_[site];
    return front ? tangentSite : TangentSite(tangentSite.b, tangentSite.a);
  }

  bool crossesInGaps(uint32_t e, const TangentSite& u, const TangentSite& v, const std::vector<uint32_t>& gaps) const {
    for (const bool above : {true, false}) {
      if (zone_.isPoint() && !above) continue;
      const TangentSite face = above ? TangentSite(zone_.a, zone_.b) : TangentSite(zone_.b, zone_.a);
      const Circles circles = tangentCircles(u, v, face);
      for (int i = 0; i < circles.count; ++i) {
        const WideVec p = circles.circle[static_cast<size_t>(i)].centre;
        if (isBesideObstacle(p) && isOn(e, u, v, p) && !isGap(gaps, p)) return false;
      }
    }
    return true;
  }

  bool isBesideObstacle(WideVec p) const {
    if (zone_.isPoint()) return true;
    const WideVec d = wide(zone_.b) - wide(zone_.a);
    const Wide t = dot(p - wide(zone_.a), d) / dot(d, d);
    return t >= -1e-9L && t <= 1 + 1e-9L;
  }

  bool isGap(const std::vector<uint32_t>& gaps, WideVec p) const {
    // A crossing in a vertex of the outline is one of all the edges there.
    const auto near = [&](uint32_t k) { return norm(place(k) - p) <= kOff; };
    if (std::any_of(gaps.begin(), gaps.end(), near)) return true;
    for (uint32_t k = 0; k < size(zone_.gaps); ++k) {
      if (near(k)) return true;
    }
    return false;
  }

  // Around each label from its gap to the one before it.
  bool walk() {
    const uint32_t count = size(zone_.labels);
    treeEdge_.assign(voronoi_.edges.size(), kNone);
    treeVertex_.assign(voronoi_.vertices.size(), kNone);
    tree_.edges.resize(2 * static_cast<size_t>(count));
    for (uint32_t k = 0; k < count; ++k) {
      const uint32_t next = k + 1 == count ? 0 : k + 1;
      tree_.edges[2 * k] = {k, k, kNone};
      tree_.edges[2 * k + 1] = {kNone, next, kNone};
    }
    for (uint32_t k = 0; k < count; ++k) {
      if (!walkAround(k, k == 0 ? count - 1 : k - 1)) return false;
    }
    for (const ZoneTree::HalfEdge& edge : tree_.edges) {
      if (edge.start == kNone) return false;
    }
    return tree_.vertices.size() + count == tree_.edges.size() / 2 + 1;
  }

  bool walkAround(uint32_t k, uint32_t before) {
    uint32_t e = gapEdge_[k];
    uint32_t current = 2 * k;  // half-edge of the tree
    const uint32_t last = gapEdge_[before] ^ 1U;
    if (e == last && isAhead(e, place(k), place(before))) return joinGaps(k, before);
    for (size_t step = 0; step < voronoi_.edges.size(); ++step) {
      const uint32_t v = voronoi_.end(e);
      if (v == kNone) return false;
      const uint32_t start = vertexOf(v, voronoi_.edges[e].site);
      if (tree_.edges[current ^ 1U].start != kNone && tree_.edges[current ^ 1U].start != start) return false;
      tree_.edges[current ^ 1U].start = start;
      e = voronoi_.edges[e].next;
      const uint32_t next = e == last ? 2 * before + 1 : halfEdge(e, k, start);
      if (next == kNone) return false;
      tree_.edges[current].next = next;
      if (e == last) {
        if (tree_.edges[next].start != kNone && tree_.edges[next].start != start) return false;
        tree_.edges[next].start = start;
        return true;
      }
      current = next;
    }
    return false;
  }

  bool isAhead(uint32_t e, WideVec from, WideVec to) const {
    const TangentSite& u = tangentSites_[voronoi_.edges[e].site];
    const TangentSite& v = tangentSites_[voronoi_.across(e)];
    return dot(to - from, voronoi_.edges[e].primary ? bisectorDirection(u, v) : normalDirection(u, v)) >= 0;
  }

  // One edge from gap to gap: both halves of it are leaves, joined in the middle.
  bool joinGaps(uint32_t k, uint32_t before) {
    const uint32_t count = size(zone_.labels);
    uint32_t joint = tree_.edges[2 * k + 1].start;
    if (joint == kNone) {
      joint = count + size(tree_.vertices);
      tree_.vertices.push_back({diagram_.vertices[zone_.gaps[k].vertex].p, 0, true});
    }
    tree_.edges[2 * k + 1].start = joint;
    tree_.edges[2 * before + 1].start = joint;
    tree_.edges[2 * k].next = 2 * before + 1;
    return true;
  }

  uint32_t vertexOf(uint32_t v, uint32_t site) {
    if (treeVertex_[v] == kNone) {
      treeVertex_[v] = size(zone_.labels) + size(tree_.vertices);
      tree_.vertices.push_back(
          {voronoi_.vertices[v], static_cast<double>(distance(tangentSites_[site], vertex(v))), false});
    }
    return treeVertex_[v];
  }

  // The half-edge of the tree for an inner one of the Voronoi diagram, kNone if another label has it.
  uint32_t halfEdge(uint32_t e, uint32_t label, uint32_t start) {
    if (siteOf_[voronoi_.edges[e].site] != zone_.labels[label]) return kNone;
    if (treeEdge_[e] == kNone) {
      treeEdge_[e] = size(tree_.edges);
      treeEdge_[e ^ 1U] = size(tree_.edges) + 1;
      tree_.edges.resize(tree_.edges.size() + 2);
    }
    ZoneTree::HalfEdge& edge = tree_.edges[treeEdge_[e]];
    if (edge.label != kNone) return kNone;
    edge.label = label;
    edge.start = start;
    return treeEdge_[e];
  }

  const Diagram& diagram_;
  const Zone& zone_;
  VoronoiDiagram voronoi_;
  std::vector<uint32_t> siteOf_;           // per Voronoi site: the label's site, kNone if it is none
  std::vector<TangentSite> tangentSites_;  // per Voronoi site
  std::vector<uint32_t> gapEdge_;          // per gap: the Voronoi half-edge that enters the zone there
  std::vector<uint32_t> treeEdge_;         // per Voronoi half-edge
  std::vector<uint32_t> treeVertex_;       // per Voronoi vertex, gaps counted
  ZoneTree tree_;
};

}  // namespace

std::optional<ZoneTree> projectZone(const Diagram& diagram, const Zone& zone) {
  return Projection(diagram, zone).run();
}

}  // namespace wend::ecm
