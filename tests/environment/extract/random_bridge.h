#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "base/random.h"
#include "tests/environment/extract/hand_made.h"

namespace wend::testing {

// A bridge over a valley whose ground has bumps: the ground comes through the deck near its ends, ends where head room
// does, and touches the deck's borders at other heights. Metres.
inline Scene bridgeOverBumps(uint64_t seed) {
  constexpr double kEnd = 10;  // of the valley and the bridge
  Random random(seed * 7919 + 13);
  const double bump = random.real(0.02, 0.25);
  const double waveX = random.real(0.5, 4);
  const double waveY = random.real(0.5, 6);
  const double depth = random.real(4, 8);
  const double tilt = random.real(0, 0.03);
  const double side = random.below(2) != 0 ? 2 : 1;  // of the squares of the ground
  const double halfWidth = random.real(1, 5);
  const double rise = random.real(0.3, 1.5);
  const double skew = random.real(-0.5, 0.5);
  const auto arch = [&](double x) { return std::cos(x * std::numbers::pi / (2 * kEnd)); };
  const auto ground = [&](double x, double y) {
    const double bumps = bump * (1 + std::sin(waveX * x + waveY * y));
    if (std::abs(x) == kEnd) return 0.0;
    return std::abs(x) > kEnd ? bumps : bumps - depth * std::pow(arch(x), 2) * (1 + tilt * y);
  };
  SceneMaker m;
  for (double x = -2 * kEnd; x < 2 * kEnd; x += side) {
    for (double y = -2 * kEnd; y < 2 * kEnd; y += side) {
      const auto at = [&](double px, double py) { return Vec3{px, py, ground(px, py)}; };
      m.quad(at(x, y), at(x + side, y), at(x + side, y + side), at(x, y + side));
    }
  }
  for (double x = -kEnd; x < kEnd; x += side) {
    const auto at = [&](double px, double across) { return Vec3{px, skew * px + across, rise * arch(px)}; };
    m.quad(at(x, -halfWidth), at(x + side, -halfWidth), at(x + side, halfWidth), at(x, halfWidth));
  }
  return m.scene;
}

}  // namespace wend::testing
