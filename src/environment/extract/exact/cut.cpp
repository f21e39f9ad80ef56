#include "environment/extract/exact/cut.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "environment/extract/exact/box_tree.h"
#include "geometry/grid_index.h"
#include "geometry/overlay.h"

namespace wend::exact {
namespace {

// Pairs of a side and a side of the outline; beyond this overlay() wins.
constexpr size_t kMaxPairs = size_t{1} << 30;
// With fewer pieces a grid costs more than it saves, with fewer sides a tree.
constexpr size_t kGridFrom = 32;
constexpr size_t kTreeFrom = 64;
constexpr uint32_t kRowsFrom = 32;
// Up to so many sides of pieces look at all others, and up to so many pairs are looked at.
constexpr size_t kFewSides = 16;
constexpr size_t kFewPairs = 1024;
// Nearer to a line than this, in units, exact arithmetic says whether a side runs along it.
constexpr double kNearLine = 0.01;
// More torn ends than this are no accident of rounding.
constexpr size_t kMostTears = 64;
// Differences below this keep every product within 64 bits.
constexpr int64_t kMaxSpan = int64_t{1} << 30;

int64_t side64(Point a, Point b, Point c) {
  return (static_cast<int64_t>(b.x) - a.x) * (static_cast<int64_t>(c.y) - a.y) -
         (static_cast<int64_t>(b.y) - a.y) * (static_cast<int64_t>(c.x) - a.x);
}

// Three lines that meet in almost one point may be rounded to points a unit apart, and the walk is torn there: joins
// ends to beginnings a unit away. False if that leaves some.
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
  if (ends.size() > kMostTears) return false;
  for (auto& [from, open] : ends) {
    for (auto& [to, missing] : ends) {
      if (std::abs(int64_t{from.x} - to.x) > 1 || std::abs(int64_t{from.y} - to.y) > 1) continue;
      for (; open > 0 && missing < 0; --open, ++missing) arrows.push_back({from, to});
    }
    if (open > 0) return false;
  }
  cancelOpposite(arrows);
  return true;
}

Status cutByOverlay(const Rings& outline, std::span<const Convex> pieces, CutPart part, Rings& result) {
  std::vector<Shape> shapes(1);
  for (size_t i = 0; i < outline.count(); ++i) {
    const auto ring = outline.ring(i);
    shapes[0].loops.emplace_back(ring.begin(), ring.end());
  }
  for (const Convex& piece : pieces) {
    const auto ring = piece.ring();
    shapes.push_back({1, {Ring(ring.begin(), ring.end())}});
  }
  const uint32_t wanted = part == CutPart::kInside ? 3 : 1;
  const auto polygons = overlay(shapes, [&](uint32_t groups) { return groups == wanted; });
  if (!polygons.ok()) return polygons.error();
  for (const Polygon& polygon : *polygons) {
    result.add(polygon.outer);
    for (const Ring& hole : polygon.holes) result.add(hole);
  }
  return Done{};
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
  const double area = doubledAreaOf(piece.ring());
  if (area == 0) return false;
  if (area < 0) std::reverse(piece.p.begin(), piece.p.begin() + count);
  if (count == 3) return true;
  // Rounding may leave a corner that bends inwards by less than a unit.
  for (bool changed = true; changed && piece.count >= 3;) {
    changed = false;
    for (uint32_t i = 0; i < piece.count; ++i) {
      const Point a = piece.p[i == 0 ? piece.count - 1 : i - 1];
      const Point b = piece.p[i];
      const Point c = piece.p[i + 1 == piece.count ? 0 : i + 1];
      if (turn(a, b, c) > 0) continue;
      std::copy(piece.p.begin() + i + 1, piece.p.begin() + piece.count, piece.p.begin() + i);
      --piece.count;
      changed = true;
      break;
    }
  }
  return piece.count >= 3;
}

Status Cutter::cut(const Rings& outline, std::span<const Convex> pieces, CutPart part, Rings& result) {
  if (cutFast(outline, pieces, part, result)) return Done{};
  ++fallbacks_;
  result.clear();
  return cutByOverlay(outline, pieces, part, result);
}

bool Cutter::cutFast(const Rings& outline, std::span<const Convex> pieces, CutPart part, Rings& result) {
  collect(outline, pieces);
  if (sides_.size() * outlineSides_ > kMaxPairs) return false;
  Box box;
  for (const Box& b : boxes_) box = joined(box, b);
  if (int64_t{box.max.x} - box.min.x >= kMaxSpan || int64_t{box.max.y} - box.min.y >= kMaxSpan) return false;
  splitPairs();
  makeParts();
  choose(pieces, part);
  result.clear();
  if (chainRings(arrows_, result)) return true;
  if (!closeTears(arrows_)) return false;
  result.clear();
  return chainRings(arrows_, result);
}

void Cutter::collect(const Rings& outline, std::span<const Convex> pieces) {
  sides_.clear();
  boxes_.clear();
  pieceBoxes_.clear();
  outlineLines_.clear();
  pieceLines_.clear();
  pieceBegin_.assign(1, 0);
  Box around;
  const auto add = [&](std::span<const Point> ring, uint32_t shape) {
    for (size_t i = 0; i < ring.size(); ++i) {
      const Side side{ring[i], ring[i + 1 == ring.size() ? 0 : i + 1], shape};
      const Box box = boxOf(side.a, side.b);
      (shape == 0 ? outlineLines_ : pieceLines_).push_back(lineOf(side.a, side.b));
      // What lies beside the outline bounds nothing of it.
      if (shape != 0 && (box.max.x < around.min.x || box.min.x > around.max.x || box.max.y < around.min.y ||
                         box.min.y > around.max.y)) {
        continue;
      }
      sides_.push_back(side);
      boxes_.push_back(box);
    }
  };
  for (size_t i = 0; i < outline.count(); ++i) add(outline.ring(i), 0);
  outlineSides_ = static_cast<uint32_t>(sides_.size());
  for (const Box& box : boxes_) around = joined(around, box);
  sortIntoRows();
  for (uint32_t i = 0; i < pieces.size(); ++i) {
    add(pieces[i].ring(), i + 1);
    pieceBegin_.push_back(static_cast<uint32_t>(pieceLines_.size()));
    pieceBoxes_.push_back(boxOf(pieces[i].ring()));
  }
  if (pieces.size() > 1) dropShared();
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
    sides_[kept] = sides_[i];
    boxes_[kept++] = boxes_[i];
  }
  sides_.resize(kept);
  boxes_.resize(kept);
}

void Cutter::splitPairs() {
  splits_.clear();
  const auto meet = [&](uint32_t i, uint32_t j) {
    return exact::meet(boxes_[i], boxes_[j]) && sides_[i].shape != sides_[j].shape;
  };
  // Sides of the outline do not cross each other: it is the pieces that ask.
  const auto count = static_cast<uint32_t>(sides_.size());
  if ((count - outlineSides_) * size_t{count} <= std::max(kFewPairs, kFewSides * size_t{count})) {
    for (uint32_t i = outlineSides_; i < count; ++i) {
      for (uint32_t j = 0; j < i; ++j) {
        if (meet(i, j)) split(j, i);
      }
    }
  } else if (count > kTreeFrom) {
    std::vector<BoxTree::Extent> extents(boxes_.size());
    for (size_t i = 0; i < extents.size(); ++i) extents[i].box = boxes_[i];
    const BoxTree tree(extents);
    for (uint32_t i = outlineSides_; i < count; ++i) {
      const Box box{{boxes_[i].min.x - 1, boxes_[i].min.y - 1}, {boxes_[i].max.x + 1, boxes_[i].max.y + 1}};
      tree.forEach(box, [&](uint32_t j) {
        if (j < i && sides_[i].shape != sides_[j].shape) split(j, i);
      });
    }
  } else {
    order_.resize(sides_.size());
    for (uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
    std::sort(order_.begin(), order_.end(), [&](uint32_t i, uint32_t j) {
      return boxes_[i].min.x != boxes_[j].min.x ? boxes_[i].min.x < boxes_[j].min.x : i < j;
    });
    for (size_t k = 0; k < order_.size(); ++k) {
      const uint32_t i = order_[k];
      for (size_t l = k + 1; l < order_.size() && boxes_[order_[l]].min.x <= boxes_[i].max.x; ++l) {
        const uint32_t j = order_[l];
        if (meet(i, j)) split(std::min(i, j), std::max(i, j));
      }
    }
  }
  sortSplits();
}

// By side, then along it.
void Cutter::sortSplits() {
  splitBegin_.assign(sides_.size() + 2, 0);
  for (const Split& s : splits_) ++splitBegin_[s.side + 2];
  for (size_t i = 2; i < splitBegin_.size(); ++i) splitBegin_[i] += splitBegin_[i - 1];
  sorted_.resize(splits_.size());
  for (const Split& s : splits_) sorted_[splitBegin_[s.side + 1]++] = s;
  for (size_t i = 0; i < sides_.size(); ++i) {
    std::sort(sorted_.begin() + splitBegin_[i], sorted_.begin() + splitBegin_[i + 1],
              [](const Split& p, const Split& q) { return p.t != q.t ? p.t < q.t : p.p < q.p; });
  }
  splits_.swap(sorted_);
}

void Cutter::split(uint32_t i, uint32_t j) {
  const auto [a, b, shapeI] = sides_[i];
  const auto [c, d, shapeJ] = sides_[j];
  const int64_t ca = side64(c, d, a);
  const int64_t cb = side64(c, d, b);
  if ((ca > 0 && cb > 0) || (ca < 0 && cb < 0)) return;
  const int64_t ac = side64(a, b, c);
  const int64_t ad = side64(a, b, d);
  if ((ac > 0 && ad > 0) || (ac < 0 && ad < 0)) return;
  const auto add = [&](uint32_t side, double t, Point p) {
    if (p != sides_[side].a && p != sides_[side].b) splits_.push_back({side, t, p});
  };
  const auto at = [&](uint32_t side, Point p) {
    const Side& s = sides_[side];
    const double x = double(s.b.x) - s.a.x;
    const double y = double(s.b.y) - s.a.y;
    return ((double(p.x) - s.a.x) * x + (double(p.y) - s.a.y) * y) / (x * x + y * y);
  };
  const auto within = [](const Box& box, Point p) {
    return p.x >= box.min.x && p.x <= box.max.x && p.y >= box.min.y && p.y <= box.max.y;
  };
  if (ca == 0 || cb == 0 || ac == 0 || ad == 0) {
    if (ca == 0 && within(boxes_[j], a)) add(j, at(j, a), a);
    if (cb == 0 && within(boxes_[j], b)) add(j, at(j, b), b);
    if (ac == 0 && within(boxes_[i], c)) add(i, at(i, c), c);
    if (ad == 0 && within(boxes_[i], d)) add(i, at(i, d), d);
    return;
  }
  const double t = static_cast<double>(ca) / (static_cast<double>(ca) - static_cast<double>(cb));
  const Point p = rounded(a.x + t * (double(b.x) - a.x), a.y + t * (double(b.y) - a.y));
  add(i, t, p);
  add(j, static_cast<double>(ac) / (static_cast<double>(ac) - static_cast<double>(ad)), p);
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

Cutter::Line Cutter::lineOf(Point a, Point b) {
  const double x = double(b.x) - a.x;
  const double y = double(b.y) - a.y;
  return {double(a.x), double(a.y), x, y, kNearLine * (std::abs(x) + std::abs(y)), a, b};
}

// Whether a side that passes a place lies on a line, given how the place turns from it.
bool Cutter::runsAlong(const Line& line, double turn, uint32_t side) const {
  return std::abs(turn) <= line.near && side64(line.a, line.b, sides_[side].a) == 0 &&
         side64(line.a, line.b, sides_[side].b) == 0;
}

// A convex ring: on both sides of the part, on neither, or only on one where the part runs along its border.
Cutter::Cover Cutter::coverOf(size_t piece, const Part& part) const {
  Cover cover = Cover::kBoth;
  for (uint32_t i = pieceBegin_[piece]; i < pieceBegin_[piece + 1]; ++i) {
    const Line& line = pieceLines_[i];
    const double turn = line.turn(part.x, part.y);
    if (runsAlong(line, turn, part.side)) {
      const Side& side = sides_[part.side];
      const bool along = line.x * (double(side.b.x) - side.a.x) + line.y * (double(side.b.y) - side.a.y) > 0;
      cover = along ? Cover::kLeft : Cover::kRight;
      continue;
    }
    if (turn < 0) return Cover::kNo;
  }
  return cover;
}

void Cutter::sortIntoRows() {
  rowBegin_.clear();
  if (outlineSides_ < kRowsFrom) return;
  Box box;
  for (uint32_t i = 0; i < outlineSides_; ++i) box = joined(box, boxes_[i]);
  rowOrigin_ = double(box.min.y) - 2;
  const double height = double(box.max.y) - box.min.y + 4;
  // A side may be off its true place by rounding: it belongs to the rows beside it too.
  const auto rowOf = [&](double y) { return static_cast<uint32_t>((y - rowOrigin_) * rowsPerUnit_); };
  const auto first = [&](uint32_t i) { return rowOf(double(boxes_[i].min.y) - 1); };
  const auto last = [&](uint32_t i) { return rowOf(double(boxes_[i].max.y) + 1); };
  uint32_t rows = outlineSides_;
  for (uint64_t entries = 0;; rows /= 2) {
    rowsPerUnit_ = rows / height;
    entries = 0;
    for (uint32_t i = 0; i < outlineSides_; ++i) entries += last(i) - first(i) + 1;
    if (rows == 1 || entries <= 8 * uint64_t{outlineSides_}) break;
  }
  rowBegin_.assign(rows + 2, 0);
  for (uint32_t i = 0; i < outlineSides_; ++i) {
    for (uint32_t r = first(i); r <= last(i); ++r) ++rowBegin_[r + 2];
  }
  for (size_t r = 2; r < rowBegin_.size(); ++r) rowBegin_[r] += rowBegin_[r - 1];
  rowItems_.resize(rowBegin_.back());
  for (uint32_t i = 0; i < outlineSides_; ++i) {
    for (uint32_t r = first(i); r <= last(i); ++r) rowItems_[rowBegin_[r + 1]++] = i;
  }
}

Cutter::Cover Cutter::outlineAt(const Part& part) const {
  bool inside = false;
  // True if the part runs along this side.
  const auto pass = [&](const Line& line, Cover& cover) {
    const double turn = line.turn(part.x, part.y);
    if (runsAlong(line, turn, part.side)) {
      const double along = line.x * (part.x - line.ax) + line.y * (part.y - line.ay);
      if (along > 0 && along < line.x * line.x + line.y * line.y) {
        const Side& side = sides_[part.side];
        cover = line.x * (double(side.b.x) - side.a.x) + line.y * (double(side.b.y) - side.a.y) > 0 ? Cover::kLeft
                                                                                                    : Cover::kRight;
        return true;
      }
    }
    if ((line.ay > part.y) != (line.b.y > part.y) && (turn > 0) == (line.y > 0)) inside = !inside;
    return false;
  };
  Cover cover = Cover::kNo;
  if (rowBegin_.empty()) {
    for (const Line& line : outlineLines_) {
      if (pass(line, cover)) return cover;
    }
  } else {
    const double row = (part.y - rowOrigin_) * rowsPerUnit_;
    if (row < 0 || row >= static_cast<double>(rowBegin_.size() - 2)) return Cover::kNo;
    const auto r = static_cast<size_t>(row);
    for (uint32_t i = rowBegin_[r]; i < rowBegin_[r + 1]; ++i) {
      if (pass(outlineLines_[rowItems_[i]], cover)) return cover;
    }
  }
  return inside ? Cover::kBoth : Cover::kNo;
}

void Cutter::choose(std::span<const Convex> pieces, CutPart part) {
  arrows_.clear();
  const bool outside = part == CutPart::kOutside;
  GridIndex grid;
  if (pieces.size() > kGridFrom) grid = GridIndex(pieceBoxes_);
  for (const Part& p : parts_) {
    const uint32_t shape = sides_[p.side].shape;
    bool left = shape != 0;  // covered by a piece
    bool right = shape == 0;
    bool repeated = false;
    // What is covered on both sides bounds nothing, whatever lies around it; the right of the outline does not matter.
    const auto covered = [&](uint32_t k) {
      const Box& box = pieceBoxes_[k];
      const bool holds = (static_cast<int>(p.x >= box.min.x) & static_cast<int>(p.x <= box.max.x) &
                          static_cast<int>(p.y >= box.min.y) & static_cast<int>(p.y <= box.max.y)) != 0;
      if (!holds || k + 1 == shape) return false;
      const Cover cover = coverOf(k, p);
      left = left || cover == Cover::kBoth || cover == Cover::kLeft;
      right = right || cover == Cover::kBoth || cover == Cover::kRight;
      // Of pieces that share a border, the first draws it.
      repeated = repeated || (shape != 0 && cover == Cover::kLeft && k + 1 < shape);
      return left && right;
    };
    bool both = false;
    if (pieces.size() > kGridFrom) {
      for (const uint32_t k : grid.at(Vec2{p.x, p.y})) {
        both = covered(k);
        if (both) break;
      }
    } else {
      for (uint32_t k = 0; k < pieces.size() && !both; ++k) both = covered(k);
    }
    if (repeated || (both && (outside || shape != 0))) continue;
    const Cover outline = shape == 0 ? Cover::kLeft : outlineAt(p);
    // Along the outline itself the outline's own part decides.
    if (outline == Cover::kNo || (shape != 0 && outline != Cover::kBoth)) continue;
    const bool leftIn = outline == Cover::kBoth || outline == Cover::kLeft;
    const bool rightIn = outline == Cover::kBoth || outline == Cover::kRight;
    const bool keepLeft = leftIn && left != outside;
    const bool keepRight = rightIn && right != outside;
    if (keepLeft && !keepRight) arrows_.push_back({p.a, p.b});
    if (keepRight && !keepLeft) arrows_.push_back({p.b, p.a});
  }
  // Free space narrower than a unit has collapsed.
  cancelOpposite(arrows_);
}

}  // namespace wend::exact
