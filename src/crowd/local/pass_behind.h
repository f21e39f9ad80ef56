#pragma once

#include "crowd/local/local_view.h"

// Passing behind: an agent that crosses a stream aims a little against the current, as a swimmer does in a river.
// Without it avoidance turns agents in the direction in which the others walk: they are carried along, into the wrong
// arm of a crossing, and block it when they try to come back.
namespace wend {

// The preferred velocity, turned towards where crossing agents ahead come from, by up to 15 degrees where all agents
// ahead cross. Unchanged where no agent crosses.
Vec2f passBehind(const LocalView& view);

}  // namespace wend
