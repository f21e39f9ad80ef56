#include "environment/extract/exact/layers/touches.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/disjoint_sets.h"
#include "geometry/vec2.h"

namespace wend::exact {
namespace {

// Ends of links this near are the same place. Grains.
constexpr double kMeet = 4;
// Contacts between two patches of which there are more are not chained.
constexpr size_t kMostInChains = 1000;

class TouchFinder {
 public:
  TouchFinder(std::span<const Point> points, const Edges& edges, std::span<const uint32_t> match,
              const Tolerances& tolerances)
      : points_(points), edges_(edges), match_(match), tol_(tolerances) {}

  // Contacts between two patches that are shorter than a passage, all abutting ones taken together, are touches.
  void run(std::vector<RawLink>& raw) const {
    std::vector<uint32_t> shorter;
    for (uint32_t i = 0; i < raw.size(); ++i) {
      if (mayBeTouch(raw[i])) shorter.push_back(i);
    }
    if (shorter.empty()) return;
    std::vector<std::pair<uint64_t, uint32_t>> order(raw.size());
    for (uint32_t i = 0; i < raw.size(); ++i) order[i] = {patchesOf(raw[i]), i};
    std::sort(order.begin(), order.end());
    std::vector<uint32_t> group;
    std::vector<uint8_t> dropped(raw.size(), 0);
    for (size_t i = 0, j = 0; i < order.size(); i = j) {
      group.clear();
      bool any = false;
      for (; j < order.size() && order[j].first == order[i].first; ++j) {
        const RawLink& link = raw[order[j].second];
        group.push_back(order[j].second);
        any = any || mayBeTouch(link);
      }
      if (any) dropShortChains(raw, group, dropped);
    }
    keepBetween(raw, shorter, dropped);
    size_t kept = 0;
    for (size_t i = 0; i < raw.size(); ++i) {
      if (dropped[i] == 0) raw[kept++] = raw[i];
    }
    raw.resize(kept);
  }

 private:
  bool mayBeTouch(const RawLink& link) const { return link.to - link.from < tol_.passage && !areEqual(link); }

  // Edges in opposite directions at the same height that would have been matched, had rounding not moved their ends.
  bool areEqual(const RawLink& link) const {
    const Facing& f = link.facing;
    const auto same = [&](double t, double u) { return std::abs(t - u) <= tol_.same; };
    const auto together = [&](double t) {
      return std::abs(f.lateral(t)) <= tol_.same && std::abs(f.heightE(t) - f.heightG(t)) <= tol_.contact;
    };
    return f.length > tol_.jag && same(f.gFrom, 0) && same(f.gTo, f.length) && same(link.from, 0) &&
           same(link.to, f.length) && together(0) && together(f.length);
  }

  // Both as one number.
  uint64_t patchesOf(const RawLink& link) const {
    const auto [p, q] = std::minmax({edges_.patch[link.e], edges_.patch[link.g]});
    return uint64_t{p} << 32 | q;
  }

  // Where a line that may be crossed passes the tip of a third patch, the contact with the tip is no touch. Two patches
  // that touch from a point on where both may be left for a third one only go on as they were.
  void keepBetween(const std::vector<RawLink>& raw, std::span<const uint32_t> shorter,
                   std::vector<uint8_t>& dropped) const {
    std::vector<uint32_t> kept;
    for (const uint32_t i : shorter) {
      if (dropped[i] != 0 && edges_.patch[raw[i].e] != edges_.patch[raw[i].g]) kept.push_back(i);
    }
    if (kept.empty()) return;
    const std::vector<Ending> endings = endingsOf(raw, kept, dropped);
    std::stable_sort(kept.begin(), kept.end(),
                     [&](uint32_t i, uint32_t k) { return patchesOf(raw[i]) < patchesOf(raw[k]); });
    for (size_t i = 0, j = 0; i < kept.size(); i = j) {
      while (j < kept.size() && patchesOf(raw[kept[j]]) == patchesOf(raw[kept[i]])) ++j;
      const auto group = std::span(kept).subspan(i, j - i);
      for (const uint32_t link : group) {
        const auto from = thirdPatches(raw[link], chainEnd(raw, group, link, raw[link].from), endings);
        const auto to = thirdPatches(raw[link], chainEnd(raw, group, link, raw[link].to), endings);
        if (from.both || to.both || (from.any && to.any)) dropped[link] = 0;
      }
    }
  }

  // Where the contact that ends at t goes on between the same patches, its far end.
  Vec2 chainEnd(const std::vector<RawLink>& raw, std::span<const uint32_t> group, uint32_t link, double t) const {
    Vec2 at = place(raw[link], t);
    if (group.size() >= kMostInChains) return at;
    const auto meets = [&](double end, uint32_t i) { return near(place(raw[i], end), at, kMeet * tol_.grain); };
    for (size_t steps = 1; steps < group.size(); ++steps) {
      const auto next = std::find_if(group.begin(), group.end(), [&](uint32_t i) {
        return i != link && (meets(raw[i].from, i) || meets(raw[i].to, i));
      });
      if (next == group.end()) break;
      link = *next;
      at = place(raw[link], meets(raw[link].from, link) ? raw[link].to : raw[link].from);
    }
    return at;
  }

  // An end of a link, seen from one of its patches.
  struct Ending {
    uint32_t patch;
    uint32_t other;
    Vec2 place;
  };
  // Of all links of the patches that some have a short one of; sorted by patch.
  std::vector<Ending> endingsOf(const std::vector<RawLink>& raw, std::span<const uint32_t> of,
                                const std::vector<uint8_t>& dropped) const {
    std::vector<uint8_t> wanted(edges_.patch.back() + size_t{1}, 0);
    for (const uint32_t i : of) wanted[edges_.patch[raw[i].e]] = wanted[edges_.patch[raw[i].g]] = 1;
    std::vector<Ending> endings;
    const auto add = [&](uint32_t p, uint32_t q, Vec2 a, Vec2 b) {
      for (const auto& [patch, other] : {std::pair(p, q), std::pair(q, p)}) {
        if (wanted[patch] == 0) continue;
        endings.push_back({patch, other, a});
        endings.push_back({patch, other, b});
      }
    };
    for (uint32_t e = 0; e < match_.size(); ++e) {
      const uint32_t g = match_[e];
      if (g != kNone && e < g) add(edges_.patch[e], edges_.patch[g], toVec2(start(e)), toVec2(end(e)));
    }
    for (uint32_t i = 0; i < raw.size(); ++i) {
      if (dropped[i] != 0) continue;
      add(edges_.patch[raw[i].e], edges_.patch[raw[i].g], place(raw[i], raw[i].from), place(raw[i], raw[i].to));
    }
    std::stable_sort(endings.begin(), endings.end(),
                     [](const Ending& p, const Ending& q) { return p.patch < q.patch; });
    return endings;
  }

  struct Thirds {
    bool any = false;   // some patch that one of the two is linked to, up to this end
    bool both = false;  // that both are linked to
  };
  Thirds thirdPatches(const RawLink& link, Vec2 at, const std::vector<Ending>& endings) const {
    std::vector<uint32_t> others;
    Thirds thirds;
    for (const uint32_t patch : {edges_.patch[link.e], edges_.patch[link.g]}) {
      auto k = std::lower_bound(endings.begin(), endings.end(), patch,
                                [](const Ending& ending, uint32_t p) { return ending.patch < p; });
      const size_t before = others.size();
      for (; k != endings.end() && k->patch == patch; ++k) {
        if (!near(k->place, at, kMeet * tol_.grain)) continue;
        thirds.any = true;
        const auto known = others.begin() + static_cast<std::ptrdiff_t>(before);
        thirds.both = thirds.both || std::find(others.begin(), known, k->other) != known;
        others.push_back(k->other);
      }
    }
    return thirds;
  }

  Vec2 place(const RawLink& link, double t) const {
    const Point a = start(link.e);
    return {a.x + link.facing.ux * t, a.y + link.facing.uy * t};
  }
  static bool near(Vec2 p, Vec2 q, double reach) { return std::abs(p.x - q.x) < reach && std::abs(p.y - q.y) < reach; }

  void dropShortChains(const std::vector<RawLink>& raw, std::span<const uint32_t> group,
                       std::vector<uint8_t>& dropped) const {
    if (group.size() == 1) {
      dropped[group[0]] = 1;
      return;
    }
    DisjointSets chains(group.size());
    for (uint32_t i = 0; i < group.size(); ++i) {
      for (uint32_t j = i + 1; j < group.size() && group.size() < kMostInChains; ++j) {
        for (const double s : {raw[group[i]].from, raw[group[i]].to}) {
          for (const double t : {raw[group[j]].from, raw[group[j]].to}) {
            if (near(place(raw[group[i]], s), place(raw[group[j]], t), tol_.gap + kMeet * tol_.grain))
              chains.join(i, j);
          }
        }
      }
    }
    std::vector<double> length(group.size(), 0);
    for (uint32_t i = 0; i < group.size(); ++i) length[chains.find(i)] += raw[group[i]].to - raw[group[i]].from;
    for (uint32_t i = 0; i < group.size(); ++i) {
      if (length[chains.find(i)] < tol_.passage && !areEqual(raw[group[i]])) dropped[group[i]] = 1;
    }
  }

  Point start(uint32_t e) const { return points_[e]; }
  Point end(uint32_t e) const { return points_[edges_.next[e]]; }

  std::span<const Point> points_;
  const Edges& edges_;
  std::span<const uint32_t> match_;
  const Tolerances& tol_;
};

}  // namespace

void dropTouches(std::span<const Point> points, const Edges& edges, std::span<const uint32_t> match,
                 const Tolerances& tolerances, std::vector<RawLink>& raw) {
  TouchFinder(points, edges, match, tolerances).run(raw);
}

}  // namespace wend::exact
