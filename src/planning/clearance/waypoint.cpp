#include <cmath>

#include <wend/waypoint.h>

#include "planning/clearance/distances.h"

namespace wend {
namespace {

ShrunkPortal wholePortal(const NavMesh& mesh, SideId portal) {
  // Who leaves a cell by a side has its end on the left.
  const Vec3 left = mesh.position(mesh.endVertex(portal));
  const Vec3 right = mesh.position(mesh.startVertex(portal));
  return {{left.x, left.y}, {right.x, right.y}};
}

}  // namespace

ShrunkPortal simpleShrunkPortal(const NavMesh& mesh, SideId portal, double radius) {
  const ShrunkPortal whole = wholePortal(mesh, portal);
  const Vec2 along = whole.right - whole.left;
  const double size = length(along);
  const double share = size > 2 * radius ? radius / size : 0.5;
  return {whole.left + share * along, whole.right - share * along};
}

Vec2 waypointOn(const ShrunkPortal& room, Vec2 position, double radius, WaypointRule rule,
                std::optional<Vec2> previous) {
  const Vec2 along = room.right - room.left;
  const double square = dot(along, along);
  if (!(square > 0)) return room.left;
  const double toLeft = length(position - room.left);
  const double toRight = length(position - room.right);
  if (rule == WaypointRule::kCentre) return room.left + 0.5 * along;
  if (rule == WaypointRule::kClosestEnd) {
    const double share = std::min(0.5, radius / std::sqrt(square));
    return toLeft <= toRight ? room.left + share * along : room.right - share * along;
  }
  const double t = dot(position - room.left, along) / square;
  if (t >= 0 && t <= 1) return room.left + t * along;
  if (toLeft == toRight && previous && *previous == room.right) return room.right;
  return toLeft >= toRight ? room.left : room.right;
}

Vec2 nextWaypoint(const Navigator& navigator, const Route& route, size_t next, const Place& position, double radius,
                  const WaypointSettings& settings, PlanScratch& scratch, std::optional<Vec2> previous) {
  const Vec3 goal = route.points.back();
  if (next >= route.portals.size()) return {goal.x, goal.y};
  if (settings.goalInSight && navigator.straightClearance(position, goal, scratch) >= radius) {
    return {goal.x, goal.y};
  }
  const Vec2 at = position.top();
  if (settings.rule != WaypointRule::kDynamic) {
    return waypointOn(wholePortal(navigator.mesh(), route.portals[next]), at, radius, settings.rule, previous);
  }
  const bool exact = settings.shrink == ShrinkRule::kExact && next < route.shrunkPortals.size();
  const ShrunkPortal room =
      exact ? route.shrunkPortals[next] : simpleShrunkPortal(navigator.mesh(), route.portals[next], radius);
  return waypointOn(room, at, radius, settings.rule, previous);
}

}  // namespace wend
