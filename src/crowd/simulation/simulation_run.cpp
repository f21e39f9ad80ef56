#include "crowd/simulation/simulation_run.h"

#include <algorithm>

namespace wend {

SimulationRun::SimulationRun(const Scenario& given, const SimulateSettings& settings, const Context& reportTo)
    : scenario(given), context(reportTo) {
  if (settings.seed) scenario.seed = *settings.seed;
}

Status SimulationRun::prepareWorld(const std::optional<World>& given) {
  Result<World> loaded = given ? scenarioWorld(scenario, *given, context) : loadScenarioWorld(scenario, context);
  if (!loaded.ok()) return loaded.error();
  firstVersion = loaded->version();
  world = std::make_shared<const ScenarioWorld>(*std::move(loaded));
  for (uint32_t i = 0; i < scenario.stages.size(); ++i) stageIndex[scenario.stages[i].id] = i;
  for (uint32_t i = 0; i < scenario.profiles.size(); ++i) profileIndex[scenario.profiles[i].crowd.name] = i;
  for (uint32_t i = 0; i < scenario.journeys.size(); ++i) journeyIndex[scenario.journeys[i].id] = i;
  return Done{};
}

Status SimulationRun::prepareCrowd() {
  CrowdSettings settings;
  settings.step = scenario.step;
  settings.seed = scenario.seed;
  settings.periodicFrom = scenario.periodicFrom;
  settings.periodicTo = scenario.periodicTo;
  std::vector<CrowdProfile> profiles;
  for (const ScenarioProfile& profile : scenario.profiles) profiles.push_back(withZones(profile.crowd, scenario));
  Result<Crowd> made = Crowd::make(world->navigator, std::move(profiles), settings);
  if (!made.ok()) return made.error();
  crowd.emplace(std::move(made).value());
  return Done{};
}

Person* SimulationRun::find(AgentId id) {
  const auto found = std::lower_bound(persons.begin(), persons.end(), id,
                                      [](const Person& person, AgentId wanted) { return person.id < wanted; });
  return found == persons.end() || found->id != id ? nullptr : &*found;
}

Status SimulationRun::write(const Person& person, const std::string& exit) {
  if (!recorder) return Done{};
  RecordedPerson row;
  row.id = person.id;
  row.profile = scenario.profiles[person.profile].crowd.name;
  row.radius = person.radius;
  row.freeSpeed = person.freeSpeed;
  row.premovement = person.premovement;
  row.source = scenario.sources[person.source].id;
  row.journey = scenario.journeys[person.journey].id;
  row.spawnFrame = person.spawnFrame;
  row.start = person.startTime;
  row.shortest = person.startTime < 0 ? -1 : person.shortest;
  row.exit = exit;
  row.fed = person.fed;
  if (!exit.empty()) {
    row.exitTime = time();
    const AgentState* agent = crowd->find(person.id);
    row.exitPlaced = agent != nullptr;
    if (agent != nullptr) row.exitPlace = {agent->position.x, agent->position.y};
    row.exitFrame = static_cast<int64_t>((step + scenario.output.every - 1) / scenario.output.every);
  }
  return recorder->person(row);
}

void SimulationRun::writeOrFail(const Person& person, const std::string& exit) {
  if (Status status = write(person, exit); !status.ok() && !failure) failure = status.error();
}

void SimulationRun::warn(const std::string& sentence) {
  constexpr size_t kMostWarnings = 200;
  std::vector<std::string>& all = summary.warnings;
  if (all.size() >= kMostWarnings || std::find(all.begin(), all.end(), sentence) != all.end()) return;
  all.push_back(sentence);
  context.note("warning: " + sentence);
}

void SimulationRun::removeLeaving() {
  for (const Person& person : persons) {
    if (person.phase == Phase::kLeaving) crowd->remove(person.id);
  }
  std::erase_if(persons, [](const Person& person) { return person.phase == Phase::kLeaving; });
}

void SimulationRun::save(StateWriter& out) const {
  out.add(step);
  out.array(persons);
  out.add(lastArrival);
  for (const uint64_t count : {summary.persons, summary.left, summary.refused, summary.unreachable, summary.stuck,
                               summary.outside, summary.fallen}) {
    out.add(count);
  }
  for (const double value : {summary.longestStuck, summary.overlap, summary.wallOverlap}) out.add(value);
  out.add(summary.warnings.size());
  for (const std::string& sentence : summary.warnings) out.text(sentence);
}

void SimulationRun::load(StateReader& in) {
  in.get(step);
  in.array(persons);
  in.get(lastArrival);
  for (uint64_t* count : {&summary.persons, &summary.left, &summary.refused, &summary.unreachable, &summary.stuck,
                          &summary.outside, &summary.fallen}) {
    in.get(*count);
  }
  for (double* value : {&summary.longestStuck, &summary.overlap, &summary.wallOverlap}) in.get(*value);
  size_t count = 0;
  in.get(count);
  summary.warnings.clear();
  for (size_t i = 0; i < count && in.ok; ++i) in.text(summary.warnings.emplace_back());
}

}  // namespace wend
