#include <algorithm>
#include <cmath>
#include <numbers>

#include "environment/make/box_outline.h"
#include "environment/make/recipe.h"
#include "environment/make/scatter.h"
#include "geometry/area.h"

// Small worlds of several layers, each with one thing that goes wrong easily.
namespace wend::make {

namespace {

Int128 doubledAreaOf(const Rect& r) {
  return 2 * static_cast<Int128>(r.width()) * r.depth();
}

// --- Three flat layers, four ramps ----------------------------------------------------------------------------------

struct Spot {
  uint32_t layer;
  Slot slot;
};

// Room for at least `count` obstacles on the flat layers, clear of the ramps and the round holes.
std::vector<Spot> places(size_t count) {
  struct Region {
    uint32_t layer;
    double x0, y0, x1, y1;
  };
  constexpr std::array<Region, 6> regions{{{0, 2, 2, 34, 40},
                                           {0, 2, 60, 34, 98},
                                           {0, 54, 2, 98, 98},
                                           {1, 74, 7, 93, 40},
                                           {1, 74, 60, 93, 93},
                                           {2, 9, 7, 52, 93}}};
  for (double size = 10;; size *= 0.9) {
    std::vector<Spot> list;
    for (const Region& r : regions) {
      const int columns = static_cast<int>((r.x1 - r.x0) / size);
      const int rows = static_cast<int>((r.y1 - r.y0) / size);
      for (const Slot& slot : slotGrid(r.x0, r.y0, r.x1, r.y1, columns, rows)) list.push_back({r.layer, slot});
    }
    if (list.size() >= count) return list;
  }
}

void addObstacles(Construction& world, size_t count, int64_t vertices, Random& random) {
  std::vector<Spot> list = places(count);
  random.shuffle(list);
  list.resize(count);
  std::sort(list.begin(), list.end(), [](const Spot& a, const Spot& b) {
    return std::tuple(a.layer, a.slot.centre.y, a.slot.centre.x) <
           std::tuple(b.layer, b.slot.centre.y, b.slot.centre.x);
  });
  const std::vector<int> counts = distribute(vertices, count, 3, 12, random);
  std::vector<Slot> slots;
  for (size_t i = 0; i < count; ++i) {
    Slot slot = list[i].slot;
    const double half = 0.42 * 2 * std::min(slot.half.x, slot.half.y);
    slot.shape = rock(counts[i], half, half, 0.5, random);
    slots.push_back(std::move(slot));
  }
  std::vector<Ring> rings = settle(slots, 0, 0.05, random);
  for (size_t i = 0; i < count; ++i) world.addObstacle(list[i].layer, 0, std::move(rings[i]));
}

Result<Environment> ramps(const Recipe& recipe) {
  Random random(recipe.seed());
  const int obstacles = recipe.whole("obstacles");
  Construction world("ramps");
  const std::array<Rect, 4> slopes{
      {rect(38, 20, 50, 26), rect(38, 74, 50, 80), rect(60, 30, 72, 36), rect(60, 64, 72, 70)}};
  const uint32_t ground = world.addLayer("ground", 0);
  world.addFloor(ground, rect(0, 0, 100, 100));
  world.addObstacle(ground, 0, slopes[0]);
  world.addObstacle(ground, 0, slopes[1]);
  world.addObstacle(ground, 0, placed(regular(47, 6), {20, 50}));

  const Rect middleBox = rect(50, 5, 95, 95);
  const uint32_t middle = world.addLayer("middle", 5);
  world.addFloor(middle,
                 outlineWith(middleBox, {{{}, {}, {}, {slopes[0].y0, slopes[0].y1, slopes[1].y0, slopes[1].y1}}}),
                 doubledAreaOf(middleBox));
  world.addObstacle(middle, 0, slopes[2]);
  world.addObstacle(middle, 0, slopes[3]);
  world.addObstacle(middle, 0, placed(regular(48, 5), {84, 50}));

  const Rect topBox = rect(5, 5, 60, 95);
  const uint32_t top = world.addLayer("top", 10);
  Ring topRing = outlineWith(topBox, {{{}, {slopes[2].y0, slopes[2].y1, slopes[3].y0, slopes[3].y1}, {}, {}}});
  Int128 topArea = doubledAreaOf(topBox);
  if (obstacles > 0) {
    // The one obstacle that leans on the outer wall.
    const Rect leaning = rect(5, 50, 7, 55);
    topRing.insert(
        topRing.end(),
        {{leaning.x0, leaning.y1}, {leaning.x1, leaning.y1}, {leaning.x1, leaning.y0}, {leaning.x0, leaning.y0}});
    topArea -= doubledAreaOf(leaning);
  }
  world.addFloor(top, std::move(topRing), topArea);

  for (size_t i = 0; i < 4; ++i) {
    const bool lower = i < 2;
    const Rise rise = lower ? Rise::kEast : Rise::kWest;
    const uint32_t ramp =
        world.addRamp("ramp " + std::to_string(i + 1), slopes[i], lower ? 0 : 5, lower ? 5 : 10, rise);
    world.joinRamp(ramp, slopes[i], rise, lower ? ground : middle, lower ? middle : top);
  }
  const auto standing = static_cast<size_t>(std::max(0, obstacles - 1));
  if (standing > 0) addObstacles(world, standing, std::lround(275.0 * obstacles / 56) - 4, random);
  // Ground, the two round holes, the two pairs of ramps each with the rims they join: 5.
  return std::move(world).finish(1, static_cast<uint32_t>(5 + standing));
}

// --- Two floors -----------------------------------------------------------------------------------------------------

Result<Environment> twoFloorRamp(const Recipe& recipe) {
  Random random(recipe.seed());
  Construction world("two-floor-ramp");
  const Rect slope = rect(1.5, 8, 10, 10.5);
  const Rect slabBox = rect(10, 0, 20, 20);
  const uint32_t ground = world.addLayer("ground", 0);
  world.addFloor(ground, rect(0, 0, 20, 20));
  world.addObstacle(ground, 0, slope);
  const uint32_t slab = world.addLayer("slab", 3);
  world.addFloor(slab, outlineWith(slabBox, {{{}, {}, {}, {slope.y0, slope.y1}}}), doubledAreaOf(slabBox));
  std::vector<Slot> slots = slotGrid(11, 1, 19, 19, 1, 3);
  const std::vector<Slot> low = slotGrid(1, 12, 9, 19, 1, 1);
  slots.insert(slots.end(), low.begin(), low.end());
  for (Slot& slot : slots) slot.shape = boxShape(random.real(0.8, 2.5), random.real(0.8, 2.5));
  std::vector<Ring> boxes = settle(slots, 0, 0.3, random);
  for (size_t i = 0; i < boxes.size(); ++i) world.addObstacle(i < 2 ? slab : ground, 0, std::move(boxes[i]));
  const uint32_t ramp = world.addRamp("ramp", slope, 0, 3, Rise::kEast);
  world.joinRamp(ramp, slope, Rise::kEast, ground, slab);
  // Ground, the rim of the ramp with the slab, four boxes.
  return std::move(world).finish(1, 6);
}

// --- Spiral ---------------------------------------------------------------------------------------------------------

Result<Environment> spiral(const Recipe& recipe) {
  constexpr int kSides = 16;  // per half turn
  constexpr double kInner = 3;
  constexpr double kOuter = 6;
  constexpr double kRisePerTurn = 3;
  const int halves = 2 * recipe.whole("turns");
  const auto at = [](int i, double radius) {
    const double angle = std::numbers::pi * (i % (2 * kSides)) / kSides;
    return point(radius * std::cos(angle), radius * std::sin(angle));
  };
  Construction world("spiral");
  for (int half = 0; half < halves; ++half) {
    const double z0 = kRisePerTurn / 2 * half;
    const uint32_t layer = world.addLayer("half turn " + std::to_string(half + 1), z0);
    Ring ring;
    HeightField& field = world.environment().layers[layer].heights;
    for (int i = 0; i <= kSides; ++i) {
      ring.push_back(at(half * kSides + i, kOuter));
      for (const double radius : {kInner, kOuter}) {
        field.points.push_back(at(half * kSides + i, radius));
        field.z.push_back(z0 + kRisePerTurn / 2 * i / kSides);
      }
    }
    for (int i = kSides; i >= 0; --i) ring.push_back(at(half * kSides + i, kInner));
    for (uint32_t i = 0; i < kSides; ++i) {
      const uint32_t a = 2 * i;
      field.triangles.push_back({a, a + 1, a + 3});
      field.triangles.push_back({a, a + 3, a + 2});
    }
    const Int128 area = doubledArea(ring);
    world.addFloor(layer, std::move(ring), area);
    if (half > 0) {
      const int side = half * kSides;
      world.connect(layer - 1, layer, {at(side, kOuter), at(side, kInner)});
    }
  }
  return std::move(world).finish(1, 1);
}

// --- Ramp in slices -------------------------------------------------------------------------------------------------

Result<Environment> slicedRamp(const Recipe& recipe) {
  Random random(recipe.seed());
  const int slices = recipe.whole("slices");
  const int obstacles = recipe.whole("obstacles");
  constexpr double kSlice = 0.25;
  constexpr double kSlope = 0.4;
  const double width = obstacles;
  Construction world("sliced-ramp");
  const uint32_t floor = world.addLayer("floor", 0);
  world.addFloor(floor, rect(0, -6, width, 0));
  for (int i = 0; i < obstacles; ++i) {
    const double y = -1.5 + random.real(-0.3, 0.3);
    world.addObstacle(floor, 0, rect(i + 0.35, y - 0.15, i + 0.65, y + 0.15));
  }
  for (int k = 0; k < slices; ++k) {
    const Rect slice = rect(0, k * kSlice, width, (k + 1) * kSlice);
    const uint32_t layer = world.addRamp("slice " + std::to_string(k + 1), slice, k * kSlice * kSlope,
                                         (k + 1) * kSlice * kSlope, Rise::kNorth);
    world.connect(layer - 1, layer, {{slice.x1, slice.y0}, {slice.x0, slice.y0}});
  }
  return std::move(world).finish(1, static_cast<uint32_t>(1 + obstacles));
}

// --- Overlap on one side of a connection ----------------------------------------------------------------------------

Result<Environment> overlapSide(const Recipe&) {
  Construction world("overlap-side");
  const uint32_t platform = world.addLayer("platform", 0);
  world.addFloor(platform, rect(0, -20, 40, 0));
  const Rect strip = rect(0, 0, 40, 2);
  const uint32_t landing = world.addLayer("landing", 0);
  world.addFloor(landing, outlineWith(strip, {{{}, {}, {units(19.6), units(20.4)}, {}}}), doubledAreaOf(strip));
  // Straight on below the ramp; an obstacle of this floor is nearest to points of both sides in top view.
  const uint32_t below = world.addLayer("below", 0);
  Ring low{point(0, 2), point(19.6, 2), point(19.6, 6.4), point(40, 6.4), point(40, 28), point(0, 28)};
  world.addFloor(below, low, doubledArea(low));
  world.addObstacle(below, 0, rect(18, 12.4, 21, 14));
  const uint32_t above = world.addLayer("ramp", 0);
  Ring high{point(20.4, 2), point(40, 2), point(40, 24), point(8, 24), point(8, 6.4), point(20.4, 6.4)};
  world.addFloor(above, high, doubledArea(high));
  world.slope(above, rect(8, 2, 40, 24), 0, 11, Rise::kNorth);
  world.connect(platform, landing, {point(40, 0), point(0, 0)});
  world.connect(landing, below, {point(19.6, 2), point(0, 2)});
  world.connect(landing, above, {point(40, 2), point(20.4, 2)});
  return std::move(world).finish(1, 2);
}

}  // namespace

std::vector<Entry> rampWorlds() {
  return {
      {{"ramps",
        "Three flat layers of up to 100 m x 100 m, joined by four ramps.",
        "Ramps and Ramps2 (obstacles 56) of the multi-layered ECM: n 147 and 422, 7 layers, 8 connections, 6 and 61 "
        "holes (one obstacle leans on a wall). All reproduced; the plan is ours, and with it 5 and 60 boundaries and "
        "genus 2.",
        {wholeParameter("obstacles", "Obstacles on the flat layers.", 0, 0, 10000)}},
       ramps},
      {{"spiral",
        "A spiral ramp of 3 m per turn between radius 3 m and 6 m; each half turn is a layer.",
        "The spiral of the multi-layered specification, for strong self-overlap; no published figures.",
        {wholeParameter("turns", "Full turns.", 3, 1, 500)}},
       spiral},
      {{"sliced-ramp",
        "A ramp cut into thin layers beside a floor with a row of obstacles.",
        "The witness of a bad opening order of the multi-layered ECM: k slices and a row of n obstacles; no published "
        "figures.",
        {wholeParameter("slices", "Slices of 0.25 m.", 20, 1, 1000),
         wholeParameter("obstacles", "Obstacles in the row, one per metre.", 100, 1, 10000)}},
       slicedRamp},
      {{"overlap-side",
        "A connection with a ramp and a floor, one above the other, on the same side.",
        "The case in which the simple opening of a connection fails; no published figures.",
        {}},
       overlapSide},
      {{"two-floor-ramp",
        "A ground floor of 20 m x 20 m, a slab at 3 m over half of it, one ramp and four boxes.",
        "The two-floor ramp of the multi-layered NEOGEN specification; no published figures. The ramp is a layer of "
        "its own here.",
        {}},
       twoFloorRamp},
  };
}

}  // namespace wend::make
