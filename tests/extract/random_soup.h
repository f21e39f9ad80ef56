#pragma once

#include <wend/scene.h>

#include "base/random.h"

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

}  // namespace wend::testing
