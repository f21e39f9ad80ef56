#include "crowd/simulation/company.h"

#include <algorithm>

namespace wend {
namespace {

// True if all members that are on their way to the stage have the goal of this one.
bool shareGoal(const SimulationRun& run, const Person& person) {
  return std::all_of(run.persons.begin(), run.persons.end(), [&](const Person& other) {
    return other.group != person.group || other.stage != person.stage || other.phase != Phase::kWalking ||
           other.goal == person.goal;
  });
}

}  // namespace

GroupId companyOf(const SimulationRun& run, const Person& person) {
  if (person.group == kNone || person.stage < 0 || person.gate != kNone || person.ride != kNone) return kNone;
  const auto index = static_cast<size_t>(person.stage);
  const ScenarioStage& stage = run.scenario.stages[index];
  // Each person has a place of its own there.
  if (stage.kind == StageKind::kWaiting || stage.mirror) return kNone;
  const bool isRandom = stage.kind == StageKind::kWaypoint && (stage.area.everywhere || !stage.area.loops.empty());
  if (isRandom && !shareGoal(run, person)) return kNone;
  const uint64_t company = uint64_t{person.group} * run.scenario.stages.size() + index;
  return company < kNone ? static_cast<GroupId>(company) : kNone;
}

}  // namespace wend
