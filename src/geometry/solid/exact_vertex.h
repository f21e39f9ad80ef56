#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <optional>

#include <wend/lattice.h>
#include <wend/volume/half_space.h>

#include "geometry/int128.h"

// The corner where three planes meet, exactly, and the side of a plane on which it lies.
//
// Laws (tests/geometry/solid/exact_vertex_test.cpp): side() of a corner is 0 for each of its three planes; side() for a
// plane and its opposite have opposite signs; both agree with rational arithmetic.
namespace wend {

struct ExactPoint;  // homogeneous, 256 bits

// Nearly all corners are lattice points: those need 64 bits. The rest keeps a fraction and a rounded copy that decides
// whenever its error bound allows.
struct ExactVertex {
  double x = 0;  // rounded, lattice units; exact if `fraction` is null
  double y = 0;
  double z = 0;
  std::shared_ptr<const ExactPoint> fraction;

  ExactVertex() = default;
  explicit ExactVertex(Point3 p) : x(p.x), y(p.y), z(p.z) {}
  bool whole() const { return fraction == nullptr; }
  double operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
};

// The plane through three points, outward normal (b - a) x (c - a), coefficients without common factor; nothing if they
// lie on one line. Coordinates within kMaxVolumeCoordinate.
std::optional<HalfSpace> planeThrough(Point3 a, Point3 b, Point3 c);
// Divides by the greatest common divisor. The normal must not be zero.
HalfSpace reduced(HalfSpace plane);
// The half-space on the lower (sign -1) or upper (sign +1) side: sign * axis coordinate <= sign * limit.
HalfSpace axisPlane(int axis, int sign, int32_t limit);

// The common point of three planes; nothing if they have none or more than one.
std::optional<ExactVertex> meet(const HalfSpace& p, const HalfSpace& q, const HalfSpace& r);

// As side(), by exact arithmetic at once; for side() below.
int sideExact(const HalfSpace& plane, const ExactVertex& vertex);
// -1 inside the half-space, 0 on its plane, +1 outside.
inline int side(const HalfSpace& plane, const ExactVertex& v) {
  if (v.whole()) {
    // Products below 2^60, their sum below 2^62, the offset at most 2^62.
    const int64_t value = plane.a * static_cast<int64_t>(v.x) + plane.b * static_cast<int64_t>(v.y) +
                          plane.c * static_cast<int64_t>(v.z) - plane.d;
    return (value > 0 ? 1 : 0) - (value < 0 ? 1 : 0);
  }
  const double a = static_cast<double>(plane.a);
  const double b = static_cast<double>(plane.b);
  const double c = static_cast<double>(plane.c);
  const double value = a * v.x + b * v.y + c * v.z - static_cast<double>(plane.d);
  // A rounded coordinate is off by at most 2^-32 (|x| <= 2^20, relative error 2^-52), each product and sum by a few
  // 2^-33 of the coefficients' sum, and the offset by as much.
  const double bound = 0x1.0p-28 * (std::abs(a) + std::abs(b) + std::abs(c));
  if (std::abs(value) > bound) return value > 0 ? 1 : -1;
  return sideExact(plane, v);
}

// The largest whole number that is not above a coordinate, and whether the coordinate is that number.
struct Floor {
  int32_t value = 0;
  bool exact = true;
};
Floor floorOf(const ExactVertex& vertex, int axis);
// The smallest whole number that is not below it.
int32_t ceilingOf(const ExactVertex& vertex, int axis);

// A coordinate modulo a prime of at most 61 bits; nothing if the prime divides the denominator.
std::optional<uint64_t> residue(const ExactVertex& vertex, int axis, uint64_t prime);

// Whether two corners are the same point.
bool equal(const ExactVertex& u, const ExactVertex& v);

// Where a point of the finer lattice of 2^-kFineBits units lies, exactly. Used for points that come from metres.
inline constexpr int kFineBits = 20;
struct FinePoint {
  int64_t x = 0;  // |x| <= 2^40
  int64_t y = 0;
  int64_t z = 0;
  bool operator==(const FinePoint&) const = default;
};
inline int side(const HalfSpace& plane, const FinePoint& p) {
  const Int128 value = Int128{plane.a} * p.x + Int128{plane.b} * p.y + Int128{plane.c} * p.z -
                       Int128{plane.d} * (Int128{1} << kFineBits);
  return (value > 0 ? 1 : 0) - (value < 0 ? 1 : 0);
}

}  // namespace wend
