#include "geometry/solid/polyhedron.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "base/assert.h"

namespace wend {
namespace {

// An edge that the plane crosses: the face in which it runs from `from` to `to`.
struct Crossing {
  uint32_t low;  // smaller corner
  uint32_t high;
  uint32_t face;
  uint32_t vertex;  // the new corner, once made
};

std::vector<int8_t> sidesOf(const Polyhedron& solid, const HalfSpace& plane) {
  std::vector<int8_t> sides(solid.vertices.size());
  for (size_t i = 0; i < sides.size(); ++i) sides[i] = static_cast<int8_t>(side(plane, solid.vertices[i]));
  return sides;
}

// One new corner per crossed edge: where the planes of its two faces meet the cutting plane. Sorted by edge.
std::vector<Crossing> cutEdges(Polyhedron& solid, const HalfSpace& plane, std::span<const int8_t> sides) {
  std::vector<Crossing> crossings;
  for (uint32_t f = 0; f < solid.faces.size(); ++f) {
    const std::vector<uint32_t>& loop = solid.faces[f].loop;
    for (size_t i = 0; i < loop.size(); ++i) {
      const uint32_t u = loop[i];
      const uint32_t v = loop[i + 1 == loop.size() ? 0 : i + 1];
      if (sides[u] * sides[v] < 0) crossings.push_back({std::min(u, v), std::max(u, v), f, 0});
    }
  }
  std::sort(crossings.begin(), crossings.end(), [](const Crossing& a, const Crossing& b) {
    return std::tie(a.low, a.high, a.face) < std::tie(b.low, b.high, b.face);
  });
  WEND_ASSERT(crossings.size() % 2 == 0, "each edge has two faces");
  for (size_t i = 0; i + 1 < crossings.size(); i += 2) {
    const auto corner = meet(solid.faces[crossings[i].face].plane, solid.faces[crossings[i + 1].face].plane, plane);
    WEND_ASSERT(corner.has_value(), "a plane that separates the ends of an edge meets it in a point");
    crossings[i].vertex = crossings[i + 1].vertex = static_cast<uint32_t>(solid.vertices.size());
    solid.vertices.push_back(corner.value_or(ExactVertex{}));
  }
  return crossings;
}

uint32_t cornerOn(std::span<const Crossing> crossings, uint32_t u, uint32_t v) {
  const std::pair<uint32_t, uint32_t> key{std::min(u, v), std::max(u, v)};
  const auto it = std::lower_bound(crossings.begin(), crossings.end(), key, [](const Crossing& c, const auto& wanted) {
    return std::pair{c.low, c.high} < wanted;
  });
  return it->vertex;
}

void dropUnusedVertices(Polyhedron& solid) {
  std::vector<uint32_t> place(solid.vertices.size(), kNone);
  std::vector<ExactVertex> kept;
  kept.reserve(solid.vertices.size());
  for (Polyhedron::Face& face : solid.faces) {
    for (uint32_t& v : face.loop) {
      if (place[v] == kNone) {
        place[v] = static_cast<uint32_t>(kept.size());
        kept.push_back(std::move(solid.vertices[v]));
      }
      v = place[v];
    }
  }
  solid.vertices = std::move(kept);
}

// The part of the faces inside the plane, and the new face that closes it.
void cutFaces(Polyhedron& solid, const HalfSpace& plane, uint32_t tag, std::span<const int8_t> sides,
              std::span<const Crossing> crossings) {
  const auto onPlane = [&](uint32_t v) { return v >= sides.size() || sides[v] == 0; };
  std::vector<std::pair<uint32_t, uint32_t>> rim;  // edges of the new face
  std::vector<uint32_t> loop;
  size_t kept = 0;
  for (Polyhedron::Face& face : solid.faces) {
    if (std::none_of(face.loop.begin(), face.loop.end(), [&](uint32_t v) { return sides[v] < 0; })) continue;
    loop.clear();
    for (size_t i = 0; i < face.loop.size(); ++i) {
      const uint32_t u = face.loop[i];
      const uint32_t v = face.loop[i + 1 == face.loop.size() ? 0 : i + 1];
      if (sides[u] <= 0) loop.push_back(u);
      if (sides[u] * sides[v] < 0) loop.push_back(cornerOn(crossings, u, v));
    }
    for (size_t i = 0; i < loop.size(); ++i) {
      const uint32_t u = loop[i];
      const uint32_t v = loop[i + 1 == loop.size() ? 0 : i + 1];
      if (onPlane(u) && onPlane(v)) rim.emplace_back(v, u);
    }
    face.loop = loop;
    if (&solid.faces[kept] != &face) solid.faces[kept] = std::move(face);
    ++kept;
  }
  solid.faces.resize(kept);
  // The edges of a convex section form one loop.
  std::sort(rim.begin(), rim.end());
  Polyhedron::Face cap{plane, tag, {}};
  for (uint32_t v = rim.front().first; cap.loop.size() < rim.size();) {
    cap.loop.push_back(v);
    v = std::lower_bound(rim.begin(), rim.end(), std::pair{v, uint32_t{0}})->second;
  }
  solid.faces.push_back(std::move(cap));
  dropUnusedVertices(solid);
}

CutResult clipWith(Polyhedron& solid, const HalfSpace& plane, uint32_t tag, std::span<const int8_t> sides) {
  const bool some = std::any_of(sides.begin(), sides.end(), [](int8_t s) { return s < 0; });
  if (!some) {
    solid = {};
    return CutResult::kOutside;
  }
  if (std::none_of(sides.begin(), sides.end(), [](int8_t s) { return s > 0; })) return CutResult::kInside;
  const std::vector<Crossing> crossings = cutEdges(solid, plane, sides);
  cutFaces(solid, plane, tag, sides, crossings);
  return CutResult::kCut;
}

Vec3 position(const ExactVertex& v) {
  return {v.x, v.y, v.z};
}
Vec3 minus(Vec3 a, Vec3 b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Vec3 crossProduct(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
double dotProduct(Vec3 a, Vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

}  // namespace

int32_t& coordinate(Point3& p, int axis) {
  return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}
int32_t coordinate(const Point3& p, int axis) {
  return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

void Box3::add(Point3 p) {
  low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
  high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
}

void Box3::add(const Box3& o) {
  add(o.low);
  add(o.high);
}

Polyhedron makeBox(const Box3& box) {
  Polyhedron solid;
  if (box.low.x >= box.high.x || box.low.y >= box.high.y || box.low.z >= box.high.z) return solid;
  for (uint32_t i = 0; i < 8; ++i) {
    solid.vertices.emplace_back(Point3{(i & 1) != 0 ? box.high.x : box.low.x, (i & 2) != 0 ? box.high.y : box.low.y,
                                       (i & 4) != 0 ? box.high.z : box.low.z});
  }
  const std::array<std::vector<uint32_t>, 6> loops{
      {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
  for (int f = 0; f < 6; ++f) {
    const int axis = f / 2;
    const int sign = f % 2 == 0 ? -1 : 1;
    const int32_t limit = coordinate(sign < 0 ? box.low : box.high, axis);
    solid.faces.push_back({axisPlane(axis, sign, limit), static_cast<uint32_t>(f), loops[static_cast<size_t>(f)]});
  }
  return solid;
}

CutResult clip(Polyhedron& solid, const HalfSpace& plane, uint32_t tag) {
  if (solid.empty()) return CutResult::kOutside;
  return clipWith(solid, plane, tag, sidesOf(solid, plane));
}

Halves split(const Polyhedron& solid, const HalfSpace& plane, uint32_t insideTag, uint32_t outsideTag) {
  Halves halves;
  if (solid.empty()) return halves;
  std::vector<int8_t> sides = sidesOf(solid, plane);
  halves.inside = solid;
  clipWith(halves.inside, plane, insideTag, sides);
  for (int8_t& s : sides) s = static_cast<int8_t>(-s);
  halves.outside = solid;
  clipWith(halves.outside, plane.opposite(), outsideTag, sides);
  return halves;
}

Polyhedron intersect(const Box3& box, std::span<const HalfSpace> planes, uint32_t firstTag) {
  Polyhedron solid = makeBox(box);
  for (size_t i = 0; i < planes.size() && !solid.empty(); ++i) {
    clip(solid, planes[i], firstTag + static_cast<uint32_t>(i));
  }
  return solid;
}

bool isBeyond(const Polyhedron& solid, const HalfSpace& plane) {
  return std::all_of(solid.vertices.begin(), solid.vertices.end(),
                     [&](const ExactVertex& v) { return side(plane, v) >= 0; });
}

bool isWithin(const Polyhedron& solid, const HalfSpace& plane) {
  return std::all_of(solid.vertices.begin(), solid.vertices.end(),
                     [&](const ExactVertex& v) { return side(plane, v) <= 0; });
}

Polyhedron common(const Polyhedron& a, const Polyhedron& b) {
  for (const Polyhedron::Face& face : b.faces) {
    if (isBeyond(a, face.plane)) return {};
  }
  for (const Polyhedron::Face& face : a.faces) {
    if (isBeyond(b, face.plane)) return {};
  }
  Polyhedron result = a;
  for (const Polyhedron::Face& face : b.faces) {
    if (clip(result, face.plane) == CutResult::kOutside) return {};
  }
  return result;
}

bool overlap(const Polyhedron& a, const Polyhedron& b) {
  return !common(a, b).empty();
}

bool contains(const Polyhedron& solid, const FinePoint& p) {
  return !solid.empty() && std::all_of(solid.faces.begin(), solid.faces.end(),
                                       [&](const Polyhedron::Face& face) { return side(face.plane, p) <= 0; });
}

std::optional<FinePoint> innerPoint(const Polyhedron& solid) {
  if (solid.empty()) return std::nullopt;
  constexpr double kScale = static_cast<double>(int64_t{1} << kFineBits);
  const auto rounded = [&](Vec3 p) {
    return FinePoint{std::llround(p.x * kScale), std::llround(p.y * kScale), std::llround(p.z * kScale)};
  };
  const auto strictly = [&](const FinePoint& p) {
    return std::all_of(solid.faces.begin(), solid.faces.end(),
                       [&](const Polyhedron::Face& face) { return side(face.plane, p) < 0; });
  };
  const FinePoint middle = rounded(middleOf(solid));
  if (strictly(middle)) return middle;
  // The neighbours of a rounded point, for polyhedra about as thin as the fine lattice.
  for (int64_t dx = -1; dx <= 1; ++dx) {
    for (int64_t dy = -1; dy <= 1; ++dy) {
      for (int64_t dz = -1; dz <= 1; ++dz) {
        const FinePoint near{middle.x + dx, middle.y + dy, middle.z + dz};
        if (strictly(near)) return near;
      }
    }
  }
  return std::nullopt;
}

Box3 boundsOf(const Polyhedron& solid) {
  Box3 box;
  for (const ExactVertex& v : solid.vertices) {
    box.add(Point3{floorOf(v, 0).value, floorOf(v, 1).value, floorOf(v, 2).value});
    box.add(Point3{ceilingOf(v, 0), ceilingOf(v, 1), ceilingOf(v, 2)});
  }
  return box;
}

double volumeOf(const Polyhedron& solid) {
  if (solid.empty()) return 0;
  const Vec3 apex = position(solid.vertices.front());
  double sum = 0;
  for (const Polyhedron::Face& face : solid.faces) {
    const Vec3 a = minus(position(solid.vertices[face.loop[0]]), apex);
    for (size_t i = 1; i + 1 < face.loop.size(); ++i) {
      const Vec3 b = minus(position(solid.vertices[face.loop[i]]), apex);
      const Vec3 c = minus(position(solid.vertices[face.loop[i + 1]]), apex);
      sum += dotProduct(a, crossProduct(b, c));
    }
  }
  return sum / 6;
}

Vec3 middleOf(const Polyhedron& solid) {
  Vec3 sum;
  for (const ExactVertex& v : solid.vertices) sum = {sum.x + v.x, sum.y + v.y, sum.z + v.z};
  const auto n = static_cast<double>(solid.vertices.size());
  return {sum.x / n, sum.y / n, sum.z / n};
}

double areaOf(const Polyhedron& solid, const Polyhedron::Face& face) {
  const Vec3 a = position(solid.vertices[face.loop[0]]);
  Vec3 sum;
  for (size_t i = 1; i + 1 < face.loop.size(); ++i) {
    const Vec3 n = crossProduct(minus(position(solid.vertices[face.loop[i]]), a),
                                minus(position(solid.vertices[face.loop[i + 1]]), a));
    sum = {sum.x + n.x, sum.y + n.y, sum.z + n.z};
  }
  return std::sqrt(dotProduct(sum, sum)) / 2;
}

Polyhedron convexUnion(const Polyhedron& a, const Polyhedron& b) {
  if (a.empty() || b.empty()) return {};
  const Polyhedron::Face* shared = nullptr;
  const auto facing = [&](const HalfSpace& plane) {
    return std::any_of(b.faces.begin(), b.faces.end(),
                       [&](const Polyhedron::Face& face) { return face.plane == plane.opposite(); });
  };
  for (const Polyhedron::Face& face : a.faces) {
    if (facing(face.plane)) shared = &face;
  }
  if (shared == nullptr) return {};
  const HalfSpace opposite = shared->plane.opposite();
  std::vector<HalfSpace> planes;
  for (const Polyhedron::Face& face : a.faces) {
    if (face.plane == shared->plane) continue;
    if (!isWithin(b, face.plane)) return {};
    planes.push_back(face.plane);
  }
  for (const Polyhedron::Face& face : b.faces) {
    if (face.plane == opposite) continue;
    if (!isWithin(a, face.plane)) return {};
    planes.push_back(face.plane);
  }
  Box3 box = boundsOf(a);
  box.add(boundsOf(b));
  return intersect(box, planes, 6);
}

}  // namespace wend
