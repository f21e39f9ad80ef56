#include "planning/visibility/axis_visibility_polygon.h"

#include <limits>
#include <numbers>

#include "geometry/predicates.h"
#include "geometry/vec2.h"

namespace wend {

namespace {

// The first step of a viewpoint that lies on the border of its piece, lattice units.
constexpr double kStep = 1e-6;
// Points of the polygon that are closer than this are one: what rounding leaves between the ends of walls.
constexpr double kJoin = 1e-4;
constexpr double kCircleStep = std::numbers::pi / 36;

struct PieceSide {
  Vec2 a;
  Vec2 b;                   // counter-clockwise
  uint32_t site = kNone;    // of a wall
  uint32_t beyond = kNone;  // the piece behind an open side, kNone for walls
  uint32_t entry = 0;       // the same side there
  LayerId layer = 0;
};

// Piece i < arcs is the quad of arc i; piece arcs + v is the polygon of vertex v.
class Pieces {
 public:
  explicit Pieces(const CorridorGraph& graph)
      : graph_(graph), map_(graph.map()), arcs_(static_cast<uint32_t>(map_.arcs.size())) {}

  uint32_t sides(uint32_t piece) const { return piece < arcs_ ? 4 : map_.vertices[piece - arcs_].degree; }

  PieceSide side(uint32_t piece, uint32_t i) const { return piece < arcs_ ? quadSide(piece, i) : fanSide(piece, i); }

 private:
  enum : uint32_t { kRightWall, kEndPortal, kLeftWall, kStartPortal };

  PieceSide quadSide(uint32_t arc, uint32_t i) const {
    const CorridorMap::BendingPoint& from = map_.bendingPoints[arc];
    const CorridorMap::BendingPoint& to = map_.bendingPoints[arc + 1];
    PieceSide s;
    switch (i) {
      case kRightWall:
        s = {from.r, to.r, map_.arcs[arc].right, kNone, 0, map_.sites[map_.arcs[arc].right].layer};
        break;
      case kEndPortal:
        s = {to.r, to.l, kNone, kNone, 0, to.layer};
        passEnd(2 * arc, s);
        break;
      case kLeftWall:
        s = {to.l, from.l, map_.arcs[arc].left, kNone, 0, map_.sites[map_.arcs[arc].left].layer};
        break;
      default:
        s = {from.l, from.r, kNone, kNone, 0, from.layer};
        passEnd(2 * arc + 1, s);
        break;
    }
    return s;
  }

  // The portal towards the half-edge that leaves the vertex at slot i.
  PieceSide fanSide(uint32_t piece, uint32_t i) const {
    const CorridorMap::Vertex& vertex = map_.vertices[piece - arcs_];
    const DirectedArc d = graph_.firstArc(map_.out[vertex.firstOut + i]);
    const CorridorMap::BendingPoint b = graph_.from(d);
    return {b.r, b.l, kNone, d >> 1, startPortal(d), b.layer};
  }

  static uint32_t startPortal(DirectedArc d) { return d & 1 ? kEndPortal : kStartPortal; }

  // What lies behind the end of a directed arc.
  void passEnd(DirectedArc d, PieceSide& s) const {
    const DirectedArc next = graph_.onward(d);
    if (next != kNone) {
      s.beyond = next >> 1;
      s.entry = startPortal(next);
      return;
    }
    const uint32_t back = graph_.halfEdgeOf(d) ^ 1;
    const uint32_t v = graph_.endOf(back ^ 1);
    const uint32_t degree = map_.vertices[v].degree;
    if (degree >= 3) {
      s.beyond = arcs_ + v;
      s.entry = graph_.slotOf(back);
    } else if (degree == 2) {
      const DirectedArc other = graph_.firstArc(graph_.around(back, 1));
      s.beyond = other >> 1;
      s.entry = startPortal(other);
    }
  }

  const CorridorGraph& graph_;
  const CorridorMap& map_;
  uint32_t arcs_;
};

class View {
 public:
  View(const CorridorGraph& graph, const Retraction& place, double range, VisibilityScratch& scratch)
      : pieces_(graph), eye_(place.units), range_(range), scratch_(scratch) {}

  void run(uint32_t arc) {
    scratch_.points.clear();
    scratch_.stack.clear();
    const uint32_t start = findPiece(arc);
    stepInside(start);
    for (uint32_t i = pieces_.sides(start); i-- > 0;) {
      const PieceSide s = pieces_.side(start, i);
      if (s.a != s.b && orient(eye_, s.a, s.b) > 0) scratch_.stack.push_back({start, i, s.a, s.b});
    }
    while (!scratch_.stack.empty()) {
      const VisibilityScratch::Entry entry = scratch_.stack.back();
      scratch_.stack.pop_back();
      const PieceSide side = pieces_.side(entry.piece, entry.side);
      if (side.site != kNone) {
        addWall(side, entry.right, entry.left);
      } else if (side.beyond == kNone || (range_ > 0 && distanceToSegment(eye_, side.a, side.b) >= range_)) {
        addCircle(side.layer, entry.right, entry.left);
      } else {
        passThrough(side, entry);
      }
    }
    close();
  }

 private:
  // Pushes what is seen through an open side, the rightmost last, so that walls come out counter-clockwise.
  void passThrough(const PieceSide& portal, const VisibilityScratch::Entry& view) {
    const uint32_t count = pieces_.sides(portal.beyond);
    for (uint32_t k = count - 1; k > 0; --k) {
      const uint32_t i = (portal.entry + k) % count;
      const PieceSide s = pieces_.side(portal.beyond, i);
      if (s.a == s.b) continue;
      const Vec2 right = orient(eye_, view.right, s.a) > 0 ? s.a : view.right;
      const Vec2 left = orient(eye_, view.left, s.b) < 0 ? s.b : view.left;
      if (orient(eye_, right, left) > 0) scratch_.stack.push_back({portal.beyond, i, right, left});
    }
  }

  // How far the eye is from the inner side of a piece's border; negative outside.
  double depth(uint32_t piece) const {
    double least = std::numeric_limits<double>::infinity();
    bool area = false;
    for (uint32_t i = 0; i < pieces_.sides(piece); ++i) {
      const PieceSide s = pieces_.side(piece, i);
      if (s.a == s.b) continue;
      const double depth = cross(s.b - s.a, eye_ - s.a) / distance(s.a, s.b);
      area |= depth > 0;
      least = std::min(least, depth);
    }
    return area ? least : -std::numeric_limits<double>::infinity();
  }

  // The piece around the eye is the arc's own or, across a few open sides, one that reaches over.
  uint32_t findPiece(uint32_t arc) {
    constexpr size_t kMost = 256;
    std::vector<uint32_t>& seen = scratch_.pieces;
    seen.assign(1, arc);
    uint32_t best = arc;
    double deepest = depth(arc);
    for (size_t i = 0; i < seen.size() && seen.size() < kMost && deepest < 0; ++i) {
      const uint32_t count = pieces_.sides(seen[i]);
      for (uint32_t k = 0; k < count; ++k) {
        const PieceSide s = pieces_.side(seen[i], k);
        if (s.beyond == kNone || (s.a != s.b && orient(s.a, s.b, eye_) > 0)) continue;
        if (std::find(seen.begin(), seen.end(), s.beyond) != seen.end()) continue;
        seen.push_back(s.beyond);
        const double d = depth(s.beyond);
        if (d > deepest) {
          deepest = d;
          best = s.beyond;
        }
      }
    }
    return best;
  }

  bool isInside(uint32_t piece) const {
    for (uint32_t i = 0; i < pieces_.sides(piece); ++i) {
      const PieceSide s = pieces_.side(piece, i);
      if (s.a != s.b && orient(s.a, s.b, eye_) <= 0) return false;
    }
    return true;
  }

  // A side through the eye would be seen edge-on: the eye moves towards the middle of its piece, as little as it takes.
  void stepInside(uint32_t piece) {
    if (isInside(piece)) return;
    Vec2 sum;
    const uint32_t count = pieces_.sides(piece);
    for (uint32_t i = 0; i < count; ++i) sum = sum + pieces_.side(piece, i).a;
    const Vec2 from = eye_;
    const Vec2 to = (1.0 / count) * sum - from;
    const double size = length(to);
    for (double step = kStep; step < 0.5 * size; step *= 2) {
      eye_ = from + (step / size) * to;
      if (isInside(piece)) return;
    }
    eye_ = from + 0.5 * to;
  }

  // The point of the line ab on the ray from the eye through `ray`.
  Vec2 onRay(Vec2 ray, Vec2 a, Vec2 b) const {
    if (ray == a || ray == b) return ray;
    const Vec2 d = ray - eye_;
    const double denominator = cross(d, b - a);
    if (denominator == 0) return a;
    return between(a, b, std::clamp(cross(a - eye_, d) / denominator, 0.0, 1.0));
  }

  void addWall(const PieceSide& wall, Vec2 right, Vec2 left) {
    const Vec2 a = onRay(right, wall.a, wall.b);
    const Vec2 b = onRay(left, wall.a, wall.b);
    if (range_ <= 0) {
      addSegment(a, b, wall.site, wall.layer);
      return;
    }
    // The part inside the circle.
    const Vec2 d = b - a;
    const double squared = dot(d, d);
    const double middle = squared > 0 ? dot(eye_ - a, d) / squared : 0;
    const Vec2 foot = a + middle * d;
    const double rest = range_ * range_ - dot(foot - eye_, foot - eye_);
    const double half = rest > 0 && squared > 0 ? std::sqrt(rest / squared) : 0;
    const double low = std::clamp(middle - half, 0.0, 1.0);
    const double high = std::clamp(middle + half, 0.0, 1.0);
    if (!(rest > 0) || !(low < high)) {
      addCircle(wall.layer, a, b);
      return;
    }
    const Vec2 first = low > 0 ? between(a, b, low) : a;
    const Vec2 last = high < 1 ? between(a, b, high) : b;
    if (low > 0) addCircle(wall.layer, a, first);
    addSegment(first, last, wall.site, wall.layer);
    if (high < 1) addCircle(wall.layer, last, b);
  }

  void addSegment(Vec2 a, Vec2 b, uint32_t site, LayerId layer) {
    std::vector<ViewPoint>& out = scratch_.points;
    const bool joined = !out.empty() && distance(out.back().units, a) <= kJoin;
    if (joined && site == lastSite_ && out.size() >= 2) {
      out.back() = {b, layer, 1};
    } else {
      if (joined) out.pop_back();
      out.push_back({a, layer, 0});
      out.push_back({b, layer, 1});
    }
    lastSite_ = site;
  }

  // The rim of the range between two rays, or the far edge of what is open.
  void addCircle(LayerId layer, Vec2 right, Vec2 left) {
    if (range_ <= 0) return;
    lastSite_ = kNone;
    const Vec2 u = right - eye_;
    const Vec2 v = left - eye_;
    const double turned = std::max(0.0, std::atan2(cross(u, v), dot(u, v)));
    const double begin = std::atan2(u.y, u.x);
    const int steps = std::max(1, static_cast<int>(std::ceil(turned / kCircleStep)));
    for (int i = 0; i <= steps; ++i) {
      const double angle = begin + turned * i / steps;
      const Vec2 p = eye_ + range_ * Vec2{std::cos(angle), std::sin(angle)};
      std::vector<ViewPoint>& out = scratch_.points;
      if (!out.empty() && distance(out.back().units, p) <= kJoin) continue;
      out.push_back({p, layer, 1});
    }
  }

  // Joins the end to the beginning.
  void close() {
    std::vector<ViewPoint>& out = scratch_.points;
    if (out.size() > 1 && distance(out.back().units, out.front().units) <= kJoin) out.pop_back();
  }

  Pieces pieces_;
  Vec2 eye_;
  double range_;
  VisibilityScratch& scratch_;
  uint32_t lastSite_ = kNone;
};

}  // namespace

void seeFrom(const CorridorGraph& graph, const Retraction& place, double range, VisibilityScratch& scratch) {
  View(graph, place, range, scratch).run(place.arc);
}

}  // namespace wend
