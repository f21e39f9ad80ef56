#include "environment/extract/polygons/untangle.h"

#include <algorithm>

#include "geometry/index/segment_pairs.h"
#include "geometry/predicates.h"

namespace wend::extraction {
namespace {

// Steps in all for finding windings; beyond this the walks lie upon themselves everywhere.
constexpr size_t kMostSteps = size_t{1} << 26;

class Untangler {
 public:
  bool run(Rings& rings) {
    for (size_t r = 0; r < rings.count(); ++r) {
      const std::span<const Point> ring = rings.ring(r);
      for (size_t i = 0; i < ring.size(); ++i) sides_.push_back({ring[i], ring[i + 1 == ring.size() ? 0 : i + 1]});
    }
    if (!findStops()) return false;
    if (!tangled_) return true;
    if (!split()) return false;
    cancelOpposite(arrows_);
    group();
    if (!findWindings()) return false;
    arrows_.clear();
    for (const Border& border : borders_) {
      if (border.left >= 1 && border.left <= border.count) arrows_.push_back({border.a, border.b});
    }
    Rings result;
    if (!chainRings(arrows_, result)) return false;
    rings = std::move(result);
    return true;
  }

 private:
  // Equal arrows.
  struct Border {
    Point a, b;
    int32_t count;
    int32_t left;   // how often the walks wind around what lies on its left
    uint32_t next;  // the only border from its end, which has the same windings, or kNone
    bool first;     // not the next of another
  };

  // Vertices inside sides, or that sides cross; false if there are too many to tell.
  bool findStops() {
    const auto stopIfInside = [&](uint32_t side, Point p) {
      const Segment& s = sides_[side];
      if (p != s.a && p != s.b && onSegment(s.a, s.b, p)) stops_.emplace_back(side, p);
    };
    const auto visit = [&](uint32_t i, uint32_t j) {
      const Segment& s = sides_[i];
      const Segment& t = sides_[j];
      if (meetInEndsOnly(s, t)) return true;
      const Meeting meeting = meet(s.a, s.b, t.a, t.b);
      crossed_ = meeting == Meeting::kCross;
      if (crossed_) return false;
      tangled_ = tangled_ || meeting == Meeting::kOverlap;
      stopIfInside(i, t.a);
      stopIfInside(i, t.b);
      stopIfInside(j, s.a);
      stopIfInside(j, s.b);
      return true;
    };
    if (forEachClosePair(sides_, {}, pairBudget(sides_.size()), visit) == PairSearch::kOverBudget) return false;
    tangled_ = tangled_ || crossed_ || !stops_.empty();
    return true;
  }

  bool split() {
    if (crossed_) {
      const Result<std::vector<Piece>> pieces = snapRound(sides_);
      if (!pieces.ok()) return false;
      for (const Piece& piece : *pieces) arrows_.push_back({piece.a, piece.b});
      return true;
    }
    std::sort(stops_.begin(), stops_.end());
    stops_.erase(std::unique(stops_.begin(), stops_.end()), stops_.end());
    size_t next = 0;
    for (uint32_t i = 0; i < sides_.size(); ++i) {
      const size_t first = next;
      while (next < stops_.size() && stops_[next].first == i) ++next;
      // Along a straight line the order of points is that of the side, or its reverse.
      const bool forward = sides_[i].a < sides_[i].b;
      Point from = sides_[i].a;
      for (size_t k = 0; k < next - first; ++k) {
        const Point to = stops_[forward ? first + k : next - 1 - k].second;
        arrows_.push_back({from, to});
        from = to;
      }
      if (from != sides_[i].b) arrows_.push_back({from, sides_[i].b});
    }
    return true;
  }

  void group() {
    for (const Arrow& arrow : arrows_) {
      if (!borders_.empty() && borders_.back().a == arrow.a && borders_.back().b == arrow.b) {
        ++borders_.back().count;
      } else {
        borders_.push_back({arrow.a, arrow.b, 1, 0, kNone, true});
      }
    }
    ByStart<Border> byStart(borders_);
    byStart.addAll();
    for (Border& border : borders_) {
      const uint32_t next = byStart.find(border.b);
      const bool only = next != kNone && (next + 1 == borders_.size() || borders_[next + 1].a != border.b) &&
                        borders_[next].count == border.count;
      if (!only || !borders_[next].first) continue;
      border.next = next;
      borders_[next].first = false;
    }
  }

  bool findWindings() {
    size_t steps = 0;
    std::vector<uint8_t> known(borders_.size(), 0);
    // Those that begin where several meet, then closed walks.
    for (const bool first : {true, false}) {
      for (uint32_t start = 0; start < borders_.size(); ++start) {
        if (known[start] != 0 || borders_[start].first != first) continue;
        steps += borders_.size();
        if (steps > kMostSteps) return false;
        const int32_t left = windingLeftOf(borders_[start]);
        for (uint32_t i = start; i != kNone && known[i] == 0; i = borders_[i].next) {
          known[i] = 1;
          borders_[i].left = left;
        }
      }
    }
    return true;
  }

  // Counts borders on the way right from beside the middle of the given one.
  int32_t windingLeftOf(const Border& at) const {
    const int64_t x = int64_t{at.a.x} + at.b.x;
    const int64_t y = int64_t{at.a.y} + at.b.y;
    // Beside a level border is above or below it.
    const bool below = at.a.y == at.b.y && at.b.x < at.a.x;
    // The highest that is not above: half of y, rounded down, or less than that.
    const auto level = static_cast<int32_t>(below ? ((y + 1) >> 1) - 1 : y >> 1);
    int32_t winding = at.a.y < at.b.y ? at.count : 0;
    for (const Border& border : borders_) {
      const bool up = border.b.y > level;
      if ((border.a.y > level) == up || &border == &at) continue;
      const Int128 turn = Int128{int64_t{border.b.x} - border.a.x} * (y - 2 * int64_t{border.a.y}) -
                          Int128{int64_t{border.b.y} - border.a.y} * (x - 2 * int64_t{border.a.x});
      if (up ? turn > 0 : turn < 0) winding += up ? border.count : -border.count;
    }
    return winding;
  }

  std::vector<Segment> sides_;
  std::vector<std::pair<uint32_t, Point>> stops_;  // side and place
  bool tangled_ = false;
  bool crossed_ = false;
  std::vector<Arrow> arrows_;
  std::vector<Border> borders_;  // sorted
};

}  // namespace

bool untangle(Rings& rings) {
  return Untangler().run(rings);
}

}  // namespace wend::extraction
