#include "volume/volume_placement.h"

#include <algorithm>
#include <cmath>

namespace wend {

// One grid per volume, from the corner of its bounds.
uint64_t cubesIn(const VolumeMesh& mesh, VolumeId cell, double side) {
  constexpr double kMostCubes = 1e6;
  const Vec3 low = mesh.low(cell);
  const Vec3 high = mesh.high(cell);
  // A hair of slack: a box of exactly two sides holds two cubes.
  const auto count = [&](double from, double to) { return std::floor((to - from) / side * (1 + 1e-9)); };
  const double nx = count(low.x, high.x);
  const double ny = count(low.y, high.y);
  const double nz = count(low.z, high.z);
  if (nx < 1 || ny < 1 || nz < 1) return 0;
  // Too many to try: what fits by volume.
  if (nx * ny * nz > kMostCubes) return static_cast<uint64_t>(mesh.volume(cell) / (side * side * side));
  struct Plane {
    double a, b, c, d;  // metres; inside is a x + b y + c z <= d
  };
  std::vector<Plane> slanted;
  for (FaceId f = mesh.firstFace(cell); f < mesh.endFace(cell); ++f) {
    const HalfSpace& plane = mesh.plane(f);
    if (plane.axisAligned()) continue;  // the bounds
    const double norm =
        std::hypot(static_cast<double>(plane.a), static_cast<double>(plane.b), static_cast<double>(plane.c));
    const Vec3 p = mesh.corners(f)[0];
    const Plane metres{static_cast<double>(plane.a) / norm, static_cast<double>(plane.b) / norm,
                       static_cast<double>(plane.c) / norm, 0};
    slanted.push_back({metres.a, metres.b, metres.c, metres.a * p.x + metres.b * p.y + metres.c * p.z});
  }
  uint64_t fitting = 0;
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        const Vec3 corner{low.x + x * side, low.y + y * side, low.z + z * side};
        const bool fits = std::all_of(slanted.begin(), slanted.end(), [&](const Plane& p) {
          // The corner of the cube that is farthest out.
          const double reach = p.a * (corner.x + (p.a > 0 ? side : 0)) + p.b * (corner.y + (p.b > 0 ? side : 0)) +
                               p.c * (corner.z + (p.c > 0 ? side : 0));
          return reach <= p.d + 1e-9;
        });
        fitting += fits ? 1 : 0;
      }
    }
  }
  return fitting;
}

}  // namespace wend
