#include "environment/extract/polygons/cut.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <cmath>

#include "geometry/index/box_tree.h"
#include "geometry/index/digit_sort.h"
#include "geometry/overlay.h"

namespace wend::extraction {
namespace {

// Pairs of a side and a side of the outline; beyond this overlay() wins.
constexpr size_t kMaxPairs = size_t{1} << 30;
// With fewer sides a sweep costs more than it saves.
constexpr size_t kSweepFrom = 32;
// From so many pieces on, some lie upon each other.
constexpr size_t kCrowd = 6;
// A sweep that would have more sides open than this at a place, on average, is left to a tree.
constexpr double kMostOpen = 64;
// Pairs of sides are looked at when there are so many.
constexpr size_t kChunk = 1024;
// From so many sides of an outline on, and for so many pieces, it is sorted into rows.
constexpr uint32_t kRowsFrom = 16;
constexpr size_t kRowsFor = 8;
// Up to so many sides of pieces look at all others.
constexpr size_t kFewSides = 16;
constexpr size_t kFewSplits = 16;
// Differences below this keep every product within 64 bits.
constexpr int64_t kMaxSpan = int64_t{1} << 30;

int64_t side64(Point a, Point b, Point c) {
  return (static_cast<int64_t>(b.x) - a.x) * (static_cast<int64_t>(c.y) - a.y) -
         (static_cast<int64_t>(b.y) - a.y) * (static_cast<int64_t>(c.x) - a.x);
}

// Three lines that meet in almost one point may be rounded to points a unit apart, and the walk is torn there; two
// where a part shorter than a unit is between them. Joins ends to beginnings so near, the nearest first. False if that
// leaves some. How many tears there are grows with the number of lines.
constexpr int32_t kWidestTear = 2;
bool closeTears(std::vector<Arrow>& arrows) {
  std::vector<std::pair<Point, int>> ends;  // with how many more walks end than begin
  for (const Arrow& arrow : arrows) {
    ends.emplace_back(arrow.a, -1);
    ends.emplace_back(arrow.b, 1);
  }
  std::sort(ends.begin(), ends.end());
  size_t kept = 0;
  for (size_t i = 0, j = 0; i < ends.size(); i = j) {
    int sum = 0;
    for (; j < ends.size() && ends[j].first == ends[i].first; ++j) sum += ends[j].second;
    if (sum != 0) ends[kept++] = {ends[i].first, sum};
  }
  ends.resize(kept);
  for (int32_t reach = 1; reach <= kWidestTear; ++reach) {
    for (auto& [from, open] : ends) {
      for (int32_t x = from.x - reach; x <= from.x + reach && open > 0; ++x) {
        auto to = std::lower_bound(ends.begin(), ends.end(), std::pair(Point{x, from.y - reach}, INT_MIN));
        for (; to != ends.end() && to->first.x == x && to->first.y <= from.y + reach; ++to) {
          for (; open > 0 && to->second < 0; --open, ++to->second) arrows.push_back({from, to->first});
        }
      }
      if (open > 0 && reach == kWidestTear) return false;
    }
  }
  cancelOpposite(arrows);
  return true;
}

// What overlay() keeps of the outline and the pieces.
Status overlayInto(const Rings& outline, std::span<const Convex> pieces, uint32_t wanted, Rings& result) {
  std::vector<Shape> shapes(1);
  for (size_t i = 0; i < outline.count(); ++i) {
    const auto ring = outline.ring(i);
    shapes[0].loops.emplace_back(ring.begin(), ring.end());
  }
  for (const Convex& piece : pieces) {
    const auto ring = piece.ring();
    shapes.push_back({1, {Ring(ring.begin(), ring.end())}});
  }
  const auto polygons = overlay(shapes, [&](uint32_t groups) { return groups == wanted; });
  if (!polygons.ok()) return polygons.error();
  result.clear();
  for (const Polygon& polygon : *polygons) {
    result.add(polygon.outer);
    for (const Ring& hole : polygon.holes) result.add(hole);
  }
  return Done{};
}

// The first corner that does not bend to the left, or their number.
uint32_t firstStraight(const Convex& piece) {
  Point a = piece.p[piece.count - 1];
  for (uint32_t i = 0; i < piece.count; ++i) {
    const Point b = piece.p[i];
    if (orient(a, b, piece.p[i + 1 == piece.count ? 0 : i + 1]) <= 0) return i;
    a = b;
  }
  return piece.count;
}

}  // namespace

bool tidy(Convex& piece) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < piece.count; ++i) {
    if (count == 0 || piece.p[count - 1] != piece.p[i]) piece.p[count++] = piece.p[i];
  }
  while (count > 1 && piece.p[count - 1] == piece.p[0]) --count;
  piece.count = count;
  if (count < 3) return false;
  if (count == 3) {
    const int side = orient(piece.p[0], piece.p[1], piece.p[2]);
    if (side < 0) std::reverse(piece.p.begin(), piece.p.begin() + count);
    return side != 0;
  }
  // As most are.
  if (firstStraight(piece) == count) return true;
  const double area = doubledAreaOf(piece.ring());
  if (area == 0) return false;
  if (area < 0) std::reverse(piece.p.begin(), piece.p.begin() + count);
  // Rounding may leave a corner that bends inwards by less than a unit.
  for (uint32_t i = firstStraight(piece); i < piece.count && piece.count >= 3; i = firstStraight(piece)) {
    std::copy(piece.p.begin() + i + 1, piece.p.begin() + piece.count, piece.p.begin() + i);
    --piece.count;
  }
  return piece.count >= 3;
}

Status Cutter::cut(const Rings& outline, std::span<const Convex> pieces, CutPart part, Rings& result) {
  Outcome outcome = cutFast(outline, pieces, part, result);
  if (outcome == Outcome::kDone) return Done{};
  if (outcome == Outcome::kFailed) {
    // Most often a corner of the outline lies on one of its own sides, and rounding moved it across.
    Rings clean;
    if (overlayInto(outline, {}, 1, clean).ok()) outcome = cutFast(clean, pieces, part, result);
    if (outcome == Outcome::kDone) return Done{};
  }
  if (outcome == Outcome::kTooMuch) return Error{ErrorCode::kLimit, "they cross each other too often"};
  ++fallbacks_;
  return overlayInto(outline, pieces, part == CutPart::kInside ? 3 : 1, result);
}

Cutter::Outcome Cutter::cutFast(const Rings& outline, std::span<const Convex> pieces, CutPart part, Rings& result) {
  pairs_ = 0;
  tests_ = 0;
  collect(outline, pieces);
  Box box = around_;
  for (const Box& piece : pieceBoxes_) box = joined(box, piece);
  const bool fast = sides_.size() * outlineSides_ <= kMaxPairs && int64_t{box.max.x} - box.min.x < kMaxSpan &&
                    int64_t{box.max.y} - box.min.y < kMaxSpan;
  // overlay() has the same limit.
  if ((fast || limits_.pairs != Limits{}.pairs) && !splitPairs(fast)) return Outcome::kTooMuch;
  if (!fast) return Outcome::kFailed;
  makeParts();
  if (!choose(pieces, part)) return Outcome::kTooMuch;
  result.clear();
  if (chainUnbranched(arrows_, result)) return Outcome::kDone;
  // Free space narrower than a unit has collapsed.
  cancelOpposite(arrows_);
  if (chainRings(arrows_, result)) return Outcome::kDone;
  if (!closeTears(arrows_)) return Outcome::kFailed;
  result.clear();
  return chainRings(arrows_, result) ? Outcome::kDone : Outcome::kFailed;
}

void Cutter::collect(const Rings& outline, std::span<const Convex> pieces) {
  sides_.clear();
  outlineLines_.clear();
  pieceLines_.clear();
  firstLine_.clear();
  for (size_t r = 0; r < outline.count(); ++r) {
    const std::span<const Point> ring = outline.ring(r);
    for (size_t i = 0; i < ring.size(); ++i) sides_.push_back({ring[i], ring[i + 1 == ring.size() ? 0 : i + 1], 0});
  }
  outlineSides_ = static_cast<uint32_t>(sides_.size());
  around_ = boxOf(outline.points);
  for (const Side& side : sides_) outlineLines_.emplace_back(side.a, side.b);
  rowBegin_.clear();
  if (outlineSides_ >= kRowsFrom && pieces.size() >= kRowsFor) sortIntoRows(around_);
  const PackedBox around(around_);
  pieceBoxes_.resize(pieces.size());
  packedBoxes_.resize(pieces.size());
  for (uint32_t i = 0; i < pieces.size(); ++i) {
    pieceBoxes_[i] = boxOf(pieces[i].ring());
    packedBoxes_[i] = PackedBox(pieceBoxes_[i]);
    addPiece(pieces[i].ring(), i + 1, around.holds(packedBoxes_[i]), around);
  }
  if (pieces.size() > 1) dropShared();
  if (pieces.size() > kGridFrom) grid_ = GridIndex(pieceBoxes_);
  if (pieces.size() > kCrowd) dropCovered(pieces);
  boxes_.resize(sides_.size());
  for (size_t i = 0; i < sides_.size(); ++i) boxes_[i] = PackedBox(boxOf(sides_[i].a, sides_[i].b));
}

// What lies beside the outline bounds nothing of it.
void Cutter::addPiece(std::span<const Point> ring, uint32_t shape, bool inside, const PackedBox& around) {
  firstLine_.push_back(static_cast<uint32_t>(pieceLines_.size()));
  for (size_t i = 0; i < ring.size(); ++i) {
    const Side side{ring[i], ring[i + 1 == ring.size() ? 0 : i + 1], shape};
    pieceLines_.emplace_back(side.a, side.b);
    if (inside || PackedBox(boxOf(side.a, side.b)).meets(around)) sides_.push_back(side);
  }
}

// A side that two pieces share, one on its left and one on its right, bounds nothing; of equal ones the first will do.
// In a mesh above a floor that is most of them.
void Cutter::dropShared() {
  const auto count = static_cast<uint32_t>(sides_.size());
  const size_t mask = std::bit_ceil(2 * size_t{count - outlineSides_} + 1) - 1;
  slots_.assign(mask + 1, kNone);
  groups_.resize(count);  // of each side: the first with the same ends
  twoWays_.assign(count, 0);
  for (uint32_t i = outlineSides_; i < count; ++i) {
    const Side& side = sides_[i];
    const uint64_t h = (orderOf(side.a) + orderOf(side.b)) * 0x9e3779b97f4a7c15ULL;
    size_t at = (h ^ h >> 32) & mask;
    while (slots_[at] != kNone) {
      const Side& first = sides_[slots_[at]];
      if (first.a == side.a && first.b == side.b) break;
      if (first.a == side.b && first.b == side.a) {
        twoWays_[slots_[at]] = 1;
        break;
      }
      at = (at + 1) & mask;
    }
    if (slots_[at] == kNone) slots_[at] = i;
    groups_[i] = slots_[at];
  }
  uint32_t kept = outlineSides_;
  for (uint32_t i = outlineSides_; i < count; ++i) {
    if (groups_[i] != i || twoWays_[i] != 0) continue;
    sides_[kept++] = sides_[i];
  }
  sides_.resize(kept);
}

// Nor does a side bound anything that lies in a piece, but for its ends.
void Cutter::dropCovered(std::span<const Convex> pieces) {
  const auto covers = [&](const Convex& piece, const Side& side) {
    int covered = 1;
    Point a = piece.p[piece.count - 1];
    for (const Point b : piece.ring()) {
      const int begin = orient(a, b, side.a);
      const int end = orient(a, b, side.b);
      covered &= static_cast<int>(begin >= 0) & static_cast<int>(end >= 0) & static_cast<int>(begin + end > 0);
      a = b;
    }
    return covered != 0;
  };
  size_t kept = outlineSides_;
  for (size_t i = outlineSides_; i < sides_.size(); ++i) {
    const Side side = sides_[i];
    const PackedBox box(boxOf(side.a, side.b));
    const auto isCovered = [&](uint32_t k) {
      return packedBoxes_[k].holds(box) && k + 1 != side.shape && covers(pieces[k], side);
    };
    bool covered = false;
    if (pieces.size() > kGridFrom) {
      const std::span<const uint32_t> near = grid_.at(side.a);
      tests_ += near.size();
      covered = tests_ <= limits_.tests && std::any_of(near.begin(), near.end(), isCovered);
    } else {
      for (uint32_t k = 0; k < pieces.size() && !covered; ++k) covered = isCovered(k);
    }
    if (!covered) sides_[kept++] = side;
  }
  sides_.resize(kept);
}

// False if too many sides are near each other. Counts them only, if they are not to be split.
bool Cutter::splitPairs(bool split) {
  splits_.clear();
  size_t found = 0;
  const auto flush = [&](size_t most) {
    if (found <= most) return true;
    pairs_ += found;
    if (split) splitNear(found);
    found = 0;
    return pairs_ <= limits_.pairs;
  };
  // Sides of the outline do not cross each other, so the search starts from the pieces.
  const auto count = static_cast<uint32_t>(sides_.size());
  near_.resize(std::max(near_.size(), kChunk + count));
  if (count <= kSweepFrom || count - outlineSides_ <= kFewSides) {
    for (uint32_t j = outlineSides_, others = j; j < count; ++j) {
      if (sides_[j].shape != sides_[j - 1].shape) others = j;
      const PackedBox box = boxes_[j];
      for (uint32_t i = 0; i < others; ++i) {
        near_[found] = {i, j};
        found += boxes_[i].meets(box) ? 1 : 0;
      }
      if (!flush(kChunk)) return false;
    }
  } else if (sortForSweep()) {
    for (uint32_t k = 0; k < count; ++k) {
      const auto i = static_cast<uint32_t>(order_[k]);
      const PackedBox box = sweepBoxes_[k];
      const size_t before = found;
      for (uint32_t l = k + 1; l < count && order_[l] >> 32 <= sweepEnds_[k]; ++l) {
        near_[found].j = static_cast<uint32_t>(order_[l]);
        found += sweepBoxes_[l].meets(box) ? 1 : 0;
      }
      const auto met = std::span(near_).subspan(before, found - before);
      found = before;
      for (const SidePair pair : met) {
        near_[found] = {std::min(i, pair.j), std::max(i, pair.j)};
        found += sides_[i].shape != sides_[pair.j].shape ? 1 : 0;
      }
      if (!flush(kChunk)) return false;
    }
  } else {
    std::vector<BoxTree::Extent> extents(count);
    for (size_t i = 0; i < count; ++i) extents[i].box = boxOf(sides_[i].a, sides_[i].b);
    const BoxTree tree(extents);
    for (uint32_t j = outlineSides_; j < count; ++j) {
      Box box = extents[j].box;
      box = {{box.min.x - 1, box.min.y - 1}, {box.max.x + 1, box.max.y + 1}};
      tree.forEach(box, [&](uint32_t i) {
        if (i < j && sides_[i].shape != sides_[j].shape) near_[found++] = {i, j};
      });
      if (!flush(kChunk)) return false;
    }
  }
  if (!flush(0)) return false;
  if (split) sortSplits();
  return true;
}

// Sides in their order along the axis on which they overlap less; false if that leaves too many pairs.
bool Cutter::sortForSweep() {
  const size_t count = sides_.size();
  Box all;
  double sumX = 0;
  double sumY = 0;
  for (const Side& side : sides_) {
    const Box box = boxOf(side.a, side.b);
    all = joined(all, box);
    sumX += double(box.max.x) - box.min.x;
    sumY += double(box.max.y) - box.min.y;
  }
  const double spanX = std::max(1.0, double(all.max.x) - all.min.x);
  const double spanY = std::max(1.0, double(all.max.y) - all.min.y);
  const bool alongX = sumX / spanX < sumY / spanY;
  if ((alongX ? sumX / spanX : sumY / spanY) > kMostOpen) return false;
  order_.resize(count);
  const auto place = [&](Point p) {
    return alongX ? static_cast<uint64_t>(p.x - all.min.x) : static_cast<uint64_t>(p.y - all.min.y);
  };
  for (size_t i = 0; i < count; ++i) order_[i] = std::min(place(sides_[i].a), place(sides_[i].b)) << 32 | i;
  sortByUpperHalf(order_, static_cast<size_t>(std::bit_width(static_cast<uint64_t>(alongX ? spanX : spanY))), sorting_);
  sweepBoxes_.resize(count);
  sweepEnds_.resize(count);
  for (size_t k = 0; k < count; ++k) {
    const auto i = static_cast<uint32_t>(order_[k]);
    sweepBoxes_[k] = boxes_[i];
    sweepEnds_[k] = std::max(place(sides_[i].a), place(sides_[i].b));
  }
  return true;
}

// By side, then along it.
void Cutter::sortSplits() {
  splitBegin_.assign(sides_.size() + 2, 0);
  for (const Split& s : splits_) ++splitBegin_[s.side + 2];
  for (size_t i = 2; i < splitBegin_.size(); ++i) splitBegin_[i] += splitBegin_[i - 1];
  sorted_.resize(splits_.size());
  for (const Split& s : splits_) sorted_[splitBegin_[s.side + 1]++] = s;
  const auto before = [](const Split& p, const Split& q) { return p.t != q.t ? p.t < q.t : p.p < q.p; };
  for (size_t i = 0; i < sides_.size(); ++i) {
    Split* const first = sorted_.data() + splitBegin_[i];
    const size_t n = splitBegin_[i + 1] - splitBegin_[i];
    if (n > kFewSplits) {
      std::sort(first, first + n, before);
      continue;
    }
    for (size_t k = 1; k < n; ++k) {
      const Split split = first[k];
      size_t l = k;
      for (; l > 0 && before(split, first[l - 1]); --l) first[l] = first[l - 1];
      first[l] = split;
    }
  }
  splits_.swap(sorted_);
}

// Splits the first so many pairs of sides in near_ where they meet.
void Cutter::splitNear(size_t count) {
  crossings_.resize(std::max(crossings_.size(), count));
  // Without branches: which sides cross is not predictable.
  size_t found = 0;
  for (size_t k = 0; k < count; ++k) {
    const auto [i, j] = near_[k];
    const auto [a, b, shapeI] = sides_[i];
    const auto [c, d, shapeJ] = sides_[j];
    Crossing& crossing = crossings_[found];
    crossing = {i, j, side64(c, d, a), side64(c, d, b), side64(a, b, c), side64(a, b, d)};
    const auto beyond = [](int64_t p, int64_t q) {
      return static_cast<int>(std::min(p, q) > 0) | static_cast<int>(std::max(p, q) < 0);
    };
    found += (beyond(crossing.ca, crossing.cb) | beyond(crossing.ac, crossing.ad)) == 0 ? 1 : 0;
  }
  size_t made = splits_.size();
  splits_.resize(made + 4 * found);
  // What happens beside the outline bounds nothing of it.
  const auto add = [&](uint32_t side, double t, Point p) {
    splits_[made] = {side, t, p};
    made += static_cast<size_t>(p != sides_[side].a) & static_cast<size_t>(p != sides_[side].b) &
            static_cast<size_t>(holds(around_, p));
  };
  const auto at = [&](uint32_t side, Point p) {
    const Side& s = sides_[side];
    const double x = double(s.b.x) - s.a.x;
    const double y = double(s.b.y) - s.a.y;
    return ((double(p.x) - s.a.x) * x + (double(p.y) - s.a.y) * y) / (x * x + y * y);
  };
  for (size_t k = 0; k < found; ++k) {
    const auto [i, j, ca, cb, ac, ad] = crossings_[k];
    const auto [a, b, shapeI] = sides_[i];
    const auto [c, d, shapeJ] = sides_[j];
    if (ca == 0 || cb == 0 || ac == 0 || ad == 0) {
      const Box boxI = boxOf(a, b);
      const Box boxJ = boxOf(c, d);
      if (ca == 0 && holds(boxJ, a)) add(j, at(j, a), a);
      if (cb == 0 && holds(boxJ, b)) add(j, at(j, b), b);
      if (ac == 0 && holds(boxI, c)) add(i, at(i, c), c);
      if (ad == 0 && holds(boxI, d)) add(i, at(i, d), d);
      continue;
    }
    const double t = static_cast<double>(ca) / (static_cast<double>(ca) - static_cast<double>(cb));
    const Point p = rounded(a.x + t * (double(b.x) - a.x), a.y + t * (double(b.y) - a.y));
    add(i, t, p);
    add(j, static_cast<double>(ac) / (static_cast<double>(ac) - static_cast<double>(ad)), p);
  }
  splits_.resize(made);
}

void Cutter::makeParts() {
  parts_.clear();
  auto it = splits_.begin();
  for (uint32_t i = 0; i < sides_.size(); ++i) {
    const Side& side = sides_[i];
    Point from = side.a;
    double start = 0;
    const auto add = [&](double t, Point to) {
      if (to != from) {
        const double middle = 0.5 * (start + t);
        parts_.push_back({from, to, side.a.x + middle * (double(side.b.x) - side.a.x),
                          side.a.y + middle * (double(side.b.y) - side.a.y), i});
      }
      from = to;
      start = t;
    };
    for (; it != splits_.end() && it->side == i; ++it) add(it->t, it->p);
    add(1, side.b);
  }
}

}  // namespace wend::extraction
