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

// Two rooms of which the lower one touches a wall of the upper one from behind, in a vertex that the wall passes
// straight on. The wall's cells have rounded corners on either side of it, but must not reach into the lower room.
Environment touchedRooms(Point v, int32_t slope, int32_t above) {
  const Point end{3 * v.x, 3 * v.y};
  const int32_t top = end.y + above;
  Environment world;
  Layer layer;
  layer.free = {{{{0, 0}, v, end, {end.x, top}, {v.x, top - slope}, {-1, top + 3}}, {}},
                {{v, {v.x - 20, v.y - 40}, {v.x + 31, v.y - 47}}, {}}};
  world.layers.push_back(layer);
  putInCanonicalOrder(world);
  return world;
}

TEST(UpdateAxis, RoomTouchesWallFromBehind) {
  uint64_t worlds = 0;
  for (int32_t dx = 2; dx <= 9; ++dx) {
    for (int32_t dy = 1; dy < dx; ++dy) {
      for (int32_t slope = 0; slope < 4; ++slope) {
        const Point v{10 * dx, 10 * dy};
        EditWorld world{touchedRooms(v, slope, 10 + 3 * slope), {}};
        if (!validate(world.base, 1).empty()) continue;
        ++worlds;
        const auto mesh = generate(world.base, {.generator = "ecm"});
        ASSERT_TRUE(mesh.ok());
        for (const MeshFault& fault : checkMesh(*mesh, &world.base, 1)) {
          FAIL() << fault.message << ", touched in " << v.x << ", " << v.y << ", slope " << slope;
        }
        // The lower room comes, goes and comes back. The wall that it touches is not changed by that.
        const Ring lower{v, {v.x - 20, v.y - 40}, {v.x + 31, v.y - 47}};
        world.obstacles = {{0, lower}};
        UpdateCheck check(world);
        for (int i = 0; i < 3; ++i) {
          world.obstacles =
              i % 2 == 0 ? std::vector<EditWorld::Obstacle>{} : std::vector<EditWorld::Obstacle>{{0, lower}};
          ASSERT_EQ(check.step(world), "")
              << "step " << i << ", touched in " << v.x << ", " << v.y << ", slope " << slope;
        }
        EXPECT_EQ(check.inPlace, 3U) << check.reason;
      }
    }
  }
  EXPECT_GT(worlds, 50U);
}

// Two rooms below and one wall: one cell has both vertices in its side, whichever way the wall runs.
TEST(UpdateAxis, RoomsTouchOneSideOfACell) {
  for (const Point along :
       {Point{30, 10}, Point{-30, 10}, Point{30, -10}, Point{-30, -10}, Point{0, 30}, Point{0, -30}}) {
    const auto at = [&](int32_t right, int32_t up) {
      return Point{right * along.x / 10 - up * along.y / 10, right * along.y / 10 + up * along.x / 10};
    };
    EditWorld world;
    Layer layer;
    layer.free = {{{at(0, 0), at(50, 0), at(52, 0), at(100, 0), at(100, 11), at(0, 7)}, {}},
                  {{at(50, 0), at(45, -20), at(49, -20)}, {}},
                  {{at(52, 0), at(53, -20), at(60, -20)}, {}}};
    world.base.layers.push_back(layer);
    putInCanonicalOrder(world.base);
    ASSERT_TRUE(validate(world.base, 1).empty());
    UpdateCheck check(world);
    EXPECT_TRUE(checkMesh(check.mesh(), &world.base, 1).empty());
    for (const bool there : {true, false}) {
      world.obstacles.clear();
      if (there) world.obstacles = {{0, {at(52, 0), at(53, -20), at(60, -20)}}};
      EXPECT_EQ(check.step(world), "") << along.x << ", " << along.y;
    }
    EXPECT_EQ(check.inPlace, 2U) << check.reason;
  }
}

// Edits that an earlier soak found.
TEST(UpdateAxis, ObstacleTouchesWallFromBehind) {
  EditWorld world;
  Layer layer;
  layer.free = {{{{3, 32},
                  {7, 33},
                  {30, 24},
                  {19, 6},
                  {51, 13},
                  {52, 14},
                  {55, 1},
                  {89, 5},
                  {100, 7},
                  {81, 43},
                  {54, 26},
                  {30, 34},
                  {43, 62},
                  {60, 58},
                  {57, 46},
                  {53, 40},
                  {89, 44},
                  {52, 84},
                  {27, 88}},
                 {}}};
  world.base.layers.push_back(layer);
  UpdateCheck check(world);
  world.obstacles = {{0, {{43, 62}, {81, 51}, {69, 56}, {57, 51}, {52, 39}, {57, 27}, {69, 22}, {81, 27}}}};
  EXPECT_EQ(check.step(world), "");
  EXPECT_EQ(check.inPlace, 1U) << check.reason;
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
  EXPECT_EQ(tally.rebuilt, 0U) << tally.reason;
  EXPECT_GT(tally.inPlace, 200U);
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
  EXPECT_EQ(tally.rebuilt, 0U) << tally.reason;
  EXPECT_GT(tally.inPlace, 50U);
}

}  // namespace
}  // namespace wend::ecm
