#include "crowd/follow/methods.h"

// Dynamic way points. R. Oliva, N. Pelechano: Clearance for diversity of agents' sizes in navigation meshes (2015).
// Progress is counted in portals, by the cell the agent is in.
namespace wend {
namespace {

constexpr double kGoalSight = 30;    // m; a goal farther off is not tested for sight
constexpr uint32_t kLookEvery = 10;  // steps between two tests whether the goal is in sight
constexpr uint32_t kCellWindow =
    16;  // cells of the route ahead and behind among which the cell of the agent is searched

// The index of the agent's cell on the route, as near as possible to where it was; kNone off the route.
uint32_t indexOnRoute(const Route& route, CellId cell, uint32_t last) {
  const auto count = static_cast<uint32_t>(route.cells.size());
  for (uint32_t d = 0; d <= kCellWindow; ++d) {
    if (last + d < count && route.cells[last + d] == cell) return last + d;
    if (d <= last && last - d < count && route.cells[last - d] == cell) return last - d;
  }
  return kNone;
}

// Whether one of the walls starts or ends where this side starts: rotates through the portals around that corner.
bool isCornerOfWall(const NavMesh& mesh, SideId side) {
  SideId s = side;
  constexpr int kMost = 32;
  for (int i = 0; i < kMost; ++i) {
    s = mesh.previousSide(s);
    if (mesh.isWall(s)) return true;
    s = mesh.twin(s);
    if (s == side) return mesh.isWall(side);
  }
  return true;
}

ShrunkPortal portalOf(const FollowCall& call, uint32_t portal) {
  const NavMesh& mesh = call.navigator.mesh();
  const SideId side = call.route.portals[portal];
  return {inPlan(mesh.position(mesh.endVertex(side))), inPlan(mesh.position(mesh.startVertex(side)))};
}

// The shrunk portal of the route, if it has one; else the portal without the radius at the ends that are corners of
// walls.
ShrunkPortal shrunkPortalOf(const FollowCall& call, uint32_t portal) {
  if (portal < call.route.shrunkPortals.size()) return call.route.shrunkPortals[portal];
  const NavMesh& mesh = call.navigator.mesh();
  const SideId side = call.route.portals[portal];
  const auto [left, right] = portalOf(call, portal);
  const double size = length(left - right);
  if (!(size > 0)) return {left, right};
  const Vec2 along = (1 / size) * (left - right);
  const double fromRight = isCornerOfWall(mesh, side) ? call.input.radius : 0;
  const double fromLeft = isCornerOfWall(mesh, mesh.twin(side)) ? call.input.radius : 0;
  if (fromRight + fromLeft >= size) {
    const Vec2 middle = right + (fromRight / (fromRight + fromLeft) * size) * along;
    return {middle, middle};
  }
  return {left - fromLeft * along, right + fromRight * along};
}

}  // namespace

FollowStatus followWaypoints(const FollowCall& call, WaypointRule rule) {
  FollowState& s = call.state;
  const Vec2 x = call.x();
  RouteCursor reference(call.route, s);
  reference.toNearest(x, call.window(reference));
  reference.store(s);
  const uint32_t index = indexOnRoute(call.route, call.input.cell, s.portal);
  const bool moved = index != kNone && index != s.portal;
  if (index != kNone) s.portal = index;

  const Vec3 goal = call.route.points.back();
  const Vec2 goalAt = inPlan(goal);
  const auto portals = static_cast<uint32_t>(call.route.portals.size());
  if (index != kNone && s.portal >= portals) {
    s.attractor = goalAt;
    s.attractorArc = portals;
    return FollowStatus::kOk;
  }
  // Seen once, the goal is aimed for until the next look.
  if (moved || s.age == 0 || s.age >= kLookEvery) {
    s.age = 0;
    const bool near = length(goalAt - x) <= kGoalSight;
    s.attractorArc = near && isStraightTo(call, goalAt, goal.z, call.input.radius) ? portals : s.portal;
  }
  ++s.age;
  if (s.attractorArc == portals) {
    s.attractor = goalAt;
    return FollowStatus::kOk;
  }
  const auto aim = [&](uint32_t portal) {
    const ShrunkPortal target = rule == WaypointRule::kDynamic ? shrunkPortalOf(call, portal) : portalOf(call, portal);
    return waypointOn(target, x, call.input.radius, rule, s.attractor);
  };
  Vec2 target = s.portal < portals ? aim(s.portal) : goalAt;
  // On the portal already: the next one leads on.
  if (length(target - x) <= call.input.maxStep) target = s.portal + 1 < portals ? aim(s.portal + 1) : goalAt;
  s.attractor = target;
  s.attractorArc = s.portal;
  if (index != kNone) return FollowStatus::kOk;
  // Pushed off the route's cells.
  s.age = 0;
  const double enough = keptFrom(call, call.navigator.freeDisk(call.input.cell, x, call.scratch));
  return isStraightTo(call, target, call.input.position.z, enough) ? FollowStatus::kOk : recoverRoute(call);
}

}  // namespace wend
