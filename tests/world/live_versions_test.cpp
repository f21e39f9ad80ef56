#include <memory>
#include <string>
#include <vector>

#include <wend/corridor_map.h>
#include <wend/make.h>
#include <wend/world.h>

#include <gtest/gtest.h>

#include "base/random.h"

// Versions of a world share memory with each other: none may change what another one shows.
namespace wend {
namespace {

Edit square(Random& random, const Box& box, const Lattice& lattice, int32_t layer) {
  Obstacle obstacle;
  const double half = random.real(0.2, 2.0);
  obstacle.shape = PolygonShape{{{-half, -half}, {half, -half}, {half, half}, {-half, half}}, {}};
  const Vec2 at = lattice.toMetres(Point{static_cast<int32_t>(random.between(box.min.x, box.max.x)),
                                         static_cast<int32_t>(random.between(box.min.y, box.max.y))});
  obstacle.place = Placement::turned({at.x, at.y, 0}, random.chance(0.5) ? 37 : 0);
  obstacle.layers = {layer};
  return AddObstacle{obstacle};
}

struct Kept {
  World world;
  uint64_t hash;
};

// The world with the same obstacles in one step.
uint64_t environmentFromNothing(const World& base, const World& world) {
  std::vector<Edit> edits;
  for (const ObstacleId id : world.obstacles()) edits.push_back(AddObstacle{*world.find(id)});
  const Result<WorldUpdate> once = base.apply(edits);
  return once.ok() ? hash(once->world.environment()) : 0;
}

void editRandomly(const std::string& generator, const MakeSettings& make, uint64_t seed, int steps) {
  const Result<Environment> environment = makeEnvironment(make);
  ASSERT_TRUE(environment.ok());
  GenerateSettings settings;
  settings.generator = generator;
  const Result<World> baked = bake(*environment, settings);
  ASSERT_TRUE(baked.ok());
  Random random(seed, 19);
  const Box box = boundingBox(*environment);
  std::vector<Kept> versions{{*baked, hash(*baked)}};
  int inPlace = 0;
  for (int step = 0; step < steps; ++step) {
    // Sometimes from an older version, so that there are two next ones.
    const World& from = versions[random.chance(0.8) ? versions.size() - 1 : random.below(versions.size())].world;
    const std::vector<ObstacleId> there = from.obstacles();
    std::vector<Edit> edits;
    if (there.empty() || random.chance(0.6)) {
      edits.push_back(square(random, box, environment->lattice, environment->layers[0].id));
    } else {
      edits.push_back(RemoveObstacle{there[random.below(there.size())]});
    }
    const Result<WorldUpdate> update = from.apply(edits);
    if (!update.ok()) continue;
    const World& world = update->world;
    inPlace += update->report.mesh == MeshChange::kInPlace ? 1 : 0;
    for (const MeshFault& fault : checkMesh(world.mesh(), &world.environment(), 1)) {
      FAIL() << "step " << step << ": " << fault.message;
    }
    for (const MeshFault& fault : checkMedialAxis(world.mesh(), world.environment(), 1)) {
      FAIL() << "step " << step << ": " << fault.message;
    }
    ASSERT_EQ(hash(world.environment()), environmentFromNothing(*baked, world)) << "step " << step;
    ASSERT_EQ(world.spaceHash(), spaceHash(world.environment())) << "step " << step;
    ASSERT_EQ(update->report.cellSource.size(),
              update->report.mesh == MeshChange::kNone ? 0 : world.mesh().cellCount());
    versions.push_back({world, hash(world)});
    while (versions.size() > 5 || (versions.size() > 1 && random.chance(0.4))) {
      versions.erase(versions.begin() + static_cast<ptrdiff_t>(random.below(versions.size())));
    }
    for (const Kept& kept : versions) ASSERT_EQ(hash(kept.world), kept.hash) << "step " << step;
  }
  EXPECT_GT(inPlace, steps / 3);
}

TEST(LiveVersions, OfTheMedialAxisStayAsTheyAre) {
  editRandomly("ecm", {"zelda", {{"edition", 2}, {"tiles", 1}}, 1, {}}, 1, 60);
}

TEST(LiveVersions, OfConvexCellsStayAsTheyAre) {
  editRandomly("hertel-mehlhorn", {"zelda", {{"edition", 2}, {"tiles", 1}}, 1, {}}, 2, 60);
}

TEST(LiveVersions, OfTrianglesStayAsTheyAre) {
  editRandomly("delaunay", {"military", {{"edition", 2}}, 1, {}}, 3, 60);
}

TEST(LiveVersions, OfLayersStayAsTheyAre) {
  editRandomly("ecm", {"tower", {}, 1, {}}, 4, 6);
}

}  // namespace
}  // namespace wend
