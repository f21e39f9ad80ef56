#include "planning/clearance/cell_crossings.h"

#include <algorithm>

namespace wend {

bool isClearOf(std::span<const Wall> walls, const DiskMove& way) {
  for (const Wall& w : walls) {
    // Most walls lie wholly on one side of the line, or before or behind the way. (One that stays where it is has no
    // line.)
    if (way.limit > 0) {
      const Vec2 p = w.a - way.a;
      const Vec2 q = w.b - way.a;
      const double first = cross(way.along, p);
      const double second = cross(way.along, q);
      const double from = dot(way.along, p);
      const double to = dot(way.along, q);
      // The processor cannot predict which of these holds: one branch for all.
      const double beside = std::max(std::min(first, second), -std::max(first, second)) - way.limit;
      const double beyond = std::max(std::min(from, to) - way.square, -std::max(from, to)) - way.limit;
      if (std::max(beside, beyond) >= 0) continue;
    }
    if (w.sight == nullptr ? isNearer(way.a, way.b, w.a, w.b, way.r)
                           : closestToWall(way.a, way.b, w).distance < way.r) {
      return false;
    }
  }
  return true;
}

Interval blockedBy(const Wall& wall, Vec2 o, Vec2 u, double size, double r) {
  Interval blocked = blockedInterval(o, u, wall.a, wall.b, r);
  if (blocked.empty() || wall.sight == nullptr) return blocked;
  const Interval part = wall.sight->clip(o, o + size * u);
  if (part.empty()) return {};
  return {std::max(blocked.low, part.low * size), std::min(blocked.high, part.high * size)};
}

void findFreeIntervals(Vec2 a, Vec2 b, std::span<const Wall> walls, double r, FreeIntervalScratch& scratch,
                       std::vector<FreeInterval>& intervals) {
  const double size = length(b - a);
  const Vec2 u = (1 / size) * (b - a);
  scratch.blocked.clear();
  for (uint32_t i = 0; i < walls.size(); ++i) {
    if (areBoxesApart(a, b, walls[i].a, walls[i].b, r)) continue;
    const Interval blocked = blockedBy(walls[i], a, u, size, r);
    if (blocked.empty() || blocked.high <= 0 || blocked.low >= size) continue;
    scratch.blocked.push_back({blocked.low, blocked.high, i});
  }
  std::sort(scratch.blocked.begin(), scratch.blocked.end(),
            [](const auto& x, const auto& y) { return x.low != y.low ? x.low < y.low : x.wall < y.wall; });
  double reached = 0;
  uint32_t wall = kNoWall;
  for (const FreeIntervalScratch::Blocked& next : scratch.blocked) {
    if (next.low >= reached && (wall != kNoWall || next.low > 0))
      intervals.push_back({reached, next.low, wall, next.wall});
    if (next.high > reached) {
      reached = next.high;
      wall = next.wall;
    }
  }
  if (reached < size || wall == kNoWall) intervals.push_back({reached, size, wall, kNoWall});
}

namespace {

class Faces {
 public:
  Faces(std::span<const CellEdge> edges, std::span<const FreeInterval> intervals, std::span<const Wall> walls, double r,
        FaceScratch& scratch, CellFaces& faces)
      : edges_(edges),
        intervals_(intervals),
        walls_(walls),
        r_(r),
        s_(scratch),
        faces_(faces),
        count_(intervals.size()) {}

  void run() {
    faces_.face.assign(count_, 0);
    faces_.gap.assign(walls_.size(), kNoWall);
    faces_.open.assign(count_, 0);
    if (count_ == 0) return;
    s_.parent.resize(count_ + walls_.size());
    for (uint32_t i = 0; i < s_.parent.size(); ++i) s_.parent[i] = i;
    findNear();
    joinOnBorder();
    findOpenGaps();
    if (count_ > 1) {
      joinInside();
      nameFaces();
    }
  }

 private:
  uint32_t find(uint32_t i) {
    while (s_.parent[i] != i) i = s_.parent[i] = s_.parent[s_.parent[i]];
    return i;
  }
  void join(uint32_t i, uint32_t j) {
    i = find(i);
    j = find(j);
    if (i != j) s_.parent[std::max(i, j)] = std::min(i, j);
  }
  void attach(uint32_t wall, uint32_t gap) {
    if (faces_.gap[wall] == kNoWall) faces_.gap[wall] = gap;
    join(static_cast<uint32_t>(count_) + wall, gap);
  }
  uint32_t before(uint32_t interval) const { return interval == 0 ? static_cast<uint32_t>(count_) - 1 : interval - 1; }

  void findNear() {
    Vec2 low = edges_.front().a;
    Vec2 high = low;
    for (const CellEdge& edge : edges_) {
      low = {std::min(low.x, edge.a.x), std::min(low.y, edge.a.y)};
      high = {std::max(high.x, edge.a.x), std::max(high.y, edge.a.y)};
    }
    s_.near.clear();
    for (uint32_t i = 0; i < walls_.size(); ++i) {
      if (!areBoxesApart(low, high, walls_[i].a, walls_[i].b, r_)) s_.near.push_back(i);
    }
  }
  void joinOnBorder() {
    const bool inParts = std::any_of(walls_.begin(), walls_.end(), [](const Wall& w) { return w.sight != nullptr; });
    for (const CellEdge& edge : edges_) {
      const double size = length(edge.b - edge.a);
      const Vec2 u = (1 / size) * (edge.b - edge.a);
      for (const uint32_t i : s_.near) {
        if (areBoxesApart(edge.a, edge.b, walls_[i].a, walls_[i].b, r_)) continue;
        const Interval blocked = blockedBy(walls_[i], edge.a, u, size, r_);
        if (blocked.empty() || blocked.high <= 0 || blocked.low >= size) continue;
        const double middle = 0.5 * (std::max(0.0, blocked.low) + std::min(size, blocked.high));
        attach(i, gapAt(edge, middle));
      }
      for (uint32_t k = edge.firstInterval; k < edge.firstInterval + edge.intervalCount; ++k) {
        // A wall seen past several vertices stands in the list several times: which of them it is, is not known here.
        if (inParts) break;
        if (intervals_[k].lowWall != kNoWall) attach(intervals_[k].lowWall, before(k));
        if (intervals_[k].highWall != kNoWall) attach(intervals_[k].highWall, k);
      }
    }
  }
  // The gap around a blocked place.
  uint32_t gapAt(const CellEdge& edge, double place) const {
    uint32_t interval = edge.firstInterval;
    while (interval < edge.firstInterval + edge.intervalCount &&
           0.5 * (intervals_[interval].low + intervals_[interval].high) < place)
      ++interval;
    return interval % count_ == 0 ? static_cast<uint32_t>(count_) - 1 : interval - 1;
  }

  void findOpenGaps() {
    for (size_t e = 0; e < edges_.size(); ++e) {
      const CellEdge& edge = edges_[e];
      const CellEdge& next = edges_[e + 1 == edges_.size() ? 0 : e + 1];
      if (edge.intervalCount == 0 || next.intervalCount == 0) continue;
      const uint32_t last = edge.firstInterval + edge.intervalCount - 1;
      faces_.open[last] = intervals_[last].highWall == kNoWall && intervals_[next.firstInterval].lowWall == kNoWall;
    }
  }

  void joinInside() {
    s_.polygon.clear();
    for (const CellEdge& edge : edges_) s_.polygon.push_back(edge.a);
    const auto n = static_cast<uint32_t>(count_);
    for (size_t x = 0; x < s_.near.size(); ++x) {
      const uint32_t i = s_.near[x];
      if (faces_.gap[i] == kNoWall) continue;
      for (size_t y = x + 1; y < s_.near.size(); ++y) {
        const uint32_t j = s_.near[y];
        if (faces_.gap[j] == kNoWall || areBoxesApart(walls_[i].a, walls_[i].b, walls_[j].a, walls_[j].b, 2 * r_) ||
            find(n + i) == find(n + j))
          continue;
        if (walls_[i].sight != nullptr || walls_[j].sight != nullptr) {
          if (meetInSight(walls_[i], walls_[j])) join(n + i, n + j);
          continue;
        }
        const Closest way = closestBetween(walls_[i].a, walls_[i].b, walls_[j].a, walls_[j].b);
        if (way.distance < 2 * r_ && containsConvex(s_.polygon, 0.5 * (way.first + way.second))) join(n + i, n + j);
      }
    }
  }
  // The same where both count, which is a smaller convex polygon.
  bool meetInSight(const Wall& first, const Wall& second) {
    s_.common = s_.polygon;
    for (const Wall* wall : {&first, &second}) {
      if (wall->sight != nullptr) wall->sight->clip(s_.common, s_.clipped);
    }
    if (s_.common.size() < 3) return false;
    for (size_t i = 0; i < s_.common.size(); ++i) {
      const Vec2 a = s_.common[i];
      const Vec2 b = s_.common[i + 1 == s_.common.size() ? 0 : i + 1];
      const double size = length(b - a);
      if (!(size > 0)) continue;
      const Vec2 u = (1 / size) * (b - a);
      const Interval x = blockedInterval(a, u, first.a, first.b, r_);
      const Interval y = blockedInterval(a, u, second.a, second.b, r_);
      if (x.empty() || y.empty()) continue;
      if (std::max({0.0, x.low, y.low}) < std::min({size, x.high, y.high})) return true;
    }
    const Closest way = closestBetween(first.a, first.b, second.a, second.b);
    return way.distance < 2 * r_ && containsConvex(s_.common, 0.5 * (way.first + way.second));
  }
  // Walking along a face: after free interval i comes gap i; along its component the walk arrives at the end of the
  // component's previous gap, and goes on with the free interval behind that one.
  void nameFaces() {
    const auto n = static_cast<uint32_t>(count_);
    s_.last.assign(s_.parent.size(), kNoWall);
    std::vector<uint32_t>& previous = faces_.face;  // first the previous gap of the component, then the face
    for (uint32_t round = 0; round < 2; ++round) {
      for (uint32_t gap = 0; gap < n; ++gap) {
        uint32_t& last = s_.last[find(gap)];
        if (round == 1) previous[gap] = faces_.open[gap] != 0 ? gap : last;
        if (faces_.open[gap] == 0) last = gap;
      }
    }
    s_.last.assign(previous.begin(), previous.end());
    std::fill(faces_.face.begin(), faces_.face.end(), kNoWall);
    for (uint32_t first = 0; first < n; ++first) {
      for (uint32_t interval = first; faces_.face[interval] == kNoWall; interval = (s_.last[interval] + 1) % n)
        faces_.face[interval] = first;
    }
  }

  std::span<const CellEdge> edges_;
  std::span<const FreeInterval> intervals_;
  std::span<const Wall> walls_;
  double r_;
  FaceScratch& s_;
  CellFaces& faces_;
  size_t count_;
};

}  // namespace

void findFaces(std::span<const CellEdge> edges, std::span<const FreeInterval> intervals, std::span<const Wall> walls,
               double r, FaceScratch& scratch, CellFaces& faces) {
  Faces(edges, intervals, walls, r, scratch, faces).run();
}

}  // namespace wend
