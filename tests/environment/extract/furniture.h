#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <wend/extract.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "environment/heights.h"
#include "tests/environment/extract/hand_made.h"

// Random furniture, stacked, pushed into each other and into walls; and where one can stand among it, computed from the
// boxes alone.
namespace wend::testing {

struct FurnitureBox {
  double x, y;  // middle
  double halfX, halfY;
  double c, s;  // of the angle it is turned by
  double low, high;

  // Positive inside, the distance to the nearest side in top view.
  double depthAt(double px, double py) const {
    const double u = c * (px - x) + s * (py - y);
    const double v = c * (py - y) - s * (px - x);
    return std::min(halfX - std::abs(u), halfY - std::abs(v));
  }
};

struct Furniture {
  static constexpr double kSide = 6;
  std::vector<FurnitureBox> boxes;  // the first is the ground

  Scene scene() const {
    SceneMaker m;
    for (const FurnitureBox& b : boxes) {
      SceneMaker one;
      one.box(-b.halfX, -b.halfY, b.halfX, b.halfY, b.low, b.high);
      const auto first = static_cast<uint32_t>(m.scene.vertices.size());
      for (const Vec3& v : one.scene.vertices) {
        m.scene.vertices.push_back({b.x + b.c * v.x - b.s * v.y, b.y + b.s * v.x + b.c * v.y, v.z});
      }
      for (Scene::Triangle t : one.scene.triangles) {
        for (uint32_t& v : t.vertices) v += first;
        m.scene.triangles.push_back(t);
      }
    }
    return m.scene;
  }
};

// Crates, tables, shelves, walls and pallets. Heights are on a raster, so that many coincide.
inline Furniture randomFurniture(uint64_t seed, int pieces) {
  Random random(seed, 24);
  Furniture f;
  f.boxes.push_back({3, 3, 3, 3, 1, 0, -0.5, 0});
  const auto raster = [&](double from, double to) { return 0.05 * std::round(random.real(from, to) / 0.05); };
  const auto add = [&](double x, double y, double halfX, double halfY, double angle, double low, double high) {
    f.boxes.push_back({x, y, halfX, halfY, std::cos(angle), std::sin(angle), low, std::max(high, low + 0.02)});
  };
  const bool aligned = seed % 3 == 0;
  for (int i = 0; i < pieces; ++i) {
    const double x = aligned ? raster(0.3, 5.7) : random.real(0.3, 5.7);
    const double y = aligned ? raster(0.3, 5.7) : random.real(0.3, 5.7);
    const double angle = aligned ? 0 : random.chance(0.5) ? 0 : random.real(0, std::numbers::pi);
    switch (random.below(5)) {
      case 0: {  // crates upon each other
        double low = 0;
        for (uint64_t k = random.below(4) + 1; k > 0; --k) {
          const double high = low + raster(0.1, 1.2);
          add(x + random.real(-0.1, 0.1), y + random.real(-0.1, 0.1), random.real(0.15, 0.6), random.real(0.15, 0.6),
              angle, low, high);
          low = high;
        }
        break;
      }
      case 1: {  // a table
        const double high = raster(0.6, 0.9);
        add(x, y, 0.6, 0.4, angle, high - 0.05, high);
        for (const double u : {-0.55, 0.55}) {
          for (const double v : {-0.35, 0.35}) {
            add(x + std::cos(angle) * u - std::sin(angle) * v, y + std::sin(angle) * u + std::cos(angle) * v, 0.03,
                0.03, angle, 0, high - 0.05);
          }
        }
        break;
      }
      case 2:  // boards of a shelf
        for (int k = 0; k < 5; ++k) add(x, y, 0.5, 0.2, angle, 0.45 * k, 0.45 * k + 0.04);
        break;
      case 3:  // a wall or a pillar
        add(x, y, random.real(0.05, 1.5), random.real(0.05, 0.3), angle, raster(-0.4, 0.35), raster(2, 4));
        break;
      default:  // a slab anywhere
        add(x, y, random.real(0.2, 1), random.real(0.2, 1), angle, raster(0, 3), raster(0.1, 3.2));
    }
  }
  return f;
}

struct FurnitureTally {
  int free = 0;
  int blocked = 0;
  int inside = 0;
};

// Random places on tops of boxes are in the environment just where one can stand: nothing within head room, and not
// inside a box. `margin` from all sides in top view, metres, and from all limits in height.
inline FurnitureTally expectStanding(const Furniture& furniture, const Environment& environment, double angle,
                                     const ExtractSettings& settings, uint64_t seed, int places, double margin) {
  constexpr double kSlack = 0.004;
  FurnitureTally tally;
  std::vector<HeightLookup> heights;
  for (const Layer& layer : environment.layers) heights.emplace_back(layer.heights);
  const double turn = angle * std::numbers::pi / 180;
  Random random(seed, 7);
  for (int i = 0; i < places; ++i) {
    const FurnitureBox& on = furniture.boxes[random.chance(0.5) ? 0 : random.below(furniture.boxes.size())];
    const double u = random.real(-on.halfX, on.halfX);
    const double v = random.real(-on.halfY, on.halfY);
    const double x = on.x + on.c * u - on.s * v;
    const double y = on.y + on.s * u + on.c * v;
    const double z = on.high;
    bool unsure = false;
    bool blocked = false;
    bool inside = false;
    for (const FurnitureBox& b : furniture.boxes) {
      const double depth = b.depthAt(x, y);
      if (depth < -margin) continue;
      const auto near = [&](double height, double limit) { return std::abs(height - z - limit) < kSlack; };
      const bool top = b.high > z + kSlack && b.high < z + settings.height;
      const bool bottom = b.low > z + settings.step && b.low < z + settings.height;
      const bool around = b.low < z + 0.5 * (settings.step + settings.height) && b.high >= z + settings.height;
      unsure = unsure || near(b.high, settings.height) || near(b.low, settings.height) || near(b.low, settings.step) ||
               (&b != &on && near(b.high, 0) && depth < margin) || (depth < margin && b.high > z - settings.height);
      blocked = blocked || top || bottom;
      inside = inside || around;
    }
    if (unsure) continue;
    const Vec2 at{std::cos(turn) * x - std::sin(turn) * y, std::sin(turn) * x + std::cos(turn) * y};
    const Point p = environment.lattice.snap(at).value();
    int covered = 0;
    for (size_t l = 0; l < heights.size(); ++l) {
      if (std::abs(heights[l].at(toVec2(p)) - z) > 0.002) continue;
      covered += locate(environment.layers[l].free, p) != Side::kOutside ? 1 : 0;
    }
    const int expected = blocked || (inside && !settings.insides) ? 0 : 1;
    (blocked ? tally.blocked : inside ? tally.inside : tally.free) += 1;
    EXPECT_EQ(covered, expected) << "seed " << seed << " at " << angle << " degrees: " << x << ", " << y << ", " << z
                                 << (blocked  ? " blocked"
                                     : inside ? " inside"
                                              : " free");
    if (::testing::Test::HasFailure()) break;
  }
  return tally;
}

}  // namespace wend::testing
