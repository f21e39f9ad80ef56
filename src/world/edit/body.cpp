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

// Where the body lies high and low enough over a surface z = surface(p) to be in the way.
std::vector<HalfPlane> conditionsOver(const Body& body, const Body::Plane& surface, const Stature& stature) {
  std::vector<HalfPlane> conditions;
  for (const Body::Plane& plane : body.above) {
    conditions.push_back({plane.slope - surface.slope, plane.c - surface.c - stature.step});
  }
  for (const Body::Plane& plane : body.below) {
    conditions.push_back({surface.slope - plane.slope, surface.c + stature.headRoom - plane.c});
  }
  return conditions;
}

// Whether all of a convex polygon meets the condition.
bool holds(const HalfPlane& condition, std::span<const Vec2> polygon) {
  return std::all_of(polygon.begin(), polygon.end(),
                     [&](Vec2 p) { return dot(condition.slope, p) + condition.c >= 0; });
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

namespace {

HalfPlane leftOfLine(Vec2 p, Vec2 q) {
  const Vec2 inward = leftOf(q - p);
  return {inward, -dot(inward, p)};
}

// What a convex polygon, counter-clockwise, has in common with another one.
void clipTo(std::vector<Vec2>& part, std::span<const Vec2> outline, std::vector<Vec2>& memory) {
  for (size_t i = 0; i < outline.size() && !part.empty(); ++i) {
    clip(part, leftOfLine(outline[i], outline[i + 1 == outline.size() ? 0 : i + 1]), memory);
  }
}

// A convex polygon without a border of this width, metres.
std::vector<Vec2> inner(const std::vector<Vec2>& polygon, double width, std::vector<Vec2>& memory) {
  std::vector<Vec2> result = polygon;
  for (size_t i = 0; i < polygon.size() && !result.empty(); ++i) {
    HalfPlane side = leftOfLine(polygon[i], polygon[i + 1 == polygon.size() ? 0 : i + 1]);
    side.c -= width * length(side.slope);
    clip(result, side, memory);
  }
  return result;
}

// What a body blocks of one layer, from the parts of its outline over one plane each.
class BlockedParts {
 public:
  BlockedParts(const Body& body, const Stature& stature) : body_(body), stature_(stature) {}

  void addTriangle(std::vector<Vec2> part, const Body::Plane& surface) {
    std::vector<Vec2> triangle = part;
    clipTo(part, body_.outline, memory_);
    if (part.size() < 3 || !(areaOf(part) > 0)) return;
    covered_ += areaOf(part);
    triangles_.push_back(std::move(triangle));
    add(std::move(part), surface);
  }

  // The plane of the layer, where no triangle lies. Free space that reaches beyond all triangles by rounding only does
  // not lie on it.
  void addBase(double z, double rounding, const IsFree& isFree) {
    // Relative: parts that cover all of the outline add up to its area with this error.
    constexpr double kAreaError = 1e-9;
    if (covered_ >= (1 - kAreaError) * areaOf(body_.outline)) return;
    std::vector<std::vector<Vec2>> beside{body_.outline};
    for (const std::vector<Vec2>& triangle : triangles_) beside = without(triangle, std::move(beside));
    const bool isShown = std::any_of(beside.begin(), beside.end(), [&](const std::vector<Vec2>& piece) {
      const std::vector<Vec2> far = inner(piece, rounding, memory_);
      return far.size() >= 3 && areaOf(far) > 0 && isFree(far);
    });
    if (!isShown) return;
    for (std::vector<Vec2>& piece : beside) add(std::move(piece), {{}, z});
  }

  std::vector<std::vector<Vec2>> take() {
    if (isWhole_ && !parts_.empty()) return {body_.outline};
    return std::move(parts_);
  }

 private:
  void add(std::vector<Vec2> part, const Body::Plane& surface) {
    for (const HalfPlane& condition : conditionsOver(body_, surface, stature_)) {
      if (holds(condition, part)) continue;
      isWhole_ = false;
      clip(part, condition, memory_);
    }
    if (part.size() >= 3 && areaOf(part) > 0) parts_.push_back(std::move(part));
  }

  // Pieces without what lies in the triangle, cut along its sides.
  std::vector<std::vector<Vec2>> without(const std::vector<Vec2>& triangle, std::vector<std::vector<Vec2>> pieces) {
    std::vector<std::vector<Vec2>> left;
    for (std::vector<Vec2>& piece : pieces) {
      std::vector<Vec2> common = piece;
      clipTo(common, triangle, memory_);
      if (common.size() < 3 || !(areaOf(common) > 0)) {
        left.push_back(std::move(piece));
        continue;
      }
      for (size_t i = 0; i < 3; ++i) {
        const HalfPlane side = leftOfLine(triangle[i], triangle[i + 1 == 3 ? 0 : i + 1]);
        std::vector<Vec2> outside = piece;
        clip(outside, {-side.slope, -side.c}, memory_);
        if (outside.size() >= 3 && areaOf(outside) > 0) left.push_back(std::move(outside));
        clip(piece, side, memory_);
      }
    }
    return left;
  }

  const Body& body_;
  const Stature& stature_;
  double covered_ = 0;   // area of the outline over triangles
  bool isWhole_ = true;  // it is in the way over every part so far
  std::vector<std::vector<Vec2>> parts_;
  std::vector<std::vector<Vec2>> triangles_;
  std::vector<Vec2> memory_;
};

}  // namespace

std::vector<std::vector<Vec2>> blockedParts(const Body& body, const HeightField& heights,
                                            std::span<const uint32_t> triangles, const Lattice& lattice,
                                            const Stature& stature, const IsFree& isFree) {
  BlockedParts blocked(body, stature);
  for (const uint32_t triangle : triangles) {
    const std::array<uint32_t, 3>& ids = heights.triangles[triangle];
    const Vec2 a = lattice.toMetres(heights.points[ids[0]]);
    const Vec2 b = lattice.toMetres(heights.points[ids[1]]);
    const Vec2 c = lattice.toMetres(heights.points[ids[2]]);
    const double za = heights.z[ids[0]];
    const double zb = heights.z[ids[1]];
    const double zc = heights.z[ids[2]];
    const double area = cross(b - a, c - a);
    if (!(area > 0)) continue;
    Body::Plane surface;
    surface.slope = {((zb - za) * (c.y - a.y) - (zc - za) * (b.y - a.y)) / area,
                     ((zc - za) * (b.x - a.x) - (zb - za) * (c.x - a.x)) / area};
    surface.c = za - dot(surface.slope, a);
    blocked.addTriangle({a, b, c}, surface);
  }
  // Beside triangles rounding counts.
  blocked.addBase(heights.base, triangles.empty() ? 0 : HeightField::kReach * lattice.unit, isFree);
  return blocked.take();
}

}  // namespace wend
