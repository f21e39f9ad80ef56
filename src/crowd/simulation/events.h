#pragma once

#include "crowd/simulation/simulation_run.h"
#include "crowd/simulation/sources.h"
#include "crowd/simulation/stages.h"

// The events of a scenario, and the world that they change.
namespace wend {

class Events {
 public:
  Events(SimulationRun& run, Sources& sources, Stages& stages) : run_(run), sources_(sources), stages_(stages) {}
  void prepare() { done_.assign(run_.scenario.events.size(), kAhead); }

  // Those that are due.
  Status apply();
  // True if no event is still to come.
  bool areDone() const;

  void save(StateWriter& out) const { out.array(done_); }
  // Repeats the changes that past events made to the scenario and to the edits of the world; all others are in the
  // state of the other parts. False if the state belongs to another scenario.
  bool load(StateReader& in);

 private:
  enum : uint8_t { kAhead, kApplied, kRefused };
  Status apply(size_t event, bool& worldChanged);
  Status insertObstacle(size_t event, bool& worldChanged, std::string& action);
  Status rebuild();
  bool isDoor(const std::string& id) const;

  SimulationRun& run_;
  Sources& sources_;
  Stages& stages_;
  std::vector<uint8_t> done_;  // per event
};

}  // namespace wend
