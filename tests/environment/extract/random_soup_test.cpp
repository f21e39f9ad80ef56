#include "tests/environment/extract/random_soup.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/environment/extract/hand_made.h"

namespace wend {
namespace {

using testing::randomSoup;

double turn(Vec3 a, Vec3 b, double x, double y) {
  return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

// Height of the triangle over (x, y), NaN beside it.
double heightOver(const Scene& scene, const Scene::Triangle& t, double x, double y) {
  const Vec3 a = scene.vertices[t.vertices[0]];
  const Vec3 b = scene.vertices[t.vertices[1]];
  const Vec3 c = scene.vertices[t.vertices[2]];
  const double area = turn(a, b, c.x, c.y);
  if (std::abs(area) < 1e-9) return std::nan("");
  const double u = turn(b, c, x, y) / area;
  const double v = turn(c, a, x, y) / area;
  const double w = turn(a, b, x, y) / area;
  return u >= 0 && v >= 0 && w >= 0 ? u * a.z + v * b.z + w * c.z : std::nan("");
}

// How steep, as the z of the unit normal; negative seen from below.
double normalZ(const Scene& scene, const Scene::Triangle& t) {
  const Vec3 a = scene.vertices[t.vertices[0]];
  const Vec3 b = scene.vertices[t.vertices[1]];
  const Vec3 c = scene.vertices[t.vertices[2]];
  const Vec3 u{b.x - a.x, b.y - a.y, b.z - a.z};
  const Vec3 w{c.x - a.x, c.y - a.y, c.z - a.z};
  const Vec3 n{u.y * w.z - u.z * w.y, u.z * w.x - u.x * w.z, u.x * w.y - u.y * w.x};
  const double length = std::hypot(n.x, n.y, n.z);
  return length > 0 ? n.z / length : 0;
}

// The plain definition: whether something within head room above stands in the way at this place, by a margin.
bool blocked(const Scene& scene, double x, double y, double z, const ExtractSettings& settings) {
  const double margin = 0.004;
  bool found = false;
  for (const Scene::Triangle& t : scene.triangles) {
    const double over = heightOver(scene, t, x, y) - z;
    if (std::isnan(over)) continue;
    const double slope = normalZ(scene, t);
    const bool walkable = slope > 0 && slope >= std::cos(settings.slope * std::numbers::pi / 180);
    const double low = walkable ? margin : settings.step + margin;
    found = found || (over > low && over < settings.height - margin);
  }
  return found;
}

// Two floors that hang together by a third, too narrow to be drawn.
TEST(RandomSoups, APassageOverALostStripIsReported) {
  const auto [scene, settings] =
      testing::randomSoupCase(468, 77, [](Random&, ExtractSettings& chosen) { chosen.lattice.unit = 1e-5; });
  const Result<Extraction> result = extract(scene, settings);
  ASSERT_TRUE(result.ok());
  EXPECT_NE(topology(result->environment).components, result->report.components);
  EXPECT_FALSE(result->report.spots.empty());
}

TEST(RandomSoups, GiveValidEnvironmentsWithoutBlockedPlaces) {
  ExtractSettings settings;
  settings.minArea = 0.001;
  uint64_t tested = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    for (const double angle : {0.0, 29.0}) {
      const Scene scene = testing::rotated(randomSoup(seed, 150), angle);
      const Result<Extraction> result = extract(scene, settings);
      ASSERT_TRUE(result.ok()) << "seed " << seed << ": " << result.error().message;
      const Environment& environment = result->environment;
      for (const Violation& v : validate(environment, 3)) {
        ADD_FAILURE() << "seed " << seed << " at " << angle << " degrees: " << v.message;
      }
      Random random(seed, 5);
      for (int i = 0; i < 400; ++i) {
        const Layer& layer = environment.layers[random.below(environment.layers.size())];
        const Polygon& polygon = layer.free[random.below(layer.free.size())];
        const Box box = boundingBox(polygon.outer);
        const Point p{static_cast<int32_t>(random.between(box.min.x, box.max.x)),
                      static_cast<int32_t>(random.between(box.min.y, box.max.y))};
        if (locate(polygon, p) != Side::kInside) continue;
        // Within a crack or a wall's width of anything else the definition is a matter of tolerances.
        const Vec2 at = environment.lattice.toMetres(p);
        const double z = layer.heights.at(toVec2(p));
        bool everywhere = true;
        for (const double x : {-0.025, 0.025}) {
          for (const double y : {-0.025, 0.025})
            everywhere = everywhere && blocked(scene, at.x + x, at.y + y, z, settings);
        }
        ++tested;
        EXPECT_FALSE(everywhere && blocked(scene, at.x, at.y, z, settings))
            << "seed " << seed << " at " << angle << " degrees: (" << at.x << ", " << at.y << ", " << z << ")";
      }
    }
  }
  EXPECT_GT(tested, 10000U);
}

TEST(RandomSoups, DoNotDependOnThreadsOrOrder) {
  ExtractSettings settings;
  settings.minArea = 0.001;
  for (uint64_t seed = 100; seed < 110; ++seed) {
    Scene scene = randomSoup(seed, 200);
    Context one;
    one.threads = 1;
    Context four;
    four.threads = 4;
    const Result<Extraction> a = extract(scene, settings, one);
    const Result<Extraction> b = extract(scene, settings, four);
    ASSERT_TRUE(a.ok() && b.ok());
    EXPECT_TRUE(a->environment == b->environment) << "seed " << seed;
    Random random(seed);
    random.shuffle(scene.triangles);
    const Result<Extraction> c = extract(scene, settings, one);
    ASSERT_TRUE(c.ok());
    EXPECT_EQ(a->report.components, c->report.components) << "seed " << seed;
    const double before = a->environment.lattice.area(topology(a->environment).doubledArea);
    const double after = c->environment.lattice.area(topology(c->environment).doubledArea);
    EXPECT_NEAR(before, after, 1e-6 * before) << "seed " << seed;
  }
}

}  // namespace
}  // namespace wend
