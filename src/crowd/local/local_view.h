#pragma once

#include <array>
#include <cstdint>

#include "crowd/vec2f.h"

// The surroundings of one agent in a step: all the input of local movement. The step fills it, every method reads it.
// No method reads the crowd itself, so a method is a pure function and the result does not depend on the order of
// agents.
namespace wend {

inline constexpr uint32_t kMaxNeighbours = 16;
inline constexpr uint32_t kMaxWalls = 8;
inline constexpr uint32_t kAvoidNeighbours = 10;  // that avoidance looks at

// A wall segment, relative to the agent's centre, metres; walkable space lies left of a -> b.
struct WallView {
  Vec2f a;
  Vec2f b;
  Vec2f along;          // unit, a -> b
  Vec2f before;         // unit direction of the wall that ends in a
  Vec2f after;          // unit direction of the wall that starts in b
  bool cornerA = true;  // the obstacle sticks out at a (convex or straight obstacle corner); false where walkable space
                        // has a convex corner
  bool cornerB = true;
};

struct LocalView {
  // Self.
  uint32_t id = 0;
  uint64_t frame = 0;
  float step = 0.1F;     // s
  float radius = 0.24F;  // m
  float speed = 1.4F;    // preferred, m/s
  float maxSpeed = 2.1F;
  float mass = 80;           // kg
  float timeGap = 0.55F;     // s, to the agent ahead; 0: none is kept
  float bodyLength = 0.48F;  // m
  int side = 1;              // to keep to where others come the opposite way: 1 right, -1 left, 0 neither
  Vec2f velocity;            // m/s, before contact forces
  Vec2f preferred;           // m/s
  Vec2f bound;               // unit, straight towards the end of the route, or zero: unknown
  float stuck = 0;           // 0 moves freely to 1 jammed (the stuck clock)
  int lastSide = 0;          // side of the preferred direction chosen in the last step: -1 right, 0 straight, 1 left
  uint32_t group = ~0U;      // kNone: alone

  // Neighbours ahead, or all around if the method looksAround(), nearest first, ties by id; the first kAvoidNeighbours
  // of them for avoidance. Symmetric: both see each other over walkable ground.
  uint32_t count = 0;
  alignas(64) std::array<float, kMaxNeighbours> wx{};  // position minus own position, m
  alignas(64) std::array<float, kMaxNeighbours> wy{};
  alignas(64) std::array<float, kMaxNeighbours> vx{};  // velocity, m/s
  alignas(64) std::array<float, kMaxNeighbours> vy{};
  alignas(64) std::array<float, kMaxNeighbours> bx{};  // their bound: unit, straight towards the end of their
  alignas(64) std::array<float, kMaxNeighbours> by{};  // route, or zero
  alignas(64) std::array<float, kMaxNeighbours> r{};   // radius, m
  std::array<uint32_t, kMaxNeighbours> ids{};
  std::array<uint32_t, kMaxNeighbours> groups{};
  // Where they want to go, unit or zero; known only while stuck > 0.
  std::array<Vec2f, kMaxNeighbours> wishes{};
  std::array<bool, kMaxNeighbours> sameGoal{};  // likewise: they have the same goal and do not step back

  // Walls, nearest first.
  float free = 0;  // metres around the centre known to be without walls; 0: not known
  uint32_t wallCount = 0;
  std::array<WallView, kMaxWalls> walls{};
};

// The neighbours in whole vector registers of eight. Lanes beyond `count` hold numbers without a meaning.
inline uint32_t laneCount(const LocalView& view) {
  constexpr uint32_t kLanes = 8;
  return (view.count + kLanes - 1) / kLanes * kLanes;
}

// What a method decides.
struct LocalChoice {
  Vec2f velocity;      // wanted, m/s
  int side = 0;        // kept for the next step as LocalView::lastSide
  bool force = false;  // take the velocity as it is: forces over the step are in it, or the method has no inertia
};

}  // namespace wend
