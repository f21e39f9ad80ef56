#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <wend/context.h>
#include <wend/crowd.h>
#include <wend/scenario.h>

// Runs a scenario and records it.
namespace wend {

enum class RunStatus : uint8_t {
  kEmpty,     // all persons have left or arrived, and no more will enter
  kTime,      // the end time has come
  kDeadlock,  // no person arrived or moved for 30 s, and no event will change that
  kStopped,   // the caller cancelled
  kGridlock,  // the end time has come, and persons block each other for good (SimulationSummary::gridlocked)
};
const char* statusName(RunStatus status);

struct SimulationProgress {
  double time = 0;
  double endTime = 0;
  size_t inside = 0;
  size_t left = 0;
  double speedFactor = 0;  // simulated over wall time
};

struct SimulateSettings {
  std::string output;             // FILE.sqlite
  bool resume = false;            // continue an unfinished recording where its last checkpoint is
  bool force = false;             // replace any file of that name, not only a recording of the same scenario
  std::optional<double> endTime;  // instead of the scenario's
  std::optional<uint64_t> seed;
  double checkpointEvery = 10;  // simulated seconds, above 0
  std::function<void(const SimulationProgress&)> onProgress;
};

// The cost of one step.
struct FrameCost {
  double time = 0;      // simulated, s
  uint32_t agents = 0;  // in the crowd
  double seconds = 0;   // wall time of the crowd's step
  double planning = 0;  // of that, planning and following of routes
};

struct SimulationSummary {
  RunStatus status = RunStatus::kTime;
  double time = 0;     // simulated, s
  uint64_t steps = 0;  // of the whole run, resumed part included
  uint64_t persons = 0;
  uint64_t left = 0;                  // through an exit, or at the end of their journey
  uint64_t inside = 0;                // at the end
  uint64_t refused = 0;               // could not enter a full source
  uint64_t unreachable = 0;           // persons that once had no way to their goal
  uint64_t stuck = 0;                 // persons that once moved less than 0.2 m in 10 s on their way
  double longestStuck = 0;            // s
  std::vector<std::string> warnings;  // what had no effect, and persons that did not enter or arrive
  uint64_t fallen = 0;                // persons that smoke has brought down
  double largestDose = 0;             // fractional effective dose of smoke
  uint64_t outside = 0;               // recorded positions off the walkable space
  double overlap = 0;                 // deepest of two persons, m
  double wallOverlap = 0;             // deepest of a person and a wall, m; measured once per simulated second
  uint64_t resultHash = 0;            // of all recorded positions and the final state
  uint64_t constructed = 0;           // agents whose memory was made; those that leave are used again
  std::vector<FrameCost> frames;      // one per step of this call
  CrowdTimes substeps;                // sums, s
  double wallSeconds = 0;
  double resumedAt = -1;             // simulated time; -1: from the beginning
  std::vector<uint32_t> deadlocked;  // persons, at most 10
  Vec2 deadlockPlace;
  // Gridlock: for 60 s two or more persons stayed within 3 m, and no person arrived at the stages they head for. No
  // event is to come.
  uint64_t gridlocked = 0;      // persons held up so at the end
  uint64_t mostGridlocked = 0;  // at any time
  double gridlockSince = -1;    // s; when the first gridlock began; -1: there was none
  Vec2 gridlockPlace;
};

// Same scenario, environment and seed, same recording and hash, for any number of threads, also when resumed.
//
// Errors: the environment cannot be read or has no mesh, a source or exit has no walkable place, the output cannot be
// written. An error while running leaves the recording readable up to its last commit.
Result<SimulationSummary> simulate(const Scenario& scenario, const SimulateSettings& settings,
                                   const Context& context = {});

}  // namespace wend
