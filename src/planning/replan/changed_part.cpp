#include "planning/replan/changed_part.h"

#include <algorithm>
#include <cmath>

#include "geometry/vec2.h"

namespace wend {
namespace {

Vec2 clamped(const ChangedBox& box, Vec2 p) {
  return {std::clamp(p.x, box.low.x, box.high.x), std::clamp(p.y, box.low.y, box.high.y)};
}

// True if the segment pq meets the box. Rounding may say no for a segment that touches it; then the way over the box's
// boundary is as long.
bool meets(const ChangedBox& box, Vec2 p, Vec2 q) {
  double begin = 0;
  double end = 1;
  const auto clip = [&](double from, double step, double low, double high) {
    if (step == 0) return from >= low && from <= high;
    const double a = (low - from) / step;
    const double b = (high - from) / step;
    begin = std::max(begin, std::min(a, b));
    end = std::min(end, std::max(a, b));
    return begin <= end;
  };
  return clip(p.x, q.x - p.x, box.low.x, box.high.x) && clip(p.y, q.y - p.y, box.low.y, box.high.y);
}

// The shortest way from p over a point of an axis-parallel side to q, both on one side of its line or anywhere: q is
// mirrored to the other side, and the straight line is cut with the side. `along` is the coordinate that varies.
double lengthOverSide(double pAlong, double pAcross, double qAlong, double qAcross, double low, double high) {
  const double a = std::abs(pAcross);
  const double b = std::abs(qAcross);
  const double at = a + b > 0 ? (b * pAlong + a * qAlong) / (a + b) : pAlong;
  const double t = std::clamp(at, low, high);
  return std::hypot(t - pAlong, a) + std::hypot(t - qAlong, b);
}

double gapBetween(const ChangedBox& a, const ChangedBox& b) {
  const double x = std::max({0.0, a.low.x - b.high.x, b.low.x - a.high.x});
  const double y = std::max({0.0, a.low.y - b.high.y, b.low.y - a.high.y});
  return std::hypot(x, y);
}

}  // namespace

double distanceToBox(const ChangedBox& box, Vec2 p) {
  return distance(p, clamped(box, p));
}

double lengthThroughBox(const ChangedBox& box, Vec2 p, Vec2 q) {
  if (meets(box, p, q)) return distance(p, q);
  double least = HUGE_VAL;
  for (const double y : {box.low.y, box.high.y}) {
    least = std::min(least, lengthOverSide(p.x, p.y - y, q.x, q.y - y, box.low.x, box.high.x));
  }
  for (const double x : {box.low.x, box.high.x}) {
    least = std::min(least, lengthOverSide(p.y, p.x - x, q.y, q.x - x, box.low.y, box.high.y));
  }
  return least;
}

void ChangedPart::add(Vec2 p) {
  add(ChangedBox{p, p});
}

void ChangedPart::add(const ChangedBox& box) {
  for (const ChangedBox& known : boxes_) {
    if (clamped(known, box.low) == box.low && clamped(known, box.high) == box.high) return;
  }
  boxes_.push_back(box);
}

void ChangedPart::merge(double gap, size_t most) {
  const auto join = [&](size_t i, size_t j) {
    ChangedBox& a = boxes_[i];
    const ChangedBox& b = boxes_[j];
    a.low = {std::min(a.low.x, b.low.x), std::min(a.low.y, b.low.y)};
    a.high = {std::max(a.high.x, b.high.x), std::max(a.high.y, b.high.y)};
    boxes_.erase(boxes_.begin() + static_cast<ptrdiff_t>(j));
  };
  if (boxes_.size() > kManyBoxes) {
    while (boxes_.size() > 1) join(0, boxes_.size() - 1);
  }
  for (size_t i = 0; i < boxes_.size(); ++i) {
    for (size_t j = 0; j < boxes_.size(); ++j) {
      if (i == j || gapBetween(boxes_[i], boxes_[j]) > gap) continue;
      join(std::min(i, j), std::max(i, j));
      // The box has grown: compare it with all others again.
      i = std::min(i, j);
      j = static_cast<size_t>(-1);
    }
  }
  while (boxes_.size() > most) {
    size_t first = 0;
    size_t second = 1;
    double least = HUGE_VAL;
    for (size_t i = 0; i < boxes_.size(); ++i) {
      for (size_t j = i + 1; j < boxes_.size(); ++j) {
        const double d = gapBetween(boxes_[i], boxes_[j]);
        if (d >= least) continue;
        least = d;
        first = i;
        second = j;
      }
    }
    join(first, second);
  }
}

double ChangedPart::distance(Vec2 p) const {
  double least = HUGE_VAL;
  for (const ChangedBox& box : boxes_) least = std::min(least, distanceToBox(box, p));
  return least;
}

double ChangedPart::lengthThrough(Vec2 p, Vec2 q) const {
  double least = HUGE_VAL;
  for (const ChangedBox& box : boxes_) least = std::min(least, lengthThroughBox(box, p, q));
  return least;
}

bool ChangedPart::isBeyond(Vec2 p, Vec2 q, double length) const {
  return std::all_of(boxes_.begin(), boxes_.end(), [&](const ChangedBox& box) {
    // Two clamps decide most cases.
    if (distanceToBox(box, p) + distanceToBox(box, q) >= length) return true;
    return lengthThroughBox(box, p, q) >= length;
  });
}

}  // namespace wend
