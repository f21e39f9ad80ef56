#pragma once

#include <wend/replan.h>
#include <wend/route.h>

// Re-planning where there is no medial axis: the route itself is the path.
//
// A shortest path in the plane is simpler than one on a graph: walls that come never make it shorter, and a shorter way
// must pass where walls went. So a route stays the best one of its planner if no wall came near it and no way through
// an opened place is shorter.
namespace wend {

// What is left of a route for an agent beside it. Metres.
struct RouteRest {
  size_t next = 0;    // points[next] is the next point to go to
  double length = 0;  // from the agent
  double off = 0;     // distance of the agent from the route
};
// An agent farther than this from its route, metres, has left it: another way may be shorter from there. Nearer, what
// is left of the route is longer than the shortest by twice the distance at most.
inline constexpr double kBesideRoute = 0.5;
RouteRest restOf(const Route& route, Vec2 at);

// True if a wall came nearer than `margin` to the rest of the route. Layers are not compared, so a wall in
// another layer may count: that costs a search, never a collision.
bool isRestTouched(const WorldChange& change, const Route& route, const RouteRest& rest, Vec2 at, double margin);

// True if a way through an opened place may be shorter than the rest of the route.
bool mayBeShorter(const WorldChange& change, const Route& route, const RouteRest& rest, Vec2 at);

// Drops what lies behind the agent: the route begins at `at` and goes straight to points[rest.next].
void cutRoute(const RouteRest& rest, Vec3 at, Route& route);

}  // namespace wend
