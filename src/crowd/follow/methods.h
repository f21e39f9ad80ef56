#pragma once

#include <wend/waypoint.h>

#include "crowd/follow/follow.h"
#include "crowd/follow/route_cursor.h"

// One call of a follower, and the functions that all methods share.
namespace wend {

struct FollowCall {
  const Navigator& navigator;
  const FollowInput& input;
  const Route& route;
  FollowState& state;
  PlanScratch& scratch;

  Vec2 x() const { return inPlan(input.position); }
  // How far the reference point may move in a step.
  double window(const RouteCursor& cursor) const { return 2 * input.maxStep + length(x() - cursor.at()); }
};

// Relative; rounding must not forbid a segment whose clearance equals the radius.
inline constexpr double kSlack = 1e-6;

// Each sets the attractor, moves the reference point and returns kOk or kLost.
FollowStatus followIrm(const FollowCall& call);
FollowStatus followMiran(const FollowCall& call);
FollowStatus followWaypoints(const FollowCall& call, WaypointRule rule);

// Leads back to the route when it may be out of sight: aims for the nearest place of the next metres in straight sight;
// kLost if there is none.
FollowStatus recoverRoute(const FollowCall& call);

// Aims for a place of the route ahead of the reference point, nearer and nearer until it is in straight sight.
void aimAhead(const FollowCall& call, const RouteCursor& reference, double enough);

// Where the route bends back, straight to the attractor may lead away from all that comes soon after the reference
// point. An agent that is nearer to the attractor and sees it has passed that bend: the reference point moves to the
// attractor.
void passBend(const FollowCall& call, RouteCursor& reference, double enough);

// The distance from walls that the agent can keep: its radius, or less where it was pushed nearer or where its route is
// nearer. Routes keep a little less than the radius, so that an agent beside a wall has one.
inline double keptFrom(const FollowCall& call, const FreeDisk& disk) {
  const double ofRoute = call.route.clearance > 0 ? call.route.clearance : call.input.radius;
  return (1 - kSlack) * std::min({call.input.radius, ofRoute, disk.clearance});
}

// True if the disk can walk straight from the agent's place to a place of the route at height z.
bool isStraightTo(const FollowCall& call, Vec2 to, double z, double enough);

}  // namespace wend
