#include "planning/disk/crossing_sleeve.h"

#include <algorithm>

#include "geometry/predicates.h"

namespace wend {
namespace {

ContourPoint freePoint(Vec2 place) {
  return {place, place, 0};
}

void add(const ContourPoint& point, std::vector<ContourPoint>& border) {
  if (border.empty() || !(border.back().place == point.place)) border.push_back(point);
}

// The border counter-clockwise from one end to the other, past the free intervals between them.
bool followBorder(const ContourCell& cell, const SleeveEnd& from, const SleeveEnd& to,
                  std::vector<ContourPoint>& border) {
  border.clear();
  uint32_t at = from.interval;
  if (from.isPoint) border.push_back(freePoint(cell.intervals[at].begin));
  for (size_t i = 0; i <= cell.intervals.size(); ++i) {
    // Where a wall ends the interval, the trace begins there.
    if (cell.intervals[at].endWall == kNoWall) add(freePoint(cell.intervals[at].end), border);
    const size_t first = border.size();
    const Vec2 end = cell.intervals[at].end;
    at = traceContour(cell, at, border);
    if (at == kNoWall) return false;
    // The trace is rounded. The portals that the sleeve lies between must meet it exactly.
    if (first < border.size()) border[first].place = end;
    if (!border.empty()) border.back().place = cell.intervals[at].begin;
    if (at == to.interval) return true;
  }
  return false;
}

class Triangulation {
 public:
  Triangulation(std::span<const ContourPoint> left, std::span<const ContourPoint> right,
                std::vector<SleevePortal>& portals)
      : left_(left), right_(right), portals_(portals) {}

  // From the first points of both borders to the last ones.
  void run() {
    size_t i = 0;
    size_t k = 0;
    while (i + 1 < left_.size() || k + 1 < right_.size()) {
      advance(i, k);
      if (i + 1 < left_.size() || k + 1 < right_.size()) portals_.push_back({left_[i], right_[k]});
    }
  }

 private:
  // To the third corner of the triangle ahead of the segment.
  void advance(size_t& i, size_t& k) const {
    const size_t most = std::max(left_.size() - i, right_.size() - k);
    for (size_t by = 1; by < most; ++by) {
      if (i + by < left_.size() && isTriangle(i, k, left_[i + by].place, i + by, k)) {
        i += by;
        return;
      }
      if (k + by < right_.size() && isTriangle(i, k, right_[k + by].place, i, k + by)) {
        k += by;
        return;
      }
    }
    // Only where both borders touch, up to rounding.
    if (k + 1 == right_.size() || (i + 1 < left_.size() && i * right_.size() <= k * left_.size())) {
      ++i;
    } else {
      ++k;
    }
  }
  bool isTriangle(size_t i, size_t k, Vec2 tip, size_t nextLeft, size_t nextRight) const {
    const Vec2 a = left_[i].place;
    const Vec2 b = right_[k].place;
    if (orient(a, b, tip) <= 0) return false;
    return isFree(left_, i, nextLeft, a, b, tip) && isFree(right_, k, nextRight, a, b, tip);
  }
  // Whether the border enters the triangle from the given point on. It cannot enter through ab, nor through its own
  // part that is the triangle's side.
  static bool isFree(std::span<const ContourPoint> border, size_t from, size_t next, Vec2 a, Vec2 b, Vec2 tip) {
    for (size_t j = from; j + 1 < border.size(); ++j) {
      const Vec2 p = border[j].place;
      const Vec2 q = border[j + 1].place;
      if (isOutside(a, b, tip, p, q)) continue;
      if (isInside(a, b, tip, q) && j + 1 != next) return false;
      if (crosses(a, tip, p, q) || crosses(b, tip, p, q)) return false;
    }
    return true;
  }
  // A quick test: the segment lies beyond one side of the triangle's box.
  static bool isOutside(Vec2 a, Vec2 b, Vec2 c, Vec2 p, Vec2 q) {
    return std::max(p.x, q.x) < std::min({a.x, b.x, c.x}) || std::min(p.x, q.x) > std::max({a.x, b.x, c.x}) ||
           std::max(p.y, q.y) < std::min({a.y, b.y, c.y}) || std::min(p.y, q.y) > std::max({a.y, b.y, c.y});
  }
  static bool isInside(Vec2 a, Vec2 b, Vec2 c, Vec2 p) {
    return orient(a, b, p) > 0 && orient(b, c, p) > 0 && orient(c, a, p) > 0;
  }
  static bool crosses(Vec2 a, Vec2 b, Vec2 p, Vec2 q) {
    return orient(a, b, p) * orient(a, b, q) < 0 && orient(p, q, a) * orient(p, q, b) < 0;
  }

  std::span<const ContourPoint> left_;
  std::span<const ContourPoint> right_;
  std::vector<SleevePortal>& portals_;
};

}  // namespace

bool findSleeve(const ContourCell& cell, const SleeveEnd& entry, const SleeveEnd& exit, SleeveScratch& scratch,
                std::vector<SleevePortal>& portals) {
  // An end on the interval that the path leaves by: nothing lies between.
  if (entry.interval == exit.interval) return true;
  // The right border runs counter-clockwise from the entry to the exit, the left one back.
  if (!followBorder(cell, entry, exit, scratch.right)) return false;
  if (!followBorder(cell, exit, entry, scratch.left)) return false;
  std::reverse(scratch.left.begin(), scratch.left.end());
  Triangulation(scratch.left, scratch.right, portals).run();
  return true;
}

}  // namespace wend
