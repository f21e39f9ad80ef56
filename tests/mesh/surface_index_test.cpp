#include "mesh/surface_index.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/predicates.h"

namespace wend {
namespace {

TEST(SurfaceIndex, AFlatFieldHasItsBaseEverywhere) {
  HeightField field;
  field.base = 7.5;
  const SurfaceIndex index(field);
  EXPECT_EQ(index.at({0, 0}), 7.5);
  EXPECT_EQ(index.at({1e9, -1e9}), 7.5);
  EXPECT_EQ(index.at({std::nan(""), 0}), 7.5);
}

TEST(SurfaceIndex, DamagedTrianglesAreLeftOut) {
  HeightField field;
  field.base = 1;
  field.points = {{0, 0}, {10, 0}, {20, 0}, {0, 10}};
  field.z = {2, 2, 2};
  field.triangles = {{0, 1, 2}, {0, 1, 9}, {0, 1, 3}};
  EXPECT_EQ(SurfaceIndex(field).at({5, 1}), 1);
}

TEST(SurfaceIndex, JustOutsideTheSurfaceItIsContinued) {
  HeightField field;
  field.points = {{0, 0}, {100, 0}, {0, 100}};
  field.z = {4, 8, 4};
  field.triangles = {{0, 1, 2}};
  const SurfaceIndex index(field);
  EXPECT_DOUBLE_EQ(index.at({50, -1}), 6);
  EXPECT_DOUBLE_EQ(index.at({-1, 50}), 4);
  EXPECT_EQ(index.at({50, -HeightField::kReach - 0.5}), 0);
  EXPECT_EQ(field.at({50, -1}), index.at({50, -1}));
}

// Terrain over a grid of points; the slow version asks every triangle.
TEST(SurfaceIndex, AgreesWithASearchOverAllTriangles) {
  Random random(3);
  HeightField field;
  const uint32_t n = 20;
  for (uint32_t y = 0; y < n; ++y) {
    for (uint32_t x = 0; x < n; ++x) {
      field.points.push_back({static_cast<int32_t>(x * 100), static_cast<int32_t>(y * 130)});
      field.z.push_back(random.real(0, 3));
    }
  }
  for (uint32_t y = 0; y + 1 < n; ++y) {
    for (uint32_t x = 0; x + 1 < n; ++x) {
      const uint32_t i = y * n + x;
      field.triangles.push_back({i, i + 1, i + n + 1});
      field.triangles.push_back({i, i + n + 1, i + n});
    }
  }
  const SurfaceIndex index(field);
  for (int i = 0; i < 3000; ++i) {
    const Vec2 p{random.real(0, 1900), random.real(0, 2470)};
    double expected = field.base;
    for (const auto& t : field.triangles) {
      const Vec2 a = toVec2(field.points[t[0]]);
      const Vec2 b = toVec2(field.points[t[1]]);
      const Vec2 c = toVec2(field.points[t[2]]);
      if (orient(a, b, p) < 0 || orient(b, c, p) < 0 || orient(c, a, p) < 0) continue;
      const double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
      const double u = ((b.x - p.x) * (c.y - p.y) - (b.y - p.y) * (c.x - p.x)) / area;
      const double v = ((c.x - p.x) * (a.y - p.y) - (c.y - p.y) * (a.x - p.x)) / area;
      expected = u * field.z[t[0]] + v * field.z[t[1]] + (1 - u - v) * field.z[t[2]];
      break;
    }
    EXPECT_NEAR(index.at(p), expected, 1e-9);
  }
}

}  // namespace
}  // namespace wend
