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

}  // namespace
}  // namespace wend
