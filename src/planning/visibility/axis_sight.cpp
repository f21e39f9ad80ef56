#include "planning/visibility/axis_sight.h"

#include <array>
#include <limits>

#include "planning/clearance/distances.h"

namespace wend {

namespace {

// Borders of cells are rounded. A segment that comes this close to a border (0.1 micrometre on the default lattice)
// is tested on both sides of it, so nothing is missed; testing twice changes nothing.
constexpr double kTouch = 1e-3;

// A cell as a polygon, counter-clockwise, in the frame of the segment: x along it, y to the left.
struct FramedCell {
  // p, r at the start; r, p, l at the end; l at the start.
  std::array<Vec2, 6> corner;

  static bool isWall(size_t side) { return side == 1 || side == 4; }
  Vec2 start(size_t side) const { return corner[side]; }
  Vec2 end(size_t side) const { return corner[side == 5 ? 0 : side + 1]; }
};

struct Span {
  double low;
  double high;
  bool empty() const { return low > high; }
};

// Where the x-axis passes a side, with tolerance; empty if it does not.
Span passing(Vec2 a, Vec2 b) {
  if (a.y > b.y) std::swap(a, b);
  if (a.y > kTouch || b.y < -kTouch) return {1, 0};
  const auto at = [&](double y) {
    if (y <= a.y) return a.x;
    if (y >= b.y) return b.x;
    return a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y));
  };
  const double one = at(-kTouch);
  const double other = at(kTouch);
  return {std::min(one, other) - kTouch, std::max(one, other) + kTouch};
}

// Whether a point of the x-axis lies in the polygon: crossings of the part of the axis to its right.
bool isInside(const FramedCell& cell, double x) {
  bool inside = false;
  for (size_t side = 0; side < 6; ++side) {
    const Vec2 a = cell.start(side);
    const Vec2 b = cell.end(side);
    if ((a.y > 0) == (b.y > 0)) continue;
    if (a.x + (b.x - a.x) * (-a.y / (b.y - a.y)) > x) inside = !inside;
  }
  return inside;
}

class Walk {
 public:
  Walk(const CorridorGraph& graph, const Retraction& from, const Retraction& to, double enough, QueryStamp now,
       CorridorSightScratch& scratch)
      : graph_(graph), from_(from), to_(to), enough_(enough), now_(now), scratch_(scratch) {
    const Vec2 d = to.units - from.units;
    length_ = length(d);
    direction_ = length_ > 0 ? (1 / length_) * d : Vec2{1, 0};
    scratch.seenUpTo.grow(graph.map().arcs.size());
  }

  CorridorSight run() {
    sight_.clearance = std::min(from_.clearance, to_.clearance);
    sight_.narrowest = from_.clearance <= to_.clearance ? from_.units : to_.units;
    scratch_.stack.clear();
    scratch_.stack.push_back({from_.arc, 0});
    bool reached = false;
    while (!scratch_.stack.empty() && sight_.clearance >= enough_) {
      const CorridorSightScratch::Entry entry = scratch_.stack.back();
      scratch_.stack.pop_back();
      reached |= look(entry);
    }
    sight_.visible = reached && sight_.clearance >= enough_;
    return sight_;
  }

 private:
  Vec2 framed(Vec2 p) const { return {dot(p - from_.units, direction_), cross(direction_, p - from_.units)}; }

  // True if the segment ends in this cell, which is the goal's.
  bool look(const CorridorSightScratch::Entry& entry) {
    const double* seen = scratch_.seenUpTo.find(entry.arc, now_);
    if (seen != nullptr && entry.in <= *seen) return false;
    const CorridorMap& map = graph_.map();
    const CorridorMap::BendingPoint& a = map.bendingPoints[entry.arc];
    const CorridorMap::BendingPoint& b = map.bendingPoints[entry.arc + 1];
    FramedCell cell;
    cell.corner = {framed(a.p), framed(a.r), framed(b.r), framed(b.p), framed(b.l), framed(a.l)};
    std::array<Span, 6> passed;
    for (size_t side = 0; side < 6; ++side) passed[side] = passing(cell.start(side), cell.end(side));
    const Span inside = insideFrom(cell, passed, entry.in);
    scratch_.seenUpTo.set(entry.arc, inside.high, now_);
    measure(cell, {std::max(inside.low, 0.0), std::min(inside.high, length_)});
    const DirectedArc d = 2 * entry.arc;
    const std::array<DirectedArc, 6> beyond{graph_.next(d ^ 1), kNone, graph_.prev(d ^ 1),
                                            graph_.next(d),     kNone, graph_.prev(d)};
    for (size_t side = 0; side < 6; ++side) {
      if (beyond[side] == kNone || passed[side].empty() || cell.start(side) == cell.end(side)) continue;
      const double low = std::max({passed[side].low, inside.low, 0.0});
      const double high = std::min({passed[side].high, inside.high, length_});
      if (low > high || passed[side].high < entry.in) continue;
      scratch_.stack.push_back({beyond[side] >> 1, std::max(low, entry.in)});
    }
    const bool ends = inside.high >= length_ && inside.low <= length_ && (to_.arc == kNone || entry.arc == to_.arc);
    if (ends) sight_.endArc = entry.arc;
    return ends;
  }

  // The part of the segment inside the cell that is connected to where it entered.
  Span insideFrom(const FramedCell& cell, const std::array<Span, 6>& passed, double in) const {
    std::array<double, 12> cut{};
    size_t cuts = 0;
    for (const Span& span : passed) {
      if (span.empty()) continue;
      for (const double x : {span.low, span.high}) {
        size_t i = cuts++;
        for (; i > 0 && cut[i - 1] > x; --i) cut[i] = cut[i - 1];
        cut[i] = x;
      }
    }
    const auto touches = [&](double x) {
      return std::any_of(passed.begin(), passed.end(), [&](Span s) { return s.low <= x && x <= s.high; });
    };
    Span inside{in, in};
    for (size_t i = 0; i + 1 < cuts; ++i) {
      if (cut[i + 1] < in) continue;
      if (cut[i] > inside.high + kTouch) break;
      const double middle = 0.5 * (cut[i] + cut[i + 1]);
      if (!isInside(cell, middle) && !touches(middle)) {
        if (cut[i] >= in) break;
        continue;
      }
      inside.low = std::min(inside.low, cut[i]);
      inside.high = std::max(inside.high, cut[i + 1]);
    }
    return inside;
  }

  void measure(const FramedCell& cell, Span part) {
    if (part.empty()) part.high = part.low;
    for (const size_t wall : {size_t{1}, size_t{4}}) {
      const Vec2 a = cell.start(wall);
      const Vec2 b = cell.end(wall);
      const double distance = closestBetween({part.low, 0}, {part.high, 0}, a, b).distance;
      if (distance >= sight_.clearance) continue;
      sight_.clearance = distance;
      // The nearest point of a segment to another is at one of the four ends, unless they cross.
      double at = part.low;
      double best = std::numeric_limits<double>::infinity();
      const auto offer = [&](double x) {
        x = std::clamp(x, part.low, part.high);
        const double here = distanceToSegment({x, 0}, a, b);
        if (here < best) {
          best = here;
          at = x;
        }
      };
      for (const double x : {part.low, part.high, a.x, b.x}) offer(x);
      if ((a.y > 0) != (b.y > 0)) offer(a.x + (b.x - a.x) * (-a.y / (b.y - a.y)));
      sight_.narrowest = from_.units + at * direction_;
    }
  }

  const CorridorGraph& graph_;
  const Retraction& from_;
  const Retraction& to_;
  double enough_;
  QueryStamp now_;
  CorridorSightScratch& scratch_;
  Vec2 direction_;
  double length_ = 0;
  CorridorSight sight_;
};

}  // namespace

CorridorSight lookAlong(const CorridorGraph& graph, const Retraction& from, const Retraction& to, double enough,
                        QueryStamp now, CorridorSightScratch& scratch) {
  return Walk(graph, from, to, enough, now, scratch).run();
}

}  // namespace wend
