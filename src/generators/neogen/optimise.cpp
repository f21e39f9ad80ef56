#include "generators/neogen/optimise.h"

#include <algorithm>
#include <array>

#include "generators/neogen/area_of_interest.h"
#include "generators/neogen/simple_cells.h"

namespace wend::neogen {
namespace {

using Half = Subdivision::Half;

// How far around a cell a portal looks for others, in sides each way: enough for whole cells but those with very many
// sides.
constexpr int kReach = 12;
// Targets that a single cut tries.
constexpr size_t kTargets = 3;
constexpr size_t kTargetSteps = 48;
constexpr size_t kLargestGroup = 3;

class PortalSaver {
 public:
  PortalSaver(Subdivision& subdivision, bool relaxed, const Context& context)
      : subdivision_(subdivision),
        relaxed_(relaxed),
        context_(context),
        query_(subdivision),
        simpleCells_(subdivision) {}

  void run() {
    // Pairs are cheap and save most; triples then start from few spare portals.
    for (const size_t size : {size_t{2}, kLargestGroup}) {
      size_ = size;
      queue_ = subdivision_.portals();
      for (size_t i = 0; i < queue_.size(); ++i) {
        if ((i & 0xffU) == 0 && context_.cancelled()) return;
        improve(queue_[i]);
      }
    }
  }

 private:
  struct Notches {
    std::array<uint32_t, 2 * kLargestGroup> vertex;
    std::array<Half, 2 * kLargestGroup> corner;
    size_t count = 0;
    void add(uint32_t v) {
      if (std::find(vertex.begin(), vertex.begin() + count, v) == vertex.begin() + count) vertex[count++] = v;
    }
  };

  bool isSpare(Half portal) const {
    return !subdivision_.neededAtOrigin(portal) || !subdivision_.neededAtOrigin(portal ^ 1);
  }

  // Portals of the two cells, each by its lower half-edge.
  void neighbours(Half portal, std::vector<Half>& out) const {
    out.clear();
    for (const Half side : {portal, portal ^ 1}) {
      Half h = subdivision_.after(side);
      for (int i = 0; i < kReach && h != side; ++i, h = subdivision_.after(h)) add(h, out);
      if (h == side) continue;
      const Half stop = h;
      h = subdivision_.before(side);
      for (int i = 0; i < kReach && h != stop; ++i, h = subdivision_.before(h)) add(h, out);
    }
  }
  void add(Half h, std::vector<Half>& out) const {
    if (subdivision_.isPortal(h)) out.push_back(h & ~1U);
  }

  void improve(Half portal) {
    if (!subdivision_.isPortal(portal) || !isSpare(portal)) return;
    if (!subdivision_.isNeeded(portal)) {
      neighbours(portal, first_);
      const Subdivision::Removed removed = subdivision_.unmark(portal);
      if (relaxed_ &&
          !(simpleCells_.around(subdivision_.origin(portal)) && simpleCells_.around(subdivision_.target(portal)))) {
        subdivision_.remark(removed);
        return;
      }
      queue_.insert(queue_.end(), first_.begin(), first_.end());
      return;
    }
    neighbours(portal, first_);
    if (size_ == 2) {
      for (const Half other : first_) {
        if (other != portal && isSpare(other) && tryGroup({portal, other})) return;
      }
      return;
    }
    for (const Half middle : first_) {
      if (middle == portal) continue;
      neighbours(middle, second_);
      second_.insert(second_.end(), first_.begin(), first_.end());
      std::sort(second_.begin(), second_.end());
      second_.erase(std::unique(second_.begin(), second_.end()), second_.end());
      for (const Half other : second_) {
        if (other == portal || other == middle || !isSpare(other)) continue;
        if (tryGroup({portal, middle, other})) return;
      }
    }
  }

  // Replaces the portals by fewer, or leaves everything as it was.
  bool tryGroup(std::initializer_list<Half> group) {
    Notches notches;
    std::array<Subdivision::Removed, kLargestGroup> removed{};
    size_t count = 0;
    for (const Half h : group) removed[count++] = subdivision_.unmark(h);
    for (const Half h : group) {
      for (const Half end : {h, h ^ 1}) notches.add(subdivision_.origin(end));
    }
    made_.clear();
    subdivision_.forgetFlips();
    touched_ = notches;
    if (resolve(notches, group.size() - 1)) {
      for (const Half h : made_) {
        queue_.push_back(h & ~1U);
        neighbours(h, first_);
        queue_.insert(queue_.end(), first_.begin(), first_.end());
      }
      return true;
    }
    while (count > 0) subdivision_.remark(removed[--count]);
    return false;
  }

  bool resolve(const Notches& before, size_t budget) {
    Notches notches;
    for (size_t i = 0; i < before.count; ++i) {
      const Half corner = subdivision_.notchCorner(before.vertex[i]);
      if (corner == kNone) continue;
      notches.vertex[notches.count] = before.vertex[i];
      notches.corner[notches.count++] = corner;
    }
    if (notches.count == 0) return !relaxed_ || staysSimple();
    if ((notches.count + 1) / 2 > budget) return false;
    for (size_t i = 1; i < notches.count; ++i) {
      if (!faceEachOther(notches, 0, i)) continue;
      // The last two need each other, and no portal between others changes whether they can have one.
      if (notches.count == 4 && budget == 2) {
        const size_t j = i == 1 ? 2 : 1;
        if (!faceEachOther(notches, j, 6 - i - j)) continue;
      }
      if (tryPortal(notches.corner[0], notches.vertex[i], notches, budget)) return true;
    }
    return 2 * budget > notches.count && resolveAlone(notches, budget);
  }

  // Whether a portal between two notches would resolve both.
  bool faceEachOther(const Notches& notches, size_t i, size_t j) const {
    return subdivision_.inAreaOfInterest(notches.corner[i], subdivision_.point(notches.vertex[j])) &&
           subdivision_.inAreaOfInterest(notches.corner[j], subdivision_.point(notches.vertex[i]));
  }

  // Whether every cell that the group or its replacement touches is a simple polygon.
  bool staysSimple() {
    for (size_t i = 0; i < touched_.count; ++i) {
      if (!simpleCells_.around(touched_.vertex[i])) return false;
    }
    return std::all_of(made_.begin(), made_.end(), [&](Half h) { return simpleCells_.around(subdivision_.target(h)); });
  }

  bool tryPortal(Half corner, uint32_t vertex, const Notches& notches, size_t budget) {
    const size_t flips = subdivision_.flipCount();
    const Half h = subdivision_.connect(corner, vertex);
    if (h == kNone) return false;
    made_.push_back(h);
    if (resolve(notches, budget - 1)) return true;
    made_.pop_back();
    subdivision_.disconnect(h, flips);
    return false;
  }

  // A portal for the first notch only: to what is nearest.
  bool resolveAlone(const Notches& notches, size_t budget) {
    const Half corner = notches.corner[0];
    // Two others that need each other must be able to, unless the portal ends in one of them.
    const bool twoLeft = notches.count == 3 && budget == 2;
    const uint32_t v = twoLeft ? notches.vertex[1] : kNone;
    const uint32_t w = twoLeft ? notches.vertex[2] : kNone;
    const bool toOthersOnly = twoLeft && !faceEachOther(notches, 1, 2);
    if (toOthersOnly && !subdivision_.inAreaOfInterest(corner, subdivision_.point(v)) &&
        !subdivision_.inAreaOfInterest(corner, subdivision_.point(w))) {
      return false;
    }
    std::array<Target, kTargets> targets;
    size_t count = 0;
    query_.start(corner);
    while (count < kTargets && query_.steps() < kTargetSteps) {
      const auto sight = query_.next();
      if (!sight) break;
      if (sight->kind == Sight::Kind::kVertex) targets[count++] = {sight->vertex, kNone, {}};
      if (sight->kind != Sight::Kind::kWall) continue;
      if (const auto p = query_.pointOn(*sight)) targets[count++] = {kNone, sight->edge, *p};
    }
    for (size_t i = 0; i < count; ++i) {
      if (toOthersOnly && targets[i].vertex != v && targets[i].vertex != w) continue;
      if (tryTarget(corner, targets[i], notches, budget)) return true;
    }
    return false;
  }
  struct Target {
    uint32_t vertex;  // or kNone:
    Half wall;
    Vec2 point;
  };
  bool tryTarget(Half corner, const Target& target, const Notches& notches, size_t budget) {
    if (target.vertex != kNone) return tryPortal(corner, target.vertex, notches, budget);
    const uint32_t vertex = subdivision_.splitWall(target.wall, target.point);
    if (tryPortal(corner, vertex, notches, budget)) return true;
    subdivision_.joinWall(target.wall);
    return false;
  }

  Subdivision& subdivision_;
  bool relaxed_;
  const Context& context_;
  AreaOfInterest query_;
  size_t size_ = 2;
  std::vector<Half> queue_;
  std::vector<Half> made_;
  Notches touched_;
  SimpleCells simpleCells_;
  std::vector<Half> first_;   // neighbours of the portal that is being improved
  std::vector<Half> second_;  // and of one of them
};

}  // namespace

void savePortals(Subdivision& subdivision, bool relaxed, const Context& context) {
  PortalSaver(subdivision, relaxed, context).run();
}

}  // namespace wend::neogen
