#include "planning/replan/axis_change.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>

#include "base/hash.h"
#include "generators/ecm/arc.h"
#include "geometry/vec2.h"

namespace wend {
namespace {

using Site = CorridorMap::Site;

auto keyOf(const Site& s) {
  return std::tuple(s.layer, s.kind, s.a, s.b);
}

void add(Hash& hash, const Site& s) {
  hash.add(s.a.x);
  hash.add(s.a.y);
  hash.add(s.b.x);
  hash.add(s.b.y);
  hash.add(s.layer);
}

// The sites of an arc in the direction of a walk along it.
struct ArcSites {
  const Site* left;
  const Site* right;
  uint64_t hash() const {
    Hash h;
    add(h, *left);
    add(h, *right);
    return h.value();
  }
};

// Arc i of a half-edge, in its direction.
ArcSites sitesOf(const CorridorMap& map, uint32_t halfEdge, uint32_t i) {
  const CorridorMap::Edge& edge = map.edges[halfEdge >> 1];
  const bool reversed = (halfEdge & 1) != 0;
  const CorridorMap::Arc& arc = map.arcs[edge.first + (reversed ? edge.count - 2 - i : i)];
  const Site* left = &map.sites[arc.left];
  const Site* right = &map.sites[arc.right];
  return reversed ? ArcSites{right, left} : ArcSites{left, right};
}

// The same for both directions of an edge.
uint64_t edgeKey(const CorridorMap& map, uint32_t edge) {
  const uint64_t a = sitesOf(map, 2 * edge, 0).hash();
  const uint64_t b = sitesOf(map, 2 * edge + 1, 0).hash();
  Hash h;
  h.add(std::min(a, b));
  h.add(std::max(a, b));
  h.add(map.edges[edge].count);
  return h.value();
}

}  // namespace

AxisChange::AxisChange(std::shared_ptr<const CorridorMap> before, std::shared_ptr<const CorridorMap> after)
    : before_(std::move(before)), after_(std::move(after)) {
  matchEdges();
  findWalls();
  coverChange();
}

bool AxisChange::isSame(uint32_t oldEdge, uint32_t newHalfEdge) const {
  const CorridorMap::Edge& was = before_->edges[oldEdge];
  const CorridorMap::Edge& now = after_->edges[newHalfEdge >> 1];
  const bool reversed = (newHalfEdge & 1) != 0;
  const auto near = [](double a, double b) { return std::abs(a - b) <= kSameEdge; };
  const auto nearPoints = [&](Vec2 a, Vec2 b) { return near(a.x, b.x) && near(a.y, b.y); };
  if (was.count != now.count || !near(was.length, now.length) || !near(was.minClearance, now.minClearance)) {
    return false;
  }
  const CorridorMap::Vertex& from = after_->vertices[reversed ? now.to : now.from];
  const CorridorMap::Vertex& to = after_->vertices[reversed ? now.from : now.to];
  if (!nearPoints(before_->vertices[was.from].p, from.p) || !nearPoints(before_->vertices[was.to].p, to.p)) {
    return false;
  }
  for (uint32_t i = 0; i + 1 < was.count; ++i) {
    const ArcSites a = sitesOf(*before_, 2 * oldEdge, i);
    const ArcSites b = sitesOf(*after_, newHalfEdge, i);
    if (*a.left != *b.left || *a.right != *b.right) return false;
  }
  return true;
}

void AxisChange::matchEdges() {
  newEdge_.assign(before_->edges.size(), kNone);
  oldEdge_.assign(after_->edges.size(), kNone);
  std::unordered_multimap<uint64_t, uint32_t> byKey;
  byKey.reserve(after_->edges.size());
  for (uint32_t e = 0; e < after_->edges.size(); ++e) byKey.emplace(edgeKey(*after_, e), e);
  for (uint32_t e = 0; e < before_->edges.size(); ++e) {
    const auto [first, last] = byKey.equal_range(edgeKey(*before_, e));
    for (auto at = first; at != last && newEdge_[e] == kNone; ++at) {
      if (oldEdge_[at->second] != kNone) continue;
      for (const uint32_t halfEdge : {2 * at->second, 2 * at->second + 1}) {
        if (newEdge_[e] != kNone || !isSame(e, halfEdge)) continue;
        newEdge_[e] = halfEdge;
        oldEdge_[halfEdge >> 1] = e;
      }
    }
    if (newEdge_[e] == kNone) ++gone_;
  }
  for (uint32_t e = 0; e < after_->edges.size(); ++e) {
    if (oldEdge_[e] == kNone) changed_.push_back(e);
  }
}

void AxisChange::findWalls() {
  if (empty()) return;
  const auto less = [](const Site* a, const Site* b) { return keyOf(*a) < keyOf(*b); };
  const auto sorted = [&](const CorridorMap& map) {
    std::vector<const Site*> sites;
    for (const Site& site : map.sites) sites.push_back(&site);
    std::sort(sites.begin(), sites.end(), less);
    return sites;
  };
  const std::vector<const Site*> was = sorted(*before_);
  const std::vector<const Site*> now = sorted(*after_);
  std::vector<const Site*> went;
  std::vector<const Site*> came;
  std::set_difference(was.begin(), was.end(), now.begin(), now.end(), std::back_inserter(went), less);
  std::set_difference(now.begin(), now.end(), was.begin(), was.end(), std::back_inserter(came), less);
  std::vector<WallPiece> changed;
  const auto pointOf = [](Point p) { return Vec2{static_cast<double>(p.x), static_cast<double>(p.y)}; };
  for (const Site* site : went) changed.push_back({site->layer, pointOf(site->a), pointOf(site->b), true});
  for (const Site* site : came) changed.push_back({site->layer, pointOf(site->a), pointOf(site->b), false});
  walls_ = wallDifference(changed);
}

void AxisChange::coverChange() {
  ChangedPart event;
  for (const WallPiece& wall : walls_) {
    event.add(ChangedBox{{std::min(wall.a.x, wall.b.x), std::min(wall.a.y, wall.b.y)},
                         {std::max(wall.a.x, wall.b.x), std::max(wall.a.y, wall.b.y)}});
  }
  event.merge(0);
  const auto offTheEvent = [&](Vec2 p) { return event.empty() ? 0 : event.distance(p); };
  for (const uint32_t e : changed_) {
    const CorridorMap::Edge& edge = after_->edges[e];
    if (after_->vertices[edge.from].degree == 1 || after_->vertices[edge.to].degree == 1) continue;
    Vec2 best = after_->bendingPoints[edge.first].p;
    const auto offer = [&](Vec2 p) {
      if (offTheEvent(p) < offTheEvent(best)) best = p;
    };
    for (uint32_t i = edge.first; i < edge.first + edge.count; ++i) {
      offer(after_->bendingPoints[i].p);
      if (i + 1 == edge.first + edge.count) break;
      const CorridorMap::Arc& arc = after_->arcs[i];
      const CorridorMap::BendingPoint& from = after_->bendingPoints[i];
      const CorridorMap::BendingPoint& to = after_->bendingPoints[i + 1];
      const ecm::ArcCurve curve(after_->sites[arc.left], after_->sites[arc.right], from.p, to.p, from.clearance,
                                to.clearance);
      for (const ChangedBox& box : event.boxes()) {
        offer(curve.position(curve.parameter(0.5 * (box.low + box.high))));
      }
    }
    part_.add(best);
  }
  // Boxes that touch nearly are one event.
  double size = 0;
  for (const ChangedBox& box : event.boxes()) size = std::max(size, distance(box.low, box.high));
  part_.merge(size);
}

}  // namespace wend
