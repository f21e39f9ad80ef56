#include <algorithm>
#include <set>
#include <vector>

#include <wend/world.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "tests/environment/edit/random_edits.h"

// The hash of a world that does not remember how it came about.
namespace wend {
namespace {

Obstacle randomPillar(Random& random, const Environment& environment, double degrees) {
  Obstacle obstacle;
  const Vec2 at = turned(Vec2{20 * random.real(), 10 * random.real()}, degrees);
  obstacle.place = Placement::turned({at.x, at.y, 0}, 360 * random.real());
  obstacle.layers = {environment.layers[random.below(environment.layers.size())].id};
  obstacle.shape = PolygonShape{randomLoop(random, {}, 0.2 + 1.5 * random.real(), random.chance(0.5)), {}};
  return obstacle;
}

// Each obstacle in a step of its own, with others that come and go again between them.
SpaceHash afterSteps(const World& base, std::vector<Obstacle> obstacles, Random& random) {
  World world = base;
  for (size_t i = obstacles.size(); i > 1; --i) std::swap(obstacles[i - 1], obstacles[random.below(i)]);
  for (const Obstacle& obstacle : obstacles) {
    const std::vector<Edit> passing{AddObstacle{obstacles[random.below(obstacles.size())]}};
    const Result<WorldUpdate> there = world.apply(passing);
    if (there.ok()) {
      const std::vector<Edit> back{RemoveObstacle{there->report.edits[0].id}};
      const Result<WorldUpdate> gone = there->world.apply(back);
      EXPECT_TRUE(gone.ok());
      if (gone.ok()) {
        EXPECT_EQ(gone->world.spaceHash(), world.spaceHash());
        world = gone->world;
      }
    }
    const std::vector<Edit> edit{AddObstacle{obstacle}};
    const Result<WorldUpdate> update = world.apply(edit);
    if (!update.ok()) continue;
    world = update->world;
    EXPECT_EQ(world.spaceHash(), spaceHash(world.environment()));
  }
  return world.spaceHash();
}

TEST(SpaceHash, AnyOrderOfEditsGivesThatOfARebuild) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed, 3);
    const double degrees = seed % 2 == 0 ? 0 : 17;
    const Environment environment = randomHall(random, seed % 4 < 2, degrees, 1e-4);
    ASSERT_FALSE(environment.layers.empty());
    const Result<World> base = bake(environment, {.generator = "hertel-mehlhorn", .options = {}, .seed = 1});
    ASSERT_TRUE(base.ok());
    EXPECT_EQ(base->spaceHash(), spaceHash(environment));
    std::vector<Obstacle> obstacles;
    std::vector<Edit> all;
    while (obstacles.size() < 5) {
      const Obstacle obstacle = randomPillar(random, environment, degrees);
      all.assign(1, AddObstacle{obstacle});
      if (base->apply(all).ok()) obstacles.push_back(obstacle);
    }
    all.clear();
    for (const Obstacle& obstacle : obstacles) all.push_back(AddObstacle{obstacle});
    const Result<WorldUpdate> once = base->apply(all);
    if (!once.ok()) continue;
    const SpaceHash wanted = spaceHash(once->world.environment());
    EXPECT_EQ(once->world.spaceHash(), wanted);
    for (int order = 0; order < 3; ++order) EXPECT_EQ(afterSteps(*base, obstacles, random), wanted) << seed;
  }
}

TEST(SpaceHash, TellsDifferentWorldsApart) {
  Random random(5);
  const Environment hall = randomHall(random, true, 17, 1e-4);
  std::set<SpaceHash> seen{spaceHash(hall)};
  const auto expectNew = [&](const Environment& other, const char* what) {
    EXPECT_TRUE(seen.insert(spaceHash(other)).second) << what;
  };
  Environment other = hall;
  other.layers[0].free[0].outer[0].x += 1;
  expectNew(other, "a corner");
  other = hall;
  other.layers[1].heights.base += 1;
  expectNew(other, "a height");
  other = hall;
  other.connections.clear();
  expectNew(other, "a connection");
  other = hall;
  std::swap(other.layers[0].free, other.layers[1].free);
  expectNew(other, "layers");
  other = hall;
  other.layers[0].regions.push_back({"grass", other.layers[0].free});
  expectNew(other, "a region");
  other = hall;
  other.lattice.unit *= 2;
  expectNew(other, "the unit");
  // What is no part of free space does not count.
  other = hall;
  other.name = "another name";
  EXPECT_EQ(spaceHash(other), spaceHash(hall));
}

}  // namespace
}  // namespace wend
