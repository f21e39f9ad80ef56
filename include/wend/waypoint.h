#pragma once

#include <optional>

#include <wend/navigator.h>

// The place that an agent on a route aims for now. Oliva, Pelechano: Clearance for diversity of agents' sizes in
// navigation meshes (2015): a place on the next portal that depends on where the agent is, so that neighbours rarely
// share one.
namespace wend {

enum class WaypointRule : uint8_t {
  kDynamic,     // the projection on the shrunk portal, else its farther end
  kCentre,      // the middle of the portal: for comparison
  kClosestEnd,  // the nearer end of the portal, the radius away from it: for comparison
};

enum class ShrinkRule : uint8_t {
  kExact,   // the shrunk portal of the route: keeps the radius from every wall
  kSimple,  // the portal without the radius at both ends: for comparison; other walls may be nearer
};

// The portal without the radius at both ends; its middle if it is shorter than that. Metres.
ShrunkPortal simpleShrunkPortal(const NavMesh& mesh, SideId portal, double radius);

// The place to aim for on a shrunk portal, or on a whole portal for the other rules; metres. `previous` decides between
// two ends at the same distance, if it is one of them; else the left one.
Vec2 waypointOn(const ShrunkPortal& portal, Vec2 position, double radius, WaypointRule rule,
                std::optional<Vec2> previous = std::nullopt);

struct WaypointSettings {
  WaypointRule rule = WaypointRule::kDynamic;
  ShrinkRule shrink = ShrinkRule::kExact;
  bool goalInSight = true;  // aim for the goal as soon as the disk can go straight to it
};

// The place to aim for on the path to portal `next` of the route (route.portals.size(): the goal).
Vec2 nextWaypoint(const Navigator& navigator, const Route& route, size_t next, const Place& position, double radius,
                  const WaypointSettings& settings, PlanScratch& scratch, std::optional<Vec2> previous = std::nullopt);

}  // namespace wend
