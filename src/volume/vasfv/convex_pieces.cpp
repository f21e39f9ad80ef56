#include "volume/vasfv/convex_pieces.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

namespace wend::vasfv {
namespace {

// With more triangles than this in a piece, it is halved by an axis-aligned plane first. A slanted plane then cuts a
// small piece instead of the whole body, so the number of pieces stays near the number of triangles.
constexpr size_t kManyTriangles = 24;

struct CutTriangle {
  LatticeTriangle corners;
  Box3 box;
  HalfSpace plane;                   // outward is its front
  std::array<HalfSpace, 3> borders;  // the triangle lies inside; each holds one side and one axis direction
};

int mainAxis(const HalfSpace& plane) {
  const int64_t a = std::abs(plane.a);
  const int64_t b = std::abs(plane.b);
  const int64_t c = std::abs(plane.c);
  return c >= a && c >= b ? 2 : b >= a ? 1 : 0;
}

int64_t component(const HalfSpace& plane, int axis) {
  return axis == 0 ? plane.a : axis == 1 ? plane.b : plane.c;
}

// The plane through a side, parallel to the axis, with the third corner inside.
HalfSpace borderPlane(Point3 from, Point3 to, Point3 third, int axis) {
  const int64_t dx = int64_t{to.x} - from.x;
  const int64_t dy = int64_t{to.y} - from.y;
  const int64_t dz = int64_t{to.z} - from.z;
  HalfSpace plane;
  if (axis == 2) plane = {dy, -dx, 0, 0};
  if (axis == 1) plane = {-dz, 0, dx, 0};
  if (axis == 0) plane = {0, dz, -dy, 0};
  plane.d = plane.a * from.x + plane.b * from.y + plane.c * from.z;
  plane = reduced(plane);
  return side(plane, ExactVertex(third)) > 0 ? plane.opposite() : plane;
}

CutTriangle cutTriangle(const LatticeTriangle& corners) {
  const HalfSpace plane = *planeThrough(corners[0], corners[1], corners[2]);
  const int axis = mainAxis(plane);
  Box3 box;
  for (const Point3 p : corners) box.add(p);
  return {corners,
          box,
          plane,
          {borderPlane(corners[0], corners[1], corners[2], axis), borderPlane(corners[1], corners[2], corners[0], axis),
           borderPlane(corners[2], corners[0], corners[1], axis)}};
}

Box3 boundsOf(const Body& body) {
  Box3 box;
  for (const LatticeTriangle& triangle : body.triangles) {
    for (const Point3 p : triangle) box.add(p);
  }
  return box;
}

std::vector<HalfSpace> planesOf(const Body& body) {
  std::vector<HalfSpace> planes;
  for (const LatticeTriangle& t : body.triangles) planes.push_back(*planeThrough(t[0], t[1], t[2]));
  std::sort(planes.begin(), planes.end());
  planes.erase(std::unique(planes.begin(), planes.end()), planes.end());
  // Axis-aligned ones first: fewer slanted corners on the way.
  std::stable_partition(planes.begin(), planes.end(), [](const HalfSpace& p) { return p.axisAligned(); });
  return planes;
}

bool isConvex(const Body& body, std::span<const HalfSpace> planes) {
  return std::all_of(planes.begin(), planes.end(), [&](const HalfSpace& plane) {
    return std::all_of(body.triangles.begin(), body.triangles.end(), [&](const LatticeTriangle& triangle) {
      return std::all_of(triangle.begin(), triangle.end(), [&](Point3 p) { return side(plane, ExactVertex(p)) <= 0; });
    });
  });
}

// Divides the bounds of a body by the planes of its triangles.
class Divider {
 public:
  Divider(const Body& body, size_t limit) : limit_(limit) {
    for (const LatticeTriangle& corners : body.triangles) triangles_.push_back(cutTriangle(corners));
    box_ = boundsOf(body);
  }

  bool run(std::vector<Polyhedron>& solids) {
    std::vector<uint32_t> all(triangles_.size());
    for (uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    struct Open {
      Polyhedron cell;
      std::vector<uint32_t> triangles;
    };
    std::vector<Open> stack;
    stack.push_back({makeBox(box_), std::move(all)});
    size_t leaves = 0;
    while (!stack.empty()) {
      Open open = std::move(stack.back());
      stack.pop_back();
      const Box3 box = wend::boundsOf(open.cell);
      std::erase_if(open.triangles,
                    [&](uint32_t t) { return !triangles_[t].box.touches(box) || !reaches(open.cell, triangles_[t]); });
      if (open.triangles.empty()) {
        if (++leaves > limit_) return false;
        if (isInside(open.cell)) solids.push_back(std::move(open.cell));
        continue;
      }
      Halves halves = split(open.cell, choosePlane(box, open.triangles));
      if (!halves.outside.empty()) stack.push_back({std::move(halves.outside), open.triangles});
      if (!halves.inside.empty()) stack.push_back({std::move(halves.inside), std::move(open.triangles)});
    }
    return true;
  }

 private:
  // Whether an inner point of the triangle is an inner point of the cell.
  static bool reaches(const Polyhedron& cell, const CutTriangle& triangle) {
    Polyhedron part = cell;
    if (clip(part, triangle.plane) != CutResult::kCut) return false;
    for (const HalfSpace& border : triangle.borders) {
      if (clip(part, border) == CutResult::kOutside) return false;
    }
    return std::any_of(part.faces.begin(), part.faces.end(),
                       [&](const Polyhedron::Face& face) { return face.plane == triangle.plane; });
  }

  // The axis-aligned plane through a corner that leaves the fewest triangles on its fuller side; nothing if it is no
  // help.
  std::optional<HalfSpace> halvingPlane(const Box3& box, std::span<const uint32_t> inside) const {
    std::optional<HalfSpace> best;
    size_t bestFuller = inside.size() - inside.size() / 8;
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<int32_t> values;
      for (const uint32_t t : inside) {
        for (const Point3 p : triangles_[t].corners) {
          const int32_t value = coordinate(p, axis);
          if (value > coordinate(box.low, axis) && value < coordinate(box.high, axis)) values.push_back(value);
        }
      }
      if (values.empty()) continue;
      const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
      std::nth_element(values.begin(), middle, values.end());
      size_t below = 0;
      size_t above = 0;
      for (const uint32_t t : inside) {
        if (coordinate(triangles_[t].box.low, axis) < *middle) ++below;
        if (coordinate(triangles_[t].box.high, axis) > *middle) ++above;
      }
      if (std::max(below, above) >= bestFuller) continue;
      bestFuller = std::max(below, above);
      best = axisPlane(axis, 1, *middle);
    }
    return best;
  }

  // Of a few candidates the plane that cuts the fewest triangles; axis-aligned planes first.
  HalfSpace choosePlane(const Box3& box, std::span<const uint32_t> inside) const {
    if (inside.size() > kManyTriangles) {
      if (const auto plane = halvingPlane(box, inside)) return *plane;
    }
    constexpr size_t kCandidates = 12;
    const size_t stride = std::max<size_t>(1, inside.size() / kCandidates);
    HalfSpace best = triangles_[inside.front()].plane;
    int64_t bestScore = std::numeric_limits<int64_t>::max();
    for (size_t i = 0; i < inside.size(); i += stride) {
      const HalfSpace& plane = triangles_[inside[i]].plane;
      int64_t cut = 0;
      int64_t balance = 0;
      for (const uint32_t t : inside) {
        int least = 1;
        int most = -1;
        for (const Point3 p : triangles_[t].corners) {
          const int s = side(plane, ExactVertex(p));
          least = std::min(least, s);
          most = std::max(most, s);
        }
        if (least < 0 && most > 0) ++cut;
        balance += least < 0 ? -1 : most > 0 ? 1 : 0;
      }
      const int64_t score =
          8 * cut + std::abs(balance) + (plane.axisAligned() ? 0 : static_cast<int64_t>(4 * inside.size()));
      if (score >= bestScore) continue;
      bestScore = score;
      best = plane;
    }
    return best;
  }

  // Winding number of a point inside the cell: the surface is crossed by the ray up from it.
  bool isInside(const Polyhedron& cell) const {
    const std::optional<FinePoint> middle = innerPoint(cell);
    // Thinner than 2^-20 units everywhere: as obstacle it closes a gap that nothing fits through.
    if (!middle) return true;
    // Where the ray meets an edge, another point of the cell decides. The points lie on a parabola, which no line meets
    // more than twice, so there is an end to it.
    for (int64_t k = 0;; ++k) {
      const FinePoint p{middle->x + k, middle->y + k * k, middle->z};
      bool vague = false;
      const int winding = windingNumber(p, vague);
      if (!vague) return winding != 0;
      const bool within = std::all_of(cell.faces.begin(), cell.faces.end(),
                                      [&](const Polyhedron::Face& face) { return side(face.plane, p) < 0; });
      if (!within) return true;
    }
  }

  int windingNumber(const FinePoint& p, bool& vague) const {
    int winding = 0;
    for (const CutTriangle& triangle : triangles_) {
      if (triangle.plane.c == 0) continue;
      int left = 0;
      bool onEdge = false;
      for (size_t i = 0; i < 3; ++i) {
        const int turn = turnOf(triangle.corners[i], triangle.corners[(i + 1) % 3], p);
        if (turn == 0) onEdge = true;
        left += turn;
      }
      const int above = side(triangle.plane, p) * (triangle.plane.c > 0 ? -1 : 1);  // +1: the plane is above p
      if (onEdge && std::abs(left) >= 1 && above >= 0) vague = true;
      if (std::abs(left) != 3 || above <= 0) continue;
      winding += triangle.plane.c > 0 ? 1 : -1;
    }
    return winding;
  }

  static int turnOf(Point3 a, Point3 b, const FinePoint& p) {
    constexpr int64_t kOne = int64_t{1} << kFineBits;
    const Int128 value =
        Int128{int64_t{b.x} - a.x} * (p.y - a.y * kOne) - Int128{int64_t{b.y} - a.y} * (p.x - a.x * kOne);
    return (value > 0 ? 1 : 0) - (value < 0 ? 1 : 0);
  }

  size_t limit_;
  std::vector<CutTriangle> triangles_;
  Box3 box_;
};

// The prism behind the front of a triangle, one unit thick along its main axis.
Polyhedron plateOf(const LatticeTriangle& corners) {
  const CutTriangle triangle = cutTriangle(corners);
  const int axis = mainAxis(triangle.plane);
  const int64_t along = component(triangle.plane, axis);
  const int direction = along > 0 ? -1 : 1;
  HalfSpace back = triangle.plane.opposite();
  back.d -= direction * along;  // moved by one unit
  std::vector<HalfSpace> planes{triangle.plane, reduced(back)};
  planes.insert(planes.end(), triangle.borders.begin(), triangle.borders.end());
  Box3 box;
  for (Point3 p : corners) {
    box.add(p);
    coordinate(p, axis) += direction;
    box.add(p);
  }
  return intersect(box, planes);
}

}  // namespace

Result<std::vector<Piece>> convexPieces(const Body& body, size_t limit) {
  std::vector<Piece> pieces;
  const auto add = [&](Polyhedron solid, uint32_t label) {
    if (solid.empty()) return;
    const Box3 box = wend::boundsOf(solid);
    pieces.push_back({std::move(solid), box, label});
  };
  if (!body.closed) {
    for (size_t i = 0; i < body.triangles.size(); ++i) add(plateOf(body.triangles[i]), body.labels[i]);
    return mergePieces(std::move(pieces));
  }
  const std::vector<HalfSpace> planes = planesOf(body);
  if (isConvex(body, planes)) {
    add(intersect(boundsOf(body), planes), body.label);
    return pieces;
  }
  std::vector<Polyhedron> solids;
  if (!Divider(body, limit).run(solids)) {
    return Error{ErrorCode::kLimit,
                 fmt::format("a closed body of {} triangles falls into more than {} convex pieces: simplify it",
                             body.triangles.size(), limit)};
  }
  for (Polyhedron& solid : solids) add(std::move(solid), body.label);
  return mergePieces(std::move(pieces));
}

}  // namespace wend::vasfv
