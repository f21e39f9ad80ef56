#pragma once

#include <span>
#include <vector>

#include "crowd/simulation/events.h"
#include "crowd/simulation/frames.h"
#include "crowd/simulation/gridlock.h"
#include "crowd/simulation/simulation_run.h"
#include "crowd/simulation/sources.h"
#include "crowd/simulation/stages.h"
#include "crowd/simulation/watch.h"

// A run as bytes, from which it continues bit for bit.
namespace wend {

class Checkpoint {
 public:
  Checkpoint(SimulationRun& run, Sources& sources, Stages& stages, Events& events, Watch& watch, Gridlock& gridlock,
             Frames& frames)
      : run_(run),
        sources_(sources),
        stages_(stages),
        events_(events),
        watch_(watch),
        gridlock_(gridlock),
        frames_(frames) {}

  std::vector<std::byte> save() const;
  // All parts must be prepared. An Error for damaged bytes, or for those of another scenario, environment or seed:
  // nothing that is loaded makes a later step read or write where it must not.
  Status load(std::span<const std::byte> bytes);

 private:
  SimulationRun& run_;
  Sources& sources_;
  Stages& stages_;
  Events& events_;
  Watch& watch_;
  Gridlock& gridlock_;
  Frames& frames_;
};

}  // namespace wend
