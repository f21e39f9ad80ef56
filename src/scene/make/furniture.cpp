#include <cmath>
#include <numbers>

#include "scene/make/building.h"

namespace wend::make {
namespace {

using Rect = SceneBuilder::Rect;

// Places in a room: u from its west wall, v from the wall with the door.
class RoomFrame {
 public:
  explicit RoomFrame(const Room& room) : room_(room) {}

  Rect rect(double u0, double v0, double u1, double v1) const {
    const Rect& a = room_.area;
    if (room_.doorSouth) return {a.x0 + u0, a.y0 + v0, a.x0 + u1, a.y0 + v1};
    return {a.x0 + u0, a.y1 - v1, a.x0 + u1, a.y1 - v0};
  }
  double width() const { return room_.area.x1 - room_.area.x0; }
  double depth() const { return room_.area.y1 - room_.area.y0; }

 private:
  const Room& room_;
};

class Furniture {
 public:
  Furniture(SceneBuilder& builder, double z, int detail) : b_(builder), z_(z), detail_(detail) {}

  double taken() const { return taken_; }

  void table(const Rect& r, double height) {
    b_.label("table");
    b_.box(r, z_ + height - 0.04, z_ + height);
    legs(r, height - 0.04);
    taken_ += r.area();
  }
  void chair(const Rect& r, bool backWest) {
    b_.label("chair");
    b_.box(r, z_ + 0.42, z_ + 0.46);
    legs(r, 0.42);
    const Rect back = backWest ? Rect{r.x0, r.y0, r.x0 + 0.04, r.y1} : Rect{r.x1 - 0.04, r.y0, r.x1, r.y1};
    b_.box(back, z_ + 0.46, z_ + 0.9);
    taken_ += r.area();
  }
  // Boards between two sides.
  void shelf(const Rect& r) {
    b_.label("shelf");
    constexpr double kThick = 0.03;
    b_.box({r.x0, r.y0, r.x0 + kThick, r.y1}, z_, z_ + 1.9);
    b_.box({r.x1 - kThick, r.y0, r.x1, r.y1}, z_, z_ + 1.9);
    for (const double height : {0.05, 0.5, 0.95, 1.4, 1.87}) {
      b_.box({r.x0 + kThick, r.y0, r.x1 - kThick, r.y1}, z_ + height, z_ + height + kThick);
    }
    taken_ += r.area();
  }
  void block(const char* label, const Rect& r, double height) {
    b_.label(label);
    b_.box(r, z_, z_ + height);
    taken_ += r.area();
  }
  void bed(const Rect& r) {
    b_.label("bed");
    b_.box(r, z_ + 0.2, z_ + 0.5);
    legs(r, 0.2);
    taken_ += r.area();
  }
  void plant(Vec2 centre) {
    b_.label("plant");
    constexpr double kRadius = 0.25;
    const int sides = 8 + 4 * detail_;
    b_.cylinder({centre.x, centre.y, z_}, kRadius, 0.5, sides);
    vase({centre.x, centre.y, z_ + 0.5}, 0.2, 0.8);
    taken_ += 0.5 * sides * kRadius * kRadius * std::sin(2 * std::numbers::pi / sides);
  }
  // Stands on furniture and takes no floor.
  void vase(Vec3 base, double radius, double height) {
    b_.label("vase");
    const int rings = 2 + 4 * detail_;
    std::vector<Vec2> profile;
    for (int i = 0; i <= rings; ++i) {
      const double t = static_cast<double>(i) / rings;
      profile.push_back({radius * (0.55 + 0.45 * std::sin(std::numbers::pi * (0.15 + 0.8 * t))), height * t});
    }
    b_.lathe(base, profile, 6 + 6 * detail_);
  }
  void vaseOn(const Rect& r, double height, double fraction) {
    vase({r.x0 + (r.x1 - r.x0) * 0.5, r.y0 + (r.y1 - r.y0) * fraction, z_ + height}, 0.1, 0.3);
  }

 private:
  void legs(const Rect& r, double height) {
    constexpr double kLeg = 0.05;
    for (const double x : {r.x0 + 0.02, r.x1 - 0.02 - kLeg}) {
      for (const double y : {r.y0 + 0.02, r.y1 - 0.02 - kLeg}) b_.box({x, y, x + kLeg, y + kLeg}, z_, z_ + height);
    }
  }

  SceneBuilder& b_;
  double z_;
  int detail_;
  double taken_ = 0;
};

void desks(Furniture& f, const RoomFrame& at) {
  const double w = at.width();
  const Rect west = at.rect(0.1, 1.4, 0.9, 3.0);
  const Rect east = at.rect(w - 0.9, 1.4, w - 0.1, 3.0);
  for (const Rect& desk : {west, east}) {
    f.table(desk, 0.72);
    f.vaseOn(desk, 0.72, 0.2);
    f.vaseOn(desk, 0.72, 0.8);
  }
  f.chair(at.rect(1.0, 1.95, 1.5, 2.45), false);
  f.chair(at.rect(w - 1.5, 1.95, w - 1.0, 2.45), true);
}

void sofaCorner(Furniture& f, const RoomFrame& at) {
  const double w = at.width();
  const Rect low = at.rect(1.1, 1.5, 1.9, 2.7);
  f.block("sofa", at.rect(0.1, 1.2, 0.9, 3.0), 0.45);
  f.table(low, 0.45);
  f.vaseOn(low, 0.45, 0.3);
  f.vaseOn(low, 0.45, 0.7);
  f.block("cupboard", at.rect(w - 0.6, 1.2, w - 0.1, 2.8), 1.2);
}

void diningTable(Furniture& f, const RoomFrame& at) {
  const Rect table = at.rect(1.2, 1.3, 2.1, 2.9);
  f.table(table, 0.75);
  for (const double t : {0.2, 0.5, 0.8}) f.vaseOn(table, 0.75, t);
  for (const double v : {1.4, 2.3}) {
    f.chair(at.rect(0.6, v, 1.1, v + 0.5), true);
    f.chair(at.rect(2.2, v, 2.7, v + 0.5), false);
  }
}

}  // namespace

double furnish(SceneBuilder& builder, const Room& room, int detail, Random& random) {
  Furniture f(builder, room.z, detail);
  const RoomFrame at(room);
  const double w = at.width();
  const double d = at.depth();
  switch (room.use) {
    case RoomUse::kOffice:
      desks(f, at);
      break;
    case RoomUse::kLiving:
      sofaCorner(f, at);
      break;
    case RoomUse::kBedroom:
      f.bed(at.rect(0.1, 1.2, 1.7, 3.2));
      f.block("wardrobe", at.rect(w - 0.7, 1.2, w - 0.1, 2.8), 1.9);
      break;
    case RoomUse::kKitchen:
      diningTable(f, at);
      break;
  }
  // The wall opposite the door: shelves, and a plant in one corner or none.
  f.shelf(at.rect(0.1, d - 0.45, 1.1, d - 0.1));
  if (random.chance(0.7)) f.shelf(at.rect(1.2, d - 0.45, 2.2, d - 0.1));
  if (random.chance(0.7)) {
    const Rect corner = at.rect(w - 0.6, d - 0.6, w - 0.2, d - 0.2);
    f.plant({(corner.x0 + corner.x1) / 2, (corner.y0 + corner.y1) / 2});
  }
  return f.taken();
}

}  // namespace wend::make
