#pragma once

#include <map>
#include <memory>

#include <wend/simulate.h>

#include "crowd/record/recorder.h"
#include "crowd/scenario/arrivals.h"
#include "crowd/scenario/person.h"
#include "crowd/scenario/scenario_world.h"
#include "crowd/scenario/stage_places.h"

// The scenario's side of a run: who enters, where everybody goes next, what changes. The Crowd moves them.
namespace wend {

// What is remembered of a stage; plain but for the line.
struct StageState {
  bool open = true;    // exit
  bool active = true;  // waiting
  uint64_t passed = 0;
  uint64_t targeted = 0;      // persons under way to it
  double credit = 0;          // of an exit with a largest flow: persons it may let out now
  std::vector<AgentId> line;  // queue: in order; waiting: by slot, kNone where free
};

// Of each event.
enum : uint8_t { kEventAhead, kEventApplied, kEventRefused };

// What is remembered of one `next` of a journey.
struct TransitionState {
  std::vector<double> served;  // by round robin, per stage
};

// Somebody under way, as those see him who choose.
struct SeenPerson {
  Vec3 at;
  LayerId layer = 0;
  uint32_t stage = 0;
};

class Simulation {
 public:
  Simulation(const Scenario& scenario, const SimulateSettings& settings, const Context& context);
  Result<SimulationSummary> run();

 private:
  // simulation.cpp: the frame.
  Status prepare();
  Status begin();
  Status step();
  Status record();
  Status recordFrame(int64_t frame);
  void report();
  bool isOver();
  double time() const { return static_cast<double>(step_) * scenario_.step; }
  int64_t recordedFrame() const { return static_cast<int64_t>(step_ / scenario_.output.every); }
  Person* find(AgentId id);
  Status write(const Person& person, const std::string& exit = {});

  // simulation_entry.cpp: sources.
  Status enter(double from, double to);
  Status enterFrom(size_t source, double from, double to);
  Result<Person> drawPerson(size_t source, uint64_t number, uint64_t member) const;
  uint32_t drawGroupSize(size_t source, uint64_t number) const;
  std::vector<Person> drawPersons(size_t source, uint64_t count, std::optional<Error>& error);
  Status addPerson(Person person, Vec3 place);
  void beginWalking();

  // simulation_stages.cpp: what happens at stages.
  void goOn(Person& person);                     // from its stage to the next
  void headFor(Person& person, uint32_t stage);  // chooses the place
  void arrive(Person& person);
  void leave(Person& person, const std::string& exit);
  void letOut();
  void serveQueues();
  void endWaiting();
  void moveLine(uint32_t stage);
  void aim(Person& person, Vec3 goal, double within);
  void hold(Person& person);
  void forgetTarget(Person& person);
  void adaptSpeeds();

  // next_stage.cpp: choices.
  int32_t chooseNext(Person& person);
  uint32_t choose(Person& person, const Transition& transition, TransitionState& state);
  double pathLength(const Person& person, Vec3 from, uint32_t stage);
  double estimate(const Person& person, Vec3 from, uint32_t stage);
  Vec3 placeOf(const Person& person, Vec3 from, uint32_t stage);
  void reconsider();
  void countQueues();
  void lookAround();
  double othersTo(uint32_t stage, const AgentState& agent);

  // simulation_events.cpp: what changes.
  Status applyEvents();
  Status apply(size_t event, bool& worldChanged);
  Status rebuild();
  Status placeStages();

  // simulation_watch.cpp: what is checked.
  void watch();
  bool isDeadlocked();
  void checkPositions(std::span<const RecordedPosition> positions);

  // simulation_state.cpp
  std::vector<std::byte> save() const;
  Status load(std::span<const std::byte> bytes);

  uint32_t stageIndex(const std::string& id) const { return stageIndex_.at(id); }

  Scenario scenario_;
  const SimulateSettings& settings_;
  const Context& context_;
  ScenarioWorldMaker maker_;
  WorldEdits edits_;
  std::shared_ptr<const ScenarioWorld> world_;
  std::optional<Crowd> crowd_;
  std::optional<Recorder> recorder_;
  PlanScratch scratch_;
  Route route_;

  std::map<std::string, uint32_t> stageIndex_;
  std::map<std::string, uint32_t> profileIndex_;
  std::map<std::string, uint32_t> journeyIndex_;
  std::vector<PlacedArea> sourceAreas_;
  std::vector<uint64_t> sourceCounts_;
  std::vector<PlacedArea> zones_;
  std::vector<PlacedArea> labelled_;  // regions of the environment and their labels
  std::vector<std::string> labels_;
  std::vector<StagePlaces> places_;
  bool slowing_ = false;  // something changes speeds by place

  uint64_t step_ = 0;
  std::vector<Person> persons_;  // in the order of ids
  std::vector<SourceState> sources_;
  std::vector<StageState> stages_;
  std::vector<std::vector<TransitionState>> transitions_;  // per journey
  std::vector<uint8_t> eventDone_;
  std::vector<double> alarm_;  // per source: when it went off; -1: not yet
  std::vector<uint8_t> hasAlarm_;
  std::vector<RecordedPosition> latecomers_;  // who left since the last recorded frame
  GroupId nextGroup_ = 0;
  uint64_t chain_ = 0;
  double lastArrival_ = 0;
  double lastMotion_ = 0;
  SimulationSummary summary_;
  std::optional<Error> failure_;

  std::vector<std::vector<uint32_t>> queueAhead_;  // per stage: persons by distance
  uint64_t queuesCounted_ = ~uint64_t{0};
  std::map<std::pair<int64_t, int64_t>, std::vector<SeenPerson>> others_;  // by square
  uint64_t othersSeen_ = ~uint64_t{0};
  double wallStart_ = 0;
  double firstTime_ = 0;
};

}  // namespace wend
