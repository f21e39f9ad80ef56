#pragma once

#include <span>
#include <vector>

#include <wend/navmesh.h>

// Where walls of two versions of a world differ.
namespace wend {

// A piece of a wall that only one version has; a point if a == b. Lattice units.
struct WallPiece {
  LayerId layer = 0;
  Vec2 a;
  Vec2 b;
  bool went = false;  // the old version has it; else the new one
};

// The pieces of walls in `walls` that no wall of the other version covers. An obstacle that touches a long wall cuts it
// in two: its parts are other walls, but only the piece behind the obstacle went. A wall covers another up to
// kSameWall units beside it, since a cut wall is rounded to the lattice again. Expects the walls that are not equal in
// both; O(k^2) for k of them, and above kManyWalls nothing is taken off.
inline constexpr double kSameWall = 2;
inline constexpr size_t kManyWalls = 1000;
std::vector<WallPiece> wallDifference(std::span<const WallPiece> walls);

}  // namespace wend
