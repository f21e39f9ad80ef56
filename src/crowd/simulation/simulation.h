#pragma once

#include <wend/simulate.h>

#include "crowd/simulation/checkpoint.h"
#include "crowd/simulation/events.h"
#include "crowd/simulation/frames.h"
#include "crowd/simulation/gridlock.h"
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

  // The same in parts, for a run that is shown while it goes on: prepare() and begin() once, advance() until isOver(),
  // finish(). Without an output file nothing is recorded. `given` stands in for the world that the scenario names.
  Status prepare(const std::optional<World>& given = {});
  Status begin();
  Status advance();
  bool isOver();
  Status finish();
  // Goes on in another world, with the scenario's zones and its doors as they are at the start.
  Status changeWorld(const World& world);
  const SimulationRun& state() const { return run_; }
  // All of it as bytes, after a recorded frame; and back into one that is prepared. See Checkpoint.
  std::vector<std::byte> save() const { return checkpoint_.save(); }
  Status load(std::span<const std::byte> bytes) { return checkpoint_.load(bytes); }
  const Person* find(AgentId agent) { return run_.find(agent); }

 private:
  Status step();
  void handle(const CrowdEvent& event);
  void report();
  bool isCut() const;
  double endTime() const;

  const SimulateSettings& settings_;
  SimulationRun run_;
  Stages stages_;
  Sources sources_;
  SpeedZones speedZones_;
  Events events_;
  Watch watch_;
  Gridlock gridlock_;
  Frames frames_;
  Checkpoint checkpoint_;
  double wallStart_ = 0;
  double firstTime_ = 0;
};

}  // namespace wend
