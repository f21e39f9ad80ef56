#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/random.h"
#include "scene/make/scene_builder.h"

// Ground without floors: hills with a bridge and a tunnel, and a spiral.
namespace wend::make {
namespace {

// A valley from south to north with a bridge over it, and a ridge with a tunnel through it; gentle hills elsewhere.
constexpr double kWidth = 160;
constexpr double kDepth = 100;
constexpr double kSouth = 48;  // of the bridge and the tunnel
constexpr double kNorth = 52;
constexpr double kValley[4] = {40, 48, 52, 60};  // edge, floor, floor, edge
constexpr double kValleySlope = 0.75;
constexpr double kRidge[3] = {90, 100, 110};
constexpr double kRidgeSlope = 0.8;
constexpr double kMouth[2] = {94.25, 105.75};  // of the tunnel, where the ridge is 3.4 m high
constexpr double kCeiling = 2.6;
constexpr double kDeck = 0.5;  // thickness of the bridge

class TerrainBuilder {
 public:
  explicit TerrainBuilder(const SceneRecipe& recipe) {
    Random random(recipe.seed());
    for (Wave& wave : waves_) {
      const double direction = random.real(0, 2 * std::numbers::pi);
      const double length = random.real(25, 60);
      wave = {2 * std::numbers::pi / length * std::cos(direction), 2 * std::numbers::pi / length * std::sin(direction),
              random.real(0, 2 * std::numbers::pi)};
    }
    const double cell = 100.0 / recipe.whole("cells");
    xs_ = lines({0, kValley[0], kValley[1], kValley[2], kValley[3], kRidge[0], kMouth[0], kRidge[1], kMouth[1],
                 kRidge[2], kWidth},
                cell);
    ys_ = lines({0, kSouth, kNorth, kDepth}, cell);
  }

  MadeScene run() {
    b_.label("ground");
    for (size_t j = 0; j + 1 < ys_.size(); ++j) {
      for (size_t i = 0; i + 1 < xs_.size(); ++i) cell(i, j);
    }
    bridge();
    tunnel();
    MadeScene made;
    const double across = kNorth - kSouth;
    const double tooLow = 2 * (2 + kDeck) / kValleySlope * across;  // under the ends of the bridge
    made.truth.components = {
        {kWidth * kDepth + (kValley[3] - kValley[0]) * across + (kMouth[1] - kMouth[0]) * across - tooLow, 0.1}};
    made.truth.spots = {{"valley", {50, 20, -6}, 0},
                        {"under the bridge", {50, 50, -6}, 0},
                        {"bridge", {50, 50, 0}, 0},
                        {"tunnel", {100, 50, 0}, 0},
                        {"ridge", {100, 50, 8}, 0}};
    made.scene = b_.finish();
    return made;
  }

 private:
  struct Wave {
    double x = 0;
    double y = 0;
    double phase = 0;
  };

  // All of `fixed`, and between them steps of at most `cell`.
  static std::vector<double> lines(std::vector<double> fixed, double cell) {
    std::vector<double> all;
    for (size_t i = 0; i + 1 < fixed.size(); ++i) {
      const int steps = std::max(1, static_cast<int>(std::ceil((fixed[i + 1] - fixed[i]) / cell - 1e-9)));
      for (int k = 0; k < steps; ++k) all.push_back(fixed[i] + (fixed[i + 1] - fixed[i]) * k / steps);
    }
    all.push_back(fixed.back());
    return all;
  }

  // 0 near the valley and the ridge, rising to 1 over ten metres.
  static double wild(double x) {
    double distance = 1e9;
    for (const auto& [low, high] : {std::pair{kValley[0], kValley[3]}, std::pair{kRidge[0], kRidge[2]}}) {
      distance = std::min(distance, std::max(std::max(low - x, x - high), 0.0));
    }
    const double t = std::min(distance / 10, 1.0);
    return 0.5 - 0.5 * std::cos(std::numbers::pi * t);
  }

  double height(double x, double y) const {
    if (x >= kValley[0] && x <= kValley[3]) {
      return -kValleySlope * std::min({x - kValley[0], kValley[1] - kValley[0], kValley[3] - x});
    }
    if (x >= kRidge[0] && x <= kRidge[2]) return kRidgeSlope * std::min(x - kRidge[0], kRidge[2] - x);
    const double hill = wild(x);
    if (hill == 0) return 0;
    double z = 0;
    for (const Wave& wave : waves_) z += 0.5 * std::sin(wave.x * x + wave.y * y + wave.phase);
    return hill * z;
  }
  Vec3 at(double x, double y) const { return {x, y, height(x, y)}; }

  void cell(size_t i, size_t j) {
    const double x0 = xs_[i];
    const double x1 = xs_[i + 1];
    const double y0 = ys_[j];
    const double y1 = ys_[j + 1];
    const bool trench =
        y0 >= kSouth && y1 <= kNorth && ((x0 >= kRidge[0] && x1 <= kMouth[0]) || (x0 >= kMouth[1] && x1 <= kRidge[2]));
    if (!trench) {
      b_.quad(at(x0, y0), at(x1, y0), at(x1, y1), at(x0, y1));
      return;
    }
    b_.floor(x0, y0, x1, y1, 0);
    // The sides of the cutting follow the ground beside it.
    if (y0 == kSouth) b_.quad({x1, y0, 0}, {x0, y0, 0}, at(x0, y0), at(x1, y0));
    if (y1 == kNorth) b_.quad({x0, y1, 0}, {x1, y1, 0}, at(x1, y1), at(x0, y1));
  }

  void bridge() {
    b_.label("bridge");
    b_.box({kValley[0], kSouth, -kDeck}, {kValley[3], kNorth, 0});
  }

  void tunnel() {
    b_.label("tunnel");
    const double west = kMouth[0];
    const double east = kMouth[1];
    const double high = kRidgeSlope * (west - kRidge[0]);
    b_.floor(west, kSouth, east, kNorth, 0);
    b_.floor({west, kSouth, east, kNorth}, {}, kCeiling, false);
    b_.wall({west, kSouth}, {east, kSouth}, 0, kCeiling);
    b_.wall({east, kNorth}, {west, kNorth}, 0, kCeiling);
    b_.wall({west, kSouth}, {west, kNorth}, kCeiling, high);
    b_.wall({east, kNorth}, {east, kSouth}, kCeiling, high);
  }

  SceneBuilder b_;
  std::array<Wave, 3> waves_;
  std::vector<double> xs_;
  std::vector<double> ys_;
};

MadeScene terrain(const SceneRecipe& recipe) {
  return TerrainBuilder(recipe).run();
}

// A ramp that winds around a shaft, as thick as the parameter says, above a level floor at its foot.
MadeScene spiral(const SceneRecipe& recipe) {
  const int sides = recipe.whole("sides");
  const int turns = recipe.whole("turns");
  const double rise = recipe.number("rise");
  const double thick = recipe.number("thickness");
  const double inner = recipe.number("inner");
  const double outer = inner + recipe.number("width");
  SceneBuilder b;
  b.label("ramp");
  const auto at = [&](double radius, int k, double down) -> Vec3 {
    const double angle = 2 * std::numbers::pi * (k % sides) / sides;
    return {radius * std::cos(angle), radius * std::sin(angle), rise * k / sides - down};
  };
  const int count = sides * turns;
  for (int k = 0; k < count; ++k) {
    b.quad(at(inner, k, 0), at(outer, k, 0), at(outer, k + 1, 0), at(inner, k + 1, 0));
    if (thick == 0) continue;
    b.quad(at(inner, k + 1, thick), at(outer, k + 1, thick), at(outer, k, thick), at(inner, k, thick));
    b.quad(at(outer, k, thick), at(outer, k + 1, thick), at(outer, k + 1, 0), at(outer, k, 0));
    b.quad(at(inner, k + 1, thick), at(inner, k, thick), at(inner, k, 0), at(inner, k + 1, 0));
  }
  if (thick > 0) {
    b.quad(at(inner, 0, thick), at(outer, 0, thick), at(outer, 0, 0), at(inner, 0, 0));
    b.quad(at(outer, count, thick), at(inner, count, thick), at(inner, count, 0), at(outer, count, 0));
  }
  MadeScene made;
  const auto middle = [&](int k) -> Vec3 {
    const Vec3 p = at(inner, k, 0);
    const Vec3 q = at(outer, k, 0);
    const Vec3 r = at(outer, k + 1, 0);
    return {(p.x + q.x + r.x) / 3, (p.y + q.y + r.y) / 3, (p.z + q.z + r.z) / 3};
  };
  const double ring = 0.5 * sides * std::sin(2 * std::numbers::pi / sides) * (outer * outer - inner * inner);
  made.truth.components = {{turns * ring, 0.01 * turns}};
  made.truth.complete = true;
  made.truth.layersMin = made.truth.layersMax = static_cast<uint32_t>(turns);
  made.truth.connections = turns - 1;
  made.truth.spots = {{"foot", middle(0), 0}, {"top", middle(count - 1), 0}};
  made.scene = b.finish();
  return made;
}

}  // namespace

std::vector<SceneEntry> terrainScenes() {
  return {{{"terrain",
            "hills, a valley with a bridge over it and a ridge with a tunnel through it, 160 m by 100 m.",
            {{"cells", "cells of the ground on 100 m; triangles grow with 3.2 times its square.", 50, 2, 3000, true}}},
           terrain},
          {{"spiral",
            "a ramp that winds around a shaft.",
            {{"turns", "turns of the ramp.", 5, 1, 1000, true},
             {"sides", "corners of one turn.", 32, 6, 10000, true},
             {"rise", "metres from turn to turn.", 3, 2.4, 20, false},
             {"thickness", "of the ramp, metres; 0 is a surface.", 0.2, 0, 0.39, false},
             {"inner", "radius of the shaft, metres.", 4, 1, 1000, false},
             {"width", "of the ramp, metres.", 4, 0.5, 1000, false}}},
           spiral}};
}

}  // namespace wend::make
