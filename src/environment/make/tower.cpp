#include "environment/make/tower.h"

#include <array>
#include <cmath>

#include "base/random.h"
#include "environment/make/cell_plan.h"
#include "environment/make/recipe.h"
#include "geometry/int128.h"

// An apartment block of 17 floors. Flights of stairs belong to the floor they leave and end at the next: one per storey
// in the strips along the north and the south wall in turn, a second one there in the seven lowest storeys, and one in
// the core in the next seven; 16 + 7 + 7 = 30 connections.
//
// Boundaries: joining the floors leaves one outer boundary, 17 cores and the desk: 19. Each second outer flight cuts
// the outer boundary once more (+7), each core flight joins two cores (-7, and a handle each): 19 boundaries, genus 7.
namespace wend::make {

namespace {

constexpr int kFloors = 17;
constexpr double kStorey = 39.2 / (kFloors - 1);
constexpr int kOuterPairs = 7;  // storeys with a second outer flight, from below
constexpr int kCorePairs = 7;   // storeys with a flight in the core, above those
constexpr double kArea = 12093.88;

constexpr double kStrip = 1.8;  // outside the main part: a wall and a flight
constexpr double kWall = 0.3;
constexpr double kNorth = kTowerDepth - kStrip;
constexpr double kSouth = kStrip;
constexpr double kHallLow = 14.2;
constexpr double kHallHigh = 23.1;
constexpr double kRoomDepth = 3.7;  // nominal; trimmed to meet the area

struct Range {
  double low, high;
};
// Two corridors per staircase: from the first a flight leaves, at the second one arrives.
constexpr std::array<Range, 4> kCorridors{{{2, 3.6}, {9.4, 11}, {20.4, 22}, {27.4, 29}}};

// A row of rooms beside a corridor; the door is on the side of the corridor.
struct Column {
  Range x;
  Range door;
};
constexpr std::array<Column, 6> kColumns{{{{0, 1.8}, {1.8, 2}},
                                          {{3.8, 9.2}, {3.6, 3.8}},
                                          {{11.2, 15.6}, {11, 11.2}},
                                          {{15.8, 20.2}, {20.2, 20.4}},
                                          {{22.2, 27.2}, {22, 22.2}},
                                          {{29.2, kTowerWidth}, {29, 29.2}}}};

// The core: two lanes side by side, used in turn.
constexpr double kCoreWest = 12;
constexpr double kCoreEast = 17;
constexpr Range kLaneA{16.2, 17.6};
constexpr Range kLaneB{17.9, 19.3};

struct Trim {
  int32_t rooms = 0;    // added to the depth of every room, lattice units
  int32_t balcony = 0;  // added to the depth of one room
};

struct Room {
  int floor;
  bool north;
  int row;  // 0 near the hall, 1 beyond
  size_t column;
};

class TowerPlan {
 public:
  TowerPlan(int64_t vertices, uint64_t seed) : random_(seed) {
    for (int floor = 0; floor < kFloors; ++floor) {
      for (const bool north : {false, true}) {
        for (int row = 0; row < 2; ++row) {
          for (size_t column = 0; column < kColumns.size(); ++column) rooms_.push_back({floor, north, row, column});
        }
      }
    }
    pillars_.assign(rooms_.size(), 0);
    const auto missing = vertices - static_cast<int64_t>(build({}).vertices());
    choosePillars(static_cast<size_t>(missing / 4));
    chamfers_ = static_cast<int>(missing % 4);
  }

  Construction build(const Trim& trim) const {
    Construction world("tower");
    for (int floor = 0; floor < kFloors; ++floor) addFloor(world, floor, trim);
    for (int floor = 0; floor + 1 < kFloors; ++floor) addFlights(world, floor);
    return world;
  }

  static double roomSlope() {
    double widths = 0;
    for (const Column& column : kColumns) widths += column.x.high - column.x.low;
    return 4 * widths * kFloors;
  }
  static double balconySlope() { return kColumns.back().x.high - kColumns.back().x.low; }

 private:
  static constexpr int kPillarsPerRoom = 6;

  void choosePillars(size_t count) {
    std::vector<uint32_t> places;
    for (uint32_t i = 0; i < rooms_.size() * kPillarsPerRoom; ++i) places.push_back(i);
    random_.shuffle(places);
    places.resize(std::min(count, places.size()));
    for (const uint32_t place : places) pillars_[place / kPillarsPerRoom] |= 1U << place % kPillarsPerRoom;
  }

  static Rect roomRect(const Room& room, const Trim& trim) {
    const Range x = kColumns[room.column].x;
    const int32_t depth = units(kRoomDepth) + trim.rooms;
    const int32_t wall = units(0.2);
    const int32_t offset = room.row * (depth + wall);
    Rect r = rect(x.low, 0, x.high, 0);
    if (room.north) {
      r.y0 = units(kHallHigh + kWall) + offset;
      r.y1 = r.y0 + depth;
    } else {
      r.y1 = units(kHallLow - kWall) - offset;
      r.y0 = r.y1 - depth;
    }
    if (isBalcony(room)) r.y1 += trim.balcony;
    return r;
  }

  static bool isBalcony(const Room& room) {
    return room.floor == 0 && room.north && room.row == 1 && room.column + 1 == kColumns.size();
  }

  void drawRoom(CellPlan& plan, const Room& room, unsigned pillars, const Trim& trim) const {
    const Rect r = roomRect(room, trim);
    plan.free(r);
    const Range door = kColumns[room.column].door;
    const int32_t middle = (r.y0 + r.y1) / 2;
    plan.free({units(door.low), middle - units(0.45), units(door.high), middle + units(0.45)});
    const int32_t size = units(0.3);
    for (int i = 0; i < kPillarsPerRoom; ++i) {
      if ((pillars >> i & 1U) == 0) continue;
      const int32_t x = r.x0 + r.width() * (i % 3 + 1) / 4 - size / 2;
      const int32_t y = i < 3 ? r.y0 : r.y1 - size;
      plan.block({x, y, x + size, y + size});
    }
  }

  static void drawCore(CellPlan& plan, bool even) {
    const double end = kCoreEast + kWall;
    if (even) {
      plan.block(rect(kCoreWest, kLaneA.low - kWall, end, kLaneA.low));
      plan.block(rect(kCoreEast, kLaneA.low - kWall, end, kLaneB.low));
      plan.block(rect(kCoreWest, kLaneA.high, kCoreEast, kLaneB.high));
    } else {
      plan.block(rect(kCoreWest, kLaneA.low, kCoreEast, kLaneB.low));
      plan.block(rect(kCoreEast, kLaneA.high, end, kLaneB.high + kWall));
      plan.block(rect(kCoreWest, kLaneB.high, end, kLaneB.high + kWall));
    }
  }

  static bool isNorth(int storey) { return storey % 2 == 0; }
  static bool hasOuter(int storey, int pair) {
    return storey >= 0 && storey + 1 < kFloors && (pair == 0 || storey < kOuterPairs);
  }

  static Rect flightRect(int storey, int pair) {
    const double x0 = kCorridors[2 * static_cast<size_t>(pair)].high;
    const double x1 = kCorridors[2 * static_cast<size_t>(pair) + 1].low;
    return isNorth(storey) ? rect(x0, kNorth + kWall, x1, kTowerDepth) : rect(x0, 0, x1, kSouth - kWall);
  }

  static Rect coreFlight(int storey) {
    const Range lane = storey % 2 == 0 ? kLaneA : kLaneB;
    return rect(kCoreWest, lane.low, kCoreEast, lane.high);
  }

  static void drawNub(CellPlan& plan, int storey, Range corridor) {
    plan.free(isNorth(storey) ? rect(corridor.low, kNorth, corridor.high, kTowerDepth)
                              : rect(corridor.low, 0, corridor.high, kSouth));
  }

  static void drawStairs(CellPlan& plan, int floor) {
    for (int pair = 0; pair < 2; ++pair) {
      if (hasOuter(floor, pair)) {
        drawNub(plan, floor, kCorridors[2 * static_cast<size_t>(pair)]);
        plan.free(flightRect(floor, pair));
      }
      if (hasOuter(floor - 1, pair)) {
        const Rect flight = flightRect(floor - 1, pair);
        drawNub(plan, floor - 1, kCorridors[2 * static_cast<size_t>(pair) + 1]);
        plan.keep({flight.x1, isNorth(floor - 1) ? flight.y0 : flight.y1});
      }
    }
  }

  void addFloor(Construction& world, int floor, const Trim& trim) const {
    const uint32_t layer = world.addLayer("floor " + std::to_string(floor), kStorey * floor);
    CellPlan plan;
    plan.free(rect(9, kHallLow, 26, kHallHigh));
    plan.free(rect(0, 17.9, kTowerWidth, 19.5));
    for (const Range& corridor : kCorridors) plan.free(rect(corridor.low, kSouth, corridor.high, kNorth));
    for (size_t i = 0; i < rooms_.size(); ++i) {
      if (rooms_[i].floor == floor) drawRoom(plan, rooms_[i], pillars_[i], trim);
    }
    drawCore(plan, floor % 2 == 0);
    if (floor == 0) plan.block(rect(22.5, 15.5, 24.5, 16.5));
    drawStairs(plan, floor);
    CellPlan::Traced traced = plan.trace();
    if (floor == 0) {
      for (int i = 0; i < chamfers_; ++i) traced.doubledArea -= chamfer(traced.polygons[0].outer, i, trim);
    }
    world.addFloors(layer, std::move(traced.polygons), traced.doubledArea);
  }

  // Cuts the corner of a room next to the north-east: one vertex more. Returns the doubled area it takes.
  static Int128 chamfer(Ring& ring, int which, const Trim& trim) {
    const Rect r = roomRect({0, false, which % 2, kColumns.size() - 1}, trim);
    const Point corner{r.x1, which < 2 ? r.y0 : r.y1};
    const int32_t cut = units(0.2);
    for (size_t i = 0; i < ring.size(); ++i) {
      if (ring[i] != corner) continue;
      // Walking around the room counter-clockwise, the lower corner is reached from the west, the upper from the south.
      const Point before = which < 2 ? Point{corner.x - cut, corner.y} : Point{corner.x, corner.y - cut};
      const Point after = which < 2 ? Point{corner.x, corner.y + cut} : Point{corner.x - cut, corner.y};
      ring[i] = after;
      ring.insert(ring.begin() + static_cast<std::ptrdiff_t>(i), before);
      return static_cast<Int128>(cut) * cut;
    }
    return 0;
  }

  static void addFlight(Construction& world, int storey, const Rect& flight) {
    const auto layer = static_cast<uint32_t>(storey);
    world.slope(layer, flight, kStorey * storey, kStorey * (storey + 1), Rise::kEast);
    const auto [a, b] = highEnd(flight, Rise::kEast);
    world.connect(layer, layer + 1, {a, b});
  }

  static void addFlights(Construction& world, int storey) {
    for (int pair = 0; pair < 2; ++pair) {
      if (hasOuter(storey, pair)) addFlight(world, storey, flightRect(storey, pair));
    }
    if (storey >= kOuterPairs && storey < kOuterPairs + kCorePairs) addFlight(world, storey, coreFlight(storey));
  }

  Random random_;
  std::vector<Room> rooms_;
  std::vector<unsigned> pillars_;  // per room, one bit per place
  int chamfers_ = 0;
};

Result<Environment> tower(const Recipe& recipe) {
  return makeTower(recipe.whole("edition"), recipe.seed());
}

}  // namespace

Environment makeTower(int edition, uint64_t seed) {
  const TowerPlan plan(edition == 1 ? 9677 : 6058, seed);
  Trim trim;
  const double missing = kArea - plan.build(trim).area();
  trim.rooms = static_cast<int32_t>(std::floor(missing / TowerPlan::roomSlope() * kMetre));
  const double rest = kArea - plan.build(trim).area();
  trim.balcony = static_cast<int32_t>(std::lround(rest / TowerPlan::balconySlope() * kMetre));
  return plan.build(trim).finish(1, 19);
}

WallPiece towerSouthWall() {
  return {point(kCorridors[0].low, kSouth), point(kCorridors[0].high, kSouth)};
}

WallPiece towerNorthWall() {
  return {point(kCorridors[1].high, kNorth), point(kCorridors[1].low, kNorth)};
}

std::vector<Entry> towerWorlds() {
  return {{{"tower",
            "An apartment block of 17 floors with rooms, corridors and 30 flights of stairs, 34.8 m x 37.3 m x 39.2 m.",
            "Tower of the comparison study: n 9,677, 12,093.88 m2, 19 boundaries, genus 7, 17 layers, 30 connections "
            "(edition 2, the ECM chapters: n 6,058, 18 holes). All reproduced; the plan is ours.",
            {editionParameter()}},
           tower}};
}

}  // namespace wend::make
