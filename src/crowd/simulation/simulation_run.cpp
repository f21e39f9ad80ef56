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
  if (Status status = setWorld(*std::move(loaded)); !status.ok()) return status;
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
  settings.localObstacles = scenario.localObstacles;
  std::vector<CrowdProfile> profiles;
  for (const ScenarioProfile& profile : scenario.profiles) profiles.push_back(withZones(profile.crowd, scenario));
  Result<Crowd> made = Crowd::make(world->navigator, std::move(profiles), settings);
  if (!made.ok()) return made.error();
  crowd.emplace(std::move(made).value());
  return closeStairs();
}

Status SimulationRun::setWorld(World next) {
  world = world ? std::make_shared<const ScenarioWorld>(*world, std::move(next))
                : std::make_shared<const ScenarioWorld>(std::move(next));
  Result<std::optional<World>> closed = withoutStairs(scenario, world->world, context);
  if (!closed.ok()) return closed.error();
  level.reset();
  if (*closed) level = makeNavigator(world->navigator, **closed);
  return Done{};
}

Status SimulationRun::closeStairs() {
  if (!level) return Done{};
  for (uint32_t i = 0; i < scenario.profiles.size(); ++i) {
    if (scenario.profiles[i].stairs) continue;
    if (Status status = crowd->planOn(i, *level); !status.ok()) return status;
  }
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
  for (const double value : {summary.longestStuck, summary.overlap, summary.wallOverlap, summary.largestDose}) {
    out.add(value);
  }
  out.add(summary.warnings.size());
  for (const std::string& sentence : summary.warnings) out.text(sentence);
}

bool SimulationRun::isSound(const Person& person) const {
  if (person.source >= scenario.sources.size() || person.profile >= scenario.profiles.size() ||
      person.journey >= scenario.journeys.size() || person.stage < -1 || person.transition < -1) {
    return false;
  }
  for (const int32_t stage : {person.stage, person.watchedStage}) {
    if (stage < -1 || (stage >= 0 && static_cast<size_t>(stage) >= scenario.stages.size())) return false;
  }
  // Without `next` the transition is the place in the list of stages, and one behind it at the end.
  const ScenarioJourney& journey = scenario.journeys[person.journey];
  const size_t transitions = journey.next.empty() ? journey.stages.size() + 1 : journey.next.size();
  if (person.transition >= 0 && static_cast<size_t>(person.transition) >= transitions) return false;
  // A person that chooses its exit again has chosen before.
  if (person.nextChoice >= 0 && (journey.next.empty() || person.transition < 0 || person.stage < 0)) return false;
  const bool needsStage =
      person.phase == Phase::kInLine || person.phase == Phase::kWaiting || person.phase == Phase::kInLift;
  return static_cast<uint8_t>(person.phase) <= static_cast<uint8_t>(Phase::kFallen) &&
         (!needsStage || person.stage >= 0) && isTruthValue(person.everStuck) && isTruthValue(person.everBlocked) &&
         person.radius > 0 && person.freeSpeed > 0 &&
         areFinite({person.radius, person.freeSpeed, person.factor, person.goal.x, person.goal.y, person.goal.z,
                    person.entry.x, person.entry.y, person.entry.z, person.anchor.x, person.anchor.y, person.stay.x,
                    person.stay.y}) &&
         areNumbers({person.premovement, person.spawnTime, person.startTime, person.release, person.nextChoice,
                     person.shortest, person.anchorTime, person.staySince, person.fed, person.routeLength,
                     person.rideEnd});
}

bool SimulationRun::load(StateReader& in) {
  in.get(step);
  in.array(persons);
  in.get(lastArrival);
  for (uint64_t* count : {&summary.persons, &summary.left, &summary.refused, &summary.unreachable, &summary.stuck,
                          &summary.outside, &summary.fallen}) {
    in.get(*count);
  }
  for (double* value : {&summary.longestStuck, &summary.overlap, &summary.wallOverlap, &summary.largestDose}) {
    in.get(*value);
  }
  size_t sentences = 0;
  in.get(sentences);
  summary.warnings.clear();
  for (size_t i = 0; i < sentences && in.ok; ++i) in.text(summary.warnings.emplace_back());
  // More steps than this are no whole number of seconds in a double.
  constexpr uint64_t kMostSteps = uint64_t{1} << 53;
  if (!in.ok || step >= kMostSteps || std::isnan(lastArrival)) return false;
  for (size_t i = 0; i < persons.size(); ++i) {
    if (!isSound(persons[i]) || (i > 0 && persons[i - 1].id >= persons[i].id)) return false;
  }
  return true;
}

}  // namespace wend
