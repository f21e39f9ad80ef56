#pragma once

#include <cstdint>

#include <wend/crowd.h>

namespace wend {

// The state of a person in its journey.
enum class Phase : uint8_t {
  kPremovement,  // has not begun to walk
  kWalking,      // to its stage
  kInLine,       // has a slot of a queue
  kWaiting,      // at a waiting place
  kHeld,         // in an exit that is shut or full just now
  kArrived,      // at the end of its journey, inside
  kLeaving,      // out; still in the frame being recorded
  kAtGate,       // before a gate that lets persons through one by one
  kInLift,       // in the car, or in the lobby close to it
  kFallen,       // brought down by smoke; stays where it is
};

// A person of a scenario, as the simulation keeps it beside the agent of the crowd; plain, so that a run can be saved.
struct Person {
  AgentId id = kNone;
  uint32_t source = 0;
  uint32_t profile = 0;
  uint32_t journey = 0;
  int32_t stage = -1;       // headed for or waited at
  int32_t transition = -1;  // of the journey, that chose the stage
  Phase phase = Phase::kPremovement;
  bool everStuck = false;
  bool everBlocked = false;
  uint32_t slot = kNone;
  uint32_t choices = 0;  // made so far, for random numbers
  GroupId group = kNone;
  AgentId leader = kNone;  // of its group, chooses for all members; itself if alone
  double radius = 0;
  double freeSpeed = 0;
  double premovement = 0;
  double spawnTime = 0;
  double startTime = -1;
  double factor = 1;       // on the speed, by zones, stairs and smoke
  double fed = 0;          // fractional effective dose of smoke
  uint32_t gate = kNone;   // that it heads for on its way to the goal
  uint32_t ride = kNone;   // of a lift, that it heads for or is on
  uint32_t berth = kNone;  // its place in the car
  double rideEnd = -1;     // when the doors open at its floor; -1: not on the way
  double release = -1;     // when waiting or service ends; -1: not begun
  double nextChoice = -1;  // when it chooses its exit again
  double shortest = 0;     // planned metres up to the present stage
  double routeLength = 0;  // metres to the present stage, when it was sent there
  int64_t spawnFrame = 0;
  Vec3 entry;  // where it entered
  Vec3 goal;
  Vec2 anchor;  // where it was when it last moved on
  double anchorTime = 0;
  Vec2 stay;  // where it was when it last moved on, for the watch for gridlock
  double staySince = 0;
  int32_t watchedStage = -1;   // headed for at the last look; -1: none
  uint32_t passed = 0;         // way points reached so far; one may follow itself
  uint32_t watchedPassed = 0;  // at the last look
};

}  // namespace wend
