#pragma once

#include <vector>

#include "crowd/simulation/simulation_run.h"

namespace wend {

// How many persons have crossed the measuring lines that events wait for, in either direction; each counts once per
// line.
class PassedLines {
 public:
  explicit PassedLines(SimulationRun& run) : run_(run) {}
  void prepare();
  // After each step.
  void update();
  uint64_t count(const std::string& line) const;

  void save(StateWriter& out) const;
  bool load(StateReader& in);

 private:
  struct Watched {
    const MeasuringLine* line;
    LayerId layer;
    std::vector<AgentId> passed;  // ascending
  };
  struct Last {
    AgentId id;
    Vec2 at;
  };
  void remember();

  SimulationRun& run_;
  std::vector<Watched> lines_;
  std::vector<Last> last_;  // in the order of ids
};

}  // namespace wend
