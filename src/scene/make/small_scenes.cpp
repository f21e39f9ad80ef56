#include <cmath>
#include <numbers>

#include "scene/make/scene_builder.h"

// The test scenes of exact extraction: a floor of 10 m by 10 m at height 0 unless said otherwise, and one difficulty
// each, with the outcome computed by hand.
namespace wend::make {
namespace {

using Rect = SceneBuilder::Rect;

constexpr double kFull = 100;       // area of the floor
constexpr double kBehind = 49.990;  // half a floor behind a full-width fence of 1 mm

struct Small {
  SceneBuilder b;
  SceneTruth truth;

  void ground() {
    b.label("floor");
    b.floor(0, 0, 10, 10, 0);
  }
  void halves(double x0, double x1, double height) {
    b.label("floor");
    b.floor(0, 0, x0, 10, 0);
    b.floor(x1, 0, 10, 10, height);
  }
  // Front to the west.
  void fence(double y0, double y1, double low, double high) {
    b.label("fence");
    b.wall({5, y0}, {5, y1}, low, high);
  }
  void component(double area, Vec3 spot, double tolerance = 0.01) {
    truth.spots.push_back({"component " + std::to_string(truth.components.size() + 1), spot,
                           static_cast<uint32_t>(truth.components.size())});
    truth.components.push_back({area, tolerance});
  }
  void layers(uint32_t least, uint32_t most, int connections = 0) {
    truth.layersMin = least;
    truth.layersMax = most;
    truth.connections = connections;
  }
};

void s01(Small& s) {
  s.ground();
  s.component(kFull, {5, 5, 0});
}

void boxOnFloor(Small& s, double height) {
  s.ground();
  s.b.label("box");
  s.b.box({4, 4, 0}, {6, 6, height});
}
void s02(Small& s) {
  boxOnFloor(s, 1);
  s.component(96, {1, 1, 0});
  s.component(4, {5, 5, 1});
  s.layers(1, 2);
}
void s03(Small& s) {
  boxOnFloor(s, 0.3);
  s.component(kFull, {1, 1, 0});
}
void s04(Small& s) {
  boxOnFloor(s, 5);
  s.component(96, {1, 1, 0});
  s.component(4, {5, 5, 5});
  s.layers(1, 2);
}

void s05(Small& s) {
  s.ground();
  s.fence(0, 10, 0, 3);
  s.component(50, {1, 5, 0});
  s.component(kBehind, {9, 5, 0});
  s.layers(1, 2);
}
void s06(Small& s) {
  s.ground();
  s.fence(2, 8, 0, 3);
  s.component(99.994, {1, 5, 0});
}
void s07(Small& s) {
  s.ground();
  s.fence(0, 10, 0, 0.3);
  s.component(kFull, {1, 5, 0});
}
void s08(Small& s) {
  s.ground();
  s.fence(0, 10, 0.9, 1.1);
  s.component(50, {1, 5, 0});
  s.component(kBehind, {9, 5, 0});
  s.layers(1, 2);
}
void s09(Small& s) {
  s.halves(5, 5, 0);
  s.fence(0, 10, 0, 3);
  s.component(50, {1, 5, 0});
  s.component(kBehind, {9, 5, 0});
  s.layers(1, 2);
}

void s10(Small& s) {
  s.ground();
  s.ground();
  s.b.label("decal");
  s.b.floor(3, 3, 6, 6, 0.0004);
  s.component(kFull, {1, 1, 0});
}
void s11(Small& s) {
  s.ground();
  s.b.label("decal");
  s.b.floor(3, 3, 6, 6, 0.01);
  s.component(kFull, {1, 1, 0});
}

void s12(Small& s) {
  s.ground();
  s.b.label("slab");
  s.b.box({0, 4, 1.5}, {10, 6, 1.7});
  s.component(40, {5, 2, 0});
  s.component(40, {5, 8, 0});
  s.component(20, {5, 5, 1.7});
  s.layers(1, 3);
}
void s13(Small& s) {
  s.ground();
  s.b.label("slab");
  s.b.box({0, 4, 2.2}, {10, 6, 2.4});
  s.component(kFull, {5, 2, 0});
  s.component(20, {5, 5, 2.4});
  s.layers(2, 2);
}

// Ten treads with risers; `nosing` is how far each tread hangs over the one before.
void stairs(Small& s, double nosing) {
  s.b.label("stair");
  for (int i = 0; i < 10; ++i) {
    const double x = 0.3 * i;
    const double z = 0.2 * (i + 1);
    s.b.floor(i == 0 ? 0 : x - nosing, 0, 0.3 * (i + 1), 2, z);
    s.b.wall({x, 0}, {x, 2}, 0.2 * i, z);
  }
  s.component(6, {0.15, 1, 0.2});
}
void s14(Small& s) {
  stairs(s, 0);
}
void s15(Small& s) {
  stairs(s, 0.03);
}

// A surface without thickness over the middle of the floor, 2 m wide.
void slope(Small& s, double x0, double z0, double x1, double z1) {
  s.ground();
  s.b.label("ramp");
  s.b.quad({x0, 4, z0}, {x1, 4, z1}, {x1, 6, z1}, {x0, 6, z0});
}
void s16(Small& s) {
  slope(s, 2, 0.05, 6, 2);
  s.component(100.004, {1, 1, 0});
  s.layers(1, 2, 1);
}
void s17(Small& s) {
  slope(s, 1, -0.5, 6, 2);
  s.component(100.004, {1, 1, 0});
  s.layers(1, 2, 1);
}

void s18(Small& s) {
  s.halves(5, 5.01, 0);
  s.component(kFull, {1, 5, 0});
}
void s19(Small& s) {
  s.halves(5, 5.03, 0);
  s.component(50, {1, 5, 0});
  s.component(49.7, {9, 5, 0});
  s.layers(1, 2);
}
void stepped(Small& s, double height) {
  s.halves(5, 5, height);
  s.fence(0, 10, 0, height);
}
void s20(Small& s) {
  stepped(s, 0.4);
  s.component(kFull, {1, 5, 0});
}
void s21(Small& s) {
  stepped(s, 0.41);
  s.component(50, {1, 5, 0});
  s.component(50, {9, 5, 0.41}, 0.02);
  s.layers(1, 2);
}
void s22(Small& s) {
  s.ground();
  s.b.label("tilted");
  s.b.quad({0, 0, -1}, {10, 0, 1}, {10, 10, 1}, {0, 10, -1});
  s.component(kFull, {1, 5, 0});
}

void s23(Small& s) {
  constexpr int kSides = 16;
  constexpr int kTurns = 3;
  s.b.label("ramp");
  const auto at = [](double radius, int k) -> Vec3 {
    const double angle = 2 * std::numbers::pi * (k % kSides) / kSides;
    return {5 + radius * std::cos(angle), 5 + radius * std::sin(angle), 2.5 * k / kSides};
  };
  for (int k = 0; k < kSides * kTurns; ++k) s.b.quad(at(2, k), at(4, k), at(4, k + 1), at(2, k + 1));
  const double ring = 0.5 * kSides * std::sin(2 * std::numbers::pi / kSides) * (16 - 4);
  // The faces are twisted: the middle of the first triangle.
  const Vec3 a = at(2, 0);
  const Vec3 b = at(4, 0);
  const Vec3 c = at(4, 1);
  s.component(kTurns * ring, {(a.x + b.x + c.x) / 3, (a.y + b.y + c.y) / 3, (a.z + b.z + c.z) / 3});
  s.layers(3, 3, 2);
}

void s24(Small& s) {
  s.ground();
  s.b.label("pyramid");
  const Vec3 top{5, 5, 1.5};
  const Vec3 base[4] = {{4.5, 4.5, 0}, {5.5, 4.5, 0}, {5.5, 5.5, 0}, {4.5, 5.5, 0}};
  for (int i = 0; i < 4; ++i) s.b.triangle(base[i], base[(i + 1) % 4], top);
  const double side = 1 - 0.401 / 1.5;
  s.component(kFull - side * side, {1, 1, 0});
}

void s25(Small& s) {
  boxOnFloor(s, 1);
  s.b.label("ramp");
  s.b.quad({0, 4.5, 0}, {4, 4.5, 1}, {4, 5.5, 1}, {0, 5.5, 0});
  s.component(99.988, {1, 1, 0}, 0.02);
}
void s26(Small& s) {
  s.halves(5, 5, 0.3);
  s.fence(0, 10, 0, 0.6);
  s.component(50, {1, 5, 0});
  s.component(50, {9, 5, 0.3}, 0.02);
  s.layers(1, 2);
}

void walled(Small& s, bool inwards) {
  s.ground();
  s.b.label("wall");
  const Vec2 corners[4] = {{3, 3}, {7, 3}, {7, 7}, {3, 7}};
  for (int i = 0; i < 4; ++i) {
    const Vec2 a = corners[i];
    const Vec2 b = corners[(i + 1) % 4];
    if (inwards) {
      s.b.wall(a, b, 0, 3);
    } else {
      s.b.wall(b, a, 0, 3);
    }
  }
  s.layers(1, 2);
}
void s27(Small& s) {
  walled(s, true);
  s.component(16, {5, 5, 0});
  s.component(83.984, {1, 1, 0});
}
void s28(Small& s) {
  walled(s, false);
  s.component(15.984, {5, 5, 0});
  s.component(84, {1, 1, 0});
}

void s29(Small& s) {
  s.b.label("stair");
  for (int i = 0; i < 6; ++i) {
    const double x = 0.3 * i;
    const double z = 0.2 * i;
    s.b.floor(x, 0, x + 0.25, 2, z);
    if (i < 5) s.b.quad({x + 0.25, 0, z}, {x + 0.3, 0, z + 0.2}, {x + 0.3, 2, z + 0.2}, {x + 0.25, 2, z});
  }
  s.component(3.5, {0.1, 1, 0});
}

void s30(Small& s) {
  s.ground();
  s.b.label("curb");
  s.b.quad({5, 0, 0}, {5.1, 0, 0.2}, {5.1, 10, 0.2}, {5, 10, 0});
  s.b.floor(5.1, 0, 10, 10, 0.2);
  s.component(kFull, {1, 5, 0});
}
void s31(Small& s) {
  s.b.label("floor");
  s.b.floor(0, 0, 5, 10, 0);
  s.b.floor(5.0003, 0, 10, 4, 0);
  s.b.floor(5.0003, 4, 10, 10, 0);
  s.component(kFull, {1, 5, 0});
}
void s32(Small& s) {
  s.ground();
  s.b.label("table");
  s.b.box({4, 4.5, 0.7}, {6, 5.5, 0.75});
  for (const double x : {4.05, 5.9}) {
    for (const double y : {4.55, 5.4}) s.b.box({x, y, 0}, {x + 0.05, y + 0.05, 0.7});
  }
  s.component(98, {1, 1, 0});
  s.component(2, {5, 5, 0.75});
  s.layers(1, 2);
}

void turn(MadeScene& made, double degrees) {
  if (degrees == 0) return;
  const double angle = degrees * std::numbers::pi / 180;
  const auto turned = [&](Vec3 p) -> Vec3 {
    const double x = p.x - 5;
    const double y = p.y - 5;
    return {5 + x * std::cos(angle) - y * std::sin(angle), 5 + x * std::sin(angle) + y * std::cos(angle), p.z};
  };
  for (Vec3& p : made.scene.vertices) p = turned(p);
  for (SceneSpot& spot : made.truth.spots) spot.position = turned(spot.position);
}

template <void (*build)(Small&)>
MadeScene make(const SceneRecipe& recipe) {
  Small small;
  small.layers(1, 1);
  build(small);
  small.truth.complete = true;
  MadeScene made{small.b.finish(), std::move(small.truth)};
  turn(made, recipe.number("turn"));
  return made;
}

}  // namespace

std::vector<SceneEntry> smallScenes() {
  const std::vector<MakeParameter> parameters{
      {"turn", "degrees by which the whole is turned about (5, 5).", 0, 0, 360, false}};
  std::vector<SceneEntry> list;
  const auto add = [&](const char* name, const char* meaning, MadeScene (*make)(const SceneRecipe&)) {
    list.push_back({{name, meaning, parameters}, make});
  };
  add("s01", "a floor of 10 m by 10 m.", make<s01>);
  add("s02", "a box of 2 m by 2 m by 1 m on the floor.", make<s02>);
  add("s03", "a box low enough to step on.", make<s03>);
  add("s04", "a box so high that a person would fit inside.", make<s04>);
  add("s05", "a fence without thickness across the floor.", make<s05>);
  add("s06", "a fence with a way around either end.", make<s06>);
  add("s07", "a fence low enough to step over.", make<s07>);
  add("s08", "a rail at the height of the waist.", make<s08>);
  add("s09", "a fence on the line where two floors meet.", make<s09>);
  add("s10", "the floor twice, and a decal 0.4 mm above it.", make<s10>);
  add("s11", "a decal 10 mm above the floor.", make<s11>);
  add("s12", "a slab too low to walk under.", make<s12>);
  add("s13", "a slab high enough to walk under.", make<s13>);
  add("s14", "ten steps with risers.", make<s14>);
  add("s15", "ten steps whose treads overhang by 30 mm.", make<s15>);
  add("s16", "a ramp that begins 50 mm above the floor.", make<s16>);
  add("s17", "a ramp that comes out of the floor.", make<s17>);
  add("s18", "a crack of 10 mm across the floor.", make<s18>);
  add("s19", "a gap of 30 mm across the floor.", make<s19>);
  add("s20", "a step of exactly 0.4 m.", make<s20>);
  add("s21", "a step of 0.41 m.", make<s21>);
  add("s22", "a tilted floor that cuts through the level one.", make<s22>);
  add("s23", "a spiral of three turns.", make<s23>);
  add("s24", "a steep pyramid.", make<s24>);
  add("s25", "a box with a ramp to its top.", make<s25>);
  add("s26", "a step with a parapet on it.", make<s26>);
  add("s27", "four walls without thickness that face inwards.", make<s27>);
  add("s28", "four walls without thickness that face outwards.", make<s28>);
  add("s29", "six steps with sloped risers and nothing below.", make<s29>);
  add("s30", "a chamfered curb on continuous ground.", make<s30>);
  add("s31", "a T-junction with a crack of 0.3 mm.", make<s31>);
  add("s32", "a table on four legs.", make<s32>);
  return list;
}

}  // namespace wend::make
