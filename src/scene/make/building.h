#pragma once

#include "base/random.h"
#include "scene/make/scene_builder.h"

// Furnished rooms and the buildings that hold them. Everything stands clear of everything else by at least 5 cm, and no
// surface but the floors is within a step of them, so that the walkable area is the floors less the footprints.
namespace wend::make {

enum class RoomUse : uint8_t { kOffice, kLiving, kBedroom, kKitchen };

// At least 3.4 m wide and 4 m deep.
struct Room {
  SceneBuilder::Rect area;
  bool doorSouth = true;  // the metre behind the door stays empty
  double z = 0;
  RoomUse use = RoomUse::kOffice;
};

// Puts furniture into the room; gives the area of floor it takes. `detail` from 0: how round the round things are.
double furnish(SceneBuilder& builder, const Room& room, int detail, Random& random);

// Storeys of rooms on both sides of a corridor along x, and a hall in the west with a stair of two lanes.
struct BuildingPlan {
  Vec2 corner;      // south-west, outside
  double base = 0;  // height of the ground, which must be there already
  int storeys = 1;
  int rooms = 4;  // on each side of the corridor
  double roomWidth = 4;
  double roomDepth = 4.5;
  bool dwelling = false;  // rooms for living instead of working
  bool furnished = true;
  int detail = 1;

  static constexpr double kStorey = 3.2;  // from floor to floor
  double width() const;
  double depth() const;
  SceneBuilder::Rect outline() const { return {corner.x, corner.y, corner.x + width(), corner.y + depth()}; }
  Vec3 corridorSpot(int storey) const;
};

// Gives the walkable area inside, the way through the entrance (in the south) included.
double addBuilding(SceneBuilder& builder, const BuildingPlan& plan, Random& random);

}  // namespace wend::make
