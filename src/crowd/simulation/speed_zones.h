#pragma once

#include "crowd/scenario/placed_area.h"
#include "crowd/simulation/simulation_run.h"

// Zones of the scenario and labelled regions of the environment that change the speed of the persons in them.
namespace wend {

class SpeedZones {
 public:
  explicit SpeedZones(SimulationRun& run) : run_(run) {}
  Status prepare();
  // Sets the speed of every person for the place where it is.
  void adaptSpeeds();

 private:
  SimulationRun& run_;
  std::vector<PlacedArea> zones_;
  std::vector<PlacedArea> labelled_;  // regions of the environment and their labels
  std::vector<std::string> labels_;
  bool slowing_ = false;  // some zone or region changes a speed
};

}  // namespace wend
