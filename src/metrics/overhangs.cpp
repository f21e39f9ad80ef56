#include "metrics/overhangs.h"

#include <algorithm>
#include <cmath>

#include "environment/heights.h"

namespace wend {
namespace {

// A corner of a polygon with two heights that are linear on it: its own, and that of the surface below.
struct Corner {
  Vec2 p;
  double z = 0;
  double surface = 0;
};

Corner between(const Corner& a, const Corner& b, double t) {
  return {{a.p.x + t * (b.p.x - a.p.x), a.p.y + t * (b.p.y - a.p.y)},
          a.z + t * (b.z - a.z),
          a.surface + t * (b.surface - a.surface)};
}

// The part where a linear function is not negative.
template <typename Value>
void clip(std::vector<Corner>& polygon, const Value& value) {
  std::vector<Corner> kept;
  for (size_t i = 0; i < polygon.size(); ++i) {
    const Corner& a = polygon[i];
    const Corner& b = polygon[i + 1 == polygon.size() ? 0 : i + 1];
    const double va = value(a);
    const double vb = value(b);
    if (va >= 0) kept.push_back(a);
    if ((va > 0 && vb < 0) || (va < 0 && vb > 0)) kept.push_back(between(a, b, va / (va - vb)));
  }
  polygon = std::move(kept);
}

double leftOf(Vec2 a, Vec2 b, Vec2 p) {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

void clipTo(std::vector<Corner>& polygon, const std::array<Vec2, 3>& triangle) {
  for (size_t i = 0; i < 3 && !polygon.empty(); ++i) {
    const Vec2 a = triangle[i];
    const Vec2 b = triangle[(i + 1) % 3];
    clip(polygon, [&](const Corner& c) { return leftOf(a, b, c.p); });
  }
}

// The value at p of the function that is linear on a triangle.
double linear(const std::array<Vec2, 3>& triangle, const std::array<double, 3>& values, Vec2 p) {
  const double whole = leftOf(triangle[0], triangle[1], triangle[2]);
  const double b = leftOf(triangle[2], triangle[0], p) / whole;
  const double c = leftOf(triangle[0], triangle[1], p) / whole;
  return values[0] + b * (values[1] - values[0]) + c * (values[2] - values[0]);
}

Box boxAround(const std::vector<Vec2>& points) {
  Box box;
  for (const Vec2 p : points) {
    box.add(Point{static_cast<int32_t>(std::floor(p.x)), static_cast<int32_t>(std::floor(p.y))});
    box.add(Point{static_cast<int32_t>(std::ceil(p.x)), static_cast<int32_t>(std::ceil(p.y))});
  }
  return box;
}

void addOverhang(const NavMesh& mesh, CellId cell, const std::vector<Corner>& polygon,
                 std::vector<Overhang>& overhangs) {
  if (polygon.size() < 3) return;
  Overhang overhang{mesh.layerOf(cell), cell, {}, {}};
  for (const Corner& corner : polygon) {
    overhang.corners.push_back(corner.p);
    overhang.heights.push_back(corner.z);
  }
  overhangs.push_back(std::move(overhang));
}

std::vector<Box> boxesOf(const HeightField& field) {
  std::vector<Box> boxes(field.triangles.size());
  for (uint32_t t = 0; t < field.triangles.size(); ++t) {
    if (!soundTriangle(field, t)) continue;
    for (const uint32_t v : field.triangles[t]) boxes[t].add(field.points[v]);
  }
  return boxes;
}

}  // namespace

void addOverhangs(const NavMesh& mesh, CellId cell, const std::array<Vec2, 3>& triangle,
                  std::vector<Overhang>& overhangs) {
  const SideId begin = mesh.firstSide(cell);
  const SideId end = mesh.endSide(cell);
  double low = mesh.position(mesh.startVertex(begin)).z;
  double high = low;
  double sum = 0;
  for (SideId s = begin; s < end; ++s) {
    const double z = mesh.position(mesh.startVertex(s)).z;
    low = std::min(low, z);
    high = std::max(high, z);
    sum += z;
  }
  if (low == high || !mesh.info().traits.convex) {
    const double z = low == high ? low : sum / (end - begin);
    addOverhang(mesh, cell, {{triangle[0], z}, {triangle[1], z}, {triangle[2], z}}, overhangs);
    return;
  }
  for (SideId s = begin + 1; s + 1 < end; ++s) {
    const std::array<VertexId, 3> v{mesh.startVertex(begin), mesh.startVertex(s), mesh.startVertex(s + 1)};
    const std::array<Vec2, 3> fan{mesh.vertex(v[0]), mesh.vertex(v[1]), mesh.vertex(v[2])};
    if (leftOf(fan[0], fan[1], fan[2]) <= 0) continue;
    const std::array<double, 3> z{mesh.position(v[0]).z, mesh.position(v[1]).z, mesh.position(v[2]).z};
    std::vector<Corner> polygon{{triangle[0]}, {triangle[1]}, {triangle[2]}};
    clipTo(polygon, fan);
    for (Corner& corner : polygon) corner.z = linear(fan, z, corner.p);
    addOverhang(mesh, cell, polygon, overhangs);
  }
}

LayerSurface::LayerSurface(const HeightField& field) : field_(field), index_(boxesOf(field)) {}

void LayerSurface::mapOverhang(const Overhang& overhang, double reach, std::vector<std::vector<Vec2>>& out) const {
  std::vector<Corner> whole;
  for (size_t i = 0; i < overhang.corners.size(); ++i)
    whole.push_back({overhang.corners[i], overhang.heights[i], field_.base});
  const auto add = [&](std::vector<Corner> polygon) {
    clip(polygon, [&](const Corner& c) { return reach - (c.z - c.surface); });
    clip(polygon, [&](const Corner& c) { return reach - (c.surface - c.z); });
    if (polygon.size() < 3) return;
    std::vector<Vec2> loop;
    for (const Corner& corner : polygon) loop.push_back(corner.p);
    out.push_back(std::move(loop));
  };
  if (field_.flat()) {
    add(whole);
    return;
  }
  std::vector<uint32_t> near;
  index_.forEach(boxAround(overhang.corners), [&](uint32_t t) { near.push_back(t); });
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  for (const uint32_t t : near) {
    if (!soundTriangle(field_, t)) continue;
    const auto& v = field_.triangles[t];
    const std::array<Vec2, 3> triangle{toVec2(field_.points[v[0]]), toVec2(field_.points[v[1]]),
                                       toVec2(field_.points[v[2]])};
    std::vector<Corner> polygon = whole;
    clipTo(polygon, triangle);
    for (Corner& corner : polygon) {
      corner.surface = linear(triangle, {field_.z[v[0]], field_.z[v[1]], field_.z[v[2]]}, corner.p);
    }
    add(std::move(polygon));
  }
}

}  // namespace wend
