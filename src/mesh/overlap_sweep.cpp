#include "mesh/overlap_sweep.h"

#include <algorithm>
#include <optional>
#include <set>

#include "geometry/predicates.h"
#include "mesh/cell_geometry.h"

namespace wend {

namespace {

class Sweep {
 public:
  Sweep(std::vector<SweepSide> sides, size_t limit, bool singleLoop)
      : sides_(std::move(sides)), limit_(limit), singleLoop_(singleLoop), status_(Order{&sides_}) {}

  std::vector<SweepFault> run() {
    std::sort(sides_.begin(), sides_.end(), [](const SweepSide& a, const SweepSide& b) {
      if (a.left != b.left) return before(a.left, b.left);
      return a.right != b.right ? before(a.right, b.right) : a.side < b.side;
    });
    std::vector<Vec2> events;
    events.reserve(2 * sides_.size());
    for (const SweepSide& s : sides_) events.insert(events.end(), {s.left, s.right});
    std::sort(events.begin(), events.end(), before);
    events.erase(std::unique(events.begin(), events.end()), events.end());
    for (const Vec2 p : events) {
      if (stopped_ || faults_.size() >= limit_) break;
      handle(p);
    }
    return std::move(faults_);
  }

 private:
  // From below to above where both meet the sweep line. Sides with a common piece are equal.
  struct Order {
    using is_transparent = void;
    const std::vector<SweepSide>* sides;
    bool operator()(uint32_t i, uint32_t j) const {
      const SweepSide& a = (*sides)[i];
      const SweepSide& b = (*sides)[j];
      if (before(b.left, a.left)) {
        const int start = orient(b.left, b.right, a.left);
        return (start != 0 ? start : orient(b.left, b.right, a.right)) < 0;
      }
      const int start = orient(a.left, a.right, b.left);
      return (start != 0 ? start : orient(a.left, a.right, b.right)) > 0;
    }
    bool operator()(uint32_t i, Vec2 p) const { return orient((*sides)[i].left, (*sides)[i].right, p) > 0; }
    bool operator()(Vec2 p, uint32_t i) const { return orient((*sides)[i].left, (*sides)[i].right, p) < 0; }
  };

  void handle(Vec2 p) {
    const auto low = status_.lower_bound(p);
    const auto high = status_.upper_bound(p);
    leaving_.clear();
    size_t degree = 0;
    for (auto it = low; it != high; ++it) {
      ++degree;
      if (sides_[*it].right != p) leaving_.push_back(*it);
    }
    for (; next_ < sides_.size() && sides_[next_].left == p; ++next_) leaving_.push_back(next_);
    if (singleLoop_ && degree + leaving_.size() != 2) {
      faults_.push_back({SweepFaultKind::kTouch, kNone, kNone, kNone, kNone, p});
    }
    const std::optional<uint32_t> under =
        low == status_.begin() ? std::nullopt : std::optional<uint32_t>(*std::prev(low));
    const std::optional<uint32_t> over = high == status_.end() ? std::nullopt : std::optional<uint32_t>(*high);
    status_.erase(low, high);
    std::sort(leaving_.begin(), leaving_.end(), [&](uint32_t i, uint32_t j) {
      const int turn = orient(p, sides_[i].right, sides_[j].right);
      if (turn != 0) return turn > 0;
      // Walls back to back: nothing lies between them.
      const bool wallI = sides_[i].below == kNone;
      const bool wallJ = sides_[j].below == kNone;
      return wallI != wallJ ? wallJ : i < j;
    });
    for (const uint32_t side : leaving_) status_.emplace_hint(high, side);

    std::optional<uint32_t> below = under;
    for (size_t i = 0; i < leaving_.size(); ++i) {
      const uint32_t side = leaving_[i];
      compare(below, side, p, i > 0 && orient(p, sides_[*below].right, sides_[side].right) == 0);
      below = side;
    }
    compare(below, over, p, false);
  }

  // Two neighbours on the sweep line right of p. `together`: they have a common piece.
  void compare(std::optional<uint32_t> i, std::optional<uint32_t> j, Vec2 p, bool together) {
    const SweepSide* a = i ? &sides_[*i] : nullptr;
    const SweepSide* b = j ? &sides_[*j] : nullptr;
    const CellId fromBelow = a != nullptr ? a->above : kNone;
    const CellId fromAbove = b != nullptr ? b->below : kNone;
    const auto report = [&](SweepFaultKind kind, Vec2 place) {
      const CellId first = fromBelow != kNone || a == nullptr ? fromBelow : a->below;
      const CellId second = fromAbove != kNone || b == nullptr ? fromAbove : b->above;
      faults_.push_back({kind, a != nullptr ? a->side : kNone, b != nullptr ? b->side : kNone, first, second, place});
    };
    if (a != nullptr && b != nullptr) {
      if (const std::optional<Vec2> crossing = cross(*a, *b)) {
        report(SweepFaultKind::kCrossing, *crossing);
        stopped_ = true;
        return;
      }
    }
    if (singleLoop_) return;
    if (fromBelow != fromAbove) {
      report(SweepFaultKind::kLabels, p);
    } else if (together) {
      const Vec2 end = before(a->right, b->right) ? a->right : b->right;
      report(SweepFaultKind::kSlit, {(p.x + end.x) / 2, (p.y + end.y) / 2});
    }
  }

  // Where two sides cross inside both, about.
  static std::optional<Vec2> cross(const SweepSide& a, const SweepSide& b) {
    if (orient(a.left, a.right, b.left) * orient(a.left, a.right, b.right) >= 0) return std::nullopt;
    if (orient(b.left, b.right, a.left) * orient(b.left, b.right, a.right) >= 0) return std::nullopt;
    const Vec2 u{a.right.x - a.left.x, a.right.y - a.left.y};
    const Vec2 v{b.right.x - b.left.x, b.right.y - b.left.y};
    const double across = u.x * v.y - u.y * v.x;
    const double t = across == 0 ? 0.5 : ((b.left.x - a.left.x) * v.y - (b.left.y - a.left.y) * v.x) / across;
    return Vec2{a.left.x + std::clamp(t, 0.0, 1.0) * u.x, a.left.y + std::clamp(t, 0.0, 1.0) * u.y};
  }

  std::vector<SweepSide> sides_;
  size_t limit_;
  bool singleLoop_;
  std::multiset<uint32_t, Order> status_;
  std::vector<uint32_t> leaving_;
  uint32_t next_ = 0;
  bool stopped_ = false;
  std::vector<SweepFault> faults_;
};

}  // namespace

SweepSide sweepSide(Vec2 start, Vec2 end, CellId cell, CellId neighbour, SideId side) {
  if (before(start, end)) return {start, end, neighbour, cell, side};
  return {end, start, cell, neighbour, side};
}

std::vector<SweepFault> sweepSides(std::vector<SweepSide> sides, size_t limit) {
  return Sweep(std::move(sides), limit, false).run();
}

bool isSimple(std::vector<SweepSide> loop) {
  return Sweep(std::move(loop), 1, true).run().empty();
}

}  // namespace wend
