#pragma once

#include "crowd/ground/near_walls.h"

// The displacement of an agent. Every displacement goes through move(), so the guarantee holds by induction: the centre
// lies on a lattice point that its closed cell holds (exactly), reached through portals; and the disk keeps out of
// every wall, up to two lattice units of rounding, by the radius, or by as much as the free width allows.
namespace wend {

struct AgentPlace {
  Point at;
  CellId cell = kNone;
};

// Moves by `by` (metres): slides along walls, then out of any that is too near. `walls` is gathered anew where it does
// not reach far enough. `free`: metres around the place known to be without walls, or 0; it only saves time. O(walls +
// cells crossed).
void move(const Ground& ground, Vec2 by, double radius, AgentPlace& place, NearWalls& walls, WallFloodScratch& scratch,
          double free = 0);

// Distance of the nearest of these walls, metres; infinity if there are none.
double clearanceAt(const Ground& ground, const NearWalls& walls, Vec2 units);

// The distance of a place from where the walls were gathered, metres.
double movedSince(const Ground& ground, const NearWalls& walls, Point at);

}  // namespace wend
