#include "generators/pasfv/live_growth.h"

#include <wend/make.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/overlay.h"
#include "tests/generators/growth_laws.h"
#include "tests/generators/laws.h"
#include "tests/generators/random_worlds.h"

namespace wend {
namespace {

// An obstacle, put into free space or taken out of it again.
Environment with(const Environment& environment, const Ring& body, bool add) {
  Environment after = environment;
  after.truth.reset();
  const std::vector<Polygon> shape{{body, {}}};
  auto free = add ? subtract(after.layers[0].free, shape) : unite(after.layers[0].free, shape);
  EXPECT_TRUE(free.ok());
  after.layers[0].free = *free;
  return after;
}

void expectLaws(const pasfv::LiveGrowth& live, const Environment& environment) {
  const auto mesh = live.mesh();
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  expectPortalLaw(*mesh, environment);
  expectTruth(*mesh, environment);
  expectGrown(*mesh);
}

Ring randomBody(Random& random, int32_t extent) {
  const auto x = static_cast<int32_t>(random.between(-extent / 3, extent));
  const auto y = static_cast<int32_t>(random.between(0, extent));
  const auto s = static_cast<int32_t>(random.between(extent / 60, extent / 6));
  if (random.chance(0.5)) return {{x, y}, {x + s, y + s / 3}, {x + s / 2, y + s}};
  return {{x, y}, {x + s, y}, {x + s, y + s}, {x, y + s}};
}

TEST(LiveGrowth, AddsAndTakesAwayObstacles) {
  for (const bool storedNeighbours : {true, false}) {
    for (uint64_t seed = 1; seed <= 15; ++seed) {
      auto world = makeEnvironment({"bodies", {{"bodies", 6}, {"turn", 17}}, seed, {}});
      ASSERT_TRUE(world.ok());
      auto live = pasfv::LiveGrowth::make(*world);
      ASSERT_TRUE(live.ok());
      Environment now = *world;
      Random random(seed);
      for (int edit = 0; edit < 12; ++edit) {
        const Ring body = randomBody(random, 10000000);
        // Taking away what was never there opens walls of other obstacles, which is a change like any other.
        const Environment after = with(now, body, edit % 3 != 2);
        const auto report = live->repair(after, 0, boundingBox(std::span<const Point>(body)), storedNeighbours);
        ASSERT_TRUE(report.ok()) << report.error().message;
        now = after;
        expectLaws(*live, now);
        if (HasFailure()) FAIL() << "seed " << seed << " edit " << edit;
      }
    }
  }
}

TEST(LiveGrowth, KeepsWhatIsFarAway) {
  auto world = makeEnvironment({"bodies", {{"bodies", 60}}, 1, {}});
  ASSERT_TRUE(world.ok());
  auto live = pasfv::LiveGrowth::make(*world);
  ASSERT_TRUE(live.ok());
  const Ring body{{4000000, 4000000}, {4100000, 4010000}, {4050000, 4090000}};
  const Environment after = with(*world, body, true);
  const auto report = live->repair(after, 0, boundingBox(std::span<const Point>(body)));
  ASSERT_TRUE(report.ok());
  EXPECT_GT(report->kept, 20 * report->removed);
  EXPECT_GE(report->added, report->removed);
  expectLaws(*live, after);
  // And back again.
  const Environment before = with(after, body, false);
  ASSERT_TRUE(live->repair(before, 0, boundingBox(std::span<const Point>(body))).ok());
  expectLaws(*live, before);
}

TEST(LiveGrowth, ObstaclesThatSplitCoverOrTouch) {
  const Environment room = oneLayer({{{{0, 0}, {1000, 0}, {1000, 1000}, {0, 1000}}, {}}});
  for (const Ring& body : std::vector<Ring>{{{400, 0}, {500, 0}, {500, 1000}, {400, 1000}},      // splits the room
                                            {{-10, -10}, {1010, -10}, {1010, 900}, {-10, 900}},  // covers most of it
                                            {{0, 300}, {200, 500}, {0, 700}},                    // touches the border
                                            {{1000, 0}, {1200, 0}, {1200, 1000}, {1000, 1000}}}) {  // only its outside
    auto live = pasfv::LiveGrowth::make(room);
    ASSERT_TRUE(live.ok());
    const Environment after = with(room, body, true);
    ASSERT_TRUE(live->repair(after, 0, boundingBox(std::span<const Point>(body))).ok());
    expectLaws(*live, after);
    ASSERT_TRUE(live->repair(room, 0, boundingBox(std::span<const Point>(body))).ok());
    expectLaws(*live, room);
  }
}

TEST(LiveGrowth, RefusesOtherLayers) {
  const Environment room = oneLayer({{{{0, 0}, {1000, 0}, {1000, 1000}, {0, 1000}}, {}}});
  auto live = pasfv::LiveGrowth::make(room);
  ASSERT_TRUE(live.ok());
  EXPECT_FALSE(live->repair(room, 1, {{0, 0}, {1, 1}}).ok());
}

}  // namespace
}  // namespace wend
