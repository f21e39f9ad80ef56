#pragma once

#include <vector>

#include "crowd/scenario/placed_area.h"
#include "crowd/simulation/simulation_run.h"

// Smoke from tables over time: it slows persons by its visibility, and brings them down by its dose.
namespace wend {

class Smoke {
 public:
  explicit Smoke(SimulationRun& run) : run_(run) {}
  Status prepare();
  bool isThere() const { return !areas_.empty(); }

  // The speed in smoke of a person that would walk at `free`, m/s: Fridolf and others 2019. From a visibility of 3 m
  // down each metre costs 0.34 m/s, to 0.2 m/s at least.
  double speedAt(double free, Vec2 at, LayerId layer) const;
  // Adds the dose of a step to each person. Persons at their limit fall: they stop for good.
  void breathe();

 private:
  struct Now {
    double visibility = kForever;
    double dose = 0;
  };
  Now now(const ScenarioSmoke& smoke) const;
  Now at(Vec2 place, LayerId layer) const;

  SimulationRun& run_;
  std::vector<PlacedArea> areas_;
};

}  // namespace wend
