#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <wend/corridor_map.h>
#include <wend/make.h>
#include <wend/world.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "tests/environment/edit/random_edits.h"
#include "tests/generators/ecm/axis_equality.h"
#include "tests/generators/layered_worlds.h"

// Long sequences of edits: every mesh right, every set of obstacles the same world whatever came before.
namespace wend {
namespace {

// What the sequences did.
struct Tally {
  uint64_t edits = 0;
  uint64_t axes = 0;         // medial axes that were held against new ones
  uint64_t axesInPlace = 0;  // of them, those that were not made anew
};

// `box` in metres.
Obstacle randomObstacle(Random& random, const Environment& environment, const std::array<Vec2, 2>& box) {
  Obstacle obstacle;
  const double x = random.real(box[0].x, box[1].x);
  const double y = random.real(box[0].y, box[1].y);
  obstacle.place = Placement::turned({x, y, 0}, 360 * random.real());
  obstacle.layers = {environment.layers[random.below(environment.layers.size())].id};
  obstacle.spreads = random.chance(0.7);
  const double size = std::min(box[1].x - box[0].x, box[1].y - box[0].y) / 10;
  const uint64_t kind = random.below(4);
  if (kind == 0) {
    obstacle.shape = SegmentShape{{-size, 0}, {size * (1 + random.real()), 0}};
  } else if (kind == 1) {
    obstacle.shape = PointShape{};
  } else {
    obstacle.shape = PolygonShape{randomLoop(random, {}, size * (0.2 + 1.5 * random.real()), random.chance(0.5)), {}};
  }
  return obstacle;
}

// A hall of one layer, of two, or layers above each other.
Environment randomWorld(Random& random, uint64_t seed) {
  if (random.chance(0.2)) {
    if (std::optional<Environment> made = overlappingWorld(seed)) return *std::move(made);
  }
  const double degrees = random.chance(0.5) ? 17 : 0;
  return randomHall(random, random.chance(0.5), degrees, 1e-4);
}

Edit randomEdit(Random& random, const World& world, const std::array<Vec2, 2>& box) {
  const std::vector<ObstacleId> ids = world.obstacles();
  if (!ids.empty() && random.chance(0.5)) {
    const ObstacleId id = ids[random.below(ids.size())];
    if (random.chance(0.7)) return RemoveObstacle{id};
    return MoveObstacle{id, randomObstacle(random, world.environment(), box).place};
  }
  return AddObstacle{randomObstacle(random, world.environment(), box)};
}

void checkWorld(const World& world, const UpdateReport& report, Tally& tally) {
  ASSERT_EQ(world.spaceHash(), spaceHash(world.environment()));
  for (const Violation& v : validate(world.environment(), 1)) FAIL() << v.message;
  for (const MeshFault& f : checkMesh(world.mesh(), &world.environment(), 1)) FAIL() << f.message;
  ++tally.edits;
  if (world.medialAxis() == nullptr || report.mesh == MeshChange::kNone) return;
  ++tally.axes;
  tally.axesInPlace += report.mesh == MeshChange::kInPlace ? 1 : 0;
  const Result<NavMesh> anew = generate(world.environment(), *world.settings());
  ASSERT_TRUE(anew.ok());
  ASSERT_EQ(ecm::axisDifference(*world.medialAxis(), *anew->corridorMap()), "");
}

void checkSequence(uint64_t seed, const std::string& generator, Tally& tally) {
  Random random(seed);
  const Environment environment = randomWorld(random, seed);
  if (environment.layers.empty()) return;
  const Box lattice = boundingBox(environment);
  const std::array<Vec2, 2> box{environment.lattice.toMetres(lattice.min), environment.lattice.toMetres(lattice.max)};
  const Result<World> start = bake(environment, {.generator = generator, .options = {}, .seed = 1});
  ASSERT_TRUE(start.ok());
  World world = *start;
  for (int i = 0; i < 8; ++i) {
    SCOPED_TRACE(i);
    const std::vector<Edit> batch{randomEdit(random, world, box)};
    const Result<WorldUpdate> update = world.apply(batch);
    if (!update.ok()) {
      ASSERT_TRUE(update.error().code == ErrorCode::kNotOnMesh || update.error().code == ErrorCode::kEmpty)
          << update.error().message;
      continue;
    }
    world = update->world;
    ASSERT_NO_FATAL_FAILURE(checkWorld(world, update->report, tally));
  }
  std::vector<Edit> all;
  for (const ObstacleId id : world.obstacles()) all.push_back(AddObstacle{*world.find(id)});
  random.shuffle(all);
  const Result<WorldUpdate> anew = start->apply(all);
  ASSERT_TRUE(anew.ok());
  ASSERT_EQ(world.environment(), anew->world.environment());
}

void tell(uint64_t done, const Tally& tally) {
  std::printf("%llu sequences without a failure, %llu edits; %llu of %llu medial axes in place\n",
              static_cast<unsigned long long>(done), static_cast<unsigned long long>(tally.edits),
              static_cast<unsigned long long>(tally.axesInPlace), static_cast<unsigned long long>(tally.axes));
  std::fflush(stdout);
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
  Tally tally;
  while (done < 100'000 && std::chrono::steady_clock::now() - begin < limit) {
    const uint64_t seed = start + done;
    SCOPED_TRACE(seed);
    checkSequence(seed, names[seed % names.size()], tally);
    if (HasFatalFailure() || HasFailure()) break;
    ++done;
    if (done % 1000 == 0) tell(done, tally);
  }
  tell(done, tally);
}

// Bytes of this process in memory; 0 where the system does not say.
double residentBytes() {
  std::ifstream file("/proc/self/statm");
  double total = 0;
  double resident = 0;
  return file >> total >> resident ? resident * 4096 : 0;
}

size_t memoryOf(const World& world) {
  return world.mesh().memory() + (world.medialAxis() == nullptr ? 0 : world.medialAxis()->memory());
}

// Obstacles come and go, about 20 at a time, and nothing is kept of those that are gone: the world takes little more
// memory than one that is baked, and so does the process.
void editOneCity(const std::string& generator, double most) {
  const Result<Environment> city = makeEnvironment({"city", {{"edition", 2}}, 1, {}});
  ASSERT_TRUE(city.ok());
  const GenerateSettings settings{.generator = generator, .options = {}, .seed = 1};
  Result<World> baked = bake(*city, settings);
  ASSERT_TRUE(baked.ok());
  World world = *baked;
  Random random(3);
  const Box box = boundingBox(*city);
  const char* wanted = std::getenv("WEND_SOAK_EDITS");
  const uint64_t edits = wanted == nullptr ? 10'000 : std::strtoull(wanted, nullptr, 10);
  double early = 0;
  uint64_t done = 0;
  uint64_t anew = 0;
  for (uint64_t i = 0; done < edits; ++i) {
    std::vector<Edit> batch;
    const std::vector<ObstacleId> ids = world.obstacles();
    if (ids.size() > 20 || (!ids.empty() && random.chance(0.5))) {
      batch.push_back(RemoveObstacle{ids[random.below(ids.size())]});
    } else {
      Obstacle crate;
      crate.shape = PolygonShape{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, {}};
      const Vec2 at = city->lattice.toMetres(Point{static_cast<int32_t>(random.between(box.min.x, box.max.x)),
                                                   static_cast<int32_t>(random.between(box.min.y, box.max.y))});
      crate.place = Placement::turned({at.x, at.y, 0}, 360 * random.real());
      batch.push_back(AddObstacle{crate});
    }
    const Result<WorldUpdate> update = world.apply(batch);
    if (!update.ok()) continue;
    world = update->world;
    anew += update->report.mesh == MeshChange::kRebuilt ? 1 : 0;
    ++done;
    if (done == edits / 10) early = residentBytes();
    if (done % 50'000 == 0) {
      std::printf("%s: %llu edits, %llu made anew, %.1f MB\n", generator.c_str(), static_cast<unsigned long long>(done),
                  static_cast<unsigned long long>(anew), residentBytes() * 1e-6);
      std::fflush(stdout);
    }
  }
  const double late = residentBytes();
  std::printf("%s: %llu edits, %llu made anew; the process %.1f MB after a tenth of them, %.1f MB at the end\n",
              generator.c_str(), static_cast<unsigned long long>(done), static_cast<unsigned long long>(anew),
              early * 1e-6, late * 1e-6);
  EXPECT_LE(late, 1.05 * early + 1e6);
  EXPECT_LE(world.obstacles().size(), 21U);
  for (const MeshFault& f : checkMesh(world.mesh(), &world.environment(), 1)) FAIL() << f.message;
  const Result<World> fresh = bake(world.environment(), settings);
  ASSERT_TRUE(fresh.ok());
  EXPECT_LE(static_cast<double>(memoryOf(world)), most * static_cast<double>(memoryOf(*fresh)));
  std::vector<Edit> none;
  for (const ObstacleId id : world.obstacles()) none.push_back(RemoveObstacle{id});
  const Result<WorldUpdate> empty = world.apply(none);
  ASSERT_TRUE(empty.ok());
  EXPECT_EQ(empty->world.environment(), *city);
  EXPECT_LE(static_cast<double>(memoryOf(empty->world)), most * static_cast<double>(memoryOf(*baked)));
}

// WEND_SOAK_EDITS=1000000 for the figure of the contract.
TEST(WorldEditLong, ManyEditsOfOneCity) {
  editOneCity("ecm", 1.2);
}

TEST(WorldEditLong, ManyEditsOfTheCellsOfOneCity) {
  editOneCity("hertel-mehlhorn", 1.5);
}

}  // namespace
}  // namespace wend
