#include <cmath>

#include <wend/waypoint.h>

#include "planning/clearance/distances.h"

namespace wend {
namespace {

ShrunkPortal wholePortal(const NavMesh& mesh, SideId portal) {
  // Seen by an agent that leaves a cell by a side, the end of the side is on the left.
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

Vec2 waypointOn(const ShrunkPortal& portal, Vec2 position, double radius, WaypointRule rule,
                std::optional<Vec2> previous) {
  const Vec2 along = portal.right - portal.left;
  const double square = dot(along, along);
  if (!(square > 0)) return portal.left;
  const double toLeft = length(position - portal.left);
  const double toRight = length(position - portal.right);
  if (rule == WaypointRule::kCentre) return portal.left + 0.5 * along;
  if (rule == WaypointRule::kClosestEnd) {
    const double share = std::min(0.5, radius / std::sqrt(square));
    return toLeft <= toRight ? portal.left + share * along : portal.right - share * along;
  }
  const double t = dot(position - portal.left, along) / square;
  if (t >= 0 && t <= 1) return portal.left + t * along;
  if (toLeft == toRight && previous && *previous == portal.right) return portal.right;
  return toLeft >= toRight ? portal.left : portal.right;
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
  const ShrunkPortal portal =
      exact ? route.shrunkPortals[next] : simpleShrunkPortal(navigator.mesh(), route.portals[next], radius);
  return waypointOn(portal, at, radius, settings.rule, previous);
}

}  // namespace wend
