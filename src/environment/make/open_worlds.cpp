#include <cmath>
#include <numbers>

#include "environment/make/city.h"
#include "environment/make/recipe.h"
#include "environment/make/scatter.h"
#include "geometry/area.h"

// Flat worlds of one floor with free-standing obstacles.
namespace wend::make {

namespace {

// One floor with these obstacles: one component, and each obstacle is a boundary of its own.
Environment floorWith(const std::string& name, Ring outer, std::vector<Ring> obstacles) {
  Construction world(name);
  const uint32_t layer = world.addLayer("ground", 0);
  const Int128 area = doubledArea(outer);
  const uint32_t floor = world.addFloor(layer, std::move(outer), area);
  const auto boundaries = static_cast<uint32_t>(obstacles.size() + 1);
  for (Ring& obstacle : obstacles) world.addObstacle(layer, floor, std::move(obstacle));
  return std::move(world).finish(1, boundaries);
}

Shape convexBlob(int vertices, double halfWidth, double halfDepth, Random& random) {
  Shape shape;
  const double phase = random.real();
  for (int i = 0; i < vertices; ++i) {
    const double angle = 2 * std::numbers::pi * (i + phase + 0.25 * random.real(-1, 1)) / vertices;
    shape.push_back({halfWidth * std::cos(angle), halfDepth * std::sin(angle)});
  }
  return shape;
}

Result<Environment> military(const Recipe& recipe) {
  Random random(recipe.seed());
  const bool study = recipe.whole("edition") == 1;
  const size_t obstacles = study ? 15 : 16;
  std::vector<Slot> slots = slotGrid(0, 0, 200, 200, 4, 4);
  random.shuffle(slots);
  slots.resize(obstacles);
  // Rectilinear buildings: (82 - 4 * 15) / 2 = 11 concave corners, which with those of the box are the published 15.
  const std::vector<int> counts = distribute((study ? 82 : 104) - 4, obstacles - 1, 4, 12, random, 2);
  slots[0].shape = boxShape(16, 12);
  for (size_t i = 1; i < slots.size(); ++i) {
    const double width = random.real(10, 26);
    const double depth = random.real(10, 26);
    slots[i].shape = turned(building(counts[i - 1], width, depth, random), random.real(-0.5, 0.5));
  }
  std::vector<Ring> rings = settle(slots, 200.0 * 200.0 - 36876.82, 2.0, random);
  return floorWith("military", outline(rect(0, 0, 200, 200)), std::move(rings));
}

Result<Environment> city(const Recipe& recipe) {
  Random random(recipe.seed());
  const int vertices = recipe.whole("edition") == 1 ? 2094 : 2102;
  std::vector<Ring> rings = cityBuildings(vertices - 4, kCitySize * kCitySize - 207518.40, random);
  return floorWith("city", outline(rect(0, 0, kCitySize, kCitySize)), std::move(rings));
}

Result<Environment> donut(const Recipe&) {
  return floorWith("donut", placed(regular(32, 20), {20, 20}), {placed(regular(32, 12), {20, 20})});
}

Result<Environment> cross(const Recipe& recipe) {
  Random random(recipe.seed());
  std::vector<Slot> slots;
  constexpr std::array<Point, 5> squares{{{40, 0}, {0, 40}, {40, 40}, {80, 40}, {40, 80}}};
  for (const Point s : squares) {
    const std::vector<Slot> part = slotGrid(s.x, s.y, s.x + 40, s.y + 40, 4, 4);
    slots.insert(slots.end(), part.begin(), part.end());
  }
  random.shuffle(slots);
  slots.pop_back();
  for (Slot& slot : slots) {
    const auto vertices = static_cast<int>(random.between(3, 8));
    slot.shape = convexBlob(vertices, random.real(1.2, 3.4), random.real(1.2, 3.4), random);
  }
  Ring outer{point(40, 0),   point(80, 0),   point(80, 40), point(120, 40), point(120, 80), point(80, 80),
             point(80, 120), point(40, 120), point(40, 80), point(0, 80),   point(0, 40),   point(40, 40)};
  return floorWith("cross", std::move(outer), settle(slots, 0, 0.8, random));
}

Result<Environment> growth(const Recipe& recipe) {
  Random random(recipe.seed());
  std::vector<Slot> slots = slotGrid(0, 0, 1000, 1000, 3, 2);
  random.shuffle(slots);
  slots.pop_back();
  slots[0].shape = boxShape(200, 190);
  slots[1].shape = boxShape(random.real(170, 230), random.real(150, 260));
  slots[2].shape = boxShape(random.real(170, 230), random.real(150, 260));
  slots[3].shape = turned(boxShape(random.real(150, 200), random.real(160, 220)), random.real(0.2, 1.3));
  slots[4].shape = rock(3, 130, 150, 0.1, random);
  // 31 triangles of 26233.08 square units on average.
  std::vector<Ring> rings = settle(slots, 1e6 - 31 * 26233.08, 20, random);
  return floorWith("growth", outline(rect(0, 0, 1000, 1000)), std::move(rings));
}

Result<Environment> blocks(const Recipe& recipe) {
  Random random(recipe.seed());
  struct Block {
    double x0, y0, x1, y1;
    int vertices;
  };
  constexpr std::array<Block, 7> kNarrow{{{9, 15, 41, 26, 8},
                                          {4, 31, 22, 43, 6},
                                          {29, 31, 46, 43, 8},
                                          {11, 48, 40, 56, 8},
                                          {4, 61, 20, 72, 8},
                                          {26, 61, 46, 72, 6},
                                          {8, 77, 43, 86, 8}}};
  // The way up the middle is 11 m wide, those beside it 10.5 m and 11 m: at about one person per metre and second none
  // of them carries 30 people per second, all together do. 22 m lie between the entry bay and the first blocks, so that
  // a queue before them stands in the world.
  constexpr std::array<Block, 7> kWide{{{10.5, 30, 19.5, 39, 8},
                                        {30.5, 30, 39.5, 39, 6},
                                        {10.5, 48, 19.5, 57, 8},
                                        {30.5, 48, 36, 57, 8},
                                        {41.5, 48, 44.5, 57, 8},
                                        {10.5, 66, 19.5, 75, 6},
                                        {30.5, 66, 39.5, 75, 8}}};
  const bool wide = recipe.whole("layout") == 2;
  const std::array<Block, 7>& plan = wide ? kWide : kNarrow;
  std::vector<Slot> slots;
  for (const Block& b : plan) {
    slots.push_back({building(b.vertices, b.x1 - b.x0, b.y1 - b.y0, random),
                     {(b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2},
                     {(b.x1 - b.x0) / 2, (b.y1 - b.y0) / 2}});
  }
  Ring outer{point(15, 0),   point(35, 0),   point(35, 10), point(50, 10), point(50, 90), point(35, 90),
             point(35, 100), point(15, 100), point(15, 90), point(0, 90),  point(0, 10),  point(15, 10)};
  if (wide) {
    outer = {point(2, 0),    point(48, 0),  point(48, 8), point(50, 8), point(50, 92), point(48, 92),
             point(48, 100), point(2, 100), point(2, 92), point(0, 92), point(0, 8),   point(2, 8)};
  }
  return floorWith("blocks", std::move(outer), settle(slots, 0, 0, random));
}

Result<Environment> randomBoxes(const Recipe& recipe) {
  Random random(recipe.seed());
  const int boxes = recipe.whole("boxes");
  const int columns = std::max(1, static_cast<int>(std::ceil(std::sqrt(boxes))));
  const int rows = (boxes + columns - 1) / columns;
  const double width = 4.0 * columns;
  const double depth = 4.0 * rows;
  std::vector<Slot> slots = slotGrid(0, 0, width, depth, columns, rows);
  random.shuffle(slots);
  slots.resize(static_cast<size_t>(boxes));
  for (Slot& slot : slots) {
    slot.shape = turned(boxShape(random.real(0.4, 2.4), random.real(0.4, 2.4)), random.real(0, 1.5));
  }
  return floorWith("random-boxes", outline(rect(0, 0, width, depth)), settle(slots, 0, 0.2, random));
}

}  // namespace

std::vector<Entry> openWorlds() {
  return {
      {{"military",
        "A camp of 15 rectilinear buildings, 200 m x 200 m.",
        "Military of the comparison study: n 86, 36,876.82 m2, 16 boundaries, 15 convex corners of free space (edition "
        "2, the ECM chapters: n 108, 16 islands). All reproduced; the positions of the buildings are ours.",
        {editionParameter()}},
       military},
      {{"city",
        "180 buildings with stepped outlines around open squares, 500 m x 500 m.",
        "City of the comparison study: n 2,094, 207,518.40 m2, 181 boundaries (edition 2, the ECM chapters: n 2,102). "
        "All reproduced; the outlines are ours.",
        {editionParameter()}},
       city},
      {{"donut",
        "A ring corridor between two 32-gons of radius 12 m and 20 m.",
        "The donut of the exact-clearance experiments, which give no sizes; those of our specification are used.",
        {}},
       donut},
      {{"cross",
        "A plus of arm width 40 m and length 120 m with 79 convex obstacles of 3 to 8 vertices.",
        "The large cross of the exact-clearance experiments: 208 portals and 130 cells, hence 79 obstacles; no sizes "
        "are given, those of our specification are used.",
        {}},
       cross},
      {{"growth",
        "Four quadrilaterals and a triangle in a box of 1000 m x 1000 m.",
        "The world of the growth-based comparison: 5 obstructions with 19 vertices, 31 triangles of 26,233.08 square "
        "units on average. All reproduced; the positions are ours.",
        {}},
       growth},
      {{"blocks",
        "Seven blocks in staggered rows between an entry and an exit bay, 50 m x 100 m.",
        "Blocks of the density experiments: 50 m x 100 m, 64 obstacle vertices, 7 inner obstacles. Counts reproduced; "
        "the positions are ours, so the shortest walk is not the published 116 m.",
        {wholeParameter("layout", "1 = narrow streets; 2 = passages for the flow of 30 people per second.", 1, 1, 2)}},
       blocks},
      {{"random-boxes",
        "Rotated boxes on a jittered lattice of 4 m, for measurements of growth.",
        "No source; 4 vertices per box and 4 for the border.",
        {wholeParameter("boxes", "Number of boxes; 250,000 give a million vertices.", 1000, 1, 1000000)}},
       randomBoxes},
  };
}

}  // namespace wend::make
