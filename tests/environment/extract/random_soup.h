#pragma once

#include <functional>
#include <utility>

#include "base/random.h"
#include "tests/environment/extract/hand_made.h"

namespace wend::testing {

// Triangles anywhere in a box of 8 x 8 x 5 m, a share of them with corners on a coarse grid: full of coincidences.
inline Scene randomSoup(uint64_t seed, uint32_t triangles) {
  Random random(seed);
  Scene scene;
  scene.labels = {""};
  const bool coarse = seed % 2 == 0;
  for (uint32_t t = 0; t < triangles; ++t) {
    const Vec3 centre{random.real(0, 8), random.real(0, 8), random.real(0, 5)};
    const double size = random.real(0.3, 3);
    const bool level = random.chance(0.5);
    const auto first = static_cast<uint32_t>(scene.vertices.size());
    for (int i = 0; i < 3; ++i) {
      Vec3 v{centre.x + random.real(-size, size), centre.y + random.real(-size, size),
             centre.z + (level ? 0 : random.real(-size, size))};
      if (coarse || random.chance(0.2)) {
        v = {std::round(v.x * 2) / 2, std::round(v.y * 2) / 2, std::round(v.z * 2) / 2};
      }
      scene.vertices.push_back(v);
    }
    scene.triangles.push_back({{first, first + 1, first + 2}, 0});
  }
  return scene;
}

using ChooseSettings = std::function<void(Random&, ExtractSettings&)>;

// A turned soup and any settings, of which `choose` may change some.
inline std::pair<Scene, ExtractSettings> randomSoupCase(uint64_t seed, uint64_t stream, const ChooseSettings& choose) {
  Random random(seed, stream);
  ExtractSettings settings;
  settings.minArea = random.chance(0.5) ? 0 : 0.01;
  settings.height = random.real(0.5, 3);
  settings.step = random.real(0, 0.45);
  settings.slope = random.real(0, 80);
  settings.gap = random.chance(0.5) ? 0.02 : random.real(0, 0.2);
  settings.twoSided = random.chance(0.2);
  settings.strict = random.chance(0.2);
  choose(random, settings);
  const auto triangles = static_cast<uint32_t>(random.between(1, 400));
  return {rotated(randomSoup(seed, triangles), random.real(0, 360)), settings};
}

}  // namespace wend::testing
