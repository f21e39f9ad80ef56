#include "crowd/local/kernels.h"

#include <gtest/gtest.h>

#include "crowd/local/elementary.h"
#include "crowd/local/symmetry.h"
#include "tests/crowd/local/views.h"

namespace wend {
namespace {

using test::randomVector;
using test::real;

TEST(Kernels, Degenerate) {
  EXPECT_EQ(timeToContact({0, 0}, {0, 0}, 0.5F), kNever);
  EXPECT_EQ(timeToContact({0, 0}, {1, 0}, 0.5F), kNever);      // coincident: no way out is blocked
  EXPECT_EQ(timeToContact({0.4F, 0}, {1, 0}, 0.5F), 0);        // touching and approaching
  EXPECT_EQ(timeToContact({0.4F, 0}, {-1, 0}, 0.5F), kNever);  // touching and leaving
  EXPECT_EQ(timeToContact({5, 0}, {0, 0}, 0.5F), kNever);      // at rest
  EXPECT_FLOAT_EQ(timeToContact({5, 0}, {1, 0}, 0.5F), 4.5F);
  EXPECT_EQ(timeToContact({5, 1}, {1, 0}, 0.5F), kNever);
  EXPECT_NEAR(timeToContact({5, 0.5F}, {1, 0}, 0.5F), 5, 1e-3);  // grazing
}

TEST(Kernels, DiskAgainstLongDouble) {
  Random random(1);
  int contacts = 0;
  for (int n = 0; n < 100000; ++n) {
    const Vec2f w = randomVector(random, 14);
    const Vec2f u = randomVector(random, 3);
    const float reach = real(random, 0.1, 1);
    const long double wx = w.x, wy = w.y, ux = u.x, uy = u.y, r = reach;
    const long double c = wx * wx + wy * wy - r * r;
    const long double b = wx * ux + wy * uy;
    const long double d = b * b - (ux * ux + uy * uy) * c;
    const float t = timeToContact(w, u, reach);
    // Next to grazing the answer itself hangs on the last bit of the input.
    if (std::abs(d) < 1e-3L * r * r * (ux * ux + uy * uy)) continue;
    if (c <= 0 || b <= 0 || d < 0) {
      EXPECT_EQ(t, c <= 0 && b > 0 ? 0 : kNever);
      continue;
    }
    ++contacts;
    const long double exact = c / (b + std::sqrt(d));
    EXPECT_LT(std::abs(t - exact), 1e-5L * exact + 1e-6L) << w.x << ' ' << w.y << ' ' << u.x << ' ' << u.y;
  }
  EXPECT_GT(contacts, 1000);
}

// Walks in steps of a millisecond until the distance falls below the radius.
float steppedContact(const std::function<float(Vec2f)>& distance, Vec2f v, float radius) {
  constexpr float kStep = 1e-3F;
  for (int n = 0; n < 8000; ++n) {
    if (distance(v * (static_cast<float>(n) * kStep)) < radius) return static_cast<float>(n) * kStep;
  }
  return kNever;
}

TEST(Kernels, AgainstStepping) {
  Random random(2);
  int disks = 0;
  int walls = 0;
  for (int n = 0; n < 1200; ++n) {
    const Vec2f w = randomVector(random, 4);
    const Vec2f u = randomVector(random, 2);
    const float reach = real(random, 0.2, 0.8);
    if (length(w) > reach) {
      const float t = timeToContact(w, u, reach);
      const float stepped = steppedContact([&](Vec2f at) { return length(w - at); }, u, reach);
      // Stepping cannot see a contact shallower than a step.
      const float deeper = timeToContact(w, u, reach - 1e-3F);
      if (t < 7.9F && deeper < 7.9F) {
        ++disks;
        EXPECT_NEAR(t, stepped, 0.02);
      } else if (t == kNever) {
        EXPECT_EQ(stepped, kNever);
      }
    }
    LocalView view;
    test::addWall(view, randomVector(random, 4), randomVector(random, 4));
    const WallView& wall = view.walls[0];
    const float radius = 0.3F;
    if (length(nearestOn(wall)) <= radius) continue;
    const auto distance = [&](Vec2f at) {
      WallView moved = wall;
      moved.a = wall.a - at;
      moved.b = wall.b - at;
      return length(nearestOn(moved));
    };
    const float t = timeToWall(wall, u, radius);
    const float stepped = steppedContact(distance, u, radius);
    if (t < 7.9F && timeToWall(wall, u, radius - 1e-3F) < 7.9F) {
      ++walls;
      EXPECT_NEAR(t, stepped, 0.02);
    } else if (t == kNever) {
      EXPECT_EQ(stepped, kNever);
    }
  }
  EXPECT_GT(disks, 30);
  EXPECT_GT(walls, 60);
}

TEST(Kernels, ConcaveCornerIsNoObstacleByItself) {
  LocalView view;
  test::addWall(view, {2, 0}, {2, 2});
  WallView wall = view.walls[0];
  EXPECT_LT(timeToWall(wall, {1, -0.05F}, 0.3F), kNever);
  wall.cornerA = false;
  EXPECT_EQ(timeToWall(wall, {1, -0.05F}, 0.3F), kNever);
}

TEST(Elementary, NextToTheLibrary) {
  Random random(3);
  for (int n = 0; n < 20000; ++n) {
    const double x = random.real(-50, 50);
    EXPECT_NEAR(portableExp(x) / std::exp(x), 1, 1e-14);
    const double angle = random.real(-10, 10);
    EXPECT_NEAR(portableSineCosine(angle).sine, std::sin(angle), 1e-14);
    EXPECT_NEAR(portableSineCosine(angle).cosine, std::cos(angle), 1e-14);
    const double px = random.real(-1, 1);
    const double py = random.real(-1, 1);
    EXPECT_NEAR(portableAtan2(py, px), std::atan2(py, px), 1e-12);
  }
  EXPECT_EQ(portableExp(-1e300), 0);
  EXPECT_EQ(portableExp(std::nan("")), 0);
  EXPECT_TRUE(std::isfinite(portableExp(1e300)));
  EXPECT_EQ(portableExp(0), 1);
  EXPECT_EQ(portableAtan2(0, 0), 0);
  EXPECT_DOUBLE_EQ(portableAtan2(0, -1), std::numbers::pi);
}

TEST(Symmetry, HashIsSpreadAndApartIsOpposite) {
  double sum = 0;
  double squares = 0;
  for (uint32_t id = 0; id < 10000; ++id) {
    const auto h = static_cast<double>(hashed(id, 7));
    EXPECT_GE(h, -1);
    EXPECT_LE(h, 1);
    sum += h;
    squares += h * h;
  }
  EXPECT_NEAR(sum / 10000, 0, 0.03);
  EXPECT_NEAR(squares / 10000, 1.0 / 3, 0.02);
  for (uint32_t i = 0; i < 50; ++i) {
    for (uint32_t j = 0; j < i; ++j) {
      EXPECT_EQ(apart(i, j), -apart(j, i));
      EXPECT_NEAR(length(apart(i, j)), 1, 1e-6);
    }
  }
}

}  // namespace
}  // namespace wend
