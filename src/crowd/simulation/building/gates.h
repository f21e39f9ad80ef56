#pragma once

#include <optional>
#include <vector>

#include "crowd/simulation/simulation_run.h"

// Doors that persons pass one by one: one-way doors, turnstiles, doors with a largest flow. For the mesh such a door is
// always shut, so no route leads through it; here a person walks to a lane of the gate, and is moved to the other side
// when its time has come and there is space. Routes over gates are found by Passages.
namespace wend {

class Gates {
 public:
  explicit Gates(SimulationRun& run) : run_(run) {}
  // An Error for a gate with no floor on one of its sides.
  Status prepare();
  bool areThere() const { return !gates_.empty(); }

  // Lanes, for Passages.
  size_t laneCount() const { return lanes_.size(); }
  Vec3 entryOf(uint32_t lane) const { return lanes_[lane].entry; }
  Vec3 exitOf(uint32_t lane) const { return lanes_[lane].exit; }
  bool isOpen(uint32_t lane) const { return states_[lanes_[lane].gate].open; }
  // From the entry to the exit, waiting for those that head for the lane already included.
  double secondsThrough(uint32_t lane, const Person& person) const;

  // The person has come to the lane that it heads for.
  void arrive(Person& person);
  // Persons that are through since the last call, in the order of ids: they need a new goal.
  std::vector<AgentId> letThrough();
  // False if the door is no gate.
  bool setOpen(const std::string& door, bool open);

  void save(StateWriter& out) const;
  bool load(StateReader& in);

 private:
  // One direction of one lane.
  struct Lane {
    uint32_t gate = 0;
    Vec3 entry;
    Vec3 exit;
    double length = 0;  // metres from entry to exit
  };
  struct LaneState {
    AgentId person = kNone;  // the one that stands in it
    double since = 0;
  };
  struct GateState {
    double credit = 1;  // persons that may pass now, with a largest flow
    bool open = true;
  };
  struct Gate {
    const ScenarioDoor* door;
  };
  double waitAt(uint32_t lane) const;
  bool isTaken(uint32_t lane) const;
  bool isFree(Vec3 place, double radius, AgentId except) const;

  SimulationRun& run_;
  std::vector<Gate> gates_;
  std::vector<GateState> states_;
  std::vector<Lane> lanes_;
  std::vector<LaneState> laneStates_;
};

}  // namespace wend
