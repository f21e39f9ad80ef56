#include "generators/ecm/connection_paths.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/vec2.h"

namespace wend::ecm {
namespace {

struct Segment {
  Vec2 a;
  Vec2 b;
};

bool before(Vec2 p, Vec2 q) {
  return p.x != q.x ? p.x < q.x : p.y < q.y;
}

// The same for both directions of a segment.
Segment ordered(Vec2 a, Vec2 b) {
  return before(a, b) ? Segment{a, b} : Segment{b, a};
}

// Signed distance from the line of the segment, left positive.
double above(const Segment& s, Vec2 p) {
  return cross(s.b - s.a, p - s.a) / distance(s.a, s.b);
}

double distanceTo(const Segment& s, Vec2 p) {
  return distanceToSegment(p, s.a, s.b);
}

size_t nextOf(size_t i, size_t size) {
  return i + 1 == size ? 0 : i + 1;
}

void dropRepeated(std::vector<PieceCorner>& loop) {
  std::vector<PieceCorner> out;
  for (const PieceCorner& corner : loop) {
    if (!out.empty() && out.back().p == corner.p) out.pop_back();
    out.push_back(corner);
  }
  while (out.size() > 1 && out.front().p == out.back().p) out.pop_back();
  loop = std::move(out);
}

void moveToEnds(std::vector<PieceCorner>& loop, std::span<const ConnectionSegment> segments, double sliver) {
  for (PieceCorner& corner : loop) {
    double nearest = sliver;
    Vec2 at = corner.p;
    for (const ConnectionSegment& segment : segments) {
      for (const Vec2 end : {segment.a, segment.b}) {
        const double d = distance(corner.p, end);
        if (d >= nearest) continue;
        nearest = d;
        at = end;
      }
    }
    corner.p = at;
  }
  dropRepeated(loop);
}

// Puts what `find` gives for a side as corners into it.
template <typename Find>
void divideSides(std::vector<PieceCorner>& loop, Find&& find) {
  std::vector<PieceCorner> out;
  std::vector<Vec2> places;
  for (size_t i = 0; i < loop.size(); ++i) {
    out.push_back(loop[i]);
    if (loop[i].cut != 0) continue;
    const Vec2 p = loop[i].p;
    const Vec2 q = loop[nextOf(i, loop.size())].p;
    places.clear();
    find(p, q, places);
    std::sort(places.begin(), places.end(), [&](Vec2 a, Vec2 b) {
      const double s = dot(a - p, q - p);
      const double t = dot(b - p, q - p);
      return s != t ? s < t : before(a, b);
    });
    for (const Vec2 place : places) {
      if (place != out.back().p && place != q) out.push_back({place, loop[i].wall, 0});
    }
  }
  loop = std::move(out);
}

void enterEnds(std::vector<PieceCorner>& loop, std::span<const ConnectionSegment> segments, double sliver) {
  divideSides(loop, [&](Vec2 p, Vec2 q, std::vector<Vec2>& places) {
    const Segment side = ordered(p, q);
    for (const ConnectionSegment& segment : segments) {
      for (const Vec2 end : {segment.a, segment.b}) {
        if (end != p && end != q && distanceTo(side, end) < sliver) places.push_back(end);
      }
    }
  });
}

void enterCrossings(std::vector<PieceCorner>& loop, std::span<const ConnectionSegment> segments, double sliver) {
  divideSides(loop, [&](Vec2 p, Vec2 q, std::vector<Vec2>& places) {
    const Segment side = ordered(p, q);
    for (const ConnectionSegment& segment : segments) {
      const Segment line = ordered(segment.a, segment.b);
      const double from = above(line, side.a);
      const double to = above(line, side.b);
      const double low = above(side, line.a);
      const double high = above(side, line.b);
      if (!((from < 0 && to > 0) || (from > 0 && to < 0)) || !((low < 0 && high > 0) || (low > 0 && high < 0)))
        continue;
      if (line.a == p || line.a == q || line.b == p || line.b == q) continue;
      if (distanceTo(line, p) <= sliver || distanceTo(line, q) <= sliver) continue;
      places.push_back(between(side.a, side.b, from / (from - to)));
    }
  });
}

// Inside a convex polygon and farther than this from its sides.
bool isInside(std::span<const PieceCorner> outline, Vec2 p, double margin) {
  for (size_t i = 0; i < outline.size(); ++i) {
    const Segment side{outline[i].p, outline[nextOf(i, outline.size())].p};
    if (side.a != side.b && above(side, p) <= margin) return false;
  }
  return true;
}

constexpr size_t kNoCorner = SIZE_MAX;
// Of the sliver: what is nearer to a side than this runs along it, the rest is rounding of crossings.
constexpr double kAlong = 1e-3;

// A place on a segment: a corner of the polygon or a bend.
struct Stop {
  Vec2 p;
  size_t corner = kNoCorner;
  double along = 0;
};
// A part of a segment between two of them, inside the polygon.
struct Step {
  Stop from;
  Stop to;
  LayerId other;
};

std::vector<Stop> stopsOf(std::span<const PieceCorner> loop, const ConnectionSegment& segment, double sliver) {
  std::vector<Stop> stops;
  const Segment line = ordered(segment.a, segment.b);
  Stop first{segment.a, kNoCorner, 0};
  Stop last{segment.b, kNoCorner, 0};
  for (size_t i = 0; i < loop.size(); ++i) {
    const Vec2 p = loop[i].p;
    if (p == segment.a) {
      first.corner = i;
    } else if (p == segment.b) {
      last.corner = i;
    } else if (distanceTo(line, p) <= sliver) {
      stops.push_back({p, i, dot(p - segment.a, segment.b - segment.a)});
    }
  }
  std::sort(stops.begin(), stops.end(), [](const Stop& a, const Stop& b) { return a.along < b.along; });
  stops.insert(stops.begin(), first);
  stops.push_back(last);
  return stops;
}

std::vector<Step> stepsOf(std::span<const PieceCorner> loop, std::span<const PieceCorner> outline,
                          std::span<const ConnectionSegment> segments, double sliver) {
  std::vector<Step> steps;
  for (const ConnectionSegment& segment : segments) {
    const std::vector<Stop> stops = stopsOf(loop, segment, sliver);
    for (size_t i = 0; i + 1 < stops.size(); ++i) {
      const Stop& u = stops[i];
      const Stop& v = stops[i + 1];
      const bool across = u.corner != kNoCorner && v.corner != kNoCorner;
      if (across && (nextOf(u.corner, loop.size()) == v.corner || nextOf(v.corner, loop.size()) == u.corner)) continue;
      if (isInside(outline, between(u.p, v.p, 0.5), across ? kAlong * sliver : 0))
        steps.push_back({u, v, segment.other});
    }
  }
  std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return before(a.from.p, b.from.p); });
  return steps;
}

bool isRightOf(std::span<const PieceCorner> loop, const ConnectionPath& path, Vec2 p, double sliver) {
  const std::vector<PieceCorner> right = rightOf(loop, path);
  bool inside = false;
  for (size_t i = 0; i < right.size(); ++i) {
    const Vec2 a = right[i].p;
    const Vec2 b = right[nextOf(i, right.size())].p;
    if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y)) inside = !inside;
  }
  if (!inside) return false;
  // The path itself is what ends the polygon.
  const size_t first = right.size() - 1 - path.inner.size();
  for (size_t i = first; i < right.size(); ++i) {
    if (distanceTo({right[i].p, right[nextOf(i, right.size())].p}, p) <= sliver) return false;
  }
  return true;
}

}  // namespace

void enterConnections(std::vector<PieceCorner>& loop, std::span<const ConnectionSegment> segments, double sliver) {
  moveToEnds(loop, segments, sliver);
  enterEnds(loop, segments, sliver);
  enterCrossings(loop, segments, sliver);
}

std::optional<ConnectionPath> findPath(std::span<const PieceCorner> loop, std::span<const PieceCorner> outline,
                                       Vec2 known, std::span<const ConnectionSegment> segments, double sliver) {
  const std::vector<Step> steps = stepsOf(loop, outline, segments, sliver);
  for (const Step& first : steps) {
    if (first.from.corner == kNoCorner) continue;
    ConnectionPath path{first.from.corner, 0, {}, first.other};
    const Step* step = &first;
    while (step != nullptr && step->to.corner == kNoCorner && path.inner.size() <= steps.size()) {
      path.inner.push_back(step->to.p);
      const auto next = std::lower_bound(steps.begin(), steps.end(), step->to.p,
                                         [](const Step& s, Vec2 p) { return before(s.from.p, p); });
      step = next != steps.end() && next->from.p == step->to.p ? &*next : nullptr;
    }
    if (step == nullptr || step->to.corner == kNoCorner || step->to.corner == path.from) continue;
    path.to = step->to.corner;
    if (!isRightOf(loop, path, known, sliver)) return path;
  }
  return std::nullopt;
}

std::vector<PieceCorner> leftOf(std::span<const PieceCorner> loop, const ConnectionPath& path) {
  std::vector<PieceCorner> out;
  for (size_t i = path.to; i != path.from; i = nextOf(i, loop.size())) out.push_back(loop[i]);
  out.push_back({loop[path.from].p, 0, 1});
  for (const Vec2 p : path.inner) out.push_back({p, 0, 1});
  return out;
}

std::vector<PieceCorner> rightOf(std::span<const PieceCorner> loop, const ConnectionPath& path) {
  std::vector<PieceCorner> out;
  for (size_t i = path.from; i != path.to; i = nextOf(i, loop.size())) out.push_back(loop[i]);
  out.push_back({loop[path.to].p, 0, 1});
  for (size_t i = path.inner.size(); i > 0; --i) out.push_back({path.inner[i - 1], 0, 1});
  return out;
}

}  // namespace wend::ecm
