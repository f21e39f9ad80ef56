#include "planning/route_heights.h"

#include <cmath>

namespace wend {
namespace {

constexpr double kSamePlace = 1e-6;  // metres

double turn(const Vec3& a, const Vec3& b, const Vec3& p) {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

bool isNear(const Vec3& a, const Vec3& b) {
  return std::hypot(b.x - a.x, b.y - a.y) <= kSamePlace;
}

// The segment of the route, from `first` on, that leaves through the portal a -> b, and where; or no segment.
size_t crossing(const Route& route, size_t first, const Vec3& a, const Vec3& b, Vec3& place) {
  const double square = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y);
  for (size_t k = first; k + 1 < route.points.size(); ++k) {
    const Vec3& p = route.points[k];
    const Vec3& q = route.points[k + 1];
    const double before = turn(a, b, p);
    const double after = turn(a, b, q);
    if (before < 0 || after > 0 || before == after) continue;
    const double t = before / (before - after);
    place = {p.x + t * (q.x - p.x), p.y + t * (q.y - p.y), 0};
    const double along = ((place.x - a.x) * (b.x - a.x) + (place.y - a.y) * (b.y - a.y)) / square;
    const double slack = kSamePlace / std::sqrt(square);
    if (along < -slack || along > 1 + slack) continue;
    place.z = a.z + along * (b.z - a.z);
    return k;
  }
  return route.points.size();
}

}  // namespace

void markConnections(const NavMesh& mesh, Route& route) {
  if (mesh.layerCount() < 2) return;
  size_t at = 0;
  for (const SideId portal : route.portals) {
    if (mesh.isWall(portal) || mesh.layerOf(mesh.cellOf(portal)) == mesh.layerOf(mesh.neighbour(portal))) continue;
    const Vec3 a = mesh.position(mesh.startVertex(portal));
    const Vec3 b = mesh.position(mesh.endVertex(portal));
    Vec3 place;
    const size_t k = isNear(a, b) ? route.points.size() : crossing(route, at, a, b, place);
    if (k >= route.points.size()) continue;
    at = k;
    if (isNear(place, route.points[k]) || isNear(place, route.points[k + 1])) continue;
    route.points.insert(route.points.begin() + static_cast<ptrdiff_t>(k) + 1, place);
    for (RouteArc& arc : route.arcs) {
      arc.first += arc.first > k ? 1 : 0;
      arc.last += arc.last > k ? 1 : 0;
    }
    at = k + 1;
  }
}

}  // namespace wend
