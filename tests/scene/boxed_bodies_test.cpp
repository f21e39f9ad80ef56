#include "scene/boxed_bodies.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/environment/extract/hand_made.h"

namespace wend {
namespace {

using testing::SceneMaker;

// A crate whose sides are cut in four has 48 triangles; beside it a floor that must stay.
Scene crateOnFloor() {
  SceneMaker m;
  m.floor(-5, -5, 5, 5, 0);
  for (const double x : {0.0, 0.5}) {
    for (const double y : {0.0, 0.5}) {
      m.floor(x, y, x + 0.5, y + 0.5, 0.8);
      m.quad({x, y, 0.1}, {x, y + 0.5, 0.1}, {x + 0.5, y + 0.5, 0.1}, {x + 0.5, y, 0.1});
    }
    m.wall(x, 0, x + 0.5, 0, 0.1, 0.8);
    m.wall(x + 0.5, 1, x, 1, 0.1, 0.8);
    m.wall(1, x, 1, x + 0.5, 0.1, 0.8);
    m.wall(0, x + 0.5, 0, x, 0.1, 0.8);
  }
  return m.scene;
}

TEST(BoxedBodies, SmallBodiesBecomeBoxesAroundThem) {
  for (const double angle : {0.0, 17.0, 45.0}) {
    const Scene scene = testing::rotated(crateOnFloor(), angle);
    const BoxedScene boxed = withBoxes(scene, 1.5);
    EXPECT_EQ(boxed.bodies, 1U);
    ASSERT_EQ(boxed.scene.triangles.size(), 2U + 12U);
    double low = 1e9;
    double high = -1e9;
    double top = 0;
    for (size_t i = 2; i < boxed.scene.triangles.size(); ++i) {
      const auto at = [&](size_t k) { return boxed.scene.vertices[boxed.scene.triangles[i].vertices[k]]; };
      const double area = 0.5 * ((at(1).x - at(0).x) * (at(2).y - at(0).y) - (at(1).y - at(0).y) * (at(2).x - at(0).x));
      if (area > 1e-9) top += area;
      for (size_t k = 0; k < 3; ++k) {
        low = std::min(low, at(k).z);
        high = std::max(high, at(k).z);
      }
    }
    EXPECT_NEAR(top, 1, 1e-9) << angle;
    EXPECT_NEAR(low, 0.1, 1e-12);
    EXPECT_NEAR(high, 0.8, 1e-12);
  }
}

TEST(BoxedBodies, LargeOnesAndFloorsStay) {
  EXPECT_EQ(withBoxes(crateOnFloor(), 0.9).bodies, 0U);
  EXPECT_TRUE(withBoxes(crateOnFloor(), 0.9).scene == crateOnFloor());
  SceneMaker tiles;
  for (int i = 0; i < 9; ++i) tiles.floor(0.1 * i, 0, 0.1 * i + 0.1, 0.1, 0);
  EXPECT_EQ(withBoxes(tiles.scene, 5).bodies, 0U);
}

TEST(BoxedBodies, BadScenesStay) {
  Scene scene = crateOnFloor();
  scene.vertices[0].x = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(withBoxes(scene, 5).bodies, 0U);
  EXPECT_EQ(withBoxes({}, 5).bodies, 0U);
}

}  // namespace
}  // namespace wend
