#pragma once

#include <wend/crowd.h>

#include "crowd/local/local_view.h"

// Collision avoidance: from the preferred velocity and the surroundings to the wanted velocity. One file per method.
// Finite for every view: no neighbours, coincident centres, zero velocities, everything blocked.
namespace wend {

LocalChoice avoidVision(const LocalView& view);
LocalChoice avoidKaramouzas(const LocalView& view);
LocalChoice avoidPredictive(const LocalView& view);
LocalChoice avoidPowerLaw(const LocalView& view);
LocalChoice avoidOrca(const LocalView& view);
LocalChoice avoidSocialForce(const LocalView& view);
LocalChoice avoidSpeed(const LocalView& view);
LocalChoice avoidSocialForce1995(const LocalView& view);
LocalChoice avoidAnticipation(const LocalView& view);
LocalChoice avoidSpeedTurn(const LocalView& view);

// The method of a profile.
LocalChoice avoid(AvoidMethod method, const LocalView& view);

// True if a method needs the agents behind among the neighbours: forces from ahead alone would push a whole crowd back,
// and ORCA assumes that the other agent does half of the avoiding.
bool looksAround(AvoidMethod method);

// Stream: the preferred velocity after looking at neighbours that walk the same way. `late` is how much longer than
// expected the agent walks on its route, 0 to 1.
Vec2f stream(const LocalView& view, float late);

}  // namespace wend
