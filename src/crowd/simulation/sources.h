#pragma once

#include "crowd/scenario/placed_area.h"
#include "crowd/simulation/arrivals.h"
#include "crowd/simulation/simulation_run.h"
#include "crowd/simulation/stages.h"

// The sources of a scenario: which persons enter, when and where, and when they begin to walk.
namespace wend {

class Sources {
 public:
  Sources(SimulationRun& run, Stages& stages) : run_(run), stages_(stages) {}
  // An Error for a source that no person can enter by.
  Status prepare();

  // The persons of one step.
  Status enter(double from, double to);
  // Sends persons off whose pre-movement time is over.
  void beginWalking();

  // Events. `target` is the id of a source, or "all" for an alarm.
  void setRate(const std::string& target, double rate);
  void soundAlarm(const std::string& target);

  // True if persons of the source wait for an alarm that is still to come.
  bool awaitsAlarm(uint32_t source) const { return hasAlarm_[source] != 0 && alarm_[source] < 0; }
  // True if no source sends persons after now.
  bool areExhausted() const;
  // The same, and no person waits outside a full source.
  bool areDone() const;

  // Persons of a source that still wait for a place to enter, and those that were dropped.
  std::pair<uint64_t, uint64_t> neverEntered(size_t source) const {
    const SourceState& s = states_[source];
    return {s.arrived - std::min(s.arrived, s.entered + s.refused), s.refused};
  }

  void save(StateWriter& out) const;
  // False if the bytes are those of no run of this scenario.
  bool load(StateReader& in);

 private:
  bool isSound(size_t source) const;
  Status enterFrom(size_t source, double from, double to);
  Result<Person> drawPerson(size_t source, uint64_t number, uint64_t member) const;
  uint32_t drawGroupSize(size_t source, uint64_t number) const;
  std::vector<Person> drawPersons(size_t source, uint64_t count, std::optional<Error>& error);
  Status addPerson(Person person, Vec3 place);

  SimulationRun& run_;
  Stages& stages_;
  // Per source.
  std::vector<PlacedArea> areas_;
  std::vector<uint64_t> counts_;
  std::vector<SourceState> states_;
  std::vector<double> alarm_;  // when it went off; -1: not yet
  std::vector<uint8_t> hasAlarm_;
  GroupId nextGroup_ = 0;
};

}  // namespace wend
