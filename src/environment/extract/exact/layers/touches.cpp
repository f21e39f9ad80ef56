#include "environment/extract/exact/layers/touches.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

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
  void run(std::vector<RawLink>& raw) {
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
  void keepBetween(const std::vector<RawLink>& raw, std::span<const uint32_t> shorter, std::vector<uint8_t>& dropped) {
    std::vector<uint32_t> kept;
    for (const uint32_t i : shorter) {
      if (dropped[i] != 0 && edges_.patch[raw[i].e] != edges_.patch[raw[i].g]) kept.push_back(i);
    }
    if (kept.empty()) return;
    std::stable_sort(kept.begin(), kept.end(),
                     [&](uint32_t i, uint32_t k) { return patchesOf(raw[i]) < patchesOf(raw[k]); });
    std::vector<std::array<Vec2, 2>> ends;  // of the chain of each
    for (size_t i = 0, j = 0; i < kept.size(); i = j) {
      while (j < kept.size() && patchesOf(raw[kept[j]]) == patchesOf(raw[kept[i]])) ++j;
      const auto group = std::span(kept).subspan(i, j - i);
      for (const uint32_t link : group) {
        ends.push_back({chainEnd(raw, group, link, raw[link].from), chainEnd(raw, group, link, raw[link].to)});
      }
    }
    const std::vector<Ending> endings = endingsNear(ends, raw, kept, dropped);
    for (size_t i = 0; i < kept.size(); ++i) {
      const auto from = thirdPatches(raw[kept[i]], ends[i][0], endings);
      const auto to = thirdPatches(raw[kept[i]], ends[i][1], endings);
      if (from.both || to.both || (from.any && to.any)) dropped[kept[i]] = 0;
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
  static bool comesBefore(const Ending& p, const Ending& q) {
    return p.patch != q.patch ? p.patch < q.patch : p.place.x < q.place.x;
  }

  // Marks the squares around places: where there is none, no place is near.
  class Squares {
   public:
    Squares(double size, size_t places) : size_(size), slots_(std::bit_ceil(kSlotsFor * places)) {}
    void addAround(Vec2 p) {
      for (const int64_t x : {-1, 0, 1}) {
        for (const int64_t y : {-1, 0, 1}) slots_[slotOf(columnOf(p.x) + x, columnOf(p.y) + y)] = 1;
      }
    }
    bool mayHold(Vec2 p) const { return slots_[slotOf(columnOf(p.x), columnOf(p.y))] != 0; }

   private:
    static constexpr size_t kSlotsFor = 64;
    int64_t columnOf(double x) const {
      const double column = x / size_;
      const auto whole = static_cast<int64_t>(column);
      return static_cast<double>(whole) > column ? whole - 1 : whole;
    }
    size_t slotOf(int64_t x, int64_t y) const {
      const uint64_t h = static_cast<uint64_t>(x) ^ static_cast<uint64_t>(y) * 0xc2b2ae3d27d4eb4fULL;
      return h * 0x9e3779b97f4a7c15ULL >> 32 & (slots_.size() - 1);
    }
    double size_;
    std::vector<uint8_t> slots_;
  };

  // Near some places, of all links of the patches that some have a short one of; in order.
  std::vector<Ending> endingsNear(std::span<const std::array<Vec2, 2>> places, const std::vector<RawLink>& raw,
                                  std::span<const uint32_t> of, const std::vector<uint8_t>& dropped) const {
    Squares squares(kMeet * tol_.grain, 2 * places.size());
    for (const auto& [from, to] : places) {
      squares.addAround(from);
      squares.addAround(to);
    }
    std::vector<uint8_t> wanted(edges_.patch.back() + size_t{1}, 0);
    for (const uint32_t i : of) wanted[edges_.patch[raw[i].e]] = wanted[edges_.patch[raw[i].g]] = 1;
    std::vector<Ending> endings;
    const auto addEnd = [&](uint32_t p, uint32_t q, Vec2 at) {
      if (!squares.mayHold(at)) return;
      if (wanted[p] != 0) endings.push_back({p, q, at});
      if (wanted[q] != 0) endings.push_back({q, p, at});
    };
    for (uint32_t e = 0; e < match_.size(); ++e) {
      const uint32_t g = match_[e];
      if (g == kNone || e > g || (wanted[edges_.patch[e]] == 0 && wanted[edges_.patch[g]] == 0)) continue;
      addEnd(edges_.patch[e], edges_.patch[g], toVec2(start(e)));
      addEnd(edges_.patch[e], edges_.patch[g], toVec2(end(e)));
    }
    for (uint32_t i = 0; i < raw.size(); ++i) {
      if (dropped[i] != 0) continue;
      const uint32_t p = edges_.patch[raw[i].e];
      const uint32_t q = edges_.patch[raw[i].g];
      if (wanted[p] == 0 && wanted[q] == 0) continue;
      addEnd(p, q, place(raw[i], raw[i].from));
      addEnd(p, q, place(raw[i], raw[i].to));
    }
    std::sort(endings.begin(), endings.end(), comesBefore);
    return endings;
  }

  struct Thirds {
    bool any = false;   // some patch that one of the two is linked to, up to this end
    bool both = false;  // that both are linked to
  };
  Thirds thirdPatches(const RawLink& link, Vec2 at, const std::vector<Ending>& endings) {
    const double reach = kMeet * tol_.grain;
    others_.clear();
    Thirds thirds;
    for (const uint32_t patch : {edges_.patch[link.e], edges_.patch[link.g]}) {
      auto k = std::lower_bound(endings.begin(), endings.end(), Ending{patch, kNone, {at.x - reach, 0}}, comesBefore);
      const size_t before = others_.size();
      for (; k != endings.end() && k->patch == patch && k->place.x < at.x + reach; ++k) {
        if (!near(k->place, at, reach)) continue;
        thirds.any = true;
        const auto known = others_.begin() + static_cast<std::ptrdiff_t>(before);
        thirds.both = thirds.both || std::find(others_.begin(), known, k->other) != known;
        others_.push_back(k->other);
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
                       std::vector<uint8_t>& dropped) {
    if (group.size() == 1) {
      dropped[group[0]] = 1;
      return;
    }
    chainOf_.resize(group.size());
    std::iota(chainOf_.begin(), chainOf_.end(), 0U);
    if (group.size() < kMostInChains) joinChains(raw, group);
    lengths_.assign(group.size(), 0);
    for (uint32_t i = 0; i < group.size(); ++i) lengths_[chain(i)] += raw[group[i]].to - raw[group[i]].from;
    for (uint32_t i = 0; i < group.size(); ++i) {
      if (lengths_[chain(i)] < tol_.passage && !areEqual(raw[group[i]])) dropped[group[i]] = 1;
    }
  }

  // Those of a group that have ends within a crack of each other.
  void joinChains(const std::vector<RawLink>& raw, std::span<const uint32_t> group) {
    const double reach = tol_.gap + kMeet * tol_.grain;
    ends_.clear();
    for (uint32_t i = 0; i < group.size(); ++i) {
      for (const double t : {raw[group[i]].from, raw[group[i]].to}) ends_.push_back({place(raw[group[i]], t), i});
    }
    std::sort(ends_.begin(), ends_.end(), [](const End& p, const End& q) { return p.place.x < q.place.x; });
    for (size_t i = 0; i < ends_.size(); ++i) {
      for (size_t j = i + 1; j < ends_.size() && ends_[j].place.x - ends_[i].place.x < reach; ++j) {
        if (!near(ends_[i].place, ends_[j].place, reach)) continue;
        const auto [first, second] = std::minmax({chain(ends_[i].link), chain(ends_[j].link)});
        chainOf_[second] = first;
      }
    }
  }
  uint32_t chain(uint32_t i) {
    while (chainOf_[i] != i) i = chainOf_[i] = chainOf_[chainOf_[i]];
    return i;
  }

  Point start(uint32_t e) const { return points_[e]; }
  Point end(uint32_t e) const { return points_[edges_.next[e]]; }

  std::span<const Point> points_;
  const Edges& edges_;
  std::span<const uint32_t> match_;
  const Tolerances& tol_;
  // Of one group.
  struct End {
    Vec2 place;
    uint32_t link;
  };
  std::vector<End> ends_;
  std::vector<uint32_t> chainOf_;  // a tree
  std::vector<double> lengths_;
  std::vector<uint32_t> others_;
};

}  // namespace

void dropTouches(std::span<const Point> points, const Edges& edges, std::span<const uint32_t> match,
                 const Tolerances& tolerances, std::vector<RawLink>& raw) {
  TouchFinder(points, edges, match, tolerances).run(raw);
}

}  // namespace wend::exact
