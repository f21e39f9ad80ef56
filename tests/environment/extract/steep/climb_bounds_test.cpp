#include "environment/extract/steep/climb_bounds.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "environment/extract/facets/reach.h"
#include "environment/extract/steep/gradient_line.h"
#include "tests/environment/extract/random_soup.h"

// What is said of gradient lines before any is followed must hold for all that are.
namespace wend::extraction {
namespace {

// A rough ground of steps, faces of all slopes and cracks.
Scene roughGround(uint64_t seed) {
  Random random(seed);
  constexpr uint32_t kSide = 9;
  std::vector<Vec3> corners;
  for (uint32_t i = 0; i < kSide * kSide; ++i) {
    const double level = random.chance(0.6) ? 0.3 * static_cast<double>(random.below(3)) : random.real(0, 1);
    corners.push_back(
        {0.2 * (i % kSide) + random.real(-0.08, 0.08), 0.2 * (i / kSide) + random.real(-0.08, 0.08), level});
  }
  Scene scene;
  scene.labels = {""};
  const double apart = seed % 3 == 0 ? 0 : seed % 3 == 1 ? 0.3 : 1;  // share of corners that do not meet
  const auto add = [&](uint32_t a, uint32_t b, uint32_t c) {
    if (random.chance(0.1)) return;
    const auto first = static_cast<uint32_t>(scene.vertices.size());
    for (const uint32_t i : {a, b, c}) {
      Vec3 v = corners[i];
      if (random.chance(apart)) v = {v.x + random.real(-0.01, 0.01), v.y + random.real(-0.01, 0.01), v.z};
      scene.vertices.push_back(v);
    }
    scene.triangles.push_back({{first, first + 1, first + 2}, 0});
  };
  for (uint32_t y = 0; y + 1 < kSide; ++y) {
    for (uint32_t x = 0; x + 1 < kSide; ++x) {
      const uint32_t i = y * kSide + x;
      add(i, i + 1, i + kSide + 1);
      add(i, i + kSide + 1, i + kSide);
    }
  }
  return scene;
}

struct Steep {
  explicit Steep(const Scene& scene)
      : settings{.lattice = Lattice{}},
        tol(settings),
        soup(makeSoup(scene, settings, context).value()),
        neighbours(soup, context),
        walkable(walkableTree(soup, context)),
        faces(soup, neighbours, context),
        borders(soup, neighbours, faces, walkable, tol, some(), context) {}

  // Half of the borders are looked up at once, half when they are asked for.
  std::vector<uint32_t> some() const {
    std::vector<uint32_t> triangles = faces.triangles();
    std::erase_if(triangles, [](uint32_t t) { return t % 2 == 0; });
    return triangles;
  }

  ExtractSettings settings;
  Tolerances tol;
  Context context;
  Soup soup;
  TriangleNeighbours neighbours;
  BoxTree walkable;
  SteepFaces faces;
  SteepBorders borders;
};

Scene sceneOf(uint64_t seed) {
  return seed % 5 == 0 ? testing::randomSoup(seed, 60) : roughGround(seed);
}

TEST(ClimbBounds, HoldForEveryLine) {
  uint32_t ended = 0;
  uint32_t refused = 0;
  for (uint64_t seed = 1; seed <= 120; ++seed) {
    Steep s(sceneOf(seed));
    const ClimbBounds bounds = climbBounds(s.soup, s.neighbours, s.faces, s.borders, s.faces.triangles(), {});
    const std::vector<uint32_t> some = s.some();
    const ClimbBounds part = climbBounds(s.soup, s.neighbours, s.faces, s.borders, some, {});
    for (const uint32_t t : some) {
      EXPECT_EQ(part.foot[s.faces.placeOf(t)], bounds.foot[s.faces.placeOf(t)]);
      EXPECT_EQ(part.top[s.faces.placeOf(t)], bounds.top[s.faces.placeOf(t)]);
    }
    const GradientLines lines(s.soup, s.neighbours, s.faces, s.borders, s.tol);
    Random random(seed);
    for (uint32_t i = 0; i < s.faces.triangles().size(); ++i) {
      const uint32_t t = s.faces.triangles()[i];
      const std::array<Point3, 3> p = s.soup.corners(s.soup.triangles[t]);
      const bool mayEnd = bounds.top[i] - bounds.foot[i] <= s.tol.step + s.tol.contact + 1;
      refused += mayEnd ? 0 : 1;
      for (int k = 0; k < 20; ++k) {
        double u = random.real(0, 1);
        double v = random.real(0, 1);
        if (u + v > 1) u = 1 - u, v = 1 - v;
        const GradientLines::Run run = lines.at(t, p[0].x + u * (p[1].x - p[0].x) + v * (p[2].x - p[0].x),
                                                p[0].y + u * (p[1].y - p[0].y) + v * (p[2].y - p[0].y));
        ended += run.ends ? 1 : 0;
        EXPECT_TRUE(mayEnd || !run.ends) << "seed " << seed << ", triangle " << t;
        EXPECT_TRUE(!run.below || bounds.foot[i] > -INFINITY) << "seed " << seed << ", triangle " << t;
      }
    }
  }
  EXPECT_GT(ended, 1000U);
  EXPECT_GT(refused, 1000U);
}

// All that a line over a side may jump to, found the slow way.
TEST(SteepBorders, MissNothing) {
  uint32_t found = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const Steep s(sceneOf(seed));
    Random random(seed);
    std::vector<uint32_t> scratch;
    for (uint32_t i = 0; i < s.faces.triangles().size(); ++i) {
      const uint32_t t = s.faces.triangles()[i];
      const std::array<Point3, 3> p = s.soup.corners(s.soup.triangles[t]);
      for (uint32_t side = 0; side < 3; ++side) {
        if (s.faces.at(i).turn[side] == 0 || s.neighbours.of(Kind::kRiser, t, side) != kNone) continue;
        const double sign = s.faces.at(i).turn[side] < 0 ? 1 : -1;
        const auto beyond = s.borders.beyond(i, side, scratch);
        const Point3& a = p[side];
        const Point3& b = p[side == 2 ? 0 : side + 1];
        for (const double along : {0.0, random.real(0, 1), random.real(0, 1), 1.0}) {
          const Vec3 at{a.x + along * (double(b.x) - a.x), a.y + along * (double(b.y) - a.y),
                        a.z + along * (double(b.z) - a.z)};
          for (uint32_t k = 0; k < s.soup.triangles.size(); ++k) {
            const Triangle& other = s.soup.triangles[k];
            if (k == t || (!other.walkable && !isSteep(other))) continue;
            const Vec2 q = nearestIn(s.soup.corners(other), at.x, at.y);
            if (std::hypot(q.x - at.x, q.y - at.y) > s.tol.gap + s.tol.same) continue;
            const Point3& o = s.soup.points[other.v[0]];
            const double z = o.z - (other.normal.x * (q.x - o.x) + other.normal.y * (q.y - o.y)) / other.normal.z;
            const double rise = sign * (z - at.z);
            const double back = other.walkable ? std::max(s.tol.gap, s.tol.contact) : s.tol.contact / other.normal.z;
            if (rise < -back || rise > s.tol.step + s.tol.contact) continue;
            if (!other.walkable && !s.faces.leadsInto(k, q.x, q.y, sign)) continue;
            ++found;
            EXPECT_NE(std::find(beyond.begin(), beyond.end(), k), beyond.end())
                << "seed " << seed << ", from " << t << " to " << k;
          }
        }
      }
    }
  }
  EXPECT_GT(found, 1000U);
}

}  // namespace
}  // namespace wend::extraction
