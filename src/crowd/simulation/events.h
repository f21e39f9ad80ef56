#pragma once

#include <map>

#include "crowd/simulation/passed_lines.h"
#include "crowd/simulation/simulation_run.h"
#include "crowd/simulation/sources.h"
#include "crowd/simulation/stages.h"

// The events of a scenario, and the world that they change. What cannot be done (an obstacle over the whole world, a
// shape that crosses itself) is refused with a note and a recorded event; the run goes on.
namespace wend {

class Events {
 public:
  Events(SimulationRun& run, Sources& sources, Stages& stages)
      : run_(run), sources_(sources), stages_(stages), passed_(run) {}
  Status prepare();

  // Those that are due.
  Status apply();
  // Counts the persons that crossed the lines that events wait for, after each step.
  void watchPersons() { passed_.update(); }
  // True if no event is still to come, and nothing moves.
  bool areDone() const;
  // Warns of events that were still to come when the run ended.
  void warnOfPending();
  // Goes on in another world, which the caller made.
  Status take(const World& world);

  void save(StateWriter& out) const;
  // Repeats the changes that past events made to the scenario; all others are in the state of the other parts. False
  // if the state belongs to another scenario.
  bool load(StateReader& in);

 private:
  enum : uint8_t { kAhead, kApplied, kMoving, kRefused };
  // A change of the world by an event.
  struct Wanted {
    size_t event;
    std::vector<Edit> edits;
    bool isRecorded;  // once it is done; the steps of a move are not
  };

  bool isDue(const ScenarioEvent& event) const;
  Status apply(size_t event);
  Status insertObstacle(size_t event);
  void moveObstacles();
  void moveBody(size_t event);
  Status startBodies();
  const Obstacle* lastInserted(const std::string& target);
  void want(size_t event, std::vector<Edit> edits, bool isRecorded) {
    wanted_.push_back({event, std::move(edits), isRecorded});
  }
  Status changeWorld();
  Status adopt(const WorldUpdate& update, bool& changed);
  Status refuse(size_t event, const std::string& why);
  // Nothing is recorded where there is no recorder.
  Status record(const std::string& action, const std::string& target);
  Status recordWorld();
  bool isDoor(const std::string& id) const;

  SimulationRun& run_;
  Sources& sources_;
  Stages& stages_;
  PassedLines passed_;
  std::vector<uint8_t> done_;                  // per event
  std::vector<double> appliedAt_;              // per event; simulated time
  std::vector<int64_t> stepsDone_;             // per event: places that a move has taken
  std::vector<BodyId> bodies_;                 // per event: of a move as a body
  std::vector<size_t> starting_;               // moves whose obstacle becomes a body in this step
  Obstacle inserted_;                          // memory of lastInserted()
  std::map<std::string, PlacedArea> regions_;  // that events wait for
  std::vector<Wanted> wanted_;                 // of this step
};

}  // namespace wend
