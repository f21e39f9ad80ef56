#include <cmath>
#include <limits>

#include "crowd/local/orca.h"
#include "crowd/local/symmetry.h"

namespace wend::orca {
namespace {

// Tangents from the origin to the disk of radius r at w, |w| > r; both point away from the origin.
Vec2 leftTangent(Vec2 w, double r) {
  const double ww = dot(w, w);
  const double leg = std::sqrt(std::max(ww - r * r, 0.0));
  return (1 / ww) * Vec2{w.x * leg - w.y * r, w.x * r + w.y * leg};
}
Vec2 rightTangent(Vec2 w, double r) {
  const double ww = dot(w, w);
  const double leg = std::sqrt(std::max(ww - r * r, 0.0));
  return (1 / ww) * Vec2{w.x * leg + w.y * r, w.y * leg - w.x * r};
}

// An edge as the obstacle sees it: walkable ground on the right.
struct Edge {
  Vec2 start, end, along;
  Vec2 before, after;  // directions of the edges that end in start and start in end
  bool startConvex, endConvex;
};

Edge edgeOf(const WallView& wall) {
  return {wide(wall.b),       wide(wall.a), -wide(wall.along), -wide(wall.after),
          -wide(wall.before), wall.cornerB, wall.cornerA};
}

bool covered(const Edge& edge, double r, std::span<const Line> earlier) {
  for (const Line& line : earlier) {
    const auto behind = [&](Vec2 end) {
      return line.violation((1 / kTimeHorizonWall) * end) >= r / kTimeHorizonWall - kParallel;
    };
    if (behind(edge.start) && behind(edge.end)) return true;
  }
  return false;
}

// The cone of velocities that hit the edge within the horizon. Both ends are one point when it is seen obliquely.
struct Cone {
  Vec2 start, end;
  Vec2 left, right;
  bool leftForeign = false, rightForeign = false;
};

enum class Shape { kNone, kTouches, kCone };

// Touching: a line through zero. Otherwise the cone, unless a neighbouring edge has it.
Shape shapeOf(const Edge& edge, double r, Line& touching, Cone& cone) {
  const Vec2 span = edge.end - edge.start;
  const double s = -dot(edge.start, span) / std::max(dot(span, span), 1e-12);
  const Vec2 foot = edge.start + s * span;
  const double toStart = dot(edge.start, edge.start);
  const double toEnd = dot(edge.end, edge.end);
  const bool onLine = dot(foot, foot) <= r * r;

  if (s < 0 && toStart <= r * r) {
    touching = {{}, direction(leftOf(edge.start), -edge.along)};
    return edge.startConvex ? Shape::kTouches : Shape::kNone;
  }
  if (s > 1 && toEnd <= r * r) {
    touching = {{}, direction(leftOf(edge.end), -edge.along)};
    return edge.endConvex && cross(edge.end, edge.after) >= 0 ? Shape::kTouches : Shape::kNone;
  }
  if (s >= 0 && s <= 1 && onLine) {
    touching = {{}, -edge.along};
    return Shape::kTouches;
  }

  Vec2 before = edge.before;
  Vec2 after = edge.after;
  bool startConvex = edge.startConvex;
  bool endConvex = edge.endConvex;
  cone.start = edge.start;
  cone.end = edge.end;
  if (onLine && s < 0) {
    if (!edge.startConvex) return Shape::kNone;
    cone.end = edge.start;
    after = edge.along;
    endConvex = true;
  } else if (onLine && s > 1) {
    if (!edge.endConvex) return Shape::kNone;
    cone.start = edge.end;
    before = edge.along;
    startConvex = true;
  }
  cone.left = startConvex ? leftTangent(cone.start, r) : -edge.along;
  cone.right = endConvex ? rightTangent(cone.end, r) : edge.along;
  // A leg into the adjacent edge: that edge adds the line itself.
  if (startConvex && cross(cone.left, -before) >= 0) {
    cone.left = -before;
    cone.leftForeign = true;
  }
  if (endConvex && cross(cone.right, after) <= 0) {
    cone.right = after;
    cone.rightForeign = true;
  }
  return Shape::kCone;
}

// The boundary of the cone nearest to the velocity; false if it belongs to another edge.
bool lineOfCone(const Cone& cone, const Edge& edge, double r, Vec2 velocity, Line& line) {
  const double inverse = 1 / kTimeHorizonWall;
  const double radius = r * inverse;
  const Vec2 start = inverse * cone.start;
  const Vec2 end = inverse * cone.end;
  const Vec2 cutOff = end - start;
  const double length = dot(cutOff, cutOff);
  const bool point = length < 1e-18;
  const double t = point ? 0.5 : dot(velocity - start, cutOff) / length;
  const double tLeft = dot(velocity - start, cone.left);
  const double tRight = dot(velocity - end, cone.right);

  const auto circle = [&](Vec2 centre) {
    const Vec2 out = direction(velocity - centre, leftOf(-edge.along));
    line = {centre + radius * out, -leftOf(out)};
    return true;
  };
  if ((t < 0 && tLeft < 0) || (point && tLeft < 0 && tRight < 0)) return circle(start);
  if (t > 1 && tRight < 0) return circle(end);

  constexpr double kFar = std::numeric_limits<double>::infinity();
  const auto square = [](Vec2 v) { return dot(v, v); };
  const double toCutOff = t < 0 || t > 1 || point ? kFar : square(velocity - (start + t * cutOff));
  const double toLeft = tLeft < 0 ? kFar : square(velocity - (start + tLeft * cone.left));
  const double toRight = tRight < 0 ? kFar : square(velocity - (end + tRight * cone.right));
  if (toCutOff <= toLeft && toCutOff <= toRight) {
    line = {start + radius * leftOf(-edge.along), -edge.along};
    return true;
  }
  if (toLeft <= toRight) {
    line = {start + radius * leftOf(cone.left), cone.left};
    return !cone.leftForeign;
  }
  line = {end + radius * leftOf(-cone.right), -cone.right};
  return !cone.rightForeign;
}

Line lineOfNeighbour(const LocalView& view, uint32_t j, Vec2 velocity, double shrink) {
  const Vec2 w{static_cast<double>(view.wx[j]), static_cast<double>(view.wy[j])};
  const Vec2 relative = velocity - Vec2{static_cast<double>(view.vx[j]), static_cast<double>(view.vy[j])};
  const double reach = shrink * static_cast<double>(view.radius + view.r[j]);
  const double ww = dot(w, w);
  const bool overlap = ww <= reach * reach;
  const double inverse = 1 / (overlap ? static_cast<double>(view.step) : kTimeHorizon);
  const Vec2 q = relative - inverse * w;
  const double qw = dot(q, w);
  Line line;
  Vec2 change;
  if (overlap || (qw < 0 && qw * qw > reach * reach * dot(q, q))) {
    const double l = length(q);
    const Vec2 out = l > 1e-9 ? (1 / l) * q : wide(apart(view.id, view.ids[j]));
    line.direction = -leftOf(out);
    change = (reach * inverse - l) * out;
  } else {
    line.direction = cross(w, q) > 0 ? leftTangent(w, reach) : -rightTangent(w, reach);
    change = dot(relative, line.direction) * line.direction - relative;
  }
  // Each of the two does half of it.
  line.point = velocity + 0.5 * change;
  return line;
}

}  // namespace

LineCount linesOf(const LocalView& view, std::span<Line, kMaxLines> lines) {
  const Vec2 velocity = wide(view.velocity);
  const double shrink = static_cast<double>(intentOf(view).shrink);
  const double radius = shrink * static_cast<double>(view.radius);
  LineCount count;
  for (uint32_t i = 0; i < view.wallCount; ++i) {
    const Edge edge = edgeOf(view.walls[i]);
    // From behind it is hidden by other walls.
    if (cross(edge.along, edge.start) < 0) continue;
    if (covered(edge, radius, lines.first(count.walls))) continue;
    Cone cone;
    Line& line = lines[count.walls];
    const Shape shape = shapeOf(edge, radius, line, cone);
    if (shape == Shape::kTouches || (shape == Shape::kCone && lineOfCone(cone, edge, radius, velocity, line))) {
      ++count.walls;
    }
  }
  count.all = count.walls;
  const uint32_t neighbours = avoidedCount(view);
  for (uint32_t j = 0; j < neighbours; ++j) {
    if (avoids(view, j)) lines[count.all++] = lineOfNeighbour(view, j, velocity, shrink);
  }
  return count;
}

}  // namespace wend::orca
