#include <wend/game/explore.h>
#include <wend/make.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "explore/obstacle_slices.h"

namespace wend {
namespace {

// The source's world: 85 m by 85 m with cubes of 1, 2 and 5 m that do not overlap.
Environment cubes(uint64_t seed, int count) {
  Random random(seed);
  EnvironmentDraft draft;
  LayerDraft& layer = draft.layers.emplace_back();
  layer.walkable = {{{{0, 0}, {85, 0}, {85, 85}, {0, 85}}}};
  struct Cube {
    double x, y, side;
  };
  std::vector<Cube> placed;
  while (static_cast<int>(placed.size()) < count) {
    const double side = std::array<double, 3>{1, 2, 5}[random.below(3)];
    const Cube cube{random.real(1, 84 - side), random.real(1, 84 - side), side};
    const bool free = std::none_of(placed.begin(), placed.end(), [&](const Cube& o) {
      return cube.x < o.x + o.side + 0.5 && o.x < cube.x + side + 0.5 && cube.y < o.y + o.side + 0.5 &&
             o.y < cube.y + side + 0.5;
    });
    // The middle stays free for the explorer.
    if (!free || std::hypot(cube.x + side / 2 - 42.5, cube.y + side / 2 - 42.5) < 6) continue;
    placed.push_back(cube);
    layer.obstacles.push_back(
        {{{cube.x, cube.y}, {cube.x + side, cube.y}, {cube.x + side, cube.y + side}, {cube.x, cube.y + side}}});
  }
  return *buildEnvironment(draft);
}

void expectFalling(const ExploreResult& result) {
  std::map<uint32_t, double> before;
  for (const ExploreSample& sample : result.samples) {
    const auto it = before.find(sample.team);
    EXPECT_TRUE(it == before.end() || sample.error <= it->second + 1e-12) << sample.seconds;
    before[sample.team] = sample.error;
  }
}

TEST(Explore, ASpiralFindsEverything) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const Environment environment = cubes(seed, 6 + static_cast<int>(seed));
    ExploreSettings settings;
    settings.pattern = ExplorePattern::kSpiral;
    settings.speed = 3.6;
    const auto result = explore(environment, settings);
    ASSERT_TRUE(result.ok()) << result.error().message;
    expectFalling(*result);
    EXPECT_EQ(result->teams[0].error, 0) << seed;
    EXPECT_GE(result->teams[0].complete, 0);
    EXPECT_LT(result->seconds, 300);
    // What is believed at the end is the truth.
    const Environment& believed = result->teams[0].world.environment();
    EXPECT_EQ(topology(believed).doubledArea, topology(environment).doubledArea);
    EXPECT_EQ(topology(believed).boundaries, topology(environment).boundaries);
    EXPECT_TRUE(checkMesh(result->teams[0].world.mesh(), &believed).empty());
    EXPECT_GT(result->teams[0].idleMeshes, 0U);
  }
}

// With the method of the source: pasfv, repaired in place after every find but the first, the same knowledge at the
// end.
TEST(Explore, FindsAreRepairsOfAMeshThatGrows) {
  const Environment environment = cubes(3, 12);
  ExploreSettings settings;
  settings.pattern = ExplorePattern::kSpiral;
  settings.speed = 3.6;
  settings.quickGenerator = "pasfv";
  settings.idleGenerator = "pasfv";
  const auto result = explore(environment, settings);
  ASSERT_TRUE(result.ok()) << result.error().message;
  expectFalling(*result);
  const ExploreTeam& team = result->teams[0];
  EXPECT_EQ(team.error, 0);
  EXPECT_EQ(team.quickMeshes, 1U);
  EXPECT_GT(team.repairs, 3U);
  EXPECT_EQ(team.world.mesh().info().generator, "pasfv");
  EXPECT_EQ(topology(team.world.environment()).doubledArea, topology(environment).doubledArea);
  EXPECT_TRUE(checkMesh(team.world.mesh(), &team.world.environment()).empty());
}

TEST(Explore, RandomWalksFindEverythingInTime) {
  ExploreSettings settings;
  settings.maxSeconds = 5000;
  settings.step = 1;
  settings.seed = 3;
  const auto result = explore(cubes(2, 10), settings);
  ASSERT_TRUE(result.ok()) << result.error().message;
  expectFalling(*result);
  EXPECT_EQ(result->teams[0].error, 0);
}

TEST(Explore, MoreExplorersAreFaster) {
  double alone = 0;
  double together = 0;
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    const Environment environment = cubes(seed, 9);
    ExploreSettings settings;
    settings.step = 1;
    settings.maxSeconds = 5000;
    settings.seed = seed;
    alone += explore(environment, settings)->seconds;
    settings.explorers = 6;
    together += explore(environment, settings)->seconds;
  }
  EXPECT_LT(together, alone);
}

TEST(Explore, TeamsKnowWhatTheirOwnHaveSeen) {
  ExploreSettings settings;
  settings.explorers = 3;
  settings.teams = 2;
  settings.maxSeconds = 40;
  settings.sight = 5;
  settings.record = true;
  const auto result = explore(cubes(4, 12), settings);
  ASSERT_TRUE(result.ok());
  ASSERT_EQ(result->teams.size(), 2U);
  EXPECT_NE(result->teams[0].error, result->teams[1].error);
  EXPECT_EQ(result->frames.size(), 81U);
  EXPECT_EQ(result->frames[0].size(), 3U);
  EXPECT_FALSE(result->believed.empty());
}

TEST(Explore, BoundsMayGrow) {
  ExploreSettings settings;
  settings.growBounds = true;
  settings.pattern = ExplorePattern::kRandom;
  settings.maxSeconds = 6000;
  settings.step = 1;
  const Environment environment = cubes(1, 8);
  const auto result = explore(environment, settings);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->teams[0].error, 0);
  // At first they see a part of it only.
  EXPECT_LT(result->samples.front().known, result->slices);
  EXPECT_EQ(topology(result->teams[0].world.environment()).doubledArea, topology(environment).doubledArea);
}

// A world of one tile that goes on wherever somebody comes: each part has a building in its middle.
TEST(Explore, PartsAreMadeOnDemand) {
  EnvironmentDraft draft;
  draft.layers.emplace_back().walkable = {{{{0, 0}, {40, 0}, {40, 40}, {0, 40}}}};
  const Environment first = *buildEnvironment(draft);
  for (const bool growBounds : {false, true}) {
    ExploreSettings settings;
    settings.growBounds = growBounds;
    settings.step = 1;
    settings.part = 30;
    settings.maxSeconds = 20000;
    int parts = 0;
    double area = 0;
    double right = 40;
    settings.more = [&](Vec2 low, Vec2 high) -> std::optional<Environment> {
      // It goes on to the right only, three times.
      if (low.x != right || parts == 3) return std::nullopt;
      EXPECT_EQ(low.y, 0);
      EXPECT_EQ(high, (Vec2{right + 30, 40}));
      EnvironmentDraft part;
      LayerDraft& layer = part.layers.emplace_back();
      layer.walkable = {{{low, {high.x, low.y}, high, {low.x, high.y}}}};
      layer.obstacles = {{{{low.x + 10, 10}, {low.x + 20, 10}, {low.x + 20, 30}, {low.x + 10, 30}}}};
      right = high.x;
      area += 200;
      ++parts;
      return *buildEnvironment(part);
    };
    const auto result = explore(first, settings);
    ASSERT_TRUE(result.ok()) << result.error().message;
    EXPECT_EQ(parts, 3);
    EXPECT_EQ(result->teams[0].error, 0);
    EXPECT_GE(result->teams[0].complete, 0);
    EXPECT_NEAR(result->obstacleArea, area, 1e-6);
    const World& believed = result->teams[0].world;
    EXPECT_NEAR(believed.environment().lattice.area(topology(believed.environment()).doubledArea), 130 * 40 - 600,
                1e-6);
    EXPECT_TRUE(checkMesh(believed.mesh(), &believed.environment()).empty());
  }
  ExploreSettings spiral;
  spiral.pattern = ExplorePattern::kSpiral;
  spiral.more = [](Vec2, Vec2) { return std::optional<Environment>(); };
  EXPECT_EQ(explore(first, spiral).error().code, ErrorCode::kInvalidSettings);
}

TEST(Explore, SlicesAddUpToTheObstacles) {
  const auto environment = makeEnvironment({.kind = "city"});
  ASSERT_TRUE(environment.ok());
  const auto slices = sliceObstacles(*environment, 20);
  ASSERT_TRUE(slices.ok());
  double area = 0;
  for (const ObstacleSlice& slice : *slices) area += slice.area;
  const Box box = boundingBox(*environment);
  const Vec2 low = environment->lattice.toMetres(box.min);
  const Vec2 high = environment->lattice.toMetres(box.max);
  const double free = environment->lattice.area(topology(*environment).doubledArea);
  EXPECT_NEAR(area, (high.x - low.x) * (high.y - low.y) - free, 1e-3 * area);
}

TEST(Explore, WrongSettingsAreOneSentence) {
  const Environment environment = cubes(1, 3);
  ExploreSettings settings;
  settings.teams = 2;
  EXPECT_EQ(explore(environment, settings).error().code, ErrorCode::kInvalidSettings);
  settings = {};
  settings.speed = 50;
  EXPECT_EQ(explore(environment, settings).error().code, ErrorCode::kInvalidSettings);
  const auto station = makeEnvironment({.kind = "station"});
  ASSERT_TRUE(station.ok());
  EXPECT_EQ(explore(*station).error().code, ErrorCode::kUnsupported);
  Context context;
  context.cancel();
  EXPECT_EQ(explore(environment, {}, context).error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace wend
