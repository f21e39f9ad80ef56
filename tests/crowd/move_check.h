#pragma once

#include "crowd/move.h"
#include "planning/clearance/distances.h"
#include "tests/crowd/crowd_world.h"
#include "tests/generators/layered_worlds.h"

// Random walks through random worlds, with an independent look at every place.
namespace wend {

struct MoveWorld {
  NavMesh mesh;
  Ground ground;
  Locator locator;
  Navigator navigator;

  MoveWorld(const Environment& environment, const std::string& generator)
      : mesh(meshOf(environment, generator)),
        ground(mesh),
        locator(mesh),
        navigator(navigatorOf(environment, generator)) {}

  // A lattice point of a random cell.
  std::optional<AgentPlace> random(Random& random) const {
    for (int tries = 0; tries < 100; ++tries) {
      const auto cell = static_cast<CellId>(random.below(mesh.cellCount()));
      Vec2 p{};
      double sum = 0;
      for (const Ground::Side* s = ground.firstSide(cell); s != ground.endSide(cell); ++s) {
        const double w = random.real();
        p = p + w * s->from;
        sum += w;
      }
      const Point at{static_cast<int32_t>(std::lround(p.x / sum)), static_cast<int32_t>(std::lround(p.y / sum))};
      if (ground.holds(cell, at)) return AgentPlace{at, cell};
    }
    return std::nullopt;
  }

  // By the navigator, who knows nothing of gathered walls; nothing where it takes the place for one on another layer.
  std::optional<double> clearance(const AgentPlace& place, PlanScratch& scratch) const {
    const Vec2 p = mesh.lattice().toMetres(place.at);
    const LayerId layer = mesh.layerOf(place.cell);
    const Vec3 at{p.x, p.y, locator.height(p, layer)};
    const CellId located = navigator.locate(at);
    if (located == kNone || mesh.layerOf(located) != layer) return std::nullopt;
    const auto nearest = navigator.nearestObstacle(at, scratch);
    if (!nearest) return std::nullopt;
    return nearest->distance;
  }

  bool isInside(const AgentPlace& place) const {
    std::array<CellId, 64> cells{};
    const size_t found = locator.locateAll(toVec2(place.at), mesh.layerOf(place.cell), cells);
    return std::count(cells.begin(), cells.begin() + static_cast<ptrdiff_t>(std::min<size_t>(found, 64)), place.cell) >
           0;
  }
};

// Random walks; who was clear of walls stays so.
inline void walkAtRandom(const MoveWorld& world, Random& random, int moves) {
  WallFloodScratch scratch;
  PlanScratch plan;
  const double unit = world.ground.unit();
  while (moves > 0) {
    const auto start = world.random(random);
    if (!start) return;
    AgentPlace place = *start;
    NearWalls walls;
    const double radius = random.real(0.05, 0.6);
    move(world.ground, {}, radius, place, walls, scratch);
    double least = world.clearance(place, plan).value_or(0);
    Vec2 direction{random.real(-1, 1), random.real(-1, 1)};
    for (int i = 0; i < 50; ++i, --moves) {
      if (random.chance(0.2)) direction = {random.real(-1, 1), random.real(-1, 1)};
      const double step = random.chance(0.05) ? random.real(0, 2) : random.real(0, 0.25);
      const AgentPlace old = place;
      move(world.ground, step * direction, radius, place, walls, scratch);
      const auto where = [&] {
        return testing::Message() << place.at.x << ", " << place.at.y << " cell " << place.cell << " radius " << radius
                                  << " from " << old.at.x << ", " << old.at.y << " cell " << old.cell;
      };
      ASSERT_TRUE(world.isInside(place)) << where();
      ASSERT_TRUE(world.ground.areJoined(place.cell, start->cell));
      const auto clearance = world.clearance(place, plan);
      if (!clearance) continue;
      ASSERT_GE(*clearance, std::min(radius, least) - 2 * unit) << where();
      least = std::max(*clearance, std::min(radius, least) - 2 * unit);
    }
  }
}

inline void walkInRandomWorlds(uint64_t firstSeed, uint64_t lastSeed, int movesPerWorld) {
  Random random(firstSeed);
  for (uint64_t seed = firstSeed; seed <= lastSeed; ++seed) {
    const auto environment = overlappingWorld(seed);
    if (!environment) continue;
    for (const char* generator : {"ecm", "neogen"}) {
      const MoveWorld world(*environment, generator);
      if (world.mesh.empty()) continue;
      SCOPED_TRACE(std::string(generator) + ", seed " + std::to_string(seed));
      walkAtRandom(world, random, movesPerWorld);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

}  // namespace wend
