#include "world/edit/body.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "geometry/convex_hull.h"
#include "geometry/vec2.h"
#include "world/edit/outline.h"

namespace wend {
namespace {

constexpr int kCylinderSides = 32;

// The planes of the hull's faces, by trying all triples: at most 64 points.
Status addFaces(std::span<const Vec3> points, Body& body, std::string_view what) {
  // Relative to the size of the body: corners on one face are not exactly in one plane.
  constexpr double kFlat = 1e-9;
  double size = 0;
  for (const Vec3 p : points) {
    size = std::max({size, std::abs(p.x - points[0].x), std::abs(p.y - points[0].y), std::abs(p.z - points[0].z)});
  }
  for (size_t i = 0; i < points.size(); ++i) {
    for (size_t j = i + 1; j < points.size(); ++j) {
      for (size_t k = j + 1; k < points.size(); ++k) {
        const Vec3 u{points[j].x - points[i].x, points[j].y - points[i].y, points[j].z - points[i].z};
        const Vec3 v{points[k].x - points[i].x, points[k].y - points[i].y, points[k].z - points[i].z};
        const Vec3 n{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
        const double length = std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
        // Faces that stand upright bound the outline already.
        if (!(std::abs(n.z) > kFlat * length) || !(length > kFlat * size * size)) continue;
        const Body::Plane plane{{-n.x / n.z, -n.y / n.z}, points[i].z + (n.x * points[i].x + n.y * points[i].y) / n.z};
        double highest = 0;
        double lowest = 0;
        for (const Vec3 p : points) {
          const double above = p.z - (plane.slope.x * p.x + plane.slope.y * p.y + plane.c);
          highest = std::max(highest, above);
          lowest = std::min(lowest, above);
        }
        const double slack = kFlat * size * length / std::abs(n.z);
        if (highest <= slack && lowest < -slack) body.above.push_back(plane);
        if (lowest >= -slack && highest > slack) body.below.push_back(plane);
      }
    }
  }
  if (body.outline.size() >= 3 && !body.above.empty() && !body.below.empty()) return Done{};
  return Error{ErrorCode::kInvalidGeometry, fmt::format("{} is flat: its points lie in one plane", what)};
}

// Where slope * p + c > 0.
struct HalfPlane {
  Vec2 slope;
  double c = 0;
};

void clip(std::vector<Vec2>& polygon, const HalfPlane& half, std::vector<Vec2>& memory) {
  memory.clear();
  const auto value = [&](Vec2 p) { return dot(half.slope, p) + half.c; };
  for (size_t i = 0; i < polygon.size(); ++i) {
    const Vec2 a = polygon[i];
    const Vec2 b = polygon[i + 1 == polygon.size() ? 0 : i + 1];
    const double va = value(a);
    const double vb = value(b);
    if (va >= 0) memory.push_back(a);
    if ((va > 0 && vb < 0) || (va < 0 && vb > 0)) memory.push_back(between(a, b, va / (va - vb)));
  }
  polygon.swap(memory);
}

// The part of a convex polygon in which the body is in the way over a surface z = surface(p).
void clipToBody(std::vector<Vec2>& part, const Body& body, const Body::Plane& surface, const Stature& stature,
                std::vector<Vec2>& memory) {
  for (const Body::Plane& plane : body.above) {
    clip(part, {plane.slope - surface.slope, plane.c - surface.c - stature.step}, memory);
  }
  for (const Body::Plane& plane : body.below) {
    clip(part, {surface.slope - plane.slope, surface.c + stature.headRoom - plane.c}, memory);
  }
}

double areaOf(std::span<const Vec2> polygon) {
  double sum = 0;
  for (size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    sum += cross(polygon[j] - polygon[0], polygon[i] - polygon[0]);
  }
  return sum / 2;
}

}  // namespace

Result<Body> bodyOf(const ObstacleShape& shape, const Placement& place, std::string_view what) {
  Body body;
  const double z = place.at.z;
  if (const auto* box = std::get_if<BoxShape>(&shape)) {
    const double x = box->size.x / 2;
    const double y = box->size.y / 2;
    for (const Vec2 p : {Vec2{-x, -y}, Vec2{x, -y}, Vec2{x, y}, Vec2{-x, y}}) body.outline.push_back(placed(place, p));
    body.above = {{{}, z + box->size.z}};
    body.below = {{{}, z}};
  } else if (const auto* cylinder = std::get_if<CylinderShape>(&shape)) {
    // Around the circle, so that nothing of it is missed.
    const double radius = cylinder->radius / std::cos(M_PI / kCylinderSides);
    for (int i = 0; i < kCylinderSides; ++i) {
      const double angle = 2 * M_PI * (i + 0.5) / kCylinderSides;
      body.outline.push_back(placed(place, {radius * std::cos(angle), radius * std::sin(angle)}));
    }
    body.above = {{{}, z + cylinder->height}};
    body.below = {{{}, z}};
  } else if (const auto* convex = std::get_if<ConvexShape>(&shape)) {
    std::vector<Vec3> points;
    for (const Vec3 p : convex->points) {
      const Vec2 top = placed(place, {p.x, p.y});
      points.push_back({top.x, top.y, z + p.z});
      body.outline.push_back(top);
    }
    body.outline = convexHull(std::move(body.outline));
    if (Status status = addFaces(points, body, what); !status.ok()) return status.error();
  }
  return body;
}

std::vector<std::vector<Vec2>> blockedParts(const Body& body, const HeightField& heights, const Lattice& lattice,
                                            const Stature& stature) {
  std::vector<std::vector<Vec2>> parts;
  std::vector<Vec2> memory;
  const auto add = [&](std::vector<Vec2> part) {
    if (part.size() >= 3 && areaOf(part) > 0) parts.push_back(std::move(part));
  };
  if (heights.flat()) {
    std::vector<Vec2> part = body.outline;
    clipToBody(part, body, {{}, heights.base}, stature, memory);
    add(std::move(part));
    return parts;
  }
  Vec2 low = body.outline.front();
  Vec2 high = low;
  for (const Vec2 p : body.outline) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  for (const std::array<uint32_t, 3>& ids : heights.triangles) {
    const Vec2 a = lattice.toMetres(heights.points[ids[0]]);
    const Vec2 b = lattice.toMetres(heights.points[ids[1]]);
    const Vec2 c = lattice.toMetres(heights.points[ids[2]]);
    if (std::max({a.x, b.x, c.x}) < low.x || std::min({a.x, b.x, c.x}) > high.x || std::max({a.y, b.y, c.y}) < low.y ||
        std::min({a.y, b.y, c.y}) > high.y) {
      continue;
    }
    const double za = heights.z[ids[0]];
    const double zb = heights.z[ids[1]];
    const double zc = heights.z[ids[2]];
    const double area = cross(b - a, c - a);
    if (!(area > 0)) continue;
    Body::Plane surface;
    surface.slope = {((zb - za) * (c.y - a.y) - (zc - za) * (b.y - a.y)) / area,
                     ((zc - za) * (b.x - a.x) - (zb - za) * (c.x - a.x)) / area};
    surface.c = za - dot(surface.slope, a);
    std::vector<Vec2> part{a, b, c};
    for (size_t i = 0; i < body.outline.size() && !part.empty(); ++i) {
      const Vec2 p = body.outline[i];
      const Vec2 q = body.outline[i + 1 == body.outline.size() ? 0 : i + 1];
      const Vec2 inward = leftOf(q - p);
      clip(part, {inward, -dot(inward, p)}, memory);
    }
    clipToBody(part, body, surface, stature, memory);
    add(std::move(part));
  }
  return parts;
}

}  // namespace wend
