#include "environment/edit/cut_rings.h"

#include <algorithm>
#include <map>

#include "base/disjoint_sets.h"
#include "geometry/overlay.h"
#include "geometry/predicates.h"

namespace wend {
namespace {

// Units between the frame of a group and all that is in it.
constexpr int32_t kFrame = 8;

// Whether a loop of either direction is a convex polygon without straight corners.
bool isStrictlyConvex(const Ring& loop) {
  const size_t n = loop.size();
  int turn = 0;
  int turns = 0;  // of the walk from left to right or back: two if it goes around once
  for (size_t i = 0; i < n; ++i) {
    const Point a = loop[i];
    const Point b = loop[(i + 1) % n];
    const Point c = loop[(i + 2) % n];
    const int side = orient(a, b, c);
    if (side == 0 || side * turn < 0) return false;
    turn = side;
    if ((b.x < a.x) != (c.x < b.x)) ++turns;
  }
  return turns == 2;
}

// The hole that a convex loop leaves: clockwise, from its smallest vertex on.
Ring holeOf(Ring loop) {
  if (orient(loop[0], loop[1], loop[2]) > 0) std::reverse(loop.begin(), loop.end());
  std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
  return loop;
}

class RingCutter {
 public:
  RingCutter(const LiveBase& base, std::span<const Footprint> footprints, const RoutedSources& routed,
             const Context& context)
      : base_(base),
        rings_(base.boundary().rings()),
        footprints_(footprints),
        routed_(routed),
        context_(context),
        sets_(rings_.size() + footprints.size()),
        concerned_(rings_.size(), 0) {}

  Result<std::vector<CutGroup>> run() {
    link();
    std::vector<std::vector<uint32_t>> groups = groupNodes();
    while (linkHolesAround(groups)) groups = groupNodes();
    std::vector<CutGroup> result;
    for (const std::vector<uint32_t>& nodes : groups) {
      if (context_.cancelled()) return Error{ErrorCode::kCancelled, "cancelled while cutting obstacles out"};
      CutGroup group;
      if (Status status = cut(nodes, group); !status.ok()) return status.error();
      result.push_back(std::move(group));
    }
    return result;
  }

 private:
  uint32_t count() const { return static_cast<uint32_t>(rings_.size()); }

  void link() {
    const auto join = [&](uint32_t a, uint32_t b) {
      for (const uint32_t node : {a, b}) {
        if (node < count()) concerned_[node] = 1;
      }
      sets_.join(a, b);
    };
    std::vector<uint8_t> meets(footprints_.size(), 0);
    for (const auto& [a, b] : routed_.links) {
      join(a, b);
      for (const uint32_t node : {a, b}) {
        if (node >= count()) meets[node - count()] = 1;
      }
    }
    for (const auto& [wall, stops] : routed_.walls) concerned_[base_.ringOf(wall)] = 1;
    std::map<uint32_t, std::vector<std::pair<Box, uint32_t>>> placed;  // by layer
    for (uint32_t f = 0; f < footprints_.size(); ++f) {
      const Box box = boundingBox(footprints_[f]);
      if (!box.empty()) placed[footprints_[f].layer].emplace_back(box, f);
    }
    for (auto& [layer, boxes] : placed) {
      std::sort(boxes.begin(), boxes.end(), [](const auto& a, const auto& b) { return a.first.min < b.first.min; });
      for (size_t i = 0; i < boxes.size(); ++i) {
        for (size_t j = i + 1; j < boxes.size() && boxes[j].first.min.x <= boxes[i].first.max.x; ++j) {
          if (!overlap(boxes[i].first, boxes[j].first)) continue;
          join(count() + boxes[i].second, count() + boxes[j].second);
          meets[boxes[i].second] = meets[boxes[j].second] = 1;
        }
      }
      // What lies around or inside a footprint meets no line of it.
      for (const auto& [box, f] : boxes) {
        if (meets[f] == 0 && standsFree(f, box)) continue;
        base_.forEachEdge(layer, box, [&, node = count() + f](uint32_t e) { join(base_.ringOf(e), node); });
      }
    }
  }

  // Whether one loop that meets nothing has nothing inside either. A wall on a connection beside it does not count as
  // away: it may bend for something in the other layer.
  bool standsFree(uint32_t f, const Box& box) const {
    if (footprints_[f].loops.size() != 1) return false;
    const Polygon polygon{footprints_[f].loops.front(), {}};
    bool isFree = true;
    base_.forEachEdge(footprints_[f].layer, box, [&](uint32_t e) {
      isFree = isFree && base_.twin(e) == kNone && locate(polygon, base_.boundary().start(e)) == Side::kOutside;
    });
    return isFree;
  }

  std::vector<std::vector<uint32_t>> groupNodes() {
    std::map<uint32_t, std::vector<uint32_t>> members;  // by the least member
    for (uint32_t i = 0; i < rings_.size(); ++i) {
      if (concerned_[i] != 0) members[sets_.find(i)].push_back(i);
    }
    for (uint32_t f = 0; f < footprints_.size(); ++f) {
      if (!footprints_[f].loops.empty()) members[sets_.find(count() + f)].push_back(count() + f);
    }
    std::vector<std::vector<uint32_t>> groups;
    for (auto& [set, nodes] : members) groups.push_back(std::move(nodes));
    return groups;
  }

  // A polygon of a group must have those of its holes that something of the group lies in: without them that would lie
  // in free space. Returns whether a hole was added.
  bool linkHolesAround(const std::vector<std::vector<uint32_t>>& groups) {
    bool added = false;
    for (const std::vector<uint32_t>& nodes : groups) {
      std::vector<uint32_t> polygons;
      for (const uint32_t node : nodes) {
        if (node < count()) polygons.push_back(rings_[node].polygon);
      }
      if (polygons.empty()) continue;
      std::sort(polygons.begin(), polygons.end());
      for (const uint32_t node : nodes) {
        for (const uint32_t ring : ringsAround(node)) {
          if (rings_[ring].hole == 0 || ring == node) continue;
          if (!std::binary_search(polygons.begin(), polygons.end(), rings_[ring].polygon)) continue;
          if (concerned_[ring] != 0 && sets_.find(ring) == sets_.find(node)) continue;
          concerned_[ring] = 1;
          sets_.join(ring, node);
          added = true;
        }
      }
    }
    return added;
  }

  std::vector<uint32_t> ringsAround(uint32_t node) const {
    if (node >= count()) {
      const Footprint& footprint = footprints_[node - count()];
      return base_.ringsAround(footprint.layer, toVec2(footprint.loops.front().front()));
    }
    const Boundary& boundary = base_.boundary();
    // The middle of an edge lies on no other ring.
    const Vec2 a = toVec2(boundary.start(rings_[node].begin));
    const Vec2 b = toVec2(boundary.end(rings_[node].begin));
    return base_.ringsAround(rings_[node].layer, {(a.x + b.x) / 2, (a.y + b.y) / 2});
  }

  // At most one polygon has holes in a group that its outer ring is not in: between two such polygons there is an outer
  // ring, which boxes that lead from one to the other meet. A frame around the group stands for it.
  Status cut(const std::vector<uint32_t>& nodes, CutGroup& group) {
    std::map<uint32_t, Shape> byPolygon;
    std::vector<Shape> shapes;
    Box all;
    for (const uint32_t node : nodes) {
      if (node < count()) {
        group.layer = rings_[node].layer;
        group.rings.push_back(node);
        Ring ring = routedRing(base_, node, routed_);
        all.add(boundingBox(std::span<const Point>(ring)));
        byPolygon[rings_[node].polygon].loops.push_back(std::move(ring));
        continue;
      }
      const uint32_t f = node - count();
      group.footprints.push_back(f);
      group.layer = footprints_[f].layer;
      Shape& shape = shapes.emplace_back();
      shape.group = 1;
      shape.loops = routed_.loops[f];
      for (const Ring& loop : shape.loops) all.add(boundingBox(std::span<const Point>(loop)));
    }
    uint32_t framed = kNone;
    for (const auto& [polygon, shape] : byPolygon) {
      group.polygons.push_back(polygon);
      const uint32_t outer = base_.firstRing(polygon);
      if (std::find(group.rings.begin(), group.rings.end(), outer) == group.rings.end()) framed = polygon;
    }
    if (group.rings.empty()) {
      framed = base_.polygonAt(group.layer, toVec2(shapes.front().loops.front().front()));
      if (framed == kNone) return Done{};  // inside an obstacle of the base
      group.polygons.push_back(framed);
      if (shapes.size() == 1 && shapes[0].loops.size() == 1 && isStrictlyConvex(shapes[0].loops[0])) {
        group.holes.push_back(holeOf(std::move(shapes[0].loops[0])));
        return Done{};
      }
    }
    Ring frame;
    if (framed != kNone) {
      const Point low{all.min.x - kFrame, all.min.y - kFrame};
      const Point high{all.max.x + kFrame, all.max.y + kFrame};
      frame = {low, {high.x, low.y}, high, {low.x, high.y}};
      byPolygon[framed].loops.push_back(frame);
    }
    for (auto& [polygon, shape] : byPolygon) shapes.push_back(std::move(shape));
    Result<std::vector<Polygon>> left = overlay(
        shapes, [](uint32_t groups) { return groups == 1; }, context_);
    if (!left.ok()) return left.error();
    for (Polygon& polygon : *left) {
      if (frame.empty() || polygon.outer != frame) group.outers.push_back(std::move(polygon.outer));
      for (Ring& hole : polygon.holes) group.holes.push_back(std::move(hole));
    }
    return Done{};
  }

  const LiveBase& base_;
  std::span<const Boundary::Ring> rings_;
  std::span<const Footprint> footprints_;
  const RoutedSources& routed_;
  const Context& context_;
  DisjointSets sets_;
  std::vector<uint8_t> concerned_;  // per ring
};

}  // namespace

Result<std::vector<CutGroup>> cutRings(const LiveBase& base, std::span<const Footprint> footprints,
                                       const RoutedSources& routed, const Context& context) {
  return RingCutter(base, footprints, routed, context).run();
}

}  // namespace wend
