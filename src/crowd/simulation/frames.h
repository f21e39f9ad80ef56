#pragma once

#include "crowd/simulation/simulation_run.h"
#include "crowd/simulation/watch.h"

// The recorded frames of a run, and the hash of all of them.
namespace wend {

class Frames {
 public:
  Frames(SimulationRun& run, Watch& watch) : run_(run), watch_(watch) {}

  // Records the present positions if a frame is due, and remembers persons that leave between two frames.
  Status record();
  // A last frame for persons that left after the last one, if there are any.
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
  std::vector<RecordedPosition> latecomers_;  // persons that left since the last recorded frame
  uint64_t chain_ = 0;
};

}  // namespace wend
