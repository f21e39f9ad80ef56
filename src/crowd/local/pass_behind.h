#pragma once

#include "crowd/local/local_view.h"

// Passing behind: an agent that crosses a stream turns slightly against its direction. Without this rule, collision
// avoidance turns agents in the direction of the stream. They drift into the wrong arm of a crossing, and block it when
// they try to come back.
//
// Where streams cross from both sides, the agent turns to the side that it keeps to. Then all agents go around the
// middle, as in a roundabout, and four streams that meet do not block each other.
namespace wend {

// The preferred velocity, turned towards where crossing agents ahead come from, by up to 15 degrees where all agents
// ahead cross; or to the own side, by up to 45 degrees, where they cross from both sides. Unchanged where no agent
// crosses.
Vec2f passBehind(const LocalView& view);

}  // namespace wend
