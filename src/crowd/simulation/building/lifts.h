#pragma once

#include <optional>
#include <vector>

#include "crowd/scenario/placed_area.h"
#include "crowd/simulation/simulation_run.h"

// Lifts with cars. A car is an area that every floor has at the same place; persons wait in its lobby. When the car is
// there, as many as it holds walk in; when it leaves they are moved to the same place of the floor that it comes to,
// and stay in it until its doors are open. A ride takes the time of its doors, twice, and of the height at its speed.
// The car goes where its first passenger goes, and empty to the nearest floor where a person waits.
//
// A ride leads from one floor to another. Persons take it by a stage of kind lift, or as a part of their way
// (Passages).
namespace wend {

class Lifts {
 public:
  explicit Lifts(SimulationRun& run) : run_(run) {}
  // An Error for a car or a lobby that has no floor in one of its layers.
  Status prepare();
  bool areThere() const { return !rides_.empty(); }
  // The lobby of the lift that a stage names, and the ride that it stands for.
  std::optional<Vec2> lobbyOf(const ScenarioStage& stage) const;
  uint32_t rideOf(const ScenarioStage& stage) const;

  // Rides, for Passages; those from one floor of a lift come one after the other.
  size_t rideCount() const { return rides_.size(); }
  Vec3 lobbyOf(uint32_t ride) const { return rides_[ride].lobby; }
  Vec3 exitOf(uint32_t ride) const { return rides_[ride].exit; }
  // From the lobby to the other floor, for a person that comes to the lobby in so many seconds: waiting for the car,
  // for those that head for the lift already and for its doors included. An estimate.
  double secondsOf(uint32_t ride, const Person& person, double arrival) const;

  // The person has come to the lobby of its ride, or into the car.
  void arrive(Person& person);
  // Lets persons in and moves cars, once per step. Persons that have come to their floor need the next goal.
  std::vector<AgentId> carry();

  void save(StateWriter& out) const { out.array(states_); }
  // After the persons.
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
  struct Ride {
    uint32_t shaft = 0;
    uint32_t from = 0;  // floors, as indices
    uint32_t to = 0;
    Vec3 lobby;
    Vec3 exit;
  };
  size_t placesOf(const Shaft& shaft, uint32_t floor) const {
    return std::min<size_t>(shaft.lift->capacity, shaft.places[floor].size());
  }
  bool uses(const Person& person, uint32_t shaft) const;
  // Seconds from floor to floor, doors included.
  double trip(const Shaft& shaft, uint32_t from, uint32_t to) const;
  void board(uint32_t shaft);
  void leave(uint32_t shaft);

  SimulationRun& run_;
  std::vector<Shaft> shafts_;
  std::vector<State> states_;
  std::vector<Ride> rides_;
};

}  // namespace wend
