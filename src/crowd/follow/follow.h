#pragma once

#include <wend/crowd.h>

// Route following: from a route to the preferred velocity. One file per method.
namespace wend {

class RegionCosts;  // planning/region_field.h

// Where an agent is on its route; kept from step to step, made anew with each route. Progress never goes back.
struct FollowState {
  double arc = 0;           // metres along the route, of the reference point
  double segmentArc = 0;    // of points[segment]
  uint32_t segment = 0;     // of the route's points: arc lies between points[segment] and points[segment + 1]
  uint32_t portal = 0;      // the next portal of the route to cross
  Vec2 attractor;           // metres
  double attractorArc = 0;  // metres along the route
  // The empty disk of IRM, metres: used while the agent is well inside, since finding it is most of the work.
  Vec2 diskCentre;
  Vec2 diskSeenFrom;
  double diskRadius = -1;  // without the agent's own; negative: none
  uint32_t age = 0;        // steps since the attractor was chosen (MIRAN)
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
  double speed = 0;                      // preferred, m/s
  double maxStep = 0;                    // metres an agent can move in a step
  double goalRadius = 0.5;               // arrived within this of the route's end
  const RegionCosts* regions = nullptr;  // personal costs, for MIRAN; null: all alike
};

// Allocates nothing after warm-up. The cell is the one that holds the position. When kLost lasts for some time (2 s),
// plan anew; until then the preferred velocity leads back to the route.
FollowResult follow(FollowMethod method, const Navigator& navigator, const FollowInput& input, const Route& route,
                    FollowState& state, PlanScratch& scratch);

}  // namespace wend
