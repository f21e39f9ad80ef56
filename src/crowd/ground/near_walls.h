#pragma once

#include <array>
#include <vector>

#include "crowd/ground/ground.h"
#include "crowd/local/local_view.h"
#include "planning/stamped.h"

// The walls around an agent: the nearest few, found by walking the mesh from its cell, so that walls of other floors
// never count and those beyond a connection do.
namespace wend {

struct NearWalls {
  Point from;  // where they were gathered
  // Metres; every wall nearer than this to `from` is among them, but those that a walk reaches only from farther away.
  float known = -1;
  uint32_t count = 0;  // nearest first
  std::array<uint32_t, kMaxWalls> ids{};

  // True if every wall within `range` metres of a place `moved` metres away is among them.
  bool covers(float moved, float range) const { return moved + range <= known; }
};

struct WallFloodScratch {
  // A place that a walk of that length reaches, lattice units.
  struct Reached {
    Vec2 at;
    double length = 0;
  };
  // A cell entered by a portal: the nearest place on it and its two ends, by walks, and how far the portal is.
  struct Visit {
    Reached nearest;
    Reached left;
    Reached right;
    double away = 0;
    CellId cell = kNone;
  };
  std::vector<Visit> open;
  StampedSet seen;
  QueryStamp stamp;
};

// Walls are gathered within this distance of the agent's rim, and again after it has moved kWallRefresh, metres.
inline constexpr float kWallRange = 3;
inline constexpr float kWallRefresh = 1;

// O(cells within reach metres of walking distance, or as near as the first wall that does not fit).
NearWalls gatherWalls(const Ground& ground, CellId cell, Point at, double reach, WallFloodScratch& scratch);

}  // namespace wend
