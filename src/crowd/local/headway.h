#pragma once

#include "crowd/local/local_view.h"

// Headway: an agent keeps a time gap to the agent ahead of it that goes the same way.
// A. Tordeux, M. Chraibi, A. Seyfried: Collision-free speed model for pedestrian dynamics (2016); M. Moussaid, D.
// Helbing, G. Theraulaz: How simple rules determine pedestrian behavior and crowd disasters (2011), second heuristic.
namespace wend {

// The highest speed in the direction `heading` (unit) that leaves LocalView::timeGap to the nearest agent ahead, as the
// agents stand now: (distance - body length) / time gap. Behind an agent of equal speed no contact is predicted, so
// collision avoidance alone keeps no distance there, and doors and stairs pass too many agents.
//
// Agents walk staggered, and the lane that one needs grows with its speed: an agent aside of the heading allows the
// speed whose lane ends beside it. Between walls that leave no width for two abreast they walk in single file, and
// everyone ahead in the lane counts.
//
// Only agents that go the same way count. Where others cross or come from the opposite direction, the limit fades:
// there the predictions of collision avoidance decide, and keeping a distance would block both streams.
float headwaySpeed(const LocalView& view, Vec2f heading);

}  // namespace wend
