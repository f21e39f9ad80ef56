#pragma once

#include <span>

#include "crowd/local/local_view.h"
#include "geometry/vec2.h"

// ORCA (RVO2), the parts of avoidOrca(): half planes of allowed velocities, and the linear program over them. In double
// precision: nearly parallel lines meet far away.
namespace wend::orca {

// Velocities left of the line are allowed.
struct Line {
  Vec2 point;
  Vec2 direction;  // unit
  // How far v is on the forbidden side; negative on the allowed one.
  double violation(Vec2 v) const { return cross(direction, point - v); }
};

inline constexpr double kTimeHorizon = 2.5;      // s, for agents
inline constexpr double kTimeHorizonWall = 0.5;  // s; with a longer one agents refuse doors
inline constexpr double kParallel = 1e-5;
inline constexpr uint32_t kMaxLines = kMaxWalls + kAvoidNeighbours;

// Lines of the walls, then of the neighbours, nearest first; each at most one. Returns how many of each.
struct LineCount {
  uint32_t walls = 0;
  uint32_t all = 0;
};
LineCount linesOf(const LocalView& view, std::span<Line, kMaxLines> lines);

// The velocity nearest to `preferred` that no line forbids and that is not longer than maxSpeed; where there is none,
// the one that keeps the walls' lines and violates the others least. Says which.
struct Solution {
  Vec2 velocity;
  bool feasible = true;
};
Solution solve(std::span<const Line> lines, uint32_t walls, Vec2 preferred, double maxSpeed);

}  // namespace wend::orca
