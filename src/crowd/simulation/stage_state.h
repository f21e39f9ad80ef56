#pragma once

#include <vector>

#include <wend/crowd.h>

#include "crowd/simulation/stage_places.h"

// The state of the stages of a scenario: which are open, and which persons stand in line there.
namespace wend {

struct StageState {
  bool open = true;    // exit
  bool active = true;  // waiting
  uint64_t passed = 0;
  uint64_t targeted = 0;      // persons on their way to it
  double credit = 0;          // of an exit with a largest flow: persons it may let out now
  std::vector<AgentId> line;  // queue: in order; waiting: by slot, kNone where free
};

// Per stage.
struct StageStates {
  std::vector<StageState> state;
  std::vector<StagePlaces> places;
};

}  // namespace wend
