#include <algorithm>
#include <cmath>

#include <wend/next_hop_table.h>

#include "geometry/vec2.h"

// The vector field of the source, for any convex cell: the foot of the perpendicular from a place of the cell to a side
// lies within the cell's convex polygon, so walking straight out through a portal never meets a wall.
namespace wend {
namespace {

// How far inside the part of the portal that is walked straight through a place outside of it is aimed for, metres: an
// agent enters that part before it reaches the portal, and then walks straight out over the line.
constexpr double kInside = 0.01;

Vec2 unit(Vec2 v) {
  const double size = length(v);
  return size > 0 ? (1 / size) * v : Vec2{};
}

}  // namespace

Vec2 portalDirection(const NavMesh& mesh, SideId portal, Vec2 position, double radius, FieldRule rule) {
  const Lattice& lattice = mesh.lattice();
  const Vec2 a = lattice.toMetres(mesh.vertex(mesh.startVertex(portal)));
  const Vec2 b = lattice.toMetres(mesh.vertex(mesh.endVertex(portal)));
  const double size = length(b - a);
  if (!(size > 0)) return {};
  const Vec2 along = (1 / size) * (b - a);
  const Vec2 out{along.y, -along.x};  // the cell is on the left of its sides
  const double inset = std::min(radius, size / 2);
  const double u = dot(position - a, along);
  if (rule == FieldRule::kCoverage && u >= inset && u <= size - inset) return out;
  const double inside = std::min(kInside, (size - 2 * inset) / 4);
  const double aim = rule == FieldRule::kCentre ? size / 2 : std::clamp(u, inset + inside, size - inset - inside);
  const Vec2 way = a + aim * along - position;
  // On the point itself there is no direction left but out.
  return length(way) < kInside ? out : unit(way);
}

Vec2 fieldDirection(const NavMesh& mesh, const NextHopTable& table, CellId from, Vec2 position, uint32_t row, Vec2 goal,
                    double radius, FieldRule rule) {
  if (from == table.goalOf(row)) return unit(goal - position);
  const SideId portal = table.next(mesh, from, row);
  return portal == kNone ? Vec2{} : portalDirection(mesh, portal, position, radius, rule);
}

Route fieldRoute(const NavMesh& mesh, const NextHopTable& table, CellId from, Vec2 position, uint32_t row, Vec2 goal,
                 double radius) {
  Route route;
  route.cells = table.path(mesh, from, row);
  if (route.cells.empty()) return route;
  Vec2 at = position;
  const auto add = [&](Vec2 p, double z) {
    route.length += route.points.empty() ? 0 : length(p - at);
    at = p;
    route.points.push_back({p.x, p.y, z});
  };
  const auto heightOf = [&](CellId cell) { return mesh.views().heights[mesh.startVertex(mesh.firstSide(cell))]; };
  add(position, heightOf(from));
  for (size_t i = 0; i + 1 < route.cells.size(); ++i) {
    const SideId portal = table.next(mesh, route.cells[i], row);
    route.portals.push_back(portal);
    const Vec3 a = mesh.position(mesh.startVertex(portal));
    const Vec3 b = mesh.position(mesh.endVertex(portal));
    const Vec2 along{b.x - a.x, b.y - a.y};
    const double size = length(along);
    const double inset = std::min(radius, size / 2);
    const double u = size > 0 ? std::clamp(dot(at - Vec2{a.x, a.y}, along) / size, inset, size - inset) / size : 0;
    add(Vec2{a.x, a.y} + u * along, a.z + u * (b.z - a.z));
  }
  add(goal, heightOf(route.cells.back()));
  return route;
}

}  // namespace wend
