#pragma once

#include "environment/make/construction.h"

// The apartment block, also part of the big city.
namespace wend::make {

inline constexpr double kTowerWidth = 34.8;  // metres
inline constexpr double kTowerDepth = 37.3;

// Edition 1: the vertex count of the comparison study; 2: that of the ECM chapters.
Environment makeTower(int edition, uint64_t seed);

// Walls of the ground floor that can take a door: the ends of two corridors, as walked along its outline. The south
// end and the north end lie on different boundaries of the tower.
struct WallPiece {
  Point from, to;
};
WallPiece towerSouthWall();
WallPiece towerNorthWall();

}  // namespace wend::make
