#include "scene/make/building.h"

namespace wend::make {
namespace {

using Rect = SceneBuilder::Rect;

constexpr double kOuterWall = 0.3;
constexpr double kInnerWall = 0.15;
constexpr double kCorridor = 2.0;
constexpr double kHall = 4.0;  // of the stair, along x
constexpr double kSlab = 0.2;
constexpr double kDoor = 1.0;
constexpr double kEntrance = 1.6;
constexpr double kDoorHeight = 2.1;
constexpr double kLane = 1.2;
constexpr int kRisers = 18;
constexpr double kTread = 0.28;
constexpr double kFlight = kTread * (kRisers - 1);
constexpr double kCeiling = BuildingPlan::kStorey - kSlab;  // above the floor

class Builder {
 public:
  Builder(SceneBuilder& b, const BuildingPlan& plan, Random& random) : b_(b), plan_(plan), random_(random) {
    const Rect out = plan.outline();
    inside_ = {out.x0 + kOuterWall, out.y0 + kOuterWall, out.x1 - kOuterWall, out.y1 - kOuterWall};
    corridorSouth_ = inside_.y0 + plan.roomDepth + kInnerWall;
    corridorNorth_ = corridorSouth_ + kCorridor;
    roomsWest_ = inside_.x0 + kHall;
  }

  double run() {
    for (int k = 0; k < plan_.storeys; ++k) storey(k);
    b_.label("roof");
    b_.slab(plan_.outline(), {}, top(plan_.storeys) - kSlab, top(plan_.storeys));
    return area_;
  }

 private:
  double top(int k) const { return plan_.base + BuildingPlan::kStorey * k; }

  Rect lane(int flight) const {
    const double x = inside_.x0 + (flight % 2 == 0 ? 0.3 : 1.9);
    const double y = inside_.y0 + 2;
    return {x, y, x + kLane, y + kFlight};
  }

  void storey(int k) {
    const double z = top(k);
    area_ += inside_.area();
    if (k > 0) {
      const Rect hole = lane(k - 1);
      b_.label("floor");
      b_.slab(plan_.outline(), {&hole, 1}, z - kSlab, z);
      area_ -= hole.area();
    }
    outerWalls(k, z);
    innerWalls(z);
    if (k + 1 < plan_.storeys) stair(k, z);
    for (int i = 0; i < plan_.rooms; ++i) {
      const double x = roomX(i);
      for (const bool south : {true, false}) {
        Room room;
        room.area = south ? Rect{x, inside_.y0, x + plan_.roomWidth, corridorSouth_ - kInnerWall}
                          : Rect{x, corridorNorth_ + kInnerWall, x + plan_.roomWidth, inside_.y1};
        room.doorSouth = !south;  // doors lead to the corridor
        room.z = z;
        if (plan_.dwelling) room.use = static_cast<RoomUse>(1 + random_.below(3));
        if (plan_.furnished) area_ -= furnish(b_, room, plan_.detail, random_);
      }
    }
  }

  double roomX(int i) const { return roomsWest_ + kInnerWall + i * (plan_.roomWidth + kInnerWall); }

  // A wall along x with doors in it; the area it takes.
  double wallWithDoors(const Rect& r, double z, std::span<const double> doors, double width) {
    double x = r.x0;
    double taken = r.area();
    for (const double door : doors) {
      b_.box({x, r.y0, door, r.y1}, z, z + kCeiling);
      b_.box({door, r.y0, door + width, r.y1}, z + kDoorHeight, z + kCeiling);
      x = door + width;
      taken -= width * (r.y1 - r.y0);
    }
    b_.box({x, r.y0, r.x1, r.y1}, z, z + kCeiling);
    return taken;
  }

  void outerWalls(int k, double z) {
    b_.label("outer wall");
    const Rect out = plan_.outline();
    const double entrance = inside_.x0 + 1.2;
    const std::span<const double> doors = k == 0 ? std::span(&entrance, 1) : std::span<const double>();
    wallWithDoors({out.x0, out.y0, out.x1, inside_.y0}, z, doors, kEntrance);
    if (k == 0) area_ += kEntrance * kOuterWall;
    b_.box({out.x0, inside_.y1, out.x1, out.y1}, z, z + kCeiling);
    b_.box({out.x0, inside_.y0, inside_.x0, inside_.y1}, z, z + kCeiling);
    b_.box({inside_.x1, inside_.y0, out.x1, inside_.y1}, z, z + kCeiling);
  }

  void innerWalls(double z) {
    b_.label("inner wall");
    std::vector<double> doors;
    for (int i = 0; i < plan_.rooms; ++i) doors.push_back(roomX(i) + (plan_.roomWidth - kDoor) / 2);
    area_ -= wallWithDoors({roomsWest_, corridorSouth_ - kInnerWall, inside_.x1, corridorSouth_}, z, doors, kDoor);
    area_ -= wallWithDoors({roomsWest_, corridorNorth_, inside_.x1, corridorNorth_ + kInnerWall}, z, doors, kDoor);
    for (int i = 0; i < plan_.rooms; ++i) {
      const double x = roomX(i) - kInnerWall;
      for (const Rect& wall : {Rect{x, inside_.y0, x + kInnerWall, corridorSouth_ - kInnerWall},
                               Rect{x, corridorNorth_ + kInnerWall, x + kInnerWall, inside_.y1}}) {
        b_.box(wall, z, z + kCeiling);
        area_ -= wall.area();
      }
    }
  }

  void stair(int k, double z) {
    const Rect where = lane(k);
    const bool north = k % 2 == 0;
    b_.label("stair");
    Flight flight;
    flight.foot = {(where.x0 + where.x1) / 2, north ? where.y0 : where.y1};
    flight.degrees = north ? 90 : 270;
    flight.width = kLane;
    flight.low = z;
    flight.high = z + BuildingPlan::kStorey;
    flight.risers = kRisers;
    flight.tread = kTread;
    addFlight(b_, flight);
  }

  SceneBuilder& b_;
  const BuildingPlan& plan_;
  Random& random_;
  Rect inside_;
  double corridorSouth_ = 0;
  double corridorNorth_ = 0;
  double roomsWest_ = 0;
  double area_ = 0;
};

}  // namespace

double BuildingPlan::width() const {
  return 2 * kOuterWall + kHall + rooms * (roomWidth + kInnerWall);
}

double BuildingPlan::depth() const {
  return 2 * (kOuterWall + roomDepth + kInnerWall) + kCorridor;
}

Vec3 BuildingPlan::corridorSpot(int storey) const {
  return {corner.x + kOuterWall + kHall + 0.5 * roomWidth, corner.y + depth() / 2, base + kStorey * storey};
}

double addBuilding(SceneBuilder& builder, const BuildingPlan& plan, Random& random) {
  return Builder(builder, plan, random).run();
}

}  // namespace wend::make
