#pragma once

#include <wend/volume/grow_volumes.h>

#include <gtest/gtest.h>

#include "tests/volume/random_scene.h"

namespace wend::test {

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
    found += locator.locate({(a.x + b.x + c.x) / 3, (a.y + b.y + c.y) / 3, (a.z + b.z + c.z) / 3 + 0.002}) != kNone;
  }
  EXPECT_GT(found, 0U) << "seed " << seed;
  double floors = 0;
  for (const StandingPlace& place : standingPlaces(grown->mesh)) floors += place.area;
  EXPECT_GT(floors, 100.0) << "seed " << seed;  // of a floor of 144 m2
}

}  // namespace wend::test
