#include <wend/make.h>

#include <gtest/gtest.h>

#include "generators/ecm/edit/axis_zone.h"
#include "tests/generators/ecm/update_check.h"

namespace wend::ecm {
namespace {

Environment room(int32_t width, int32_t height) {
  Environment world;
  Layer layer;
  layer.free = {{{{0, 0}, {width, 0}, {width, height}, {0, height}}, {}}};
  world.layers.push_back(layer);
  return world;
}

TEST(UpdateAxis, NothingChanges) {
  EditWorld world{room(1000, 600), {}};
  UpdateCheck check(world);
  EXPECT_EQ(check.step(world), "");
  EXPECT_EQ(check.inPlace, 1U);
}

TEST(UpdateAxis, OneSquareComesAndGoes) {
  EditWorld world{room(1000, 600), {}};
  UpdateCheck check(world);
  world.obstacles = {{0, {{400, 250}, {450, 250}, {450, 300}, {400, 300}}}};
  EXPECT_EQ(check.step(world), "");
  world.obstacles.clear();
  EXPECT_EQ(check.step(world), "");
  EXPECT_EQ(check.inPlace, 2U);
}

TEST(UpdateAxis, SquaresTouchWallsAndEachOther) {
  EditWorld world{room(1000, 600), {}};
  UpdateCheck check(world);
  const std::vector<Ring> rings{
      {{0, 250}, {50, 250}, {50, 300}, {0, 300}},         {{-20, 20}, {50, 20}, {50, 100}, {-20, 100}},
      {{50, 300}, {90, 300}, {90, 340}, {50, 340}},       {{70, 280}, {200, 310}, {120, 330}},
      {{950, 550}, {1000, 550}, {1000, 600}, {950, 600}}, {{500, -10}, {520, -10}, {520, 610}, {500, 610}}};
  for (const Ring& ring : rings) {
    world.obstacles.push_back({0, ring});
    EXPECT_EQ(check.step(world), "") << world.obstacles.size();
  }
  while (!world.obstacles.empty()) {
    world.obstacles.erase(world.obstacles.begin());
    EXPECT_EQ(check.step(world), "") << world.obstacles.size();
  }
  EXPECT_EQ(check.rebuilt, 0U) << check.reason;
}

TEST(UpdateAxis, RandomEditsInRooms) {
  UpdateTally tally;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const std::string fault = randomEdits(seed, 12, tally);
    ASSERT_EQ(fault, "") << "seed " << seed;
  }
  EXPECT_LT(tally.rebuilt, tally.steps / 50) << tally.reason;
}

TEST(UpdateAxis, RandomEditsOnLayers) {
  UpdateTally tally;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    ASSERT_EQ(layeredEdits(seed, 8, tally), "") << "seed " << seed;
  }
  EXPECT_GT(tally.inPlace, 2 * tally.rebuilt) << tally.reason;
  std::printf("%llu of %llu edits in place\n", static_cast<unsigned long long>(tally.inPlace),
              static_cast<unsigned long long>(tally.steps));
  for (const auto& [why, count] : tally.reasons) std::printf("  %d made anew: %s\n", count, why.c_str());
}

TEST(UpdateAxis, EditsOfMadeWorlds) {
  UpdateTally tally;
  for (const char* kind : {"military", "zelda", "station", "ramps", "maze"}) {
    const auto made = makeEnvironment({.kind = kind});
    ASSERT_TRUE(made.ok());
    for (const double turn : {0.0, 17.0}) {
      EditWorld world{turn == 0 ? *made : turned(*made, turn), {}};
      Random random(3, 101);
      ASSERT_EQ(editsOf(world, random, 15000, 8, tally), "") << kind << " turned by " << turn;
    }
  }
  for (const auto& [why, count] : tally.reasons) std::printf("  %d made anew: %s\n", count, why.c_str());
  EXPECT_GT(tally.inPlace, 2 * tally.rebuilt) << tally.reason;
}

}  // namespace
}  // namespace wend::ecm
