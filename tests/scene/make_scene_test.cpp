#include <algorithm>
#include <cmath>

#include <wend/make_scene.h>

#include <gtest/gtest.h>

namespace wend {
namespace {

Result<MadeScene> make(const std::string& kind, std::vector<std::pair<std::string, double>> parameters = {}) {
  MakeSceneSettings settings;
  settings.kind = kind;
  settings.parameters = std::move(parameters);
  return makeScene(settings);
}

Vec3 normal(const Scene& scene, const Scene::Triangle& t) {
  const Vec3 a = scene.vertices[t.vertices[0]];
  const Vec3 b = scene.vertices[t.vertices[1]];
  const Vec3 c = scene.vertices[t.vertices[2]];
  const Vec3 u{b.x - a.x, b.y - a.y, b.z - a.z};
  const Vec3 v{c.x - a.x, c.y - a.y, c.z - a.z};
  return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

// A spot lies on an upward triangle that is no steeper than 45 degrees.
bool onFloor(const Scene& scene, Vec3 p) {
  return std::any_of(scene.triangles.begin(), scene.triangles.end(), [&](const Scene::Triangle& t) {
    const Vec3 n = normal(scene, t);
    if (n.z <= 0 || n.z < 0.7071 * std::hypot(n.x, n.y, n.z)) return false;
    const Vec3 a = scene.vertices[t.vertices[0]];
    double least = 0;
    for (int k = 0; k < 3; ++k) {
      const Vec3 q = scene.vertices[t.vertices[k]];
      const Vec3 r = scene.vertices[t.vertices[(k + 1) % 3]];
      least = std::min(least, (r.x - q.x) * (p.y - q.y) - (r.y - q.y) * (p.x - q.x));
    }
    const double z = a.z - (n.x * (p.x - a.x) + n.y * (p.y - a.y)) / n.z;
    return least > -1e-9 && std::abs(z - p.z) < 1e-6;
  });
}

TEST(MakeScene, UnknownKindsAndSizesAreErrors) {
  const Result<MadeScene> unknown = make("s0l");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, ErrorCode::kInvalidSettings);
  EXPECT_NE(unknown.error().message.find("s01"), std::string::npos) << unknown.error().message;
  EXPECT_EQ(make("s01", {{"turn", 400}}).error().code, ErrorCode::kInvalidSettings);
  EXPECT_EQ(make("s01", {{"width", 4}}).error().code, ErrorCode::kInvalidSettings);
}

TEST(MakeScene, EveryKindIsSoundAndRepeatable) {
  for (const SceneKind& kind : sceneKinds()) {
    SCOPED_TRACE(kind.name);
    const Result<MadeScene> made = make(kind.name);
    ASSERT_TRUE(made.ok()) << made.error().message;
    const Scene& scene = made->scene;
    ASSERT_FALSE(scene.triangles.empty());
    ASSERT_FALSE(made->truth.components.empty());
    for (const Scene::Triangle& t : scene.triangles) {
      ASSERT_LT(*std::max_element(t.vertices.begin(), t.vertices.end()), scene.vertices.size());
      ASSERT_LT(t.label, scene.labels.size());
      const Vec3 n = normal(scene, t);
      ASSERT_GT(std::hypot(n.x, n.y, n.z), 1e-9);
    }
    for (const SceneSpot& spot : made->truth.spots) {
      EXPECT_LT(spot.component, made->truth.components.size()) << spot.name;
      EXPECT_TRUE(onFloor(scene, spot.position))
          << spot.name << " " << spot.position.x << " " << spot.position.y << " " << spot.position.z;
    }
    EXPECT_EQ(make(kind.name)->scene, scene);
  }
}

TEST(MakeScene, TurningKeepsHeightsAndDistances) {
  const Scene straight = make("s32")->scene;
  const Scene turned = make("s32", {{"turn", 33.3}})->scene;
  ASSERT_EQ(straight.vertices.size(), turned.vertices.size());
  for (size_t i = 0; i < straight.vertices.size(); ++i) {
    EXPECT_EQ(straight.vertices[i].z, turned.vertices[i].z);
    EXPECT_NEAR(std::hypot(straight.vertices[i].x - 5, straight.vertices[i].y - 5),
                std::hypot(turned.vertices[i].x - 5, turned.vertices[i].y - 5), 1e-12);
  }
}

}  // namespace
}  // namespace wend
