#pragma once

#include <optional>
#include <vector>

#include "crowd/scenario/placed_area.h"
#include "crowd/simulation/simulation_run.h"

// Lifts with cars. A car is an area that every floor has at the same place; persons wait in its lobby. When the car is
// there, as many as it holds walk in; when it leaves they are moved to the same place of the floor that it comes to,
// and stay in it until its doors are open. A ride takes the time of its doors, twice, and of the height at its speed.
// The car goes where its first passenger goes, and empty to the nearest floor where somebody waits.
namespace wend {

class Lifts {
 public:
  explicit Lifts(SimulationRun& run) : run_(run) {}
  // An Error for a car that has no floor in one of its layers.
  Status prepare();
  // The lobby of the lift that a stage names.
  std::optional<Vec2> lobbyOf(const ScenarioStage& stage) const;

  // The person has come to the lobby, or into the car.
  void arrive(Person& person);
  // Lets persons in and moves cars, once per step. Persons that have come to their floor need the next goal.
  std::vector<AgentId> carry();

  void save(StateWriter& out) const { out.array(states_); }
  bool load(StateReader& in);

 private:
  struct State {
    bool isMoving = false;
    uint32_t floor = 0;    // index into the lift's floors; of the one it goes to while it moves
    double until = 0;      // when its doors are open there
    double lastEntry = 0;  // when the last person came in
  };
  struct Shaft {
    const ScenarioLift* lift;
    std::vector<PlacedArea> floors;
    std::vector<std::vector<Vec3>> places;  // per floor: where persons stand in the car
  };
  static uint32_t floorIndex(const Shaft& shaft, int32_t layer);
  bool uses(const Person& person, const Shaft& shaft) const;
  const ScenarioStage& stageOf(const Person& person) const {
    return run_.scenario.stages[static_cast<size_t>(person.stage)];
  }
  void board(const Shaft& shaft, State& state);
  void leave(const Shaft& shaft, State& state);

  SimulationRun& run_;
  std::vector<Shaft> shafts_;
  std::vector<State> states_;
};

}  // namespace wend
