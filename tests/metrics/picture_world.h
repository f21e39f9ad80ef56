#pragma once

#include <wend/environment.h>

#include "tests/mesh/grid_mesh.h"

// The environment of a picture of squares of 1 m.
namespace wend {

inline LayerDraft layerDraftOf(const Picture& picture, int32_t id = 0, double height = 0) {
  LayerDraft layer;
  layer.id = id;
  layer.height = height;
  for (int y = 0; y < static_cast<int>(picture.size()); ++y) {
    for (int x = 0; x < 4096; ++x) {
      if (!isFree(picture, x, y)) continue;
      const double x0 = x;
      const double y0 = y;
      layer.walkable.push_back({{{x0, y0}, {x0 + 1, y0}, {x0 + 1, y0 + 1}, {x0, y0 + 1}}});
    }
  }
  return layer;
}

inline Environment worldOf(const Picture& picture) {
  EnvironmentDraft draft;
  draft.layers.push_back(layerDraftOf(picture));
  auto world = buildEnvironment(draft);
  return world.ok() ? std::move(world).value() : Environment{};
}

}  // namespace wend
