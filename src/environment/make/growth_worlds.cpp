#include <cmath>
#include <numbers>

#include "environment/make/recipe.h"
#include "environment/make/scatter.h"
#include "geometry/area.h"

// Worlds for meshes that grow: random convex bodies in a box, and the two fans of the proofs that triangulations may
// join any number of cells in one point (Hale 2011, sections 7.2 and 7.3).
namespace wend::make {
namespace {

constexpr double kSize = 1000;  // metres
constexpr double kGap = 0.1;    // of half a body's slot, kept free along its border

double radians(double degrees) {
  return degrees * std::numbers::pi / 180;
}

Environment oneFloor(const std::string& name, Ring outer, std::vector<Ring> obstacles) {
  Construction world(name);
  const uint32_t layer = world.addLayer("ground", 0);
  const Int128 area = doubledArea(outer);
  const uint32_t floor = world.addFloor(layer, std::move(outer), area);
  const auto boundaries = static_cast<uint32_t>(obstacles.size() + 1);
  for (Ring& obstacle : obstacles) world.addObstacle(layer, floor, std::move(obstacle));
  return std::move(world).finish(1, boundaries);
}

Result<Environment> bodies(const Recipe& recipe) {
  Random random(recipe.seed());
  const int count = recipe.whole("bodies");
  const int triangles = std::min(count, recipe.whole("triangles"));
  const int aligned = std::min(count - triangles, recipe.whole("aligned"));
  const int columns = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count + 1))));
  const int rows = (count + columns) / columns;
  std::vector<Slot> slots = slotGrid(0, 0, kSize, kSize, columns, rows);
  const double half = std::min(slots[0].half.x, slots[0].half.y);
  const double reach = (1 - kGap) * half;
  random.shuffle(slots);
  slots.resize(static_cast<size_t>(count));
  for (size_t i = 0; i < slots.size(); ++i) {
    Slot& slot = slots[i];
    if (static_cast<int>(i) < triangles) {
      slot.shape = turned(regular(3, reach * random.real(0.6, 0.9)), random.real(0, 2));
      continue;
    }
    const double width = reach * random.real(0.7, 1.3);
    const double depth = reach * random.real(0.7, 1.3);
    slot.shape = boxShape(width, depth);
    if (static_cast<int>(i) >= triangles + aligned) slot.shape = turned(slot.shape, random.real(0.15, 1.4));
  }
  const double angle = radians(recipe.number("turn"));
  const auto turn = [&](Ring ring) {
    for (Point& p : ring) {
      const double x = p.x * kUnit;
      const double y = p.y * kUnit;
      p = point(x * std::cos(angle) - y * std::sin(angle), x * std::sin(angle) + y * std::cos(angle));
    }
    return ring;
  };
  std::vector<Ring> rings = settle(slots, 0, kGap * half, random);
  for (Ring& ring : rings) ring = turn(std::move(ring));
  return oneFloor("bodies", turn(outline(rect(0, 0, kSize, kSize))), std::move(rings));
}

// The lower edge of a block is dented: its points lie on a circle around the corner a below it, so every Delaunay
// triangulation joins a with all of them.
Result<Environment> fanDented(const Recipe& recipe) {
  const int points = recipe.whole("points");
  const Vec2 a{50, -10};
  constexpr double kRadius = 60;
  Ring block{point(92, 90), point(8, 90)};
  for (int i = 0; i < points; ++i) {
    const double angle = radians(135 - 90.0 * i / (points - 1));
    block.push_back(point(a.x + kRadius * std::cos(angle), a.y + kRadius * std::sin(angle)));
  }
  Ring outer{point(0, 0), point(a.x, a.y), point(100, 0), point(100, 100), point(0, 100)};
  return oneFloor("fan-dented", std::move(outer), {std::move(block)});
}

// A body whose edges are pulled out until it is nearly round: no two cells beside it can be joined, and they end in the
// four corners of the box.
Result<Environment> fanPulled(const Recipe& recipe) {
  const int points = recipe.whole("points");
  return oneFloor("fan-pulled", outline(rect(0, 0, 100, 100)), {placed(regular(points, 25, 0.37), {50, 50})});
}

}  // namespace

std::vector<Entry> growthWorlds() {
  return {
      {{"bodies",
        "Random triangles and quadrilaterals in a box of 1000 m x 1000 m, some of them axis-aligned.",
        "The random worlds of the growth-based comparison: scattered convex bodies in a rectangle. 5 bodies with one "
        "triangle have its 19 vertices and 31 triangles; 3 or 4 aligned ones come closest to its other figures.",
        {wholeParameter("bodies", "Number of bodies.", 5, 1, 250000),
         wholeParameter("triangles", "How many of them are triangles; the others are rectangles.", 1, 0, 250000),
         wholeParameter("aligned", "How many of the rectangles are axis-aligned.", 0, 0, 250000),
         wholeParameter("turn", "Angle by which the whole world is turned, degrees.", 0, 0, 360)}},
       bodies},
      {{"fan-dented",
        "A block with a dented edge above the corner of a room, 100 m x 110 m.",
        "The proof that Delaunay triangulations join any number of cells in one point (Hale, 7.2); it gives no sizes.",
        {wholeParameter("points", "Points of the dented edge.", 16, 2, 5000)}},
       fanDented},
      {{"fan-pulled",
        "A nearly round body in a room of 100 m x 100 m.",
        "The proof that Hertel-Mehlhorn joins any number of cells in one point (Hale, 7.3); it gives no sizes.",
        {wholeParameter("points", "Vertices of the body.", 16, 3, 5000)}},
       fanPulled},
  };
}

}  // namespace wend::make
