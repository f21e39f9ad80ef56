#pragma once

#include <cmath>
#include <numbers>

#include <wend/volume/grow_volumes.h>

#include <gtest/gtest.h>

#include "tests/volume/random_scene.h"

namespace wend::test {

// How often closed bodies surround a place, by the solid angles of all triangles; an open surface counts for a part.
inline double windingOf(const Scene& scene, Vec3 p) {
  double sum = 0;
  for (const Scene::Triangle& t : scene.triangles) {
    Vec3 v[3];
    double length[3];
    for (int i = 0; i < 3; ++i) {
      const Vec3 q = scene.vertices[t.vertices[static_cast<size_t>(i)]];
      v[i] = {q.x - p.x, q.y - p.y, q.z - p.z};
      length[i] = std::sqrt(v[i].x * v[i].x + v[i].y * v[i].y + v[i].z * v[i].z);
    }
    const auto dot = [](Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; };
    const double triple = v[0].x * (v[1].y * v[2].z - v[1].z * v[2].y) - v[0].y * (v[1].x * v[2].z - v[1].z * v[2].x) +
                          v[0].z * (v[1].x * v[2].y - v[1].y * v[2].x);
    const double below = length[0] * length[1] * length[2] + dot(v[0], v[1]) * length[2] + dot(v[1], v[2]) * length[0] +
                         dot(v[2], v[0]) * length[1];
    sum += 2 * std::atan2(triple, below);
  }
  return sum / (4 * std::numbers::pi);
}

// Whether a closed body surrounds a place, or is so near that rounding to the lattice decides. The floor counts for
// nothing to minus a half above it.
inline bool isAtBody(const Scene& scene, Vec3 p) {
  constexpr double kRounding = 0.001;
  for (int i = 0; i < 27; ++i) {
    const Vec3 q{p.x + kRounding * (i % 3 - 1), p.y + kRounding * (i / 3 % 3 - 1), p.z + kRounding * (i / 9 - 1)};
    if (windingOf(scene, q) > 0.4) return true;
  }
  return false;
}

// A random scene is filled exactly, and where one can stand there is a volume.
inline void checkRandomScene(uint64_t seed, double degrees) {
  const RandomScene made = randomScene(seed, 1 + static_cast<int>(seed % 8));
  const Scene scene = degrees == 0 ? made.scene : turned(made.scene, degrees);
  const auto grown = growVolumes(scene);
  ASSERT_TRUE(grown.ok()) << "seed " << seed << ": " << grown.error().message;
  for (const VolumeFault& fault : checkVolumes(grown->mesh, 3)) {
    ADD_FAILURE() << "seed " << seed << ": " << faultName(fault.kind) << ": " << fault.message;
  }
  // Above the middle of each triangle that faces up there is a volume, or another body.
  const VolumeLocator locator(grown->mesh);
  size_t found = 0;
  for (const Scene::Triangle& t : scene.triangles) {
    const Vec3 a = scene.vertices[t.vertices[0]];
    const Vec3 b = scene.vertices[t.vertices[1]];
    const Vec3 c = scene.vertices[t.vertices[2]];
    const double up = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (up <= 1e-3) continue;
    // Far enough above the plane that rounding to the lattice does not matter.
    const Vec3 place{(a.x + b.x + c.x) / 3, (a.y + b.y + c.y) / 3, (a.z + b.z + c.z) / 3 + 0.002};
    const bool isIn = locator.locate(place) != kNone;
    found += isIn ? 1 : 0;
    EXPECT_TRUE(isIn || isAtBody(scene, place)) << "seed " << seed << ": no volume above a floor";
  }
  EXPECT_GT(found, 0U) << "seed " << seed;
  double floors = 0;
  for (const StandingPlace& place : standingPlaces(grown->mesh)) floors += place.area;
  EXPECT_GT(floors, 100.0) << "seed " << seed;  // of a floor of 144 m2
}

}  // namespace wend::test
