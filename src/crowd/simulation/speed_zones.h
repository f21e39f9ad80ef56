#pragma once

#include "crowd/scenario/placed_area.h"
#include "crowd/simulation/building/smoke.h"
#include "crowd/simulation/building/stair_speeds.h"
#include "crowd/simulation/simulation_run.h"

// What changes the speed of the persons in it: zones of the scenario, labelled regions of the environment, stairs and
// smoke.
namespace wend {

class SpeedZones {
 public:
  explicit SpeedZones(SimulationRun& run) : run_(run), stairs_(run), smoke_(run) {}
  Status prepare();
  // Warns of floors steeper than 1 : 10 where persons of some profile walk as fast as on the level.
  void warnOfSteepFloors() const;
  // Seconds that a person takes for a route at its free speed, slower or faster in zones, labelled regions, on stairs
  // and, unless it is to be steady, in smoke as it is now.
  double walkTime(const Person& person, const Route& route, bool isSteady = false) const;
  // True if some zone or region changes a speed.
  bool changesSpeeds() const { return slowing_; }
  // Adds the dose of smoke of a step.
  void breathe() { smoke_.breathe(); }
  // Sets the speed of every person for the place where it is.
  void adaptSpeeds();

 private:
  double speedAt(const Person& person, Vec2 at, LayerId layer, Vec2 heading, bool isSteady = false) const;

  SimulationRun& run_;
  StairSpeeds stairs_;
  Smoke smoke_;
  std::vector<PlacedArea> zones_;
  std::vector<PlacedArea> labelled_;  // regions of the environment and their labels
  std::vector<std::string> labels_;
  bool slowing_ = false;  // some zone or region changes a speed
};

}  // namespace wend
