#include "generators/lct/disturbance.h"

#include <algorithm>
#include <cmath>

#include "geometry/predicates.h"
#include "geometry/vec2.h"

namespace wend::lct {
namespace {

// Lattice units. Split points nearer to the ends of a wall would not survive the mesh builder's matching.
constexpr double kEndMargin = 0.5;

constexpr double kNothing = -1;

constexpr double kRounding = 1e-9;  // relative; far more than what distances round

// Where a point is nearest to the line through a and b.
class Foot {
 public:
  Foot(Vec2 p, Vec2 a, Vec2 b)
      : a_(a), d_(b - a), dot_(dot(p - a, d_)), square_(dot(d_, d_)), cross_(wend::cross(p - a, d_)) {}
  bool isInside() const { return dot_ > 0 && dot_ < square_; }
  double along() const { return dot_ / square_; }  // 0 at a, 1 at b
  Vec2 place() const { return a_ + along() * d_; }
  double distance() const { return std::abs(cross_) / std::sqrt(square_); }

 private:
  Vec2 a_;
  Vec2 d_;
  double dot_;
  double square_;
  double cross_;
};

double squaredDistance(Vec2 p, Vec2 q) {
  return dot(q - p, q - p);
}

// Whether p lies beside the segment, and nearer than this to it.
bool isBeside(Vec2 p, Vec2 a, Vec2 b, double squaredReach) {
  const Vec2 d = b - a;
  const Vec2 to = p - a;
  const double along = dot(to, d);
  const double square = dot(d, d);
  const double away = wend::cross(d, to);
  return along > 0 && along < square && away * away < (1 + kRounding) * squaredReach * square;
}

// The middle of the chord that the circle through p, q, r cuts from wall ab, or the foot.
double splitShare(Vec2 p, Vec2 q, Vec2 r, Vec2 a, Vec2 b, double foot) {
  const long double qx = static_cast<long double>(q.x) - p.x;
  const long double qy = static_cast<long double>(q.y) - p.y;
  const long double rx = static_cast<long double>(r.x) - p.x;
  const long double ry = static_cast<long double>(r.y) - p.y;
  const long double det = 2 * (qx * ry - qy * rx);
  const long double qq = qx * qx + qy * qy;
  const long double rr = rx * rx + ry * ry;
  const long double cx = (ry * qq - qy * rr) / det;
  const long double cy = (qx * rr - rx * qq) / det;
  const long double radius2 = cx * cx + cy * cy;
  const long double dx = static_cast<long double>(b.x) - a.x;
  const long double dy = static_cast<long double>(b.y) - a.y;
  const long double square = dx * dx + dy * dy;
  const long double fx = cx + p.x - a.x;
  const long double fy = cy + p.y - a.y;
  const long double middle = (fx * dx + fy * dy) / square;
  const long double away = (fx * dy - fy * dx) * (fx * dy - fy * dx) / square;
  if (!(away < radius2)) return foot;
  const long double half = std::sqrt((radius2 - away) / square);
  const long double low = std::max(0.0L, middle - half);
  const long double high = std::min(1.0L, middle + half);
  return low < high ? static_cast<double>((low + high) / 2) : foot;
}

// `todo` is room to work in; what is looked at besides t is added to `looked`.
double clearanceOf(const TriangleNet& net, uint32_t t, uint32_t i, std::vector<NetEdge>& todo,
                   std::vector<uint32_t>& looked) {
  const NetTriangle& triangle = net.triangle(t);
  const Vec2 b = net.point(triangle.v[i]);
  const Vec2 c = net.point(triangle.v[after(i)]);
  const Vec2 a = net.point(triangle.v[before(i)]);
  double clearance = std::min(distance(b, a), distance(b, c));
  if (triangle.n[i] == kNone) return std::min(clearance, distanceToSegment(b, a, c));
  todo.assign(1, {t, i});
  while (!todo.empty()) {
    const NetEdge entered = todo.back();
    todo.pop_back();
    const uint32_t next = net.triangle(entered.triangle).n[entered.edge];
    const uint32_t back = net.mirror(entered.triangle, entered.edge);
    looked.push_back(next);
    for (const uint32_t edge : {after(back), before(back)}) {
      const NetTriangle& behind = net.triangle(next);
      const Foot foot(b, net.point(behind.v[after(edge)]), net.point(behind.v[before(edge)]));
      if (!foot.isInside() || foot.distance() >= clearance) continue;
      if (behind.n[edge] == kNone) {
        clearance = foot.distance();
      } else {
        todo.push_back({next, edge});
      }
    }
  }
  return clearance;
}

}  // namespace

double cornerClearance(const TriangleNet& net, uint32_t t, uint32_t i) {
  std::vector<NetEdge> todo;
  std::vector<uint32_t> looked;
  return clearanceOf(net, t, i, todo, looked);
}

std::vector<Corner> disturbingCorners(const TriangleNet& net) {
  std::vector<Corner> corners;
  const auto count = static_cast<uint32_t>(net.triangles().size());
  corners.reserve(3 * size_t{count});
  for (uint32_t t = 0; t < count; ++t) {
    for (uint32_t wall = 0; wall < 3; ++wall) {
      if (net.triangle(t).n[wall] != kNone) continue;
      // The fan of the wall's start, counter-clockwise up to the next wall.
      const size_t first = corners.size();
      const uint32_t from = net.triangle(t).v[before(wall)];
      uint32_t at = t;
      uint32_t corner = after(wall);
      const uint32_t eye = net.triangle(t).v[corner];
      corners.push_back({at, corner});
      for (uint32_t left = after(corner); net.triangle(at).n[left] != kNone; left = after(corner)) {
        const uint32_t back = net.mirror(at, left);
        at = net.triangle(at).n[left];
        corner = after(back);
        corners.push_back({at, corner});
      }
      const uint32_t to = net.triangle(at).v[before(corner)];
      const Vec2 o = net.point(eye);
      const bool opposite = dot(net.point(from) - o, net.point(to) - o) < 0;
      if (opposite && net.turn(from, eye, to) == 0) corners.resize(first);
    }
  }
  return corners;
}

std::optional<Disturbance> DisturbanceSearch::find(Corner corner, std::vector<uint32_t>& looked) {
  const NetTriangle& triangle = net_.triangle(corner.triangle);
  best_.reset();
  withoutPlace_ = 0;
  looked.push_back(corner.triangle);
  if (triangle.n[corner.corner] == kNone) return best_;
  eye_ = net_.point(triangle.v[corner.corner]);
  const auto sideAt = [&](uint32_t vertex) {
    const Vec2 end = net_.point(vertex);
    const double away = squaredDistance(eye_, end);
    return Side{end, end, away, away};
  };
  Step step{{corner.triangle, corner.corner},
            0,
            sideAt(triangle.v[after(corner.corner)]),
            sideAt(triangle.v[before(corner.corner)]),
            0};
  path_.clear();
  while (true) {
    path_.push_back(step.portal);
    const uint32_t next = net_.triangle(step.portal.triangle).n[step.portal.edge];
    const uint32_t back = net_.mirror(step.portal.triangle, step.portal.edge);
    looked.push_back(next);
    // The ends of the entry lie on the rays of what is seen or outside, so the corner between the other two edges alone
    // decides which of them are seen, and how much of each. The edge on the right lies opposite the left end.
    const NetTriangle& entered = net_.triangle(next);
    const NetEdge onRight{next, after(back)};
    const NetEdge onLeft{next, before(back)};
    const bool isRightWall = entered.n[onRight.edge] == kNone;
    const bool isLeftWall = entered.n[onLeft.edge] == kNone;
    const Vec2 apex = net_.point(entered.v[back]);
    const bool seesRight = orient(eye_, step.right.bound, apex) > 0;
    const bool seesLeft = orient(eye_, step.left.bound, apex) < 0;

    // On leaving by the edge from a to b, the apex and one end of the entry are passed on one side, and the other end
    // is kept on the other. Returns the most room that disturbs() may find then, or kNothing if all behind is farther
    // away.
    const double away = squaredDistance(eye_, apex);
    const auto promised = [&](const Side& kept, const Side& passed, bool isOtherWall) {
      if (isOtherWall) return step.promise;
      const double entry = squaredDistance(passed.end, kept.end);
      return std::max(step.promise, std::min({kept.near, entry, squaredDistance(passed.end, apex)}));
    };
    const auto tryEdge = [&](const Side& kept, const Side& passed, Vec2 a, Vec2 b, bool isWall, bool isOtherWall) {
      const double promise = promised(kept, passed, isOtherWall);
      // Behind an open edge, not more is promised than a side is wide. Vertices that far away hide nothing nearer.
      const double reach = isWall ? promise : std::max({promise, kept.near, std::min(passed.near, away)});
      const bool isNear = !isWall && (kept.away < reach || away < reach);
      return isNear || isBeside(eye_, a, b, reach) ? promise : kNothing;
    };
    const double rightPromise =
        seesRight ? tryEdge(step.right, step.left, step.right.end, apex, isRightWall, isLeftWall) : kNothing;
    const double leftPromise =
        seesLeft ? tryEdge(step.left, step.right, apex, step.left.end, isLeftWall, isRightWall) : kNothing;
    const bool goesRight = rightPromise != kNothing;
    const bool goesLeft = leftPromise != kNothing;
    if (goesRight && isRightWall) consider(onRight, step.right.bound, seesLeft ? apex : step.left.bound, looked);
    if (goesLeft && isLeftWall) consider(onLeft, seesRight ? apex : step.right.bound, step.left.bound, looked);

    const auto go = [&](Step& from, NetEdge portal, double promise, Side Step::*passed, bool isSeen) {
      from.portal = portal;
      ++from.depth;
      from.promise = promise;
      Side& side = from.*passed;
      side = {isSeen ? apex : side.bound, apex, away, std::min(side.near, away)};
    };
    if (goesLeft && !isLeftWall) {
      if (goesRight && !isRightWall) go(todo_.emplace_back(step), onRight, rightPromise, &Step::left, seesLeft);
      go(step, onLeft, leftPromise, &Step::right, seesRight);
    } else if (goesRight && !isRightWall) {
      go(step, onRight, rightPromise, &Step::left, seesLeft);
    } else if (!todo_.empty()) {
      step = todo_.back();
      todo_.pop_back();
      path_.resize(step.depth);
    } else {
      return best_;
    }
  }
}

void DisturbanceSearch::consider(NetEdge wall, Vec2 right, Vec2 left, std::vector<uint32_t>& looked) {
  const NetTriangle& triangle = net_.triangle(wall.triangle);
  const Vec2 a = net_.point(triangle.v[after(wall.edge)]);
  const Vec2 b = net_.point(triangle.v[before(wall.edge)]);
  const Foot foot(eye_, a, b);
  if (!foot.isInside()) return;
  const double width = foot.distance();
  if (best_ && width >= best_->width) return;
  const Vec2 place = foot.place();
  if (orient(eye_, right, place) <= 0 || orient(eye_, left, place) >= 0) return;
  if (!disturbs(place, width, looked)) return;
  const NetTriangle& first = net_.triangle(path_.front().triangle);
  double share = splitShare(net_.point(first.v[0]), net_.point(first.v[1]), net_.point(first.v[2]), a, b, foot.along());
  const double margin = kEndMargin / distance(a, b);
  if (share < margin || share > 1 - margin) share = foot.along();
  if (share < margin || share > 1 - margin) {
    ++withoutPlace_;
    return;
  }
  best_ = Disturbance{width, wall, {a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)}};
}

// Whether some triangle on the way to the foot promises more room than the eye leaves.
bool DisturbanceSearch::disturbs(Vec2 foot, double width, std::vector<uint32_t>& looked) {
  const NetTriangle& first = net_.triangle(path_.front().triangle);
  const uint32_t portal = path_.front().edge;
  double nearRight = distance(eye_, net_.point(first.v[after(portal)]));
  double nearLeft = distance(eye_, net_.point(first.v[before(portal)]));
  for (const NetEdge& step : path_) {
    const uint32_t entered = net_.triangle(step.triangle).n[step.edge];
    const uint32_t back = net_.mirror(step.triangle, step.edge);
    const NetTriangle& triangle = net_.triangle(entered);
    // Seen from inside, the entry runs the other way: its first end is left of the way.
    const uint32_t apex = triangle.v[back];
    const bool apexLeft = orient(eye_, foot, net_.point(apex)) > 0;
    const uint32_t corner = apexLeft ? after(back) : before(back);
    const uint32_t across = apexLeft ? before(back) : after(back);  // edge from the corner to the apex
    double& near = apexLeft ? nearRight : nearLeft;
    if (triangle.n[across] != kNone && width < near && width < clearanceOf(net_, entered, corner, edges_, looked)) {
      return true;
    }
    double& apexSide = apexLeft ? nearLeft : nearRight;
    apexSide = std::min(apexSide, distance(eye_, net_.point(apex)));
  }
  return false;
}

}  // namespace wend::lct
