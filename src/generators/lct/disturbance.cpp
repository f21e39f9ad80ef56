#include "generators/lct/disturbance.h"

#include <algorithm>
#include <cmath>

#include "geometry/predicates.h"
#include "geometry/vec2.h"

namespace wend::lct {
namespace {

// Lattice units. Split points nearer to the ends of a wall would not survive the mesh builder's matching.
constexpr double kEndMargin = 0.5;

struct Foot {
  double along = 0;  // 0 at a, 1 at b
  Vec2 place;
  double distance = 0;
  bool inside() const { return along > 0 && along < 1; }
};

Foot footOn(Vec2 p, Vec2 a, Vec2 b) {
  const Vec2 d{b.x - a.x, b.y - a.y};
  const double square = d.x * d.x + d.y * d.y;
  const double along = ((p.x - a.x) * d.x + (p.y - a.y) * d.y) / square;
  const double away = std::abs((p.x - a.x) * d.y - (p.y - a.y) * d.x) / std::sqrt(square);
  return {along, {a.x + along * d.x, a.y + along * d.y}, away};
}

// Whether distanceToSegment() is at least this, mostly without a division and a root.
bool isFar(Vec2 p, Vec2 a, Vec2 b, double reach) {
  constexpr double kRounding = 1e-9;  // relative; far more than what both computations round
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
      const Foot foot = footOn(b, net.point(behind.v[(edge + 1) % 3]), net.point(behind.v[(edge + 2) % 3]));
      if (!foot.inside() || foot.distance >= clearance) continue;
      if (behind.n[edge] == kNone) {
        clearance = foot.distance;
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

std::optional<Disturbance> DisturbanceSearch::find(Corner corner) {
  const NetTriangle& triangle = net_.triangle(corner.triangle);
  best_.reset();
  withoutPlace_ = 0;
  looked_.assign(1, corner.triangle);
  if (triangle.n[corner.corner] == kNone) return best_;
  eye_ = net_.point(triangle.v[corner.corner]);
  const Vec2 right = net_.point(triangle.v[(corner.corner + 1) % 3]);
  const Vec2 left = net_.point(triangle.v[(corner.corner + 2) % 3]);
  reach_ = std::max(distance(eye_, right), distance(eye_, left));
  path_.clear();
  todo_.clear();
  std::optional<Step> step = Step{corner.triangle, corner.corner, right, left};
  // Depth first; path_ always leads from the eye to the step at hand.
  while (step) {
    path_.push_back(*step);
    const uint32_t next = net_.triangle(step->triangle).n[step->edge];
    const uint32_t back = net_.mirror(step->triangle, step->edge);
    looked_.push_back(next);
    // The entry runs from its left end to its right end. Its ends lie on the rays of what is seen or outside, so the
    // corner between the other two edges alone decides which of them are seen, and how much of each.
    const NetTriangle& entered = net_.triangle(next);
    const Vec2 apex = net_.point(entered.v[back]);
    const bool seesRight = orient(eye_, step->right, apex) > 0;
    const bool seesLeft = orient(eye_, step->left, apex) < 0;
    std::optional<Step> onwards;
    const auto leave = [&](uint32_t edge, Vec2 seenRight, Vec2 seenLeft) {
      const Vec2 a = net_.point(entered.v[(edge + 1) % 3]);
      const Vec2 b = net_.point(entered.v[(edge + 2) % 3]);
      if (isFar(eye_, a, b, reach_)) return;
      const Step further{next, edge, seenRight, seenLeft};
      if (entered.n[edge] == kNone) {
        consider(further);
      } else {
        if (onwards) todo_.emplace_back(path_.size(), *onwards);
        onwards = further;
      }
    };
    if (seesRight) leave((back + 1) % 3, step->right, seesLeft ? apex : step->left);
    if (seesLeft) leave((back + 2) % 3, seesRight ? apex : step->right, step->left);
    step = onwards;
    if (step || todo_.empty()) continue;
    path_.resize(todo_.back().first);
    step = todo_.back().second;
    todo_.pop_back();
  }
  return best_;
}

void DisturbanceSearch::consider(const Step& last) {
  const NetTriangle& triangle = net_.triangle(last.triangle);
  const Vec2 a = net_.point(triangle.v[(last.edge + 1) % 3]);
  const Vec2 b = net_.point(triangle.v[(last.edge + 2) % 3]);
  const Foot foot = footOn(eye_, a, b);
  if (!foot.inside() || foot.distance >= reach_ || (best_ && foot.distance >= best_->width)) return;
  if (orient(eye_, last.right, foot.place) <= 0 || orient(eye_, last.left, foot.place) >= 0) return;
  if (!disturbs(foot.place, foot.distance)) return;
  const NetTriangle& first = net_.triangle(path_.front().triangle);
  double share = splitShare(net_.point(first.v[0]), net_.point(first.v[1]), net_.point(first.v[2]), a, b, foot.along);
  const double margin = kEndMargin / distance(a, b);
  if (share < margin || share > 1 - margin) share = foot.along;
  if (share < margin || share > 1 - margin) {
    ++withoutPlace_;
    return;
  }
  best_ =
      Disturbance{foot.distance, {last.triangle, last.edge}, {a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)}};
}

// Whether some triangle on the way to the foot promises more room than the eye leaves.
bool DisturbanceSearch::disturbs(Vec2 foot, double width) {
  const NetTriangle& first = net_.triangle(path_.front().triangle);
  const uint32_t gate = path_.front().edge;
  double nearRight = distance(eye_, net_.point(first.v[(gate + 1) % 3]));
  double nearLeft = distance(eye_, net_.point(first.v[(gate + 2) % 3]));
  for (const Step& step : path_) {
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
