#include "crowd/follow/methods.h"

// The Indicative Route Method. I. Karamouzas, R. Geraerts, M. Overmars: Indicative routes for path planning and crowd
// simulation (2009). The attractor is the farthest point of the route, without a gap, in an empty disk around the
// agent.
//
// Such a disk is one sheet of the surface even where floors lie above each other, and a route that starts on the sheet
// and stays in the disk stays on the sheet. So only the reference point has to be on the agent's floor.
namespace wend {
namespace {

constexpr double kKeep = 0.125;  // of its radius: how far an agent may move before another disk is computed
constexpr double kFloorsApart = 1.0;
constexpr double kComesBack = 5;  // m along the route: how far to look for where it comes into the disk again

bool isInside(Vec2 p, Vec2 centre, double radius) {
  const Vec2 off = p - centre;
  return dot(off, off) <= radius * radius;
}

bool isDiskFresh(const FollowCall& call) {
  const FollowState& s = call.state;
  return s.diskRadius > 0 && isInside(call.x(), s.diskSeenFrom, kKeep * s.diskRadius) &&
         isInside(call.x(), s.diskCentre, s.diskRadius) &&
         !isInside(s.attractor, call.x(), 2 * call.input.maxStep + kKeep * s.diskRadius);
}

bool isOnFloor(const FollowCall& call, const RouteCursor& cursor) {
  const double rise = std::abs(cursor.z() - call.input.position.z);
  return rise <= kFloorsApart + length(cursor.at() - call.x());
}

// Where the ray from a inside a circle, in direction u, leaves it.
double exitOf(Vec2 a, Vec2 u, Vec2 centre, double radius) {
  const Vec2 off = a - centre;
  const double b = dot(off, u);
  const double c = std::min(0.0, dot(off, off) - radius * radius);
  return -b + std::sqrt(b * b - c);
}

}  // namespace

FollowStatus followIrm(const FollowCall& call) {
  FollowState& s = call.state;
  const Vec2 x = call.x();
  RouteCursor cursor(call.route, s);
  if (isDiskFresh(call)) {
    cursor.toNearest(x, std::min(call.window(cursor), std::max(0.0, s.attractorArc - s.arc)));
    cursor.store(s);
    return FollowStatus::kOk;
  }
  const FreeDisk disk = call.navigator.freeDisk(call.input.cell, x, call.scratch);
  const double kept = keptFrom(call, disk);
  const double radius = disk.radius - kept;
  passBend(call, cursor, kept);
  if (!(radius > call.input.maxStep)) {
    cursor.toNearest(x, call.window(cursor));
    cursor.store(s);
    if (!isOnFloor(call, cursor)) return recoverRoute(call);
    aimAhead(call, cursor, kept);
    s.diskRadius = -1;
    return FollowStatus::kOk;
  }
  if (!isInside(cursor.at(), disk.centre, radius)) cursor.toNearest(x, call.window(cursor));
  const bool isBehind = dot(s.attractor - x, cursor.at() - x) < 0;
  if (isBehind && !isInside(cursor.at(), disk.centre, radius)) {
    // An agent that walks straight across a hook of the route leaves the reference point behind. It must not go back to
    // it where the route comes into the disk again.
    RouteCursor again = cursor;
    again.toNearest(disk.centre, kComesBack);
    if (isInside(again.at(), disk.centre, radius) && isOnFloor(call, again)) cursor = again;
  }
  if (!isInside(cursor.at(), disk.centre, radius) || !isOnFloor(call, cursor)) return recoverRoute(call);

  // To where the route leaves the disk, never past a gap.
  RouteCursor ahead = cursor;
  while (isInside(ahead.segmentEnd(), disk.centre, radius) && !ahead.isLast()) ahead.next();
  const double left = ahead.segmentEndArc() - ahead.arc();
  ahead.setArc(ahead.arc() + (isInside(ahead.segmentEnd(), disk.centre, radius)
                                  ? left
                                  : exitOf(ahead.at(), ahead.direction(), disk.centre, radius)));
  s.attractor = ahead.at();
  s.attractorArc = ahead.arc();
  s.diskCentre = disk.centre;
  s.diskRadius = radius;
  s.diskSeenFrom = x;
  cursor.toNearest(x, std::min(call.window(cursor), ahead.arc() - cursor.arc()));
  cursor.store(s);
  return FollowStatus::kOk;
}

}  // namespace wend
