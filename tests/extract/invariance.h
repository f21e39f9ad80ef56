#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "base/random.h"
#include "extract/hand_made.h"

// What must not change when a scene is turned, moved, re-ordered or subdivided.
namespace wend::testing {

struct Outcome {
  double area = 0;
  uint32_t components = 0;
  uint32_t boundaries = 0;
  uint32_t genus = 0;
};

inline Outcome outcomeOf(const Scene& scene, double minArea) {
  ExtractSettings settings;
  settings.minArea = minArea;
  settings.regions = false;
  const Result<Extraction> result = extract(scene, settings);
  EXPECT_TRUE(result.ok());
  if (!result.ok()) return {};
  for (const Violation& v : validate(result->environment, 3)) ADD_FAILURE() << v.message;
  for (const ExtractSpot& spot : result->report.spots) ADD_FAILURE() << spot.reason;
  const Topology t = topology(result->environment);
  EXPECT_EQ(t.components, result->report.components);
  return {result->environment.lattice.area(t.doubledArea), t.components, t.boundaries, t.genus};
}

// Every triangle becomes four, by the middles of its sides.
inline Scene subdivided(const Scene& scene) {
  Scene result;
  result.labels = scene.labels;
  for (const Scene::Triangle& t : scene.triangles) {
    std::array<Vec3, 6> p;
    for (size_t i = 0; i < 3; ++i) p[i] = scene.vertices[t.vertices[i]];
    for (size_t i = 0; i < 3; ++i) {
      const Vec3 a = p[i];
      const Vec3 b = p[(i + 1) % 3];
      p[3 + i] = {(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2};
    }
    const auto first = static_cast<uint32_t>(result.vertices.size());
    for (const Vec3& v : p) result.vertices.push_back(v);
    for (const std::array<uint32_t, 3> ids : {std::array<uint32_t, 3>{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}}) {
      result.triangles.push_back({{first + ids[0], first + ids[1], first + ids[2]}, t.label});
    }
  }
  return result;
}

inline Scene shuffled(Scene scene, uint64_t seed) {
  Random random(seed);
  random.shuffle(scene.triangles);
  for (Scene::Triangle& t : scene.triangles) {
    const std::array<uint32_t, 3> v = t.vertices;
    const auto turn = random.below(3);
    for (size_t i = 0; i < 3; ++i) t.vertices[i] = v[(i + turn) % 3];
  }
  return scene;
}

// Rounding to the lattice moves borders: a millionth of the area may differ.
inline void expectSame(const Outcome& a, const Outcome& b, const std::string& what) {
  EXPECT_NEAR(a.area, b.area, 1e-6 * a.area) << what;
  EXPECT_EQ(a.components, b.components) << what;
  EXPECT_EQ(a.boundaries, b.boundaries) << what;
  EXPECT_EQ(a.genus, b.genus) << what;
}

// Turned by any angle, moved by up to `far` metres, in another order, and if wanted every second one subdivided.
inline void expectSameAnywhere(const Scene& scene, double minArea, double far, uint64_t seeds, bool subdivide) {
  const Outcome before = outcomeOf(scene, minArea);
  for (uint64_t seed = 0; seed < seeds && !::testing::Test::HasFailure(); ++seed) {
    Random random(seed);
    const double angle = random.real(0, 360);
    const Vec3 shift{random.real(-far, far), random.real(-far, far), random.real(-10, 10)};
    const Scene other = shuffled(rotated(scene, angle, shift), seed);
    expectSame(before, outcomeOf(subdivide && seed % 2 != 0 ? subdivided(other) : other, minArea),
               "seed " + std::to_string(seed));
  }
}

}  // namespace wend::testing
