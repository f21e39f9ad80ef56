#pragma once

#include <wend/simulate.h>

#include "crowd/simulation/checkpoint.h"
#include "crowd/simulation/events.h"
#include "crowd/simulation/frames.h"
#include "crowd/simulation/simulation_run.h"
#include "crowd/simulation/sources.h"
#include "crowd/simulation/speed_zones.h"
#include "crowd/simulation/stages.h"
#include "crowd/simulation/watch.h"

// The run of a scenario, step by step: events, sources, the choice of stages, a step of the Crowd, stages, checks, the
// recording. Each part has a class of its own; all share a SimulationRun.
namespace wend {

class Simulation {
 public:
  Simulation(const Scenario& scenario, const SimulateSettings& settings, const Context& context);
  Result<SimulationSummary> run();

 private:
  Status prepare();
  Status begin();
  Status step();
  Status finish();
  void handle(const CrowdEvent& event);
  void report();
  bool isOver();
  bool isCut() const;
  double endTime() const;

  const SimulateSettings& settings_;
  SimulationRun run_;
  Stages stages_;
  Sources sources_;
  SpeedZones speedZones_;
  Events events_;
  Watch watch_;
  Frames frames_;
  Checkpoint checkpoint_;
  double wallStart_ = 0;
  double firstTime_ = 0;
};

}  // namespace wend
