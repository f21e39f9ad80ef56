#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

#include <wend/make.h>
#include <wend/world.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "tests/environment/edit/random_edits.h"

// Long sequences of edits: every mesh right, every set of obstacles the same world whatever came before.
namespace wend {
namespace {

Obstacle randomObstacle(Random& random, const Environment& environment, double degrees) {
  Obstacle obstacle;
  const Vec2 at = turned(Vec2{20 * random.real(), 10 * random.real()}, degrees);
  obstacle.place = Placement::turned({at.x, at.y, 0}, 360 * random.real());
  obstacle.layers = {environment.layers[random.below(environment.layers.size())].id};
  obstacle.spreads = random.chance(0.7);
  const uint64_t kind = random.below(4);
  if (kind == 0) {
    obstacle.shape = SegmentShape{{-1, 0}, {1 + random.real(), 0}};
  } else if (kind == 1) {
    obstacle.shape = PointShape{};
  } else {
    obstacle.shape = PolygonShape{randomLoop(random, {}, 0.2 + 1.5 * random.real(), random.chance(0.5)), {}};
  }
  return obstacle;
}

void checkSequence(uint64_t seed, const std::string& generator) {
  Random random(seed);
  const double degrees = random.chance(0.5) ? 17 : 0;
  const Environment environment = randomHall(random, random.chance(0.5), degrees, 1e-4);
  if (environment.layers.empty()) return;
  const Result<World> start = bake(environment, {.generator = generator, .options = {}, .seed = 1});
  ASSERT_TRUE(start.ok());
  World world = *start;
  for (int i = 0; i < 8; ++i) {
    const std::vector<ObstacleId> ids = world.obstacles();
    std::vector<Edit> batch;
    if (!ids.empty() && random.chance(0.4)) {
      batch.push_back(RemoveObstacle{ids[random.below(ids.size())]});
    } else {
      batch.push_back(AddObstacle{randomObstacle(random, environment, degrees)});
    }
    const Result<WorldUpdate> update = world.apply(batch);
    if (!update.ok()) {
      ASSERT_TRUE(update.error().code == ErrorCode::kNotOnMesh || update.error().code == ErrorCode::kEmpty)
          << update.error().message;
      continue;
    }
    world = update->world;
    ASSERT_EQ(world.spaceHash(), spaceHash(world.environment()));
    for (const Violation& v : validate(world.environment(), 1)) FAIL() << v.message;
    for (const MeshFault& f : checkMesh(world.mesh(), &world.environment(), 1)) FAIL() << f.message;
  }
  std::vector<Edit> all;
  for (const ObstacleId id : world.obstacles()) all.push_back(AddObstacle{*world.find(id)});
  random.shuffle(all);
  const Result<WorldUpdate> anew = start->apply(all);
  ASSERT_TRUE(anew.ok());
  ASSERT_EQ(world.environment(), anew->world.environment());
}

// WEND_SOAK_SECONDS ends it earlier, WEND_SOAK_SEED begins elsewhere; it says how many sequences it got to.
TEST(WorldEditLong, HundredThousandSequences) {
  const std::vector<std::string> names{"ecm",       "delaunay", "hertel-mehlhorn", "neogen",
                                       "trapezoid", "pasfv",    "wavefront",       "lct"};
  const char* seconds = std::getenv("WEND_SOAK_SECONDS");
  const char* first = std::getenv("WEND_SOAK_SEED");
  const uint64_t start = first == nullptr ? 1 : std::strtoull(first, nullptr, 10);
  const std::chrono::duration<double> limit(seconds == nullptr ? 1e9 : std::atof(seconds));
  const auto begin = std::chrono::steady_clock::now();
  uint64_t done = 0;
  while (done < 100'000 && std::chrono::steady_clock::now() - begin < limit) {
    const uint64_t seed = start + done;
    SCOPED_TRACE(seed);
    checkSequence(seed, names[seed % names.size()]);
    if (HasFatalFailure() || HasFailure()) break;
    ++done;
  }
  std::printf("%llu sequences without a failure\n", static_cast<unsigned long long>(done));
}

// Many edits of one world: obstacles come and go, and nothing is kept of those that are gone.
TEST(WorldEditLong, ManyEditsOfOneCity) {
  const Result<Environment> city = makeEnvironment({"city", {{"edition", 2}}, 1, {}});
  ASSERT_TRUE(city.ok());
  Result<World> baked = bake(*city);
  ASSERT_TRUE(baked.ok());
  World world = *baked;
  Random random(3);
  const Box box = boundingBox(*city);
  for (int i = 0; i < 20'000; ++i) {
    std::vector<Edit> batch;
    const std::vector<ObstacleId> ids = world.obstacles();
    if (ids.size() > 20) batch.push_back(RemoveObstacle{ids[random.below(ids.size())]});
    Obstacle crate;
    crate.shape = PolygonShape{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, {}};
    const Vec2 at = city->lattice.toMetres(Point{static_cast<int32_t>(random.between(box.min.x, box.max.x)),
                                                 static_cast<int32_t>(random.between(box.min.y, box.max.y))});
    crate.place = Placement::turned({at.x, at.y, 0}, 360 * random.real());
    batch.push_back(AddObstacle{crate});
    const Result<WorldUpdate> update = world.apply(batch);
    if (update.ok()) world = update->world;
  }
  EXPECT_LE(world.obstacles().size(), 21U);
  std::vector<Edit> none;
  for (const ObstacleId id : world.obstacles()) none.push_back(RemoveObstacle{id});
  const Result<WorldUpdate> empty = world.apply(none);
  ASSERT_TRUE(empty.ok());
  EXPECT_EQ(empty->world.environment(), *city);
  EXPECT_LE(empty->world.mesh().memory(), static_cast<size_t>(1.2 * static_cast<double>(baked->mesh().memory())));
}

}  // namespace
}  // namespace wend
