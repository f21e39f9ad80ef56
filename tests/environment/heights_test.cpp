#include "environment/heights.h"

#include <cmath>
#include <limits>

#include <wend/environment.h>

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend {
namespace {

HeightField slope() {
  HeightField field;
  field.base = -7;
  field.points = {{0, 0}, {100, 0}, {100, 100}, {0, 100}};
  field.z = {0, 10, 10, 0};
  field.triangles = {{0, 1, 2}, {0, 2, 3}};
  return field;
}

TEST(HeightsTest, FlatFieldsHaveOneHeight) {
  HeightField field;
  field.base = 3.5;
  EXPECT_EQ(field.at({17, 4}), 3.5);
  EXPECT_EQ(field.at({std::numeric_limits<double>::quiet_NaN(), 4}), 3.5);
}

TEST(HeightsTest, LinearInsideEachTriangle) {
  const HeightField field = slope();
  EXPECT_DOUBLE_EQ(field.at({50, 10}), 5);
  EXPECT_DOUBLE_EQ(field.at({25, 80}), 2.5);
  EXPECT_DOUBLE_EQ(field.at({100, 100}), 10);
  EXPECT_DOUBLE_EQ(field.at({0, 0}), 0);
}

TEST(HeightsTest, ReachesABitBeyondTheBorder) {
  const HeightField field = slope();
  EXPECT_DOUBLE_EQ(field.at({101, 50}), 10);
  EXPECT_DOUBLE_EQ(field.at({50, -HeightField::kReach}), 5);
  EXPECT_EQ(field.at({50, -HeightField::kReach - 0.5}), -7);
}

TEST(HeightsTest, BrokenTrianglesAreIgnored) {
  HeightField field = slope();
  field.triangles.push_back({0, 1, 9});
  field.triangles.push_back({0, 0, 1});
  EXPECT_DOUBLE_EQ(field.at({50, 10}), 5);
}

TEST(HeightsTest, LookupEqualsAt) {
  Random random(5);
  for (int round = 0; round < 50; ++round) {
    HeightField field;
    field.base = 1;
    const auto triangles = static_cast<uint32_t>(random.below(20));
    for (uint32_t t = 0; t < triangles; ++t) {
      for (int i = 0; i < 3; ++i) {
        field.points.push_back(
            {static_cast<int32_t>(random.between(-20, 20)), static_cast<int32_t>(random.between(-20, 20))});
        field.z.push_back(random.real(0, 5));
      }
      field.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    }
    const HeightLookup lookup(field);
    for (int i = 0; i < 200; ++i) {
      const Vec2 p{random.real(-25, 25), random.real(-25, 25)};
      EXPECT_EQ(lookup.at(p), field.at(p));
    }
    EXPECT_EQ(lookup.at({1e300, 0}), 1);
    // A lookup for a region knows as much about the region.
    const HeightLookup some(field, Box{{-8, -3}, {5, 9}});
    for (int i = 0; i < 100; ++i) {
      const Vec2 p{random.real(-8, 5), random.real(-3, 9)};
      EXPECT_EQ(some.at(p), field.at(p));
    }
  }
}

}  // namespace
}  // namespace wend
