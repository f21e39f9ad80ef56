#pragma once

#include <vector>

#include "crowd/scenario/placed_area.h"
#include "crowd/simulation/simulation_run.h"

// Stairs, ramps, escalators and moving walks: speeds that depend on the direction in which a person walks.
namespace wend {

class StairSpeeds {
 public:
  explicit StairSpeeds(SimulationRun& run) : run_(run) {}
  // An Error for a layer that the world does not have. Warns of stairs whose way up is not known.
  Status prepare();
  bool areThere() const { return !stairs_.empty(); }

  // The speed of a person that would walk at `free` on the level, m/s. `heading` is a unit vector, or 0, 0.
  double speedAt(const Person& person, double free, Vec2 at, LayerId layer, Vec2 heading) const;

 private:
  struct Placed {
    const ScenarioStair* stair;
    PlacedArea area;
    Vec2 up;
    double slope = 0;
  };
  // From the heights of the floor: the way up and the slope.
  void measure(Placed& placed) const;

  SimulationRun& run_;
  std::vector<Placed> stairs_;
};

// The share of the speed on the level that is left on a slope (rise over run, negative downwards): Tobler 1993, and
// never more than on the level.
double slopeFactor(double slope);

}  // namespace wend
