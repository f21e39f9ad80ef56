#pragma once

#include <string>
#include <vector>

#include <wend/edit.h>

#include "environment/edit/footprint.h"
#include "environment/edit/live_base.h"

// What obstacles and shut doors cover of the layers of a base environment: a pure function of shape, place and base.
namespace wend {

// One footprint per layer, by ascending index. Errors: a shape or place that is not valid, an unknown layer, no layer
// named where there are several, an obstacle that meets no free space of the base in top view. A body above the
// head room, or low enough to step over, has none.
Result<std::vector<Footprint>> footprintsOf(const LiveBase& base, const Obstacle& obstacle, const Stature& stature);
// Of the door when it is shut. A door may touch free space only.
Result<std::vector<Footprint>> footprintsOf(const LiveBase& base, const Door& door);

// "obstacle 'crate'", or "the obstacle at (1, 2) m" if it has no name.
std::string nameOf(const Obstacle& obstacle);

}  // namespace wend
