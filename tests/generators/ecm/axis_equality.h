#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <wend/corridor_map.h>

#include <fmt/format.h>

#include "base/disjoint_sets.h"
#include "geometry/vec2.h"

// Whether two medial axes are equal but for rounding. Arcs shorter than kSame are contracted to their ends; then both
// have the same clusters of vertices, the same pairs of sites and arcs between them, and positions within kSame.
namespace wend::ecm {

inline constexpr double kSame = 1e-3;  // lattice units

class AxisShape {
 public:
  explicit AxisShape(const CorridorMap& map) : map_(map), sets_(map.bendingPoints.size()) {
    for (const CorridorMap::Vertex& vertex : map.vertices) {
      for (uint32_t k = vertex.firstOut + 1; k < vertex.firstOut + vertex.degree; ++k) {
        sets_.join(pointOf(map.out[vertex.firstOut]), pointOf(map.out[k]));
      }
    }
    for (uint32_t i = 0; i < map.arcs.size(); ++i) {
      if (map.arcs[i].left != kNone && isShort(i)) sets_.join(i, i + 1);
    }
    for (uint32_t i = 0; i < map.arcs.size(); ++i) {
      if (map.arcs[i].left == kNone || isShort(i)) continue;
      const CorridorMap::Arc& arc = map.arcs[i];
      End from{i, cluster(i)};
      End to{i + 1, cluster(i + 1)};
      auto left = siteKey(arc.left);
      auto right = siteKey(arc.right);
      // Every arc has two directions; the one with the smaller site on its left is compared.
      if (right < left || (left == right && less(map.bendingPoints[i + 1].p, map.bendingPoints[i].p))) {
        std::swap(from, to);
        std::swap(left, right);
      }
      arcs[{left, right}].push_back({from, to, arc.minClearance, arc.length});
    }
  }

  using SiteKey = std::tuple<LayerId, Point, Point>;
  struct End {
    uint32_t point;
    uint32_t cluster;
  };
  struct Arc {
    End from, to;
    double minClearance, length;
  };
  std::map<std::pair<SiteKey, SiteKey>, std::vector<Arc>> arcs;

  Vec2 place(uint32_t point) const { return map_.bendingPoints[point].p; }
  double clearance(uint32_t point) const { return map_.bendingPoints[point].clearance; }
  uint32_t cluster(uint32_t point) { return sets_.find(point); }

 private:
  static bool less(Vec2 a, Vec2 b) { return std::tie(a.x, a.y) < std::tie(b.x, b.y); }
  bool isShort(uint32_t arc) const { return map_.arcs[arc].length < kSame; }
  uint32_t pointOf(uint32_t half) const {
    const CorridorMap::Edge& edge = map_.edges[half / 2];
    return half % 2 == 0 ? edge.first : edge.first + edge.count - 1;
  }
  SiteKey siteKey(uint32_t site) const { return {map_.sites[site].layer, map_.sites[site].a, map_.sites[site].b}; }

  const CorridorMap& map_;
  DisjointSets sets_;
};

// Empty if equal, else one sentence.
inline std::string axisDifference(const CorridorMap& found, const CorridorMap& wanted) {
  AxisShape a(found);
  AxisShape b(wanted);
  std::map<uint32_t, uint32_t> partner;
  std::map<uint32_t, uint32_t> partnerBack;
  const auto marry = [&](uint32_t mine, uint32_t theirs) {
    return partner.try_emplace(mine, theirs).first->second == theirs &&
           partnerBack.try_emplace(theirs, mine).first->second == mine;
  };
  const auto text = [](const auto& key) {
    const auto site = [](const AxisShape::SiteKey& s) {
      const auto& [layer, p, q] = s;
      return fmt::format("({} {})-({} {}) of layer {}", p.x, p.y, q.x, q.y, layer);
    };
    return site(key.first) + " and " + site(key.second);
  };
  const auto apart = [](Vec2 p, Vec2 q) { return distance(p, q); };
  for (const auto& [key, wantedArcs] : b.arcs) {
    const auto it = a.arcs.find(key);
    const size_t count = it == a.arcs.end() ? 0 : it->second.size();
    if (count != wantedArcs.size()) {
      return fmt::format("{} arcs instead of {} between {}; the first wanted from ({:.4f}, {:.4f}) to ({:.4f}, {:.4f})",
                         count, wantedArcs.size(), text(key), b.place(wantedArcs[0].from.point).x,
                         b.place(wantedArcs[0].from.point).y, b.place(wantedArcs[0].to.point).x,
                         b.place(wantedArcs[0].to.point).y);
    }
    std::vector<bool> used(count, false);
    for (const AxisShape::Arc& want : wantedArcs) {
      size_t best = count;
      double least = 1e300;
      for (size_t i = 0; i < count; ++i) {
        if (used[i]) continue;
        const AxisShape::Arc& have = it->second[i];
        const double off = std::max(apart(a.place(have.from.point), b.place(want.from.point)),
                                    apart(a.place(have.to.point), b.place(want.to.point)));
        if (off < least) {
          least = off;
          best = i;
        }
      }
      const AxisShape::Arc& have = it->second[best];
      used[best] = true;
      if (!(least <= kSame)) {
        return fmt::format("the arc between {} is off by {:g} units at ({:.4f}, {:.4f})", text(key), least,
                           b.place(want.from.point).x, b.place(want.from.point).y);
      }
      if (!(std::abs(have.minClearance - want.minClearance) <= kSame) ||
          !(std::abs(a.clearance(have.from.point) - b.clearance(want.from.point)) <= kSame) ||
          !(std::abs(a.clearance(have.to.point) - b.clearance(want.to.point)) <= kSame) ||
          !(std::abs(have.length - want.length) <= 4 * kSame)) {
        return fmt::format("the arc between {} has other clearances or another length", text(key));
      }
      if (!marry(have.from.cluster, want.from.cluster) || !marry(have.to.cluster, want.to.cluster)) {
        return fmt::format("the arc between {} ends in another vertex", text(key));
      }
    }
  }
  for (const auto& [key, arcs] : a.arcs) {
    if (!b.arcs.contains(key)) return fmt::format("{} arcs too many between {}", arcs.size(), text(key));
  }
  return "";
}

}  // namespace wend::ecm
