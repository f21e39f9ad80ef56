#pragma once

#include <wend/crowd.h>

// Route following: from a route to the preferred velocity. One file per method.
namespace wend {

// Where an agent is on its route; kept from step to step. Progress never goes back.
struct FollowState {
  double arc = 0;           // metres along the route, of the reference point
  uint32_t segment = 0;     // of the route's points: arc lies between points[segment] and points[segment + 1]
  uint32_t portal = 0;      // the next portal of the route to cross
  Vec2 attractor;           // metres
  double attractorArc = 0;  // metres along the route
};

enum class FollowStatus : uint8_t { kOk, kArrived, kLost };

struct FollowResult {
  Vec2 preferred;             // m/s
  double distanceToGoal = 0;  // metres along the route from the reference point, plus the way to it
  FollowStatus status = FollowStatus::kOk;
};

struct FollowInput {
  Vec3 position;  // metres; z chooses the layer
  CellId cell = kNone;
  double radius = 0;
  double speed = 0;         // preferred, m/s
  double maxStep = 0;       // metres an agent can move in a step
  double goalRadius = 0.5;  // arrived within this of the route's end
};

// Allocates nothing after warm-up.
FollowResult follow(FollowMethod method, const Navigator& navigator, const FollowInput& input, const Route& route,
                    FollowState& state, PlanScratch& scratch);

}  // namespace wend
