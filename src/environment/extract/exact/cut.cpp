#include "environment/extract/exact/cut.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "geometry/overlay.h"
#include "geometry/predicates.h"

namespace wend::exact {
namespace {

// Beyond this the sweep of overlay() wins over testing pairs.
constexpr size_t kMaxSides = 3000;
// Differences below this keep every product within 64 bits.
constexpr int64_t kMaxSpan = int64_t{1} << 30;

int64_t side64(Point a, Point b, Point c) {
  return (static_cast<int64_t>(b.x) - a.x) * (static_cast<int64_t>(c.y) - a.y) -
         (static_cast<int64_t>(b.y) - a.y) * (static_cast<int64_t>(c.x) - a.x);
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
  // Rounding may leave a corner that bends inwards by less than a unit.
  for (bool changed = true; changed && piece.count >= 3;) {
    changed = false;
    for (uint32_t i = 0; i < piece.count; ++i) {
      const Point a = piece.p[(i + piece.count - 1) % piece.count];
      const Point b = piece.p[i];
      const Point c = piece.p[(i + 1) % piece.count];
      if (cross(a, b, c) > 0) continue;
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
  if (sides_.size() > kMaxSides) return false;
  Box box;
  for (const Box& b : boxes_) box.add(b);
  if (int64_t{box.max.x} - box.min.x >= kMaxSpan || int64_t{box.max.y} - box.min.y >= kMaxSpan) return false;
  splitPairs();
  makeParts();
  choose(pieces, part);
  result.clear();
  return chainRings(arrows_, result);
}

void Cutter::collect(const Rings& outline, std::span<const Convex> pieces) {
  sides_.clear();
  boxes_.clear();
  pieceBoxes_.clear();
  Box around;
  const auto add = [&](std::span<const Point> ring, uint32_t shape) {
    for (size_t i = 0; i < ring.size(); ++i) {
      const Side side{ring[i], ring[i + 1 == ring.size() ? 0 : i + 1], shape};
      const Box box{{std::min(side.a.x, side.b.x), std::min(side.a.y, side.b.y)},
                    {std::max(side.a.x, side.b.x), std::max(side.a.y, side.b.y)}};
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
  for (const Box& box : boxes_) around.add(box);
  for (uint32_t i = 0; i < pieces.size(); ++i) {
    add(pieces[i].ring(), i + 1);
    pieceBoxes_.push_back(boundingBox(pieces[i].ring()));
  }
}

void Cutter::splitPairs() {
  splits_.clear();
  order_.resize(sides_.size());
  for (uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
  std::sort(order_.begin(), order_.end(), [&](uint32_t i, uint32_t j) {
    return boxes_[i].min.x != boxes_[j].min.x ? boxes_[i].min.x < boxes_[j].min.x : i < j;
  });
  for (size_t k = 0; k < order_.size(); ++k) {
    const uint32_t i = order_[k];
    const Box& b = boxes_[i];
    for (size_t l = k + 1; l < order_.size(); ++l) {
      const uint32_t j = order_[l];
      const Box& c = boxes_[j];
      if (c.min.x > b.max.x) break;
      if (c.min.y > b.max.y || c.max.y < b.min.y || sides_[i].shape == sides_[j].shape) continue;
      split(std::min(i, j), std::max(i, j));
    }
  }
  std::sort(splits_.begin(), splits_.end());
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
  const auto add = [&](uint32_t side, Point p) {
    const Side& s = sides_[side];
    if (p == s.a || p == s.b) return;
    const int64_t along = (static_cast<int64_t>(p.x) - s.a.x) * (static_cast<int64_t>(s.b.x) - s.a.x) +
                          (static_cast<int64_t>(p.y) - s.a.y) * (static_cast<int64_t>(s.b.y) - s.a.y);
    splits_.push_back({side, along, p});
  };
  const auto within = [](const Box& box, Point p) {
    return p.x >= box.min.x && p.x <= box.max.x && p.y >= box.min.y && p.y <= box.max.y;
  };
  if (ca == 0 || cb == 0 || ac == 0 || ad == 0) {
    if (ca == 0 && within(boxes_[j], a)) add(j, a);
    if (cb == 0 && within(boxes_[j], b)) add(j, b);
    if (ac == 0 && within(boxes_[i], c)) add(i, c);
    if (ad == 0 && within(boxes_[i], d)) add(i, d);
    return;
  }
  const double t = static_cast<double>(ca) / (static_cast<double>(ca) - static_cast<double>(cb));
  const Point p{static_cast<int32_t>(std::lround(a.x + t * (double(b.x) - a.x))),
                static_cast<int32_t>(std::lround(a.y + t * (double(b.y) - a.y)))};
  add(i, p);
  add(j, p);
}

void Cutter::makeParts() {
  parts_.clear();
  auto it = splits_.begin();
  for (uint32_t i = 0; i < sides_.size(); ++i) {
    Point from = sides_[i].a;
    const auto add = [&](Point to) {
      if (to == from) return;
      if (from < to) {
        parts_.push_back({from, to, sides_[i].shape, 1});
      } else {
        parts_.push_back({to, from, sides_[i].shape, -1});
      }
      from = to;
    };
    for (; it != splits_.end() && it->side == i; ++it) add(it->p);
    add(sides_[i].b);
  }
  std::sort(parts_.begin(), parts_.end(), [](const Part& p, const Part& q) {
    return std::tie(p.a, p.b, p.shape, p.direction) < std::tie(q.a, q.b, q.shape, q.direction);
  });
}

// Whether the place in half units lies in the outline; even-odd.
bool Cutter::inOutline(int64_t x, int64_t y) const {
  bool inside = false;
  for (const Side& side : sides_) {
    if (side.shape != 0) break;
    const int64_t ay = 2 * static_cast<int64_t>(side.a.y);
    const int64_t by = 2 * static_cast<int64_t>(side.b.y);
    if ((ay > y) == (by > y)) continue;
    const int64_t ax = 2 * static_cast<int64_t>(side.a.x);
    const int64_t bx = 2 * static_cast<int64_t>(side.b.x);
    const Int128 turn = static_cast<Int128>(bx - ax) * (y - ay) - static_cast<Int128>(by - ay) * (x - ax);
    if ((turn > 0) == (by > ay)) inside = !inside;
  }
  return inside;
}

void Cutter::choose(std::span<const Convex> pieces, CutPart part) {
  arrows_.clear();
  const auto covers = [&](const Convex& piece, int64_t x, int64_t y) {
    for (uint32_t i = 0; i < piece.count; ++i) {
      const Point a = piece.p[i];
      const Point b = piece.p[i + 1 == piece.count ? 0 : i + 1];
      const Int128 turn = static_cast<Int128>(int64_t{b.x} - a.x) * (y - 2 * int64_t{a.y}) -
                          static_cast<Int128>(int64_t{b.y} - a.y) * (x - 2 * int64_t{a.x});
      if (turn < 0) return false;
    }
    return true;
  };
  for (size_t i = 0, j = 0; i < parts_.size(); i = j) {
    const Point a = parts_[i].a;
    const Point b = parts_[i].b;
    const int64_t x = static_cast<int64_t>(a.x) + b.x;
    const int64_t y = static_cast<int64_t>(a.y) + b.y;
    int outline = 0;  // net direction of the outline here
    bool onOutline = false;
    bool leftCovered = false;
    bool rightCovered = false;
    while (j < parts_.size() && parts_[j].a == a && parts_[j].b == b) {
      const uint32_t shape = parts_[j].shape;
      int net = 0;
      for (; j < parts_.size() && parts_[j].a == a && parts_[j].b == b && parts_[j].shape == shape; ++j) {
        net += parts_[j].direction;
      }
      if (shape == 0) {
        outline = net;
        onOutline = net != 0;
      } else {
        leftCovered = leftCovered || net > 0;
        rightCovered = rightCovered || net < 0;
      }
    }
    const bool leftIn = onOutline ? outline > 0 : inOutline(x, y);
    const bool rightIn = onOutline ? outline < 0 : leftIn;
    if (!leftIn && !rightIn) continue;
    for (uint32_t k = 0; k < pieces.size() && !(leftCovered && rightCovered); ++k) {
      const Box& box = pieceBoxes_[k];
      if (x < 2 * int64_t{box.min.x} || x > 2 * int64_t{box.max.x} || y < 2 * int64_t{box.min.y} ||
          y > 2 * int64_t{box.max.y}) {
        continue;
      }
      const bool among =
          std::any_of(parts_.begin() + static_cast<std::ptrdiff_t>(i), parts_.begin() + static_cast<std::ptrdiff_t>(j),
                      [&](const Part& p) { return p.shape == k + 1; });
      if (!among && covers(pieces[k], x, y)) leftCovered = rightCovered = true;
    }
    const bool wanted = part == CutPart::kInside;
    const bool left = leftIn && leftCovered == wanted;
    const bool right = rightIn && rightCovered == wanted;
    if (left && !right) arrows_.push_back({a, b});
    if (right && !left) arrows_.push_back({b, a});
  }
}

}  // namespace wend::exact
