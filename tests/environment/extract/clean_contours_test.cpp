#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <wend/generate.h>
#include <wend/make_scene.h>

#include <gtest/gtest.h>

#include "environment/heights.h"
#include "geometry/vec2.h"
#include "tests/environment/extract/hand_made.h"

// Borders without jags: of pixels along thin walls, and of cracks.
namespace wend {
namespace {

using testing::SceneMaker;
using testing::torn;

size_t cellsOf(const Environment& environment) {
  const Result<NavMesh> mesh = generate(environment, {"hertel-mehlhorn", {}, 1});
  return mesh.ok() ? mesh->cellCount() : 0;
}

TEST(CleanContours, ThinWallsByVoxelsAreStraight) {
  for (const double angle : {0.0, 17.0, 33.0, 45.0, 61.7}) {
    SceneMaker m;
    m.floor(0, 0, 10, 10, 0);
    m.wall(2, 5, 8, 5, 0, 3);
    ExtractSettings settings;
    settings.method = ExtractMethod::kVoxel;
    settings.voxel.resolution = 0.025;
    const Result<Extraction> result = extract(testing::rotated(m.scene, angle), settings);
    ASSERT_TRUE(result.ok());
    EXPECT_TRUE(validate(result->environment, 1).empty());
    EXPECT_EQ(testing::holesOf(result->environment), 1U);
    EXPECT_LE(vertexCount(result->environment), 24U) << angle;
    EXPECT_LE(cellsOf(result->environment), 16U) << angle;
  }
}

// Tiles and obstacles, each torn apart by 0.3 mm.
Scene tiles() {
  SceneMaker m;
  for (int x = 0; x < 10; ++x) {
    for (int y = 0; y < 10; ++y) m.floor(x, y, x + 1, y + 1, 0);
  }
  m.box(2, 2, 3.5, 4, 0, 1);
  m.box(6, 5, 6.2, 9, 0, 3);
  m.box(7, 1, 8, 2, 0, 1.5);
  return m.scene;
}

TEST(CleanContours, CracksAddFewCells) {
  for (const double angle : {0.0, 17.0, 45.0, 203.7}) {
    ExtractSettings settings;
    settings.minArea = 2;
    const Result<Extraction> whole = extract(testing::rotated(tiles(), angle), settings);
    const Result<Extraction> cracked = extract(testing::rotated(torn(tiles(), 0.0003, 1), angle), settings);
    settings.simplify = 0;
    const Result<Extraction> jagged = extract(testing::rotated(torn(tiles(), 0.0003, 1), angle), settings);
    ASSERT_TRUE(whole.ok() && cracked.ok() && jagged.ok());
    EXPECT_TRUE(validate(cracked->environment, 1).empty());
    EXPECT_EQ(topology(cracked->environment).components, topology(whole->environment).components);
    EXPECT_LE(cellsOf(cracked->environment), 2 * cellsOf(whole->environment)) << angle;
    EXPECT_LT(vertexCount(cracked->environment), vertexCount(jagged->environment)) << angle;
  }
}

// Its furniture is torn as well, and what is inside stays no floor.
TEST(CleanContours, CracksAddFewCellsToAnOffice) {
  const Result<MadeScene> office = makeScene({"office", {}, 1});
  ASSERT_TRUE(office.ok());
  for (const double angle : {0.0, 17.0, 45.0, 203.7}) {
    ExtractSettings settings;
    settings.regions = false;
    const Result<Extraction> whole = extract(testing::rotated(office->scene, angle), settings);
    const Result<Extraction> cracked = extract(testing::rotated(torn(office->scene, 0.0003, 1), angle), settings);
    ASSERT_TRUE(whole.ok() && cracked.ok());
    EXPECT_EQ(cracked->report.components, whole->report.components) << angle;
    EXPECT_LE(cellsOf(cracked->environment), 1.25 * static_cast<double>(cellsOf(whole->environment))) << angle;
  }
}

// A border that moves outwards keeps the height of its floor: two floors, 1 and 3 m high, with jagged borders.
TEST(CleanContours, HeightsReachTheBorders) {
  SceneMaker m;
  for (const double z : {1.0, 3.0}) {
    for (int i = 0; i < 200; ++i) {
      const double x = 0.05 * i;
      const auto jag = [&](int k) { return 4 * z + 0.003 * ((7 * k) % 5); };
      m.quad({x, 4 * z - 3, z}, {x + 0.05, 4 * z - 3, z}, {x + 0.05, jag(i + 1), z}, {x, jag(i), z});
    }
  }
  for (const double angle : {0.0, 17.0, 45.0}) {
    ExtractSettings settings;
    settings.simplify = 0.02;
    const Result<Extraction> result = extract(testing::rotated(m.scene, angle), settings);
    ASSERT_TRUE(result.ok());
    EXPECT_LE(vertexCount(result->environment), 30U) << angle;
    for (const Layer& layer : result->environment.layers) {
      const HeightLookup heights(layer.heights);
      for (const Polygon& polygon : layer.free) {
        const double z = heights.at(toVec2(polygon.outer[0]));
        EXPECT_GT(z, 0.9);
        for (size_t i = 0; i < polygon.outer.size(); ++i) {
          const Vec2 a = toVec2(polygon.outer[i]);
          const Vec2 b = toVec2(polygon.outer[i + 1 == polygon.outer.size() ? 0 : i + 1]);
          for (int k = 0; k <= 100; ++k) {
            const double t = 0.01 * k;
            EXPECT_NEAR(heights.at({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)}), z, 1e-6) << angle;
          }
        }
      }
    }
  }
}

// The distance from each vertex of one environment to the borders of another, at most.
double farthest(const Environment& from, const Environment& to) {
  double most = 0;
  const auto forRings = [](const Environment& environment, const auto& body) {
    for (const Layer& layer : environment.layers) {
      for (const Polygon& polygon : layer.free) {
        body(polygon.outer);
        for (const Ring& hole : polygon.holes) body(hole);
      }
    }
  };
  forRings(from, [&](const Ring& ring) {
    for (const Point p : ring) {
      double nearest = 1e300;
      forRings(to, [&](const Ring& other) {
        for (size_t i = 0; i < other.size(); ++i) {
          nearest = std::min(nearest, distanceToSegment(toVec2(p), toVec2(other[i]),
                                                        toVec2(other[i + 1 == other.size() ? 0 : i + 1])));
        }
      });
      most = std::max(most, nearest);
    }
  });
  return most * from.lattice.unit;
}

TEST(CleanContours, MoveNoBorderByMoreThanTheTolerance) {
  const Result<MadeScene> office = makeScene({"office", {}, 1});
  ASSERT_TRUE(office.ok());
  for (const double tolerance : {0.0004, 0.005, 0.03}) {
    for (const double angle : {0.0, 17.0, 45.0}) {
      ExtractSettings settings;
      settings.regions = false;
      settings.minArea = 2;
      settings.simplify = 0;
      const Scene scene = testing::rotated(torn(office->scene, 0.0003, 2), angle);
      const Result<Extraction> plain = extract(scene, settings);
      settings.simplify = tolerance;
      const Result<Extraction> simple = extract(scene, settings);
      ASSERT_TRUE(plain.ok() && simple.ok());
      EXPECT_TRUE(validate(simple->environment, 1).empty());
      const Topology before = topology(plain->environment);
      const Topology after = topology(simple->environment);
      EXPECT_EQ(before.components, after.components);
      EXPECT_EQ(before.boundaries, after.boundaries);
      EXPECT_EQ(before.genus, after.genus);
      EXPECT_LT(vertexCount(simple->environment), vertexCount(plain->environment));
      EXPECT_LE(farthest(plain->environment, simple->environment), tolerance + 1e-5);
    }
  }
}

}  // namespace
}  // namespace wend
