#pragma once

#include <vector>

#include <wend/world.h>

#include "base/random.h"
#include "tests/environment/edit/random_edits.h"

namespace wend {

// Adds an obstacle of about `size` metres, turned by 17 degrees, at a random place of the world's first environment, or
// removes one of those that were added.
inline std::vector<Edit> randomEdit(const World& world, const Environment& environment, double size, Random& random) {
  const std::vector<ObstacleId> there = world.obstacles();
  if (there.size() > 2 && random.chance(0.5)) return {RemoveObstacle{there[random.below(there.size())]}};
  const Box box = boundingBox(environment);
  const Vec2 at = environment.lattice.toMetres(Point{static_cast<int32_t>(random.between(box.min.x, box.max.x)),
                                                     static_cast<int32_t>(random.between(box.min.y, box.max.y))});
  Obstacle obstacle;
  obstacle.shape = PolygonShape{randomLoop(random, {}, size, random.chance(0.5)), {}};
  obstacle.place = Placement::turned({at.x, at.y, 0}, 17);
  obstacle.layers = {environment.layers[random.below(environment.layers.size())].id};
  return {AddObstacle{obstacle}};
}

}  // namespace wend
