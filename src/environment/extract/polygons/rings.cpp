#include "environment/extract/polygons/rings.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/parallel.h"
#include "geometry/vec2.h"

namespace wend::extraction {
namespace {

// Which of two directions from v comes first, turning clockwise from `back`. The direction of `back` itself is last.
bool turnsLess(Point v, Point back, Point p, Point q) {
  const auto half = [&](Point d) {
    const int side = orient(v, back, d);
    if (side != 0) return side < 0 ? 0 : 2;
    const bool same = (static_cast<int64_t>(back.x) - v.x) * (static_cast<int64_t>(d.x) - v.x) >= 0 &&
                      (static_cast<int64_t>(back.y) - v.y) * (static_cast<int64_t>(d.y) - v.y) >= 0;
    return same ? 3 : 1;
  };
  const int hp = half(p);
  const int hq = half(q);
  if (hp != hq) return hp < hq;
  return orient(v, p, q) < 0;
}

// Not a function, so that sorting does not call it.
struct Before {
  bool operator()(const Arrow& p, const Arrow& q) const {
    const uint64_t a = orderOf(p.a);
    const uint64_t b = orderOf(q.a);
    return a != b ? a < b : orderOf(p.b) < orderOf(q.b);
  }
};

// Rings that touch may cross where their ends were rounded: nearer than this to one, in units, a place is on no side.
constexpr double kTouch = 2;

// Whether a ring lies inside another one; they touch at most. Corners, or else middles of sides, decide that are clear
// of the other; if there are none, most of them.
bool liesIn(std::span<const Point> ring, std::span<const Point> outer) {
  int votes = 0;
  for (const double along : {0.0, 0.5}) {
    for (size_t k = 0; k < ring.size(); ++k) {
      const Vec2 p = between(toVec2(ring[k]), toVec2(ring[k + 1 == ring.size() ? 0 : k + 1]), along);
      bool inside = false;
      bool clear = true;
      Vec2 a = toVec2(outer.back());
      for (const Point end : outer) {
        const Vec2 b = toVec2(end);
        if ((a.y > p.y) != (b.y > p.y)) inside = inside != ((orient(a, b, p) > 0) == (b.y > a.y));
        const bool near = p.x > std::min(a.x, b.x) - kTouch && p.x < std::max(a.x, b.x) + kTouch &&
                          p.y > std::min(a.y, b.y) - kTouch && p.y < std::max(a.y, b.y) + kTouch;
        clear = clear && !(near && distanceToSegment(p, a, b) < kTouch);
        a = b;
      }
      if (clear) return inside;
      votes += inside ? 1 : -1;
    }
  }
  return votes >= 0;
}

}  // namespace

std::vector<uint32_t> gather(std::span<const Rings> parts, Rings& rings, const Context& context) {
  std::vector<uint32_t> before(parts.size() + 1, 0);
  std::vector<uint32_t> pointsBefore(parts.size() + 1, 0);
  for (size_t i = 0; i < parts.size(); ++i) {
    before[i + 1] = before[i] + static_cast<uint32_t>(parts[i].count());
    pointsBefore[i + 1] = pointsBefore[i] + static_cast<uint32_t>(parts[i].points.size());
  }
  rings.points.resize(pointsBefore.back());
  rings.begin.resize(before.back() + size_t{1});
  parallelFor(parts.size(), context, [&](size_t i) {
    const Rings& part = parts[i];
    std::copy(part.points.begin(), part.points.end(), rings.points.begin() + pointsBefore[i]);
    for (size_t r = 1; r < part.begin.size(); ++r) rings.begin[before[i] + r] = pointsBefore[i] + part.begin[r];
  });
  return before;
}

void cancelOpposite(std::vector<Arrow>& arrows) {
  std::sort(arrows.begin(), arrows.end(), Before{});
  ByStart<Arrow> byStart(arrows);
  byStart.addAll();
  std::vector<uint8_t> gone;
  for (size_t i = 0, j = 0; i < arrows.size(); i = j) {
    const Arrow arrow = arrows[i];
    while (j < arrows.size() && arrows[j] == arrow) ++j;
    if (orderOf(arrow.b) < orderOf(arrow.a)) continue;  // its opposite came before
    const Arrow opposite{arrow.b, arrow.a};
    const uint32_t first = byStart.find(arrow.b);
    if (first == kNone) continue;
    auto it = arrows.begin() + first;
    if (Before{}(*it, opposite)) it = std::lower_bound(it + 1, arrows.end(), opposite, Before{});
    for (size_t k = i; k < j && it != arrows.end() && *it == opposite; ++k, ++it) {
      if (gone.empty()) gone.assign(arrows.size(), 0);
      gone[k] = gone[static_cast<size_t>(it - arrows.begin())] = 1;
    }
  }
  if (gone.empty()) return;
  size_t kept = 0;
  for (size_t i = 0; i < arrows.size(); ++i) {
    if (gone[i] == 0) arrows[kept++] = arrows[i];
  }
  arrows.resize(kept);
}

bool chainUnbranched(std::span<const Arrow> arrows, Rings& rings) {
  const auto n = static_cast<uint32_t>(arrows.size());
  ByStart<Arrow> byStart(arrows);
  for (uint32_t i = 0; i < n; ++i) {
    if (!byStart.add(i)) return false;
  }
  std::array<uint32_t, ByStart<Arrow>::kFew> few;
  std::vector<uint32_t> many;
  if (n > ByStart<Arrow>::kFew) many.resize(n);
  uint32_t* const next = many.empty() ? few.data() : many.data();
  for (uint32_t i = 0; i < n; ++i) {
    // As a rule the next one comes next.
    next[i] = i + 1 < n && arrows[i + 1].a == arrows[i].b ? i + 1 : byStart.find(arrows[i].b);
    if (next[i] == kNone) return false;
  }
  // Each ring begins with its smallest point, and the rings are in the order of these.
  struct Start {
    uint64_t order;
    uint32_t arrow;
    uint32_t count;
  };
  std::array<Start, ByStart<Arrow>::kFew / 3> fewStarts;
  std::vector<Start> manyStarts(many.size() / 3);
  std::span<Start> starts = many.empty() ? std::span<Start>(fewStarts) : std::span<Start>(manyStarts);
  size_t count = 0;
  constexpr uint32_t kSeen = uint32_t{1} << 31;
  for (uint32_t i = 0; i < n; ++i) {
    if ((next[i] & kSeen) != 0) continue;
    Start start{orderOf(arrows[i].a), i, 0};
    uint32_t at = i;
    do {
      const uint64_t order = orderOf(arrows[at].a);
      if (order < start.order) start = {order, at, start.count};
      ++start.count;
      const uint32_t to = next[at];
      next[at] |= kSeen;
      at = to;
    } while ((next[at] & kSeen) == 0);
    if (at != i) return false;
    if (start.count >= 3) starts[count++] = start;
  }
  starts = starts.first(count);
  if (count > 1) {
    std::sort(starts.begin(), starts.end(), [](const Start& p, const Start& q) { return p.order < q.order; });
  }
  for (const Start& start : starts) {
    uint32_t at = start.arrow;
    const size_t first = rings.points.size();
    rings.points.resize(first + start.count);
    for (Point& p : std::span(rings.points).subspan(first)) {
      p = arrows[at].a;
      at = next[at] & ~kSeen;
    }
    rings.begin.push_back(static_cast<uint32_t>(rings.points.size()));
  }
  return true;
}

bool chainRings(std::vector<Arrow>& arrows, Rings& rings) {
  if (chainUnbranched(arrows, rings)) return true;
  if (!std::is_sorted(arrows.begin(), arrows.end(), Before{})) std::sort(arrows.begin(), arrows.end(), Before{});
  // The first of those that begin in a point; the others follow it.
  ByStart<Arrow> byStart(arrows);
  byStart.addAll();
  std::vector<uint8_t> used(arrows.size(), 0);
  bool complete = true;
  for (size_t start = 0; start < arrows.size(); ++start) {
    if (used[start] != 0) continue;
    const size_t begin = rings.points.size();
    size_t at = start;
    bool closed = false;
    while (true) {
      used[at] = 1;
      const Point from = arrows[at].a;
      const Point v = arrows[at].b;
      rings.points.push_back(from);
      size_t next = kNone;
      for (size_t i = byStart.find(v); i < arrows.size() && arrows[i].a == v; ++i) {
        if (used[i] != 0 && i != start) continue;
        if (next == kNone || turnsLess(v, from, arrows[i].b, arrows[next].b)) next = i;
      }
      if (next == kNone) break;
      if (next == start) {
        closed = true;
        break;
      }
      at = next;
    }
    complete = complete && closed;
    if (closed && rings.points.size() >= begin + 3) {
      rings.begin.push_back(static_cast<uint32_t>(rings.points.size()));
    } else {
      rings.points.resize(begin);
    }
  }
  return complete;
}

double doubledAreaOf(std::span<const Point> ring) {
  double sum = 0;
  if (ring.size() < 3) return sum;
  // The triangles between the first corner and the sides that it is no end of.
  const Point o = ring[0];
  double px = double(ring[1].x) - o.x;
  double py = double(ring[1].y) - o.y;
  for (const Point q : ring.subspan(2)) {
    const double qx = double(q.x) - o.x;
    const double qy = double(q.y) - o.y;
    sum += px * qy - py * qx;
    px = qx;
    py = qy;
  }
  return sum;
}

double lengthAround(std::span<const Point> ring) {
  double sum = 0;
  for (size_t i = 0; i < ring.size(); ++i) {
    const Point p = ring[i];
    const Point q = ring[i + 1 == ring.size() ? 0 : i + 1];
    const double x = double(q.x) - p.x;
    const double y = double(q.y) - p.y;
    sum += std::sqrt(x * x + y * y);
  }
  return sum;
}

std::vector<Polygon> polygonsOf(const Rings& rings) {
  struct Sized {
    double area;
    uint32_t ring;
  };
  std::vector<Sized> outers;
  std::vector<Sized> holes;
  for (uint32_t i = 0; i < rings.count(); ++i) {
    const double area = doubledAreaOf(rings.ring(i));
    if (area > 0) outers.push_back({area, i});
    if (area < 0) holes.push_back({-area, i});
  }
  if (outers.size() > 1) {
    std::stable_sort(outers.begin(), outers.end(), [](const Sized& p, const Sized& q) { return p.area < q.area; });
  }
  std::vector<Polygon> polygons(outers.size());
  for (size_t i = 0; i < outers.size(); ++i) {
    const std::span<const Point> ring = rings.ring(outers[i].ring);
    polygons[i].outer.assign(ring.begin(), ring.end());
  }
  if (holes.empty()) return polygons;
  std::vector<Box> boxes(outers.size());
  for (size_t i = 0; i < outers.size(); ++i) boxes[i] = boxOf(polygons[i].outer);
  constexpr auto kSlack = static_cast<int64_t>(kTouch);
  for (const Sized& hole : holes) {
    const std::span<const Point> ring = rings.ring(hole.ring);
    const Box box = boxOf(ring);
    for (size_t i = 0; i < outers.size(); ++i) {
      if (outers[i].area < hole.area || box.min.x < boxes[i].min.x - kSlack || box.max.x > boxes[i].max.x + kSlack ||
          box.min.y < boxes[i].min.y - kSlack || box.max.y > boxes[i].max.y + kSlack) {
        continue;
      }
      if (outers.size() > 1 && !liesIn(ring, polygons[i].outer)) continue;
      polygons[i].holes.emplace_back(ring.begin(), ring.end());
      break;
    }
  }
  return polygons;
}

}  // namespace wend::extraction
