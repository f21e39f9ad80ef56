#include <cmath>

#include "environment/make/recipe.h"
#include "geometry/int128.h"

// The building of RiMEA's eighth test: floors of equal rooms on both sides of a corridor, one staircase, one exit.
namespace wend::make {

namespace {

constexpr double kRoom = 2;       // along the corridor
constexpr double kRoomDepth = 3;  // away from it
constexpr double kWall = 0.2;
constexpr double kDoor = 1;
constexpr double kFlight = 1;  // width of a flight
constexpr double kRun = 2.8;   // its length in top view
constexpr double kLanding = 1.2;
constexpr double kStorey = 3;
constexpr double kStairs = 2 * kFlight + kWall;  // both flights and the wall between them

// The wall on one side of a corridor with what opens behind it; the other side is its mirror image.
struct Side {
  std::vector<Vec2> points;  // metres, from the stairs on; y = 0 is the wall, rooms lie at y < 0
  double area = 0;           // m2 beyond the wall
};

Side sideOf(int rooms, bool ground, bool withExit) {
  Side side;
  const auto to = [&](double x, double y) { side.points.push_back({x, y}); };
  for (int i = 0; i < rooms; ++i) {
    const double x0 = kWall + i * (kRoom + kWall);
    const double door = x0 + (kRoom - kDoor) / 2;
    if (ground && i == 0) {
      if (!withExit) continue;
      // The way out takes the place of a room.
      to(door, 0);
      to(door, -kWall - kRoomDepth);
      to(door + kDoor, -kWall - kRoomDepth);
      to(door + kDoor, 0);
      side.area += kDoor * (kWall + kRoomDepth);
      continue;
    }
    to(door, 0);
    to(door, -kWall);
    to(x0, -kWall);
    to(x0, -kWall - kRoomDepth);
    to(x0 + kRoom, -kWall - kRoomDepth);
    to(x0 + kRoom, -kWall);
    to(door + kDoor, -kWall);
    to(door + kDoor, 0);
    side.area += kRoom * kRoomDepth + kDoor * kWall;
  }
  return side;
}

Int128 doubledUnits(double squareMetres) {
  return static_cast<Int128>(std::llround(2 * squareMetres * kMetre * kMetre));
}

void addStorey(Construction& world, uint32_t layer, int perSide, double corridor, bool ground, bool top) {
  const double length = kWall + perSide * (kRoom + kWall);
  const Side south = sideOf(perSide, ground, true);
  const Side north = sideOf(perSide, ground, false);
  Ring ring{point(-kLanding, 0)};
  for (const Vec2 p : south.points) ring.push_back(point(p.x, p.y));
  ring.push_back(point(length, 0));
  ring.push_back(point(length, corridor));
  for (size_t i = north.points.size(); i-- > 0;) {
    ring.push_back(point(north.points[i].x, corridor - north.points[i].y));
  }
  ring.push_back(point(0, corridor));
  ring.push_back(point(0, kStairs));
  ring.push_back(point(-kLanding, kStairs));
  if (!ground) ring.push_back(point(-kLanding, kFlight + kWall));
  if (!top) ring.push_back(point(-kLanding, kFlight));
  world.addFloor(layer, std::move(ring),
                 doubledUnits(length * corridor + kLanding * kStairs + south.area + north.area));
}

// Two flights with a landing between them, from one floor to the next.
void addStairs(Construction& world, uint32_t below, uint32_t above, double height) {
  const uint32_t layer = world.addLayer("stairs " + std::to_string(below), height + kStorey / 2);
  const double turn = -kLanding - kRun;
  const double end = turn - kLanding;
  const double inner = kFlight + kWall;
  world.addFloor(layer,
                 {point(end, 0), point(-kLanding, 0), point(-kLanding, kFlight), point(turn, kFlight),
                  point(turn, inner), point(-kLanding, inner), point(-kLanding, kStairs), point(end, kStairs)},
                 doubledUnits(2 * kRun * kFlight + kLanding * kStairs));
  world.slope(layer, rect(turn, 0, -kLanding, kFlight), height, height + kStorey / 2, Rise::kWest);
  world.slope(layer, rect(turn, inner, -kLanding, kStairs), height + kStorey / 2, height + kStorey, Rise::kEast);
  world.connect(layer, below, {point(-kLanding, 0), point(-kLanding, kFlight)});
  world.connect(layer, above, {point(-kLanding, inner), point(-kLanding, kStairs)});
}

Result<Environment> dormitory(const Recipe& recipe) {
  const int floors = recipe.whole("floors");
  const int perSide = recipe.whole("rooms");
  const double corridor = recipe.number("corridor");
  Construction world("dormitory");
  for (int i = 0; i < floors; ++i) {
    const uint32_t layer = world.addLayer("floor " + std::to_string(i), i * kStorey);
    addStorey(world, layer, perSide, corridor, i == 0, i == floors - 1);
  }
  for (int i = 0; i + 1 < floors; ++i) {
    addStairs(world, static_cast<uint32_t>(i), static_cast<uint32_t>(i + 1), i * kStorey);
  }
  return std::move(world).finish(1, 1);
}

}  // namespace

std::vector<Entry> dormitoryWorlds() {
  return {{{"dormitory",
            "Floors of rooms of 2 m x 3 m on both sides of a corridor, a staircase at its end and one exit beside it.",
            "The building of RiMEA's test 8: 36 + 38 + 38 rooms. The guideline gives the sizes; the plan is ours.",
            {wholeParameter("floors", "Storeys of 3 m.", 3, 1, 50),
             wholeParameter("rooms", "Rooms on each side of a corridor; the ground floor has one less.", 19, 1, 200),
             {"corridor", "Width of the corridors, metres.", 1, 0.5, 2, false}}},
           dormitory}};
}

}  // namespace wend::make
