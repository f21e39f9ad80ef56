#include <cmath>
#include <numbers>

#include "environment/make/recipe.h"
#include "environment/make/scatter.h"
#include "geometry/area.h"

// Counterparts of the thirteen maps of the NEOGEN study: the same numbers of vertices, notches and holes.
namespace wend::make {

namespace {

Environment mapOf(const std::string& name, const Shape& outer, const std::vector<Ring>& holes) {
  Construction world(name);
  const uint32_t layer = world.addLayer("map", 0);
  const Ring ring = placed(outer, {0, 0});
  const uint32_t floor = world.addFloor(layer, ring, doubledArea(ring));
  for (const Ring& hole : holes) world.addObstacle(layer, floor, hole);
  return std::move(world).finish(1, static_cast<uint32_t>(holes.size() + 1));
}

// Four round holes in a round room.
Result<Environment> circles(const Recipe& recipe, int outer, int inner) {
  Random random(recipe.seed());
  std::vector<Slot> slots = slotGrid(-8, -8, 8, 8, 2, 2);
  for (Slot& slot : slots) slot.shape = regular(inner, 2.4, random.real(0, 1));
  return mapOf(recipe.kind(), regular(outer, 13), settle(slots, 0, 0.8, random));
}
Result<Environment> circle1(const Recipe& recipe) {
  return circles(recipe, 20, 8);
}
Result<Environment> circle2(const Recipe& recipe) {
  return circles(recipe, 32, 12);
}
Result<Environment> circle3(const Recipe& recipe) {
  return circles(recipe, 128, 32);
}

// `count` of the slots of a grid, at random.
std::vector<Slot> someSlots(Vec2 half, int columns, int rows, size_t count, Random& random) {
  std::vector<Slot> slots = slotGrid(-half.x, -half.y, half.x, half.y, columns, rows);
  random.shuffle(slots);
  slots.resize(count);
  return slots;
}

Result<Environment> box100(const Recipe& recipe) {
  Random random(recipe.seed());
  std::vector<Slot> slots = someSlots({14, 9}, 4, 2, 7, random);
  for (Slot& slot : slots) slot.shape = regular(8, 1.5, random.real(0, 1));
  return mapOf(recipe.kind(), roundedBox(44, 32, 22, 3), settle(slots, 0, 0.5, random));
}

Result<Environment> crazybox(const Recipe& recipe, int outer, int64_t notches, int64_t dents) {
  Random random(recipe.seed());
  std::vector<Slot> slots = someSlots({36, 36}, 9, 9, 73, random);
  for (size_t i = 0; i < slots.size(); ++i) {
    // The first holes get one notch or dent less or more, so that the sums come out.
    const auto share = [&](int64_t total) {
      const auto index = static_cast<int64_t>(i);
      return static_cast<int>((index + 1) * total / 73 - index * total / 73);
    };
    slots[i].shape = dented(share(notches), share(dents), random.real(1.8, 3.2), random.real(1.8, 3.2));
  }
  return mapOf(recipe.kind(), roundedBox(outer, 76, 76, 6), settle(slots, 0, 0.5, random));
}
Result<Environment> crazybox1(const Recipe& recipe) {
  return crazybox(recipe, 84, 728, 0);
}
Result<Environment> crazybox2(const Recipe& recipe) {
  return crazybox(recipe, 72, 2212, 728);
}

// A round room with a few dents in its wall and small triangles in it.
Result<Environment> triangles(const Recipe& recipe, int corners, int dents, int columns, int rows, size_t holes) {
  Random random(recipe.seed());
  std::vector<Slot> slots = someSlots({13, 9.5}, columns, rows, holes, random);
  for (Slot& slot : slots) slot.shape = rock(3, 1.0, 1.0, 0.4, random);
  return mapOf(recipe.kind(), dented(corners, dents, 20, 15), settle(slots, 0, 0.3, random));
}
Result<Environment> funny(const Recipe& recipe) {
  return triangles(recipe, 58, 9, 4, 3, 11);
}
Result<Environment> debug(const Recipe& recipe) {
  return triangles(recipe, 121, 1, 6, 5, 26);
}

Ring roundHole(int vertices, double radius, Vec2 centre) {
  return placed(regular(vertices, radius), centre);
}

Result<Environment> guitar(const Recipe& recipe) {
  Random random(recipe.seed());
  const Figure body = figure(2, 68, 40, 5, 13, random);
  return mapOf(recipe.kind(), body.shape,
               {roundHole(12, 1.5, {0, 0}), roundHole(12, 2, body.tips[0]), roundHole(12, 2, body.tips[1])});
}
Result<Environment> bird(const Recipe& recipe) {
  Random random(recipe.seed());
  return mapOf(recipe.kind(), figure(7, 173, 102, 8, 36, random).shape, {});
}
Result<Environment> superior(const Recipe& recipe) {
  Random random(recipe.seed());
  std::vector<Ring> holes;
  for (int i = 0; i < 12; ++i) {
    const bool inner = i < 4;
    const double angle = 2 * std::numbers::pi * (inner ? i / 4.0 : (i - 4) / 8.0);
    const double radius = inner ? 4.2 : 9.0;
    holes.push_back(roundHole(8, random.real(0.6, 1.3), {radius * std::cos(angle), radius * std::sin(angle)}));
  }
  return mapOf(recipe.kind(), figure(10, 346, 76, 12, 45, random).shape, holes);
}
Result<Environment> heron(const Recipe& recipe) {
  Random random(recipe.seed());
  return mapOf(recipe.kind(), figure(9, 764, 260, 14, 70, random).shape, {roundHole(12, 4, {0, 0})});
}
Result<Environment> monkey(const Recipe& recipe) {
  Random random(recipe.seed());
  return mapOf(recipe.kind(), figure(11, 830, 350, 16, 70, random).shape,
               {roundHole(12, 3, {-6, 0}), roundHole(12, 4, {6, 0})});
}

Entry entry(const std::string& name, const std::string& meaning, const std::string& figures, Maker make,
            const std::string& remark = "All reproduced; the outline is ours.") {
  return {{name, meaning, "Map " + name + " of the NEOGEN study: " + figures + ". " + remark, {}}, make};
}

}  // namespace

std::vector<Entry> mapWorlds() {
  return {
      entry("circle1", "A 20-gon with four 8-gons in it.", "V 52, r 32, 4 holes", circle1),
      entry("circle2", "A 32-gon with four 12-gons in it.", "V 80, r 48, 4 holes", circle2),
      entry("circle3", "A 128-gon with four 32-gons in it.", "V 256, r 128, 4 holes", circle3),
      entry("funny", "A round room with dents and 11 triangles.", "V 100, r 42, 11 holes", funny),
      entry("box100", "A rounded box with seven 8-gons in it.", "V 100, r 56, 7 holes", box100),
      entry("guitar", "A figure of two lobes with three round holes.", "V 144, r 76, 3 holes", guitar),
      entry("debug", "A round room with 26 triangles.", "V 200, r 79, 33 holes", debug,
            "33 holes need at least 99 notches, so the published figures contradict each other; V and r are "
            "reproduced, with 26 holes."),
      entry("bird", "A smooth figure with seven arms.", "V 275, r 102, no hole", bird),
      entry("superior", "A figure with ten arms and 12 small holes.", "V 518, r 172, 12 holes", superior),
      entry("crazybox1", "A rounded box with 73 round holes.", "V 812, r 728, 73 holes", crazybox1),
      entry("crazybox2", "A rounded box with 73 finely dented holes.", "V 3,012, r 2,212, 73 holes", crazybox2),
      entry("nazca-heron", "A smooth figure with nine arms and one hole.", "V 1,036, r 272, 1 hole", heron),
      entry("nazca-monkey", "A smooth figure with eleven arms and two holes.", "V 1,204, r 374, 2 holes", monkey),
  };
}

}  // namespace wend::make
