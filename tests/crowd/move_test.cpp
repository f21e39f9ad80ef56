#include "tests/crowd/move_check.h"

namespace wend {
namespace {

TEST(Move, StaysInRandomWorlds) {
  walkInRandomWorlds(1, 40, 1500);
}

TEST(Move, SlidesAlongAWallAndStopsInACorner) {
  const MoveWorld world(built(room(0, 0, 10, 10)), "ecm");
  WallFloodScratch scratch;
  NearWalls walls;
  AgentPlace place{{50'000, 10'000}, world.locator.locate(Vec2{5, 1}, 0)};
  for (int i = 0; i < 200; ++i) move(world.ground, {0.1, -0.1}, 0.24, place, walls, scratch);
  EXPECT_NEAR(place.at.x, 97'600, 2);
  EXPECT_NEAR(place.at.y, 2'400, 2);
  for (int i = 0; i < 10; ++i) move(world.ground, {-0.1, -0.1}, 0.24, place, walls, scratch);
  EXPECT_NEAR(place.at.x, 87'600, 20);
  EXPECT_NEAR(place.at.y, 2'400, 2);
}

TEST(Move, KeepsToTheMiddleOfANarrowPlace) {
  EnvironmentDraft draft = room(0, 0, 10, 0.3);
  const MoveWorld world(built(draft), "ecm");
  WallFloodScratch scratch;
  NearWalls walls;
  AgentPlace place{{50'000, 500}, world.locator.locate(Vec2{5, 0.05}, 0)};
  move(world.ground, {}, 0.24, place, walls, scratch);
  EXPECT_NEAR(place.at.y, 1'500, 2);
}

TEST(Move, KnowsTheWallsOfItsOwnFloorOnly) {
  const MoveWorld world(built(floorAndGallery()), "ecm");
  WallFloodScratch scratch;
  // On the ramp beside the wall between its halves: the other half counts only around the wall's end.
  const CellId cell = world.locator.locate(Vec2{21, 1.5}, 1);
  const NearWalls walls = gatherWalls(world.ground, cell, {210'000, 15'000}, 4, scratch);
  ASSERT_GT(walls.count, 0U);
  for (uint32_t i = 0; i < walls.count; ++i) {
    const GroundWall& wall = world.ground.walls()[walls.ids[i]];
    EXPECT_LT(std::min(wall.a.y, wall.b.y), 31'000) << wall.a.x << ", " << wall.a.y << " layer " << wall.layer;
    EXPECT_NE(wall.layer, 2U);
  }
}

// Among many small obstacles only the cells around the nearest walls are looked at, and no wall in sight is missed.
TEST(Move, LooksNoFartherThanTheWallsThatFit) {
  EnvironmentDraft draft = room(0, 0, 24, 24);
  for (int i = 1; i < 40; ++i) {
    for (int k = 1; k < 40; ++k) {
      const Vec2 p{0.6 * i, 0.6 * k};
      draft.layers[0].obstacles.push_back({{p, {p.x + 0.15, p.y + 0.05}, {p.x + 0.05, p.y + 0.2}}});
    }
  }
  for (const char* generator : {"ecm", "hertel-mehlhorn"}) {
    SCOPED_TRACE(generator);
    const MoveWorld world(built(draft), generator);
    const Ground& ground = world.ground;
    WallFloodScratch scratch;
    Random random(3);
    for (int i = 0; i < 100; ++i) {
      const auto place = world.random(random);
      ASSERT_TRUE(place);
      const Vec2 at = toVec2(place->at);
      const NearWalls walls = gatherWalls(ground, place->cell, place->at, 4, scratch);
      EXPECT_EQ(walls.count, kMaxWalls);
      size_t looked = 0;
      for (CellId c = 0; c < ground.mesh().cellCount(); ++c) looked += scratch.seen.has(c, scratch.stamp) ? 1 : 0;
      EXPECT_LT(looked, 100U);
      for (uint32_t w = 0; w < ground.walls().size(); ++w) {
        const GroundWall& wall = ground.wall(w);
        const Vec2 nearest = closestOnSegment(at, wall.a, wall.b);
        const double distance = length(nearest - at) * ground.unit();
        if (wall.first == kNone || distance >= walls.known - 1e-6) continue;
        const double inSight = ground.trace(place->cell, at, nearest).at * distance;
        if (inSight < distance - 2 * ground.unit()) continue;
        EXPECT_NE(std::find(walls.ids.begin(), walls.ids.begin() + walls.count, w), walls.ids.begin() + walls.count)
            << "wall " << w << " at " << distance << " m";
      }
    }
  }
}

}  // namespace
}  // namespace wend
