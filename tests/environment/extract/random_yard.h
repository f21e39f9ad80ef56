#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "base/random.h"
#include "tests/environment/extract/hand_made.h"

namespace wend::testing {

// Boxes, slabs, ramps, stairs and fences at any angle on level ground, through each other. Metres.
inline Scene randomYard(uint64_t seed) {
  constexpr std::array<double, 7> kHeights{0.15, 0.3, 0.35, 0.55, 1.0, 1.7, 2.5};
  Random random(seed * 104729 + 7);
  SceneMaker m;
  m.floor(-12, -12, 12, 12, 0);
  // A place in the frame of a thing: u along, v across.
  struct Frame {
    double x, y, angle;
    Vec3 at(double u, double v, double z) const {
      return {x + u * std::cos(angle) - v * std::sin(angle), y + u * std::sin(angle) + v * std::cos(angle), z};
    }
  };
  const auto box = [&](const Frame& f, double halfLength, double halfWidth, double low, double high, bool bottom) {
    const double l = halfLength;
    const double w = halfWidth;
    m.quad(f.at(-l, -w, high), f.at(l, -w, high), f.at(l, w, high), f.at(-l, w, high));
    m.quad(f.at(-l, -w, low), f.at(l, -w, low), f.at(l, -w, high), f.at(-l, -w, high));
    m.quad(f.at(l, -w, low), f.at(l, w, low), f.at(l, w, high), f.at(l, -w, high));
    m.quad(f.at(l, w, low), f.at(-l, w, low), f.at(-l, w, high), f.at(l, w, high));
    m.quad(f.at(-l, w, low), f.at(-l, -w, low), f.at(-l, -w, high), f.at(-l, w, high));
    if (bottom) m.quad(f.at(-l, -w, low), f.at(-l, w, low), f.at(l, w, low), f.at(l, -w, low));
  };
  const auto frame = [&](double far) {
    const double x = random.real(-far, far);
    const double y = random.real(-far, far);
    return Frame{x, y, random.real(0, 6.28)};
  };
  for (int i = 0; i < 14; ++i) {
    const Frame f = frame(11);
    const double length = random.real(0.2, 2.5);
    const double width = random.real(0.2, 2.5);
    const double height = kHeights[random.below(kHeights.size())];
    box(f, length, width, 0, random.below(3) == 0 ? height + random.real(0, 0.05) : height, false);
  }
  for (int i = 0; i < 4; ++i) {  // slabs
    const Frame f = frame(9);
    const double length = random.real(1, 3);
    const double width = random.real(1, 3);
    const double low = random.real(1.2, 3.2);
    box(f, length, width, low, low + 0.2, true);
  }
  for (int i = 0; i < 5; ++i) {  // ramps, some with a wall at their end
    const Frame f = frame(10);
    const double width = random.real(0.5, 1.5);
    const double length = random.real(2, 5);
    const double high = random.real(0.1, 0.5) * length;
    m.quad(f.at(0, -width, 0), f.at(length, -width, high), f.at(length, width, high), f.at(0, width, 0));
    if (random.below(2) == 0) continue;
    m.quad(f.at(length, -width, 0), f.at(length, width, 0), f.at(length, width, high), f.at(length, -width, high));
  }
  for (int i = 0; i < 2; ++i) {  // stairs
    const Frame f = frame(8);
    const auto steps = 3 + static_cast<int>(random.below(6));
    const double rise = random.real(0.14, 0.22);
    for (int k = 0; k < steps; ++k) {
      const Vec3 middle = f.at(0.3 * k + 0.15, 0, 0);
      box({middle.x, middle.y, f.angle}, 0.15, 0.7, 0, rise * (k + 1), false);
    }
  }
  for (int i = 0; i < 4; ++i) {  // fences, of one face or two
    const Frame f = frame(10);
    const double length = random.real(1, 6);
    const double high = random.real(0.5, 3);
    m.quad(f.at(0, 0, 0), f.at(length, 0, 0), f.at(length, 0, high), f.at(0, 0, high));
    if (random.below(2) == 0) continue;
    m.quad(f.at(length, 0, 0), f.at(0, 0, 0), f.at(0, 0, high), f.at(length, 0, high));
  }
  return m.scene;
}

}  // namespace wend::testing
