#include "generators/lct/disturbance.h"

#include <algorithm>
#include <cmath>

#include "geometry/predicates.h"
#include "geometry/vec2.h"

namespace wend::lct {
namespace {

// Lattice units. Split points nearer to the ends of a wall would not survive the mesh builder's matching.
constexpr double kEndMargin = 0.5;

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

// Whether distanceToSegment() is at least this, mostly without a division and a root.
bool isFar(Vec2 p, Vec2 a, Vec2 b, double reach) {
  const Vec2 d = b - a;
  const Vec2 to = p - a;
  const double along = dot(to, d);
  const double square = dot(d, d);
  const bool beside = along > 0 && along < square;
  const double away = beside ? wend::cross(d, to) : 0;
  const Vec2 end = along <= 0 ? to : p - b;
  const double squared = beside ? away * away : dot(end, end);
  const double limit = beside ? reach * reach * square : reach * reach;
  if (squared > (1 + kRounding) * limit) return true;
  if (squared < (1 - kRounding) * limit) return false;
  return distanceToSegment(p, a, b) >= reach;
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
  const Vec2 c = net.point(triangle.v[(i + 1) % 3]);
  const Vec2 a = net.point(triangle.v[(i + 2) % 3]);
  double clearance = std::min(distance(b, a), distance(b, c));
  if (triangle.n[i] == kNone) return std::min(clearance, distanceToSegment(b, a, c));
  todo.assign(1, {t, i});
  while (!todo.empty()) {
    const NetEdge entered = todo.back();
    todo.pop_back();
    const uint32_t next = net.triangle(entered.triangle).n[entered.edge];
    const uint32_t back = net.mirror(entered.triangle, entered.edge);
    looked.push_back(next);
    for (const uint32_t edge : {(back + 1) % 3, (back + 2) % 3}) {
      const NetTriangle& behind = net.triangle(next);
      const Foot foot(b, net.point(behind.v[(edge + 1) % 3]), net.point(behind.v[(edge + 2) % 3]));
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
  for (uint32_t t = 0; t < count; ++t) {
    for (uint32_t wall = 0; wall < 3; ++wall) {
      if (net.triangle(t).n[wall] != kNone) continue;
      // The fan of the wall's start, counter-clockwise up to the next wall.
      const size_t first = corners.size();
      const uint32_t eye = net.triangle(t).v[(wall + 1) % 3];
      const uint32_t from = net.triangle(t).v[(wall + 2) % 3];
      uint32_t at = t;
      uint32_t corner = (wall + 1) % 3;
      corners.push_back({at, corner});
      while (net.triangle(at).n[(corner + 1) % 3] != kNone) {
        const uint32_t back = net.mirror(at, (corner + 1) % 3);
        at = net.triangle(at).n[(corner + 1) % 3];
        corner = (back + 1) % 3;
        corners.push_back({at, corner});
      }
      const uint32_t to = net.triangle(at).v[(corner + 2) % 3];
      const Vec2 a = net.point(from);
      const Vec2 b = net.point(to);
      const Vec2 o = net.point(eye);
      const bool opposite = (a.x - o.x) * (b.x - o.x) + (a.y - o.y) * (b.y - o.y) < 0;
      if (opposite && net.turn(from, eye, to) == 0) corners.resize(first);
    }
  }
  return corners;
}

bool DisturbanceSearch::isNear(Vec2 p) const {
  return dot(p - eye_, p - eye_) < (1 - kRounding) * reach_ * reach_;
}

std::optional<Disturbance> DisturbanceSearch::find(Corner corner) {
  const NetTriangle& triangle = net_.triangle(corner.triangle);
  best_.reset();
  withoutPlace_ = 0;
  looked_.assign(1, corner.triangle);
  if (triangle.n[corner.corner] == kNone) return best_;
  const uint32_t right = triangle.v[(corner.corner + 1) % 3];
  const uint32_t left = triangle.v[(corner.corner + 2) % 3];
  eye_ = net_.point(triangle.v[corner.corner]);
  reach_ = std::max(distance(eye_, net_.point(right)), distance(eye_, net_.point(left)));
  path_.clear();
  todo_.assign(1,
               {corner.triangle, corner.corner, right, left, 0, isNear(net_.point(right)), isNear(net_.point(left))});
  while (!todo_.empty()) {
    const Step step = todo_.back();
    todo_.pop_back();
    path_.resize(step.depth);
    path_.push_back({step.triangle, step.edge});
    const uint32_t next = net_.triangle(step.triangle).n[step.edge];
    const uint32_t back = net_.mirror(step.triangle, step.edge);
    looked_.push_back(next);
    // The entry runs from its left end to its right end. Its ends lie on the rays of what is seen or outside, so the
    // corner between the other two edges alone decides which of them are seen, and how much of each.
    const NetTriangle& entered = net_.triangle(next);
    const uint32_t apex = entered.v[back];
    const Vec2 place = net_.point(apex);
    const bool seesRight = orient(eye_, net_.point(step.right), place) > 0;
    const bool seesLeft = orient(eye_, net_.point(step.left), place) < 0;
    const bool isApexNear = isNear(place);
    const auto leave = [&](const Step& further, uint32_t end) {
      if (!further.isRightNear && !further.isLeftNear && isFar(eye_, place, net_.point(end), reach_)) return;
      if (entered.n[further.edge] == kNone) {
        consider(further);
      } else {
        todo_.push_back(further);
      }
    };
    const uint32_t leftEnd = (back + 1) % 3;
    const uint32_t rightEnd = (back + 2) % 3;
    if (seesRight)
      leave({next, leftEnd, step.right, seesLeft ? apex : step.left, step.depth + 1, step.isRightNear, isApexNear},
            entered.v[rightEnd]);
    if (seesLeft)
      leave({next, rightEnd, seesRight ? apex : step.right, step.left, step.depth + 1, isApexNear, step.isLeftNear},
            entered.v[leftEnd]);
  }
  return best_;
}

void DisturbanceSearch::consider(const Step& last) {
  const NetTriangle& triangle = net_.triangle(last.triangle);
  const Vec2 a = net_.point(triangle.v[(last.edge + 1) % 3]);
  const Vec2 b = net_.point(triangle.v[(last.edge + 2) % 3]);
  const Foot foot(eye_, a, b);
  if (!foot.isInside()) return;
  const double width = foot.distance();
  if (width >= reach_ || (best_ && width >= best_->width)) return;
  const Vec2 place = foot.place();
  if (orient(eye_, net_.point(last.right), place) <= 0 || orient(eye_, net_.point(last.left), place) >= 0) return;
  if (!disturbs(place, width)) return;
  const NetTriangle& first = net_.triangle(path_.front().triangle);
  double share = splitShare(net_.point(first.v[0]), net_.point(first.v[1]), net_.point(first.v[2]), a, b, foot.along());
  const double margin = kEndMargin / distance(a, b);
  if (share < margin || share > 1 - margin) share = foot.along();
  if (share < margin || share > 1 - margin) {
    ++withoutPlace_;
    return;
  }
  best_ = Disturbance{width, {last.triangle, last.edge}, {a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)}};
}

// Whether some triangle on the way to the foot promises more room than the eye leaves.
bool DisturbanceSearch::disturbs(Vec2 foot, double width) {
  const NetTriangle& first = net_.triangle(path_.front().triangle);
  const uint32_t gate = path_.front().edge;
  double nearRight = distance(eye_, net_.point(first.v[(gate + 1) % 3]));
  double nearLeft = distance(eye_, net_.point(first.v[(gate + 2) % 3]));
  for (const NetEdge& step : path_) {
    const uint32_t entered = net_.triangle(step.triangle).n[step.edge];
    const uint32_t back = net_.mirror(step.triangle, step.edge);
    const NetTriangle& triangle = net_.triangle(entered);
    // Seen from inside, the entry runs the other way: its first end is left of the way.
    const uint32_t apex = triangle.v[back];
    const bool apexLeft = orient(eye_, foot, net_.point(apex)) > 0;
    const uint32_t corner = apexLeft ? (back + 1) % 3 : (back + 2) % 3;
    const uint32_t across = apexLeft ? (back + 2) % 3 : (back + 1) % 3;  // edge from the corner to the apex
    double& near = apexLeft ? nearRight : nearLeft;
    if (triangle.n[across] != kNone && width < near && width < clearanceOf(net_, entered, corner, edges_, looked_)) {
      return true;
    }
    double& apexSide = apexLeft ? nearLeft : nearRight;
    apexSide = std::min(apexSide, distance(eye_, net_.point(apex)));
  }
  return false;
}

}  // namespace wend::lct
