#include "crowd/follow/follow.h"

#include "crowd/follow/methods.h"

namespace wend {
namespace {

constexpr double kRelaxation = 0.5;      // s; agents slow down over the distance that they walk in this time
constexpr double kOnAttractor = 1e-3;    // m; nearer than this the attractor gives no direction
constexpr double kNarrowAhead = 0.5;     // m; how far ahead to aim where free space is no wider than the agent
constexpr double kRecoverReach = 5;      // m along the route
constexpr double kRecoverStep = 0.5;     // m
constexpr double kFloorTolerance = 1.0;  // m; floors are farther apart
constexpr double kSteepest = 1.0;        // slope of a walkable surface

// Heights of a cell's corners.
struct HeightRange {
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
};
HeightRange heightsOf(const NavMesh& mesh, CellId cell) {
  HeightRange range;
  for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
    const double z = mesh.views().heights[mesh.startVertex(s)];
    range.low = std::min(range.low, z);
    range.high = std::max(range.high, z);
  }
  return range;
}

bool hasArrived(const FollowCall& call, Vec2 goal) {
  const FollowInput& in = call.input;
  const double reach = std::max(in.goalRadius, in.radius);
  const double away = length(call.x() - goal);
  if (away > reach) return false;
  const double z = call.route.points.back().z;
  if (std::abs(in.position.z - z) > kFloorTolerance + kSteepest * away) return false;
  // Behind a thin wall the goal is near, but not reached.
  return call.state.attractor == goal || isStraightTo(call, goal, z, 0);
}

}  // namespace

bool isStraightTo(const FollowCall& call, Vec2 to, double z, double enough) {
  const StraightWay way = call.navigator.straightWay(call.input.cell, call.x(), to, enough, call.scratch);
  if (way.clearance < 0 || way.cell == kNone) return false;
  const NavMesh& mesh = call.navigator.mesh();
  if (mesh.layerCount() == 1) return true;
  const HeightRange range = heightsOf(mesh, way.cell);
  return z >= range.low - kFloorTolerance && z <= range.high + kFloorTolerance;
}

void aimAhead(const FollowCall& call, const RouteCursor& reference, double enough) {
  for (double ahead = kNarrowAhead; ahead >= kOnAttractor; ahead *= 0.5) {
    RouteCursor at = reference;
    at.forward(ahead);
    call.state.attractor = at.at();
    call.state.attractorArc = at.arc();
    if (isStraightTo(call, at.at(), at.z(), enough)) return;
  }
}

void passBend(const FollowCall& call, RouteCursor& reference, double enough) {
  const FollowState& s = call.state;
  if (s.attractorArc <= reference.arc() || length(call.x() - s.attractor) >= length(call.x() - reference.at())) return;
  RouteCursor passed = reference;
  passed.forward(s.attractorArc - reference.arc());
  if (isStraightTo(call, passed.at(), passed.z(), enough)) reference = passed;
}

FollowStatus recoverRoute(const FollowCall& call) {
  const Vec2 x = call.x();
  FollowState& state = call.state;
  const FreeDisk disk = call.navigator.freeDisk(call.input.cell, x, call.scratch);
  const double enough = keptFrom(call, disk);
  RouteCursor nearest(call.route, state);
  nearest.toNearest(x, kRecoverReach);
  state.attractor = nearest.at();
  state.attractorArc = nearest.arc();
  state.diskRadius = -1;
  if (isStraightTo(call, nearest.at(), nearest.z(), enough)) {
    nearest.store(state);
    if (length(x - nearest.at()) <= call.input.maxStep) aimAhead(call, nearest, enough);
    return FollowStatus::kOk;
  }
  RouteCursor candidate(call.route, state);
  RouteCursor best = candidate;
  double bestDistance = HUGE_VAL;
  const double limit = candidate.arc() + kRecoverReach;
  for (double before = -1; candidate.arc() <= limit && candidate.arc() > before; candidate.forward(kRecoverStep)) {
    before = candidate.arc();
    const double distance = length(candidate.at() - x);
    if (distance >= bestDistance || !isStraightTo(call, candidate.at(), candidate.z(), enough)) continue;
    bestDistance = distance;
    best = candidate;
  }
  if (bestDistance == HUGE_VAL) return FollowStatus::kLost;
  best.store(state);
  state.attractor = best.at();
  state.attractorArc = best.arc();
  return FollowStatus::kOk;
}

FollowResult follow(FollowMethod method, const Navigator& navigator, const FollowInput& input, const Route& route,
                    FollowState& state, PlanScratch& scratch) {
  FollowResult result;
  if (route.points.empty() || input.cell == kNone) {
    result.status = FollowStatus::kLost;
    return result;
  }
  const FollowCall call{navigator, input, route, state, scratch};
  switch (method) {
    case FollowMethod::kIrm:
      result.status = followIrm(call);
      break;
    case FollowMethod::kMiran:
      result.status = followMiran(call);
      break;
    case FollowMethod::kWaypoints:
      result.status = followWaypoints(call, WaypointRule::kDynamic);
      break;
    case FollowMethod::kCentres:
      result.status = followWaypoints(call, WaypointRule::kCentre);
      break;
  }
  const RouteCursor reference(route, state);
  result.distanceToGoal = length(call.x() - reference.at()) + reference.remaining();
  if (hasArrived(call, inPlan(route.points.back()))) {
    result.status = FollowStatus::kArrived;
    return result;
  }
  Vec2 aim = state.attractor - call.x();
  if (length(aim) < kOnAttractor) aim = reference.direction();
  const double size = length(aim);
  if (size > 0) result.preferred = (std::min(input.speed, result.distanceToGoal / kRelaxation) / size) * aim;
  return result;
}

}  // namespace wend
