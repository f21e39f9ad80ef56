#pragma once

#include <cmath>
#include <numbers>

#include <wend/scene.h>

#include "base/random.h"
#include "scene/make/scene_builder.h"

// Scenes of boxes, ramps and stairs on a floor, as volumes grow in.
namespace wend::test {

struct RandomScene {
  Scene scene;
  int boxes = 0;
  int ramps = 0;
  int stairs = 0;
};

// Solids may touch and overlap, stand free in the air or beside each other; some are yawed.
inline RandomScene randomScene(uint64_t seed, int solids) {
  Random random(seed, 0x3d);
  make::SceneBuilder builder;
  RandomScene result;
  const double size = 12;
  builder.floor(0, 0, size, size, 0);
  const auto snap = [&](double value) { return std::round(value * 4) / 4; };
  for (int i = 0; i < solids; ++i) {
    const bool yawed = random.chance(0.3);
    const double degrees = yawed ? random.real(0, 360) : 90.0 * static_cast<double>(random.below(4));
    const Vec2 foot{snap(random.real(3, 9)), snap(random.real(3, 9))};
    const uint64_t kind = random.below(3);
    if (kind == 0) {
      builder.place(foot, degrees);
      const double low = random.chance(0.25) ? snap(random.real(0.5, 2)) : 0;
      const double x = snap(random.real(0.5, 2));
      const double y = snap(random.real(0.5, 2));
      builder.box({-x / 2, -y / 2, low}, {x / 2, y / 2, low + snap(random.real(0.5, 2))});
      builder.place({0, 0}, 0);
      ++result.boxes;
    } else if (kind == 1) {
      make::addRamp(builder, {foot, degrees, snap(random.real(0.5, 1.5)), 0, snap(random.real(0.5, 1.5)),
                              snap(random.real(1, 2.5))});
      ++result.ramps;
    } else {
      make::Flight flight;
      flight.foot = foot;
      flight.degrees = degrees;
      flight.width = snap(random.real(0.75, 1.5));
      flight.high = 0.75;
      flight.risers = 2 + static_cast<int>(random.below(3));
      flight.tread = 0.5;
      make::addFlight(builder, flight);
      ++result.stairs;
    }
  }
  result.scene = builder.finish();
  return result;
}

// The scene turned about the vertical.
inline Scene turned(Scene scene, double degrees) {
  const double c = std::cos(degrees * std::numbers::pi / 180);
  const double s = std::sin(degrees * std::numbers::pi / 180);
  for (Vec3& p : scene.vertices) p = {c * p.x - s * p.y, s * p.x + c * p.y, p.z};
  return scene;
}

}  // namespace wend::test
