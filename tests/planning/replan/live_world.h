#pragma once

#include <optional>
#include <string>
#include <vector>

#include <wend/make.h>
#include <wend/navigator.h>

#include "base/random.h"

// A made world in two versions, without and with an obstacle, and places in it.
namespace wend {

struct LiveWorld {
  Environment environment;
  std::string generator;
  Navigator plain;  // without obstacles

  static std::optional<LiveWorld> make(const MakeSettings& settings, const std::string& generator) {
    Result<Environment> environment = makeEnvironment(settings);
    if (!environment.ok()) return std::nullopt;
    return of(*std::move(environment), generator);
  }
  static std::optional<LiveWorld> of(Environment environment, const std::string& generator) {
    LiveWorld world;
    world.environment = std::move(environment);
    world.generator = generator;
    const std::optional<Navigator> plain = world.with({});
    if (!plain) return std::nullopt;
    world.plain = *plain;
    return world;
  }

  // The world with these obstacles in its first layer.
  std::optional<Navigator> with(const std::vector<std::vector<Vec2>>& obstacles) const {
    Context serial;
    serial.threads = 1;
    EnvironmentDraft draft = draftOf(environment);
    draft.truth.reset();
    for (const std::vector<Vec2>& loop : obstacles) draft.layers[0].obstacles.push_back({loop});
    Result<Environment> built = buildEnvironment(draft, serial);
    if (!built.ok()) return std::nullopt;
    Result<World> baked = bake(*std::move(built), {.generator = generator}, serial);
    if (!baked.ok()) return std::nullopt;
    return makeNavigator(*std::move(baked));
  }
};

inline std::vector<Vec2> squareAt(Vec2 c, double size) {
  const double h = size / 2;
  return {{c.x - h, c.y - h}, {c.x + h, c.y - h}, {c.x + h, c.y + h}, {c.x - h, c.y + h}};
}

// A place where a disk fits, in both versions.
inline Vec3 freePlace(Random& random, const Navigator& a, const Navigator& b, double radius, PlanScratch& scratch) {
  const NavMesh& mesh = a.mesh();
  for (;;) {
    const auto cell = static_cast<CellId>(random.below(mesh.cellCount()));
    // A random point of a random triangle of the cell's fan.
    const uint32_t sides = mesh.sideCount(cell);
    const SideId first = mesh.firstSide(cell);
    const Vec3 p = mesh.position(mesh.startVertex(first));
    const SideId other = first + 1 + static_cast<SideId>(random.below(sides - 2));
    const Vec3 q = mesh.position(mesh.startVertex(other));
    const Vec3 r = mesh.position(mesh.endVertex(other));
    double s = random.real();
    double t = random.real();
    if (s + t > 1) {
      s = 1 - s;
      t = 1 - t;
    }
    const Vec3 at{p.x + s * (q.x - p.x) + t * (r.x - p.x), p.y + s * (q.y - p.y) + t * (r.y - p.y),
                  p.z + s * (q.z - p.z) + t * (r.z - p.z)};
    const auto fits = [&](const Navigator& navigator) {
      const auto wall = navigator.nearestObstacle(at, scratch);
      return wall && wall->distance > radius + 1e-3;
    };
    if (fits(a) && fits(b)) return at;
  }
}

}  // namespace wend
