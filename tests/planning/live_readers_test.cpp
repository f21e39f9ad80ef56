#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include <wend/make.h>
#include <wend/navigator.h>
#include <wend/world.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/wall_clock.h"
#include "planning/check_route.h"

// Threads that plan on older versions while another one edits: nobody is disturbed. `make sanitize` runs it under the
// thread sanitizer.
namespace wend {
namespace {

class Current {
 public:
  explicit Current(Navigator first) : navigator_(std::move(first)) {}
  Navigator get() {
    const std::lock_guard lock(mutex_);
    return navigator_;
  }
  void set(Navigator next) {
    const std::lock_guard lock(mutex_);
    navigator_ = std::move(next);
  }

 private:
  std::mutex mutex_;
  Navigator navigator_;
};

struct Seen {
  int found = 0;
  int unreachable = 0;
  int versions = 0;
  std::string fault;
};

// Plans until it is told to stop; holds each version for a few routes.
void readAlong(Current& current, const std::atomic<bool>& stop, uint64_t seed, Seen& seen) {
  PlanScratch scratch;
  Random random(seed);
  while (!stop || seen.versions == 0) {
    const Navigator navigator = current.get();
    ++seen.versions;
    for (int i = 0; i < 5; ++i) {
      PathQuery query;
      const auto from = navigator.randomPlace({}, random.below(1'000'000), scratch);
      const auto to = navigator.randomPlace({}, random.below(1'000'000), scratch);
      if (!from || !to) continue;
      query.from = from->place;
      query.to = to->place;
      query.radius = random.real(0, 0.6);
      Route route;
      const PathStatus status = navigator.plan(query, scratch, route);
      if (status == PathStatus::kUnreachable) ++seen.unreachable;
      if (status != PathStatus::kFound) continue;
      ++seen.found;
      if (const char* fault = findRouteFault(navigator.mesh(), query, route)) seen.fault = fault;
      (void)navigator.castRay(query.from, {random.real(0, 100), random.real(0, 100)}, query.radius, scratch);
      (void)navigator.nearestObstacle(query.from, scratch);
      // The same question gets the same answer, whatever happened to newer versions in between.
      Route again;
      if (navigator.plan(query, scratch, again) != status || again.cells != route.cells) seen.fault = "another route";
    }
  }
}

struct Asked {
  const char* generator;
  MakeSettings world;
  int edits = 0;
  double seconds = 0;  // if longer than the edits take
  size_t readers = 2;
  uint64_t seed = 5;
};

void editBesideReaders(const Asked& asked) {
  const auto environment = makeEnvironment(asked.world);
  ASSERT_TRUE(environment.ok());
  const Result<World> baked = bake(*environment, {.generator = asked.generator, .options = {}, .seed = 1});
  ASSERT_TRUE(baked.ok());
  World world = *baked;
  Current current(makeNavigator(world));
  std::atomic<bool> stop = false;
  std::vector<Seen> seen(asked.readers);
  std::vector<std::thread> readers;
  for (size_t i = 0; i < seen.size(); ++i) {
    readers.emplace_back([&, i] { readAlong(current, stop, 100 * asked.seed + i, seen[i]); });
  }
  Random random(asked.seed);
  int inPlace = 0;
  int edits = 0;
  const double start = wallSeconds();
  for (; edits < asked.edits || wallSeconds() - start < asked.seconds; ++edits) {
    const std::vector<ObstacleId> there = world.obstacles();
    std::vector<Edit> edit;
    if (there.size() > 3) {
      edit.push_back(RemoveObstacle{there[random.below(there.size())]});
    } else {
      const Layer& layer = environment->layers[random.below(environment->layers.size())];
      const Box box = boundingBox(layer.free);
      Obstacle obstacle;
      obstacle.shape = PolygonShape{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, {}};
      const Vec2 at = environment->lattice.toMetres(Point{static_cast<int32_t>(random.between(box.min.x, box.max.x)),
                                                          static_cast<int32_t>(random.between(box.min.y, box.max.y))});
      obstacle.place = Placement::turned({at.x, at.y, 0}, 17);
      obstacle.layers = {layer.id};
      edit.push_back(AddObstacle{obstacle});
    }
    const Result<WorldUpdate> update = world.apply(edit);
    if (!update.ok() || update->report.mesh == MeshChange::kNone) continue;
    inPlace += update->report.mesh == MeshChange::kInPlace ? 1 : 0;
    world = update->world;
    current.set(makeNavigator(current.get(), world));
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_GT(inPlace, edits / 4) << asked.generator;
  int routes = 0;
  for (const Seen& one : seen) {
    EXPECT_EQ(one.fault, "") << asked.generator;
    EXPECT_GT(one.found, 0) << asked.generator;
    routes += one.found;
  }
  std::printf("%s in %s: %d edits, %d in place; %d routes by %zu readers\n", asked.generator, asked.world.kind.c_str(),
              edits, inPlace, routes, asked.readers);
}

MakeSettings zelda() {
  return {"zelda", {{"edition", 2}, {"tiles", 1}}, 1, {}};
}

TEST(LiveReaderThreads, RoutesOnTheMedialAxisAreRightOnTheirVersion) {
  editBesideReaders({.generator = "ecm", .world = zelda(), .edits = 120});
}

TEST(LiveReaderThreads, RoutesOnCellsAreRightOnTheirVersion) {
  editBesideReaders({.generator = "hertel-mehlhorn", .world = zelda(), .edits = 60});
}

// For as long as WEND_SOAK_SECONDS says, with WEND_SOAK_READERS readers (4 if it is not given), in a plane and in
// storeys in turns.
TEST(LiveReaderThreads, ManyReadersForALongTime) {
  const char* seconds = std::getenv("WEND_SOAK_SECONDS");
  if (seconds == nullptr) GTEST_SKIP() << "skipped: WEND_SOAK_SECONDS is not set";
  const char* readers = std::getenv("WEND_SOAK_READERS");
  const MakeSettings library{"library", {}, 1, {}};
  const double until = wallSeconds() + std::atof(seconds);
  for (uint64_t round = 0; wallSeconds() < until && !HasFailure(); ++round) {
    editBesideReaders({.generator = round % 2 == 0 ? "ecm" : "hertel-mehlhorn",
                       .world = round % 4 < 2 ? zelda() : library,
                       .seconds = std::min(30.0, until - wallSeconds()),
                       .readers = readers == nullptr ? 4 : std::strtoul(readers, nullptr, 10),
                       .seed = 1000 + round});
  }
}

}  // namespace
}  // namespace wend
