#pragma once

#include "crowd/simulation/building/passages.h"
#include "crowd/simulation/next_stage.h"
#include "crowd/simulation/simulation_run.h"
#include "crowd/simulation/stage_state.h"

// The stages of a scenario: where persons head, and what happens at way points, exits, queues and waiting places.
namespace wend {

class Stages {
 public:
  explicit Stages(SimulationRun& run)
      : run_(run), next_(run, stages_), gates_(run), lifts_(run), passages_(run, gates_, lifts_) {}
  Status prepare();
  // Finds the places of the stages in the present world. An Error if a stage has none; after prepare() it then keeps
  // the old ones.
  Status place();

  // How long a route takes a person, for the choice of exits (NextStage) and of gates and lifts (Passages).
  void setWalkTime(const Passages::WalkTime& walkTime) {
    next_.setWalkTime([walkTime](const Person& person, const Route& route) { return walkTime(person, route, false); });
    passages_.setWalkTime(walkTime);
  }

  // Sends a person from its stage to the next.
  void goOn(Person& person);
  // The crowd says that a person has come to its goal.
  void arrive(Person& person);
  // The crowd says that a person finds no path: it takes the nearest exit that it can reach.
  void reroute(Person& person);
  // Takes a person out of the world.
  void leave(Person& person, const std::string& exit);

  // The same for all persons, once per step.
  void reconsider();  // exits that were chosen as the fastest
  void aimAnew();     // at the nearest place of an exit in sight (exit_aim.cpp)
  void serveQueues();
  void endWaiting();
  void letOut();
  void passGates();
  void rideLifts();

  // Events.
  void setOpen(uint32_t stage, bool open) { stages_.state[stage].open = open; }
  // False if the door is no gate. All persons under way look for their way again.
  bool setGate(const std::string& door, bool open);
  void setActive(uint32_t stage, bool active) { stages_.state[stage].active = active; }
  void popQueue(uint32_t stage, uint64_t count);
  void changeJourney(Person& person, uint32_t journey);

  void save(StateWriter& out) const;
  // After the persons. False if the bytes are those of no run of this scenario.
  bool load(StateReader& in);

 private:
  static constexpr double kExitReach = 0.1;  // m; exits are left by their area, not by the place headed for

  bool isSound(uint32_t stage) const;
  void headFor(Person& person, uint32_t stage);  // chooses the place
  void moveLine(uint32_t stage);
  void aim(Person& person, Vec3 goal, double within);
  void aimAgain(Person& person);
  void hold(Person& person);
  void forgetTarget(Person& person);

  SimulationRun& run_;
  StageStates stages_;
  NextStage next_;
  Gates gates_;
  Lifts lifts_;
  Passages passages_;
};

}  // namespace wend
