#pragma once

#include <cmath>
#include <compare>
#include <cstdint>

#include <wend/result.h>

// The integer lattice, on which topology is decided. Metres are snapped to it once, when input becomes an Environment.
namespace wend {

// Ids are indices into contiguous arrays; kNone means "no such thing".
inline constexpr uint32_t kNone = 0xffffffffU;

// A point of the lattice. Ordered by x, then y.
struct Point {
  int32_t x = 0;
  int32_t y = 0;
  auto operator<=>(const Point&) const = default;
};

// A point in doubles: lattice units inside a NavMesh, metres at the border of the library. The name says which.
struct Vec2 {
  double x = 0;
  double y = 0;
  bool operator==(const Vec2&) const = default;
};

// A point in space, metres; z is the height above the lattice plane.
struct Vec3 {
  double x = 0;
  double y = 0;
  double z = 0;
  bool operator==(const Vec3&) const = default;
};

// Twice an area in square lattice units: the whole number high * 2^64 + low, exact for every polygon of the lattice.
struct DoubledArea {
  int64_t high = 0;
  uint64_t low = 0;
  constexpr DoubledArea() = default;
  constexpr DoubledArea(int64_t value) : high(value < 0 ? -1 : 0), low(static_cast<uint64_t>(value)) {}
  constexpr DoubledArea(int64_t highPart, uint64_t lowPart) : high(highPart), low(lowPart) {}
  bool operator==(const DoubledArea&) const = default;
};

// Coordinates stay within this, so that the in-circle determinant fits 128 bits.
inline constexpr int32_t kMaxCoordinate = int32_t{1} << 30;

// The map between metres and lattice units.
struct Lattice {
  double unit = 1e-4;  // metres per lattice unit; range 1e-6 to 1; 0.1 mm reaches +-107 km
  bool operator==(const Lattice&) const = default;

  double reach() const { return unit * kMaxCoordinate; }  // metres
  Vec2 toMetres(Vec2 p) const { return {p.x * unit, p.y * unit}; }
  Vec2 toMetres(Point p) const { return {p.x * unit, p.y * unit}; }
  Vec2 toUnits(Vec2 metres) const { return {metres.x / unit, metres.y / unit}; }
  double area(DoubledArea doubled) const;  // m2
  // Nearest lattice point; an error for NaN, infinity and whatever lies beyond reach().
  Result<Point> snap(Vec2 metres) const;
};

inline Vec2 toVec2(Point p) {
  return {static_cast<double>(p.x), static_cast<double>(p.y)};
}

}  // namespace wend
