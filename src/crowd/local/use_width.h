#pragma once

#include "crowd/local/local_view.h"

// Use of the width: an agent that is slowed down by others that walk the same way turns to the side where fewer of them
// are. All shortest routes touch the inner corner of a bend; with this rule a crowd passes the bend in a band as wide
// as it needs and the space allows, and a queue before a door is wide instead of long.
namespace wend {

// The preferred velocity, turned away from the agents ahead that walk the same way: by up to 75 degrees where all of
// them are on one side and the agent stands. Unchanged at free speed, without at least three such agents, and where
// they are evenly spread, and within 0.3 m of a wall (the full turn needs 1.3 m): at the mouth of a door or stair an
// agent that turned aside would block it. A jammed agent follows the rules for jams instead.
Vec2f useWidth(const LocalView& view);

}  // namespace wend
