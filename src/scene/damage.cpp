#include <algorithm>
#include <cmath>

#include <wend/scene.h>

#include <fmt/format.h>

#include "base/random.h"

namespace wend {
namespace {

constexpr double kMaxShift = 1000;      // metres
constexpr double kDeepestTilt = 0.005;  // metres, of an intersecting copy

Vec3 shifted(Vec3 p, double amount, Random& random) {
  const double x = random.real(-amount, amount);
  const double y = random.real(-amount, amount);
  const double z = random.real(-amount, amount);
  return {p.x + x, p.y + y, p.z + z};
}

uint32_t append(Scene& scene, Vec3 p) {
  scene.vertices.push_back(p);
  return static_cast<uint32_t>(scene.vertices.size() - 1);
}

void crack(Scene& scene, double amount, Random& random) {
  std::vector<Vec3> corners;
  corners.reserve(scene.triangles.size() * 3);
  for (Scene::Triangle& t : scene.triangles) {
    for (uint32_t& id : t.vertices) {
      corners.push_back(shifted(scene.vertices[id], amount, random));
      id = static_cast<uint32_t>(corners.size() - 1);
    }
  }
  scene.vertices = std::move(corners);
}

// Cuts at a point of one side; the neighbour across it does not learn of it.
void split(Scene& scene, size_t triangle, Random& random) {
  const Scene::Triangle t = scene.triangles[triangle];
  const size_t k = random.below(3);
  const Vec3 a = scene.vertices[t.vertices[k]];
  const Vec3 b = scene.vertices[t.vertices[(k + 1) % 3]];
  const double s = random.real(0.2, 0.8);
  const uint32_t cut = append(scene, {a.x + s * (b.x - a.x), a.y + s * (b.y - a.y), a.z + s * (b.z - a.z)});
  scene.triangles[triangle].vertices[(k + 1) % 3] = cut;
  scene.triangles.push_back({{cut, t.vertices[(k + 1) % 3], t.vertices[(k + 2) % 3]}, t.label});
}

// One corner comes up and another goes down, so that copy and original cross.
void intersect(Scene& scene, size_t triangle, Random& random) {
  const Scene::Triangle t = scene.triangles[triangle];
  const size_t k = random.below(3);
  const double depth = random.real(0.001, kDeepestTilt);
  Scene::Triangle copy = t;
  for (size_t i = 0; i < 3; ++i) {
    Vec3 p = scene.vertices[t.vertices[i]];
    p.z += i == k ? depth : i == (k + 1) % 3 ? -depth : 0;
    copy.vertices[i] = append(scene, p);
  }
  scene.triangles.push_back(copy);
}

void damageTriangles(Scene& scene, const SceneDamage& damage, Random& random) {
  const size_t count = scene.triangles.size();
  std::vector<Scene::Triangle> kept;
  for (size_t i = 0; i < count; ++i) {
    if (!random.chance(damage.amount)) {
      if (damage.kind == DamageKind::kDelete) kept.push_back(scene.triangles[i]);
      continue;
    }
    switch (damage.kind) {
      case DamageKind::kDuplicate: {
        const Scene::Triangle copy = scene.triangles[i];
        scene.triangles.push_back(copy);
        break;
      }
      case DamageKind::kSplit:
        split(scene, i, random);
        break;
      case DamageKind::kFlip:
        std::swap(scene.triangles[i].vertices[1], scene.triangles[i].vertices[2]);
        break;
      case DamageKind::kIntersect:
        intersect(scene, i, random);
        break;
      default:
        break;
    }
  }
  if (damage.kind == DamageKind::kDelete) scene.triangles = std::move(kept);
}

}  // namespace

const char* damageName(DamageKind kind) {
  constexpr const char* kNames[] = {"jitter", "crack", "duplicate", "delete", "split", "flip", "intersect"};
  return kNames[static_cast<size_t>(kind)];
}

Result<Scene> damageScene(Scene scene, const SceneDamage& damage, uint64_t seed) {
  const bool shift = damage.kind == DamageKind::kJitter || damage.kind == DamageKind::kCrack;
  if (!(damage.amount >= 0 && damage.amount <= (shift ? kMaxShift : 1))) {
    return Error{ErrorCode::kInvalidSettings, fmt::format("damage {}={:g} is outside {}", damageName(damage.kind),
                                                          damage.amount, shift ? "0 to 1000 m" : "0 to 1")};
  }
  for (const Scene::Triangle& t : scene.triangles) {
    if (*std::max_element(t.vertices.begin(), t.vertices.end()) >= scene.vertices.size()) {
      return Error{ErrorCode::kInvalidGeometry, "a triangle of the scene names a vertex that is not there"};
    }
  }
  // Kinds are independent of each other under one seed.
  Random random(seed, static_cast<uint64_t>(damage.kind));
  if (damage.kind == DamageKind::kJitter) {
    for (Vec3& p : scene.vertices) p = shifted(p, damage.amount, random);
  } else if (damage.kind == DamageKind::kCrack) {
    crack(scene, damage.amount, random);
  } else {
    damageTriangles(scene, damage, random);
  }
  return scene;
}

}  // namespace wend
