#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "tests/environment/extract/hand_made.h"

// What must not change when a scene is turned, moved, re-ordered or triangulated anew.
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
  settings.simplify = 0;  // which vertices of a curve go depends on where it begins
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

// Half of the pairs of triangles that are a plane convex quadrangle get the other diagonal.
inline Scene flipped(Scene scene, uint64_t seed) {
  // Nearer to their plane, corners are in it; narrower, a triangle is none. Metres.
  constexpr double kPlane = 1e-6;
  constexpr double kNarrow = 1e-3;
  const auto minus = [](const Vec3& a, const Vec3& b) { return Vec3{a.x - b.x, a.y - b.y, a.z - b.z}; };
  const auto cross = [](const Vec3& a, const Vec3& b) {
    return Vec3{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  };
  const auto dot = [](const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; };
  const auto at = [&](uint32_t v) { return scene.vertices[v]; };
  const auto normal = [&](uint32_t a, uint32_t b, uint32_t c) {
    return cross(minus(at(b), at(a)), minus(at(c), at(a)));
  };
  const auto isNarrow = [&](uint32_t a, uint32_t b, uint32_t c) {
    const double longest =
        std::max({dot(minus(at(b), at(a)), minus(at(b), at(a))), dot(minus(at(c), at(b)), minus(at(c), at(b))),
                  dot(minus(at(a), at(c)), minus(at(a), at(c)))});
    return dot(normal(a, b, c), normal(a, b, c)) < kNarrow * kNarrow * longest;
  };
  const auto place = [&](uint32_t v) { return std::tuple(at(v).x, at(v).y, at(v).z); };
  using Place = std::tuple<double, double, double>;
  std::map<std::pair<Place, Place>, std::pair<uint32_t, uint32_t>> sides;  // triangle and corner
  Random random(seed);
  std::vector<uint8_t> done(scene.triangles.size(), 0);
  for (uint32_t t = 0; t < scene.triangles.size(); ++t) {
    for (uint32_t i = 0; i < 3; ++i) {
      const std::array<uint32_t, 3> v = scene.triangles[t].vertices;
      const uint32_t a = v[i];
      const uint32_t b = v[(i + 1) % 3];
      const uint32_t c = v[(i + 2) % 3];
      const auto found = sides.find({place(b), place(a)});
      if (found == sides.end()) {
        sides[{place(a), place(b)}] = {t, i};
        continue;
      }
      const auto [other, k] = found->second;
      const uint32_t d = scene.triangles[other].vertices[(k + 2) % 3];
      const Vec3 n = normal(a, b, c);
      const double off = dot(n, minus(at(d), at(a)));
      if (done[t] != 0 || done[other] != 0 || scene.triangles[t].label != scene.triangles[other].label ||
          off * off > kPlane * kPlane * dot(n, n) || dot(normal(a, d, c), n) <= 0 || dot(normal(d, b, c), n) <= 0 ||
          isNarrow(a, b, c) || isNarrow(a, d, c) || isNarrow(d, b, c) || random.below(2) != 0) {
        continue;
      }
      done[t] = done[other] = 1;
      scene.triangles[t].vertices = {a, d, c};
      scene.triangles[other].vertices = {d, b, c};
      break;
    }
  }
  return scene;
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
inline bool same(const Outcome& a, const Outcome& b) {
  return std::abs(a.area - b.area) <= 1e-6 * a.area && a.components == b.components && a.boundaries == b.boundaries &&
         a.genus == b.genus;
}
inline void expectSame(const Outcome& a, const Outcome& b, const std::string& what) {
  EXPECT_NEAR(a.area, b.area, 1e-6 * a.area) << what;
  EXPECT_EQ(a.components, b.components) << what;
  EXPECT_EQ(a.boundaries, b.boundaries) << what;
  EXPECT_EQ(a.genus, b.genus) << what;
}

// Turned by any angle, moved by up to `far` metres, in another order; of every three one is subdivided and one flipped.
inline Scene elsewhere(const Scene& scene, double far, uint64_t seed) {
  Random random(seed);
  const double angle = random.real(0, 360);
  const Vec3 shift{random.real(-far, far), random.real(-far, far), random.real(-10, 10)};
  Scene other = shuffled(rotated(scene, angle, shift), seed);
  if (seed % 3 == 1) other = subdivided(other);
  if (seed % 3 == 2) other = flipped(other, seed);
  return other;
}
inline void expectSameAnywhere(const Scene& scene, double minArea, double far, uint64_t seeds) {
  const Outcome before = outcomeOf(scene, minArea);
  for (uint64_t seed = 0; seed < seeds && !::testing::Test::HasFailure(); ++seed) {
    expectSame(before, outcomeOf(elsewhere(scene, far, seed), minArea), "seed " + std::to_string(seed));
  }
}

}  // namespace wend::testing
