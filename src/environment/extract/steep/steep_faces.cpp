#include "environment/extract/steep/steep_faces.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace wend::extraction {
namespace {

// Faces around one corner; more are too rough to be a riser.
constexpr int kMostAround = 64;
constexpr size_t kFacesPerTask = 1024;

}  // namespace

SteepFaces::SteepFaces(const Soup& soup, const TriangleNeighbours& neighbours, const Context& context)
    : soup_(soup), neighbours_(neighbours), places_(soup.triangles.size(), kNone) {
  for (uint32_t t = 0; t < soup.triangles.size(); ++t) {
    if (!isSteep(soup.triangles[t])) continue;
    places_[t] = static_cast<uint32_t>(triangles_.size());
    triangles_.push_back(t);
  }
  faces_ = std::make_unique_for_overwrite<SteepFace[]>(triangles_.size());
  parallelBlocks(triangles_.size(), kFacesPerTask, context, [&](size_t begin, size_t end) {
    for (auto i = static_cast<uint32_t>(begin); i < end; ++i) describe(i);
  });
}

void SteepFaces::describe(uint32_t i) {
  const Triangle& t = soup_.triangles[triangles_[i]];
  const std::array<Point3, 3> p = soup_.corners(t);
  const double across = std::sqrt(t.normal.x * t.normal.x + t.normal.y * t.normal.y);
  SteepFace& face = faces_[i];
  face.x = -t.normal.x / across;
  face.y = -t.normal.y / across;
  face.steep = across / t.normal.z;
  for (uint32_t k = 0; k < 3; ++k) {
    const SideLine side = sideOf(p, k);
    face.turn[k] = side.turn(face.x, face.y);
    face.length[k] = std::sqrt(side.dx * side.dx + side.dy * side.dy);
  }
}

bool SteepFaces::leadsInto(uint32_t triangle, double x, double y, double sign) const {
  constexpr double kOnSide = 0.5;  // this near to a side, a point is on it; units
  const SteepFace& face = of(triangle);
  const std::array<Point3, 3> p = soup_.corners(soup_.triangles[triangle]);
  for (uint32_t k = 0; k < 3; ++k) {
    if (sign * face.turn[k] <= 1e-9 * face.length[k] && sideOf(p, k).left(x, y) <= kOnSide * face.length[k]) {
      return false;
    }
  }
  return true;
}

bool SteepFaces::leadsAlong(uint32_t triangle, uint32_t side, double sign) const {
  const SteepFace& face = of(triangle);
  if (sign * face.turn[side] >= 0) return false;
  const uint32_t next = neighbours_.of(Kind::kRiser, triangle, side);
  if (next == kNone) return true;
  if (soup_.triangles[next].walkable) return false;
  const SteepFace& beyond = of(next);
  return sign * sideOf(soup_.corners(soup_.triangles[triangle]), side).turn(beyond.x, beyond.y) >= 0;
}

AroundCorner SteepFaces::around(uint32_t from, uint32_t corner, double sign) const {
  const uint32_t vertex = soup_.triangles[from].v[corner];
  const Point3& at = soup_.points[vertex];
  AroundCorner around;
  double steepest = 0;
  for (const bool left : {true, false}) {
    uint32_t t = from;
    for (int i = 0; i < kMostAround && t != kNone && !around.closed; ++i) {
      const Triangle& triangle = soup_.triangles[t];
      if (triangle.walkable) {
        around.floor = true;
        return around;
      }
      if (around.onward == kNone && leadsInto(t, at.x, at.y, sign)) around.onward = t;
      const auto k =
          static_cast<uint32_t>(std::find(triangle.v.begin(), triangle.v.end(), vertex) - triangle.v.begin());
      if (k == 3) break;
      for (const uint32_t side : {k, k == 0 ? 2 : k - 1}) {
        const Point3& end = soup_.points[triangle.v[side != k ? side : k == 2 ? 0 : k + 1]];
        const double rise = sign * (double(end.z) - at.z);
        if (around.onward != kNone || rise <= steepest * of(t).length[side] || !leadsAlong(t, side, sign)) continue;
        steepest = rise / of(t).length[side];
        around.along = t;
        around.side = side;
      }
      // The side that ends at the corner, or the one that begins there.
      t = neighbours_.of(Kind::kRiser, t, left ? (k == 0 ? 2 : k - 1) : k);
      around.closed = t == from;
    }
  }
  return around;
}

}  // namespace wend::extraction
