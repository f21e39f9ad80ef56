#include "planning/replan/route_change.h"

#include <algorithm>
#include <cmath>

#include "geometry/vec2.h"
#include "planning/replan/world_change.h"

namespace wend {
namespace {

Vec2 top(const Vec3& p) {
  return {p.x, p.y};
}

// Lengths of routes are sums of many roundings.
constexpr double kLengthSlack = 1e-9;

}  // namespace

RouteRest restOf(const Route& route, Vec2 at) {
  RouteRest rest;
  const size_t count = route.points.size();
  if (count == 0) return rest;
  double best = HUGE_VAL;
  rest.next = count - 1;
  for (size_t i = 0; i + 1 < count; ++i) {
    const double off = distance(at, closestOnSegment(at, top(route.points[i]), top(route.points[i + 1])));
    if (off >= best) continue;
    best = off;
    rest.next = i + 1;
  }
  rest.off = count > 1 ? best : distance(at, top(route.points[0]));
  rest.length = distance(at, top(route.points[rest.next]));
  for (size_t i = rest.next; i + 1 < count; ++i) {
    rest.length += distance(top(route.points[i]), top(route.points[i + 1]));
  }
  return rest;
}

bool isRestTouched(const WorldChange& change, const Route& route, const RouteRest& rest, Vec2 at, double margin) {
  if (change.everything()) return true;
  Vec2 from = at;
  for (size_t i = rest.next; i < route.points.size(); ++i) {
    const Vec2 to = top(route.points[i]);
    for (const ChangedPlace& place : change.places()) {
      if (place.opened) continue;
      const ChangedBox box{{place.low.x - margin, place.low.y - margin},
                           {place.high.x + margin, place.high.y + margin}};
      if (lengthThroughBox(box, from, to) <= (1 + kLengthSlack) * distance(from, to)) return true;
    }
    from = to;
  }
  return false;
}

bool mayBeShorter(const WorldChange& change, const Route& route, const RouteRest& rest, Vec2 at) {
  if (change.everything()) return true;
  const ChangedPart& opened = WorldChangeAccess::of(change).opened;
  return !opened.isBeyond(at, top(route.points.back()), (1 - kLengthSlack) * rest.length);
}

void cutRoute(const RouteRest& rest, Vec3 at, Route& route) {
  const auto shift = static_cast<ptrdiff_t>(rest.next) - 1;
  route.points.erase(route.points.begin(), route.points.begin() + static_cast<ptrdiff_t>(rest.next));
  route.points.insert(route.points.begin(), at);
  // An arc that is walked in part stays as the lines that stand for it.
  std::erase_if(route.arcs, [&](const RouteArc& arc) { return static_cast<ptrdiff_t>(arc.first) <= shift; });
  for (RouteArc& arc : route.arcs) {
    arc.first -= static_cast<uint32_t>(shift);
    arc.last -= static_cast<uint32_t>(shift);
  }
  route.length = rest.length;
  route.cells.clear();
  route.portals.clear();
  route.shrunkPortals.clear();
}

}  // namespace wend
