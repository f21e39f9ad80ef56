#pragma once

#include <map>
#include <memory>

#include <wend/simulate.h>

#include "crowd/record/recorder.h"
#include "crowd/scenario/scenario_world.h"
#include "crowd/simulation/person.h"
#include "crowd/simulation/state_bytes.h"

// The data that all parts of a simulation share: the scenario, the world, the crowd, the persons, the clock.
namespace wend {

struct SimulationRun {
  SimulationRun(const Scenario& given, const SimulateSettings& settings, const Context& reportTo);
  // The parts refer to it.
  SimulationRun(const SimulationRun&) = delete;
  SimulationRun& operator=(const SimulationRun&) = delete;

  // Reads the world of the scenario, or takes the one given, and builds it with all doors as they are at the start.
  Status prepareWorld(const std::optional<World>& given = {});
  Status prepareCrowd();
  // Another world for the stages and for planning. The caller gives it to the crowd, and then calls closeStairs().
  Status setWorld(World next);
  // Lets persons that take no stairs plan without them.
  Status closeStairs();
  // What the person plans on.
  const Navigator& navigatorOf(const Person& person) const {
    return level && !scenario.profiles[person.profile].stairs ? *level : world->navigator;
  }

  double time() const { return static_cast<double>(step) * scenario.step; }
  int64_t recordedFrame() const { return static_cast<int64_t>(step / scenario.output.every); }
  // Null for an agent that has left.
  Person* find(AgentId id);
  // Writes a person to the recording; with the exit by which it leaves, if it does.
  Status write(const Person& person, const std::string& exit = {});
  // The same; the first error becomes `failure`, which ends the run after the step.
  void writeOrFail(const Person& person, const std::string& exit = {});
  // A sentence for the summary, the recording and the caller. The same sentence counts once.
  void warn(const std::string& sentence);
  // Takes the persons that leave out of the crowd.
  void removeLeaving();

  void save(StateWriter& out) const;
  // False if the bytes are those of no run of this scenario. The crowd is loaded afterwards, see isSound().
  bool load(StateReader& in);

  // Each number of a person is one that the scenario has: they index arrays.
  bool isSound(const Person& person) const;

  Scenario scenario;
  const Context& context;
  std::shared_ptr<const ScenarioWorld> world;
  std::optional<Navigator> level;  // of the world with its stairs closed, if a profile takes none
  uint64_t firstVersion = 0;       // of the world, before any event
  std::optional<Crowd> crowd;
  std::optional<Recorder> recorder;
  PlanScratch scratch;
  Route route;

  std::map<std::string, uint32_t> stageIndex;
  std::map<std::string, uint32_t> profileIndex;
  std::map<std::string, uint32_t> journeyIndex;

  uint64_t step = 0;
  std::vector<Person> persons;  // in the order of ids
  double lastArrival = 0;       // time of the last arrival, departure or event
  SimulationSummary summary;
  std::optional<Error> failure;
};

}  // namespace wend
