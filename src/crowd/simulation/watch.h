#pragma once

#include <cmath>
#include <span>

#include "crowd/simulation/events.h"
#include "crowd/simulation/simulation_run.h"
#include "crowd/simulation/sources.h"

// The checks of a run: persons that are stuck, a deadlock, overlaps, and positions off the mesh.
namespace wend {

class Watch {
 public:
  Watch(SimulationRun& run, const Sources& sources, const Events& events)
      : run_(run), sources_(sources), events_(events) {}

  // Counts in the summary, after each step.
  void update();
  // True if no person moves, and nothing is to come that could change this. Names the persons in the summary.
  bool isDeadlocked();
  void checkPositions(std::span<const RecordedPosition> positions);

  void save(StateWriter& out) const { out.add(lastMotion_); }
  bool load(StateReader& in) {
    in.get(lastMotion_);
    return !std::isnan(lastMotion_);
  }

 private:
  SimulationRun& run_;
  const Sources& sources_;
  const Events& events_;
  double lastMotion_ = 0;  // time
};

}  // namespace wend
