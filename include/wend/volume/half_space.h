#pragma once

#include <compare>
#include <cstdint>

// Planes and points of space on an integer lattice, for volumes.
namespace wend {

// A point of the lattice in space. Ordered by x, then y, then z.
struct Point3 {
  int32_t x = 0;
  int32_t y = 0;
  int32_t z = 0;
  auto operator<=>(const Point3&) const = default;
};

// Lattice coordinates of volumes stay within this. Planes through three such points then have coefficients below 2^42
// and an offset below 2^62, the corner of three planes has a denominator below 2^126, and the side of a fourth plane on
// which it lies is decided exactly in 192 bits.
inline constexpr int32_t kMaxVolumeCoordinate = int32_t{1} << 19;

// The closed half-space a x + b y + c z <= d; (a, b, c) points out of it. Lattice units.
struct HalfSpace {
  int64_t a = 0;
  int64_t b = 0;
  int64_t c = 0;
  int64_t d = 0;
  auto operator<=>(const HalfSpace&) const = default;

  // The other side of the same plane.
  HalfSpace opposite() const { return {-a, -b, -c, -d}; }
  // Two of the three coefficients of the normal are zero.
  bool axisAligned() const {
    return static_cast<int>(a == 0) + static_cast<int>(b == 0) + static_cast<int>(c == 0) == 2;
  }
};

// What the arithmetic allows for the coefficients of a plane and for its offset.
inline constexpr int64_t kMaxPlaneNormal = int64_t{1} << 41;
inline constexpr int64_t kMaxPlaneOffset = int64_t{1} << 62;

}  // namespace wend
