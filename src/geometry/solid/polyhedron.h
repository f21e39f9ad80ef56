#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/solid/exact_vertex.h"

// Convex polyhedra with exact corners: the one solid type. Everything is decided by the sides of planes on which
// corners lie. A corner is the common point of three planes of the input, so numbers do not grow with the number of
// cuts.
namespace wend {

// A bounded convex polyhedron with volume, or empty. Each plane has one face; no face and no corner is superfluous.
struct Polyhedron {
  struct Face {
    HalfSpace plane;             // the polyhedron is inside
    uint32_t tag = kNone;        // for the caller
    std::vector<uint32_t> loop;  // corners, counter-clockwise seen from outside
  };
  std::vector<ExactVertex> vertices;
  std::vector<Face> faces;

  bool empty() const { return faces.empty(); }
};

// Bounds of a polyhedron in whole units, rounded outward.
struct Box3 {
  Point3 low{kMaxVolumeCoordinate, kMaxVolumeCoordinate, kMaxVolumeCoordinate};
  Point3 high{-kMaxVolumeCoordinate, -kMaxVolumeCoordinate, -kMaxVolumeCoordinate};
  bool operator==(const Box3&) const = default;
  bool empty() const { return low.x > high.x || low.y > high.y || low.z > high.z; }
  // Whether the interiors have a point in common.
  bool overlaps(const Box3& o) const {
    return low.x < o.high.x && o.low.x < high.x && low.y < o.high.y && o.low.y < high.y && low.z < o.high.z &&
           o.low.z < high.z;
  }
  // Whether the closed boxes do.
  bool touches(const Box3& o) const {
    return low.x <= o.high.x && o.low.x <= high.x && low.y <= o.high.y && o.low.y <= high.y && low.z <= o.high.z &&
           o.low.z <= high.z;
  }
  void add(Point3 p);
  void add(const Box3& o);
};
int32_t& coordinate(Point3& p, int axis);
int32_t coordinate(const Point3& p, int axis);

// Its faces have the tags 0 to 5: -x, +x, -y, +y, -z, +z. Empty if the box has no volume.
Polyhedron makeBox(const Box3& box);

// What a cut did.
enum class CutResult : uint8_t {
  kInside,   // nothing lies outside: unchanged
  kOutside,  // nothing with volume lies inside: now empty
  kCut,      // a part was cut off: there is a new face with the tag
};
// Keeps what lies inside the half-space. O(corners).
CutResult clip(Polyhedron& solid, const HalfSpace& plane, uint32_t tag = kNone);
// Both parts; a part without volume is empty.
struct Halves {
  Polyhedron inside;
  Polyhedron outside;
};
Halves split(const Polyhedron& solid, const HalfSpace& plane, uint32_t insideTag = kNone, uint32_t outsideTag = kNone);

// The box without what is outside the planes. Tags of planes are their indices plus `firstTag`.
Polyhedron intersect(const Box3& box, std::span<const HalfSpace> planes, uint32_t firstTag = 6);

// Whether all corners lie outside a half-space or on its plane.
bool isBeyond(const Polyhedron& solid, const HalfSpace& plane);
// Whether all corners lie inside it or on its plane.
bool isWithin(const Polyhedron& solid, const HalfSpace& plane);
// Whether the interiors have a point in common.
bool overlap(const Polyhedron& a, const Polyhedron& b);
// The common part, empty if it has no volume. Faces keep the tags of `a`; those of b's planes have kNone.
Polyhedron common(const Polyhedron& a, const Polyhedron& b);

// Whether a point lies in the closed polyhedron.
bool contains(const Polyhedron& solid, const FinePoint& p);
// A point of the fine lattice strictly inside; nothing if the polyhedron is too thin to hold one.
std::optional<FinePoint> innerPoint(const Polyhedron& solid);

Box3 boundsOf(const Polyhedron& solid);
// Rounded, cubic units.
double volumeOf(const Polyhedron& solid);
// Mean of the corners, rounded; strictly inside but for rounding.
Vec3 middleOf(const Polyhedron& solid);
// Rounded, square units.
double areaOf(const Polyhedron& solid, const Polyhedron::Face& face);

// If two polyhedra lie on both sides of a common face's plane and their union is convex: that union; else empty. The
// test is exact: each must lie within the other's other planes.
Polyhedron convexUnion(const Polyhedron& a, const Polyhedron& b);

}  // namespace wend
