#pragma once

#include <optional>

#include "planning/surface/surface.h"

// Straight moves of a point or a disk over the surface, and moves along walls.
namespace wend {

struct StraightMove {
  SurfacePlace end;
  double distance = 0;  // lattice units
  bool hit = false;
  Vec2 contact;  // of the wall; only with a hit, as the rest
  Vec2 normal;
  SideId wall = kNone;
};
// From a free place. A wall that the move touches or runs along does not stop it. O(cells passed times walls near
// them).
StraightMove moveStraight(const Surface& surface, const SurfacePlace& from, Vec2 to);

struct SlideEnd {
  SurfacePlace place;
  double length = 0;
};
// Straight, then along walls as long as the distance to `to` shrinks.
SlideEnd slideAlong(const Surface& surface, const SurfacePlace& from, Vec2 to);

}  // namespace wend
