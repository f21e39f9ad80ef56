#pragma once

#include <vector>

#include "crowd/simulation/events.h"
#include "crowd/simulation/simulation_run.h"

// Recognises gridlock: persons that block each other for good while others may still walk elsewhere. A queue before a
// narrow door is no gridlock: there a person arrives now and then.
//
// A person is held up if it is on its way to a stage, has stayed within 3 m for 60 s, and no person has arrived at that
// stage for as long. Two persons held up are a gridlock, unless an event is to come that could free them.
namespace wend {

class Gridlock {
 public:
  Gridlock(SimulationRun& run, const Events& events) : run_(run), events_(events) {}
  // After each step; looks once per simulated second. Keeps the summary up to date.
  void update();
  // True while a stage is in gridlock.
  bool isThere() const { return run_.summary.gridlocked > 0; }

  void save(StateWriter& out) const;
  bool load(StateReader& in);

 private:
  SimulationRun& run_;
  const Events& events_;
  std::vector<double> lastArrival_;  // per stage, s
};

}  // namespace wend
