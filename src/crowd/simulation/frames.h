#pragma once

#include "crowd/simulation/simulation_run.h"
#include "crowd/simulation/watch.h"

// The recorded frames of a run, and the hash of all of them.
namespace wend {

class Frames {
 public:
  Frames(SimulationRun& run, Watch& watch) : run_(run), watch_(watch) {}

  // Records the present positions if a frame is due. A person that leaves between two frames is in none after it: its
  // exit time and place are in the table of persons.
  Status record();
  // A last frame for a run that ended between two, with all persons that are still there.
  Status finish();
  // Of all positions recorded so far.
  uint64_t hash() const { return chain_; }

  void save(StateWriter& out) const;
  // False if persons wait for a frame: checkpoints are made right after one.
  bool load(StateReader& in);

 private:
  Status recordFrame(int64_t frame);

  SimulationRun& run_;
  Watch& watch_;
  uint64_t chain_ = 0;
};

}  // namespace wend
