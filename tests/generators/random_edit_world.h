#pragma once

#include "base/random.h"
#include "environment/turned.h"
#include "tests/generators/edit_worlds.h"
#include "tests/generators/random_worlds.h"

namespace wend {

// A random world of one layer: with this chance squares, else a polygon. `size` is that of an edit.
inline EditWorld randomEditWorld(Random& random, double squares, double& size) {
  EditWorld world;
  if (random.chance(squares)) {
    SquaresSettings settings;
    settings.columns = static_cast<int32_t>(random.between(2, 9));
    settings.rows = static_cast<int32_t>(random.between(2, 9));
    settings.density = random.real(0.5, 1.0);
    settings.pitch = random.chance(0.5) ? 100 : 20000;
    settings.jitter = random.chance(0.5) ? settings.pitch / 5 : 0;
    world.base = SquaresWorld(random, settings).environment();
    size = settings.pitch;
  } else {
    const int32_t extents[]{100, 1000, 100000, 10000000};
    const int32_t extent = extents[random.below(4)];
    const auto n = static_cast<size_t>(random.between(3, 25));
    world.base = oneLayer({{simplePolygon(random, n, extent), {}}});
    size = 0.15 * extent;
  }
  if (random.chance(0.3)) world.base = turned(world.base, 17);
  return world;
}

}  // namespace wend
