#pragma once

#include "crowd/local/local_view.h"

// Passing behind: an agent that crosses a stream aims a little against the current, as a swimmer does in a river.
// Without it avoidance turns agents in the direction in which the others walk: they are carried along, into the wrong
// arm of a crossing, and block it when they try to come back.
//
// Where streams cross from both sides the currents cancel out. There agents turn to the side that they keep to, and all
// together go around the middle, as in a roundabout: four streams that meet do not block each other.
namespace wend {

// The preferred velocity, turned towards where crossing agents ahead come from, by up to 15 degrees where all agents
// ahead cross; or to the own side, by up to 45 degrees, where they cross from both sides. Unchanged where no agent
// crosses.
Vec2f passBehind(const LocalView& view);

}  // namespace wend
