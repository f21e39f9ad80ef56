#include "crowd/scenario/simulation.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "base/wall_clock.h"

namespace wend {
namespace {

void accumulate(CrowdTimes& sum, const CrowdTimes& step) {
  sum.replanning += step.replanning;
  sum.following += step.following;
  sum.neighbours += step.neighbours;
  sum.groups += step.groups;
  sum.stream += step.stream;
  sum.avoidance += step.avoidance;
  sum.movement += step.movement;
  sum.separation += step.separation;
  sum.density += step.density;
}

PlacedArea regionArea(const Region& region, const Lattice& lattice, LayerId layer) {
  PlacedArea area;
  area.layer = layer;
  area.min = {kForever, kForever};
  area.max = {-kForever, -kForever};
  const auto add = [&](const Ring& ring) {
    std::vector<Vec2>& loop = area.loops.emplace_back();
    for (const Point p : ring) {
      const Vec2 m = lattice.toMetres(p);
      loop.push_back(m);
      area.min = {std::min(area.min.x, m.x), std::min(area.min.y, m.y)};
      area.max = {std::max(area.max.x, m.x), std::max(area.max.y, m.y)};
    }
  };
  for (const Polygon& polygon : region.area) {
    add(polygon.outer);
    for (const Ring& hole : polygon.holes) add(hole);
  }
  return area;
}

}  // namespace

const char* statusName(RunStatus status) {
  switch (status) {
    case RunStatus::kEmpty:
      return "empty";
    case RunStatus::kTime:
      return "time";
    case RunStatus::kDeadlock:
      return "deadlock";
    case RunStatus::kStopped:
      return "stopped";
  }
  return "unknown";
}

Simulation::Simulation(const Scenario& scenario, const SimulateSettings& settings, const Context& context)
    : scenario_(scenario), settings_(settings), context_(context) {
  if (settings.seed) scenario_.seed = *settings.seed;
}

Person* Simulation::find(AgentId id) {
  const auto found = std::lower_bound(persons_.begin(), persons_.end(), id,
                                      [](const Person& person, AgentId wanted) { return person.id < wanted; });
  return found == persons_.end() || found->id != id ? nullptr : &*found;
}

Status Simulation::write(const Person& person, const std::string& exit) {
  RecordedPerson row;
  row.id = person.id;
  row.profile = scenario_.profiles[person.profile].crowd.name;
  row.radius = person.radius;
  row.freeSpeed = person.freeSpeed;
  row.premovement = person.premovement;
  row.source = scenario_.sources[person.source].id;
  row.journey = scenario_.journeys[person.journey].id;
  row.spawnFrame = person.spawnFrame;
  row.start = person.startTime;
  row.shortest = person.startTime < 0 ? -1 : person.shortest;
  row.exit = exit;
  if (!exit.empty()) {
    row.exitTime = time();
    row.exitFrame = static_cast<int64_t>((step_ + scenario_.output.every - 1) / scenario_.output.every);
  }
  return recorder_->person(row);
}

// Everything that does not change while running.
Status Simulation::prepare() {
  Result<ScenarioWorldMaker> maker = ScenarioWorldMaker::load(scenario_, context_);
  if (!maker.ok()) return maker.error();
  maker_ = std::move(maker).value();
  for (const ScenarioDoor& door : scenario_.doors) {
    if (!door.open) edits_.closed.insert(door.id);
  }
  Result<std::shared_ptr<const ScenarioWorld>> world = maker_.make(edits_, context_);
  if (!world.ok()) return world.error();
  world_ = std::move(world).value();

  for (uint32_t i = 0; i < scenario_.stages.size(); ++i) stageIndex_[scenario_.stages[i].id] = i;
  for (uint32_t i = 0; i < scenario_.profiles.size(); ++i) profileIndex_[scenario_.profiles[i].crowd.name] = i;
  for (uint32_t i = 0; i < scenario_.journeys.size(); ++i) journeyIndex_[scenario_.journeys[i].id] = i;
  if (Status status = placeStages(); !status.ok()) return status;
  for (const ScenarioSource& source : scenario_.sources) {
    Area drawn = source.area;
    if (!source.points.empty()) drawn.loops = {source.points};
    Result<PlacedArea> area = placeArea(drawn, world_->environment(), fmt::format("source '{}'", source.id));
    if (!area.ok()) return area.error();
    for (const Vec2 p : source.points) {
      if (!world_->lift(p, area->layer)) {
        return Error{ErrorCode::kNotOnMesh,
                     fmt::format("the point ({:g}, {:g}) of source '{}' is inside a wall or outside the world; move it",
                                 p.x, p.y, source.id)};
      }
    }
    const Result<double> free =
        source.points.empty() ? walkableArea(*area, world_->environment()) : Result<double>(1.0);
    if (!free.ok()) return free.error();
    if (*free <= 0) {
      return Error{
          ErrorCode::kNotOnMesh,
          fmt::format("the area of source '{}' does not overlap the walkable space of layer {}; nobody can enter",
                      source.id, source.area.layer)};
    }
    sourceCounts_.push_back(source.density > 0 ? static_cast<uint64_t>(std::llround(source.density * *free))
                                               : source.count);
    sourceAreas_.push_back(std::move(area).value());
  }
  for (const ScenarioZone& zone : scenario_.zones) {
    Result<PlacedArea> area = placeArea(zone.area, world_->environment(), fmt::format("zone '{}'", zone.id));
    if (!area.ok()) return area.error();
    zones_.push_back(std::move(area).value());
    slowing_ |= zone.speedFactor != 1;
  }
  for (const ScenarioProfile& profile : scenario_.profiles) slowing_ |= !profile.crowd.regionSpeed.empty();
  for (LayerId layer = 0; layer < world_->environment().layers.size(); ++layer) {
    for (const Region& region : world_->environment().layers[layer].regions) {
      labelled_.push_back(regionArea(region, world_->environment().lattice, layer));
      labels_.push_back(region.label);
    }
  }

  sources_.resize(scenario_.sources.size());
  alarm_.assign(scenario_.sources.size(), -1);
  hasAlarm_.assign(scenario_.sources.size(), 0);
  for (const ScenarioEvent& event : scenario_.events) {
    if (event.action != EventAction::kAlarm) continue;
    for (size_t i = 0; i < scenario_.sources.size(); ++i) {
      if (event.target == "all" || event.target == scenario_.sources[i].id) hasAlarm_[i] = 1;
    }
  }
  stages_.resize(scenario_.stages.size());
  for (size_t i = 0; i < stages_.size(); ++i) {
    stages_[i].open = scenario_.stages[i].open;
    stages_[i].active = scenario_.stages[i].active;
  }
  queueAhead_.resize(stages_.size());
  for (const ScenarioJourney& journey : scenario_.journeys) transitions_.emplace_back(journey.next.size());
  eventDone_.assign(scenario_.events.size(), kEventAhead);

  CrowdSettings crowd;
  crowd.step = scenario_.step;
  crowd.seed = scenario_.seed;
  crowd.periodicFrom = scenario_.periodicFrom;
  crowd.periodicTo = scenario_.periodicTo;
  std::vector<CrowdProfile> profiles;
  for (const ScenarioProfile& profile : scenario_.profiles) profiles.push_back(withZones(profile.crowd, scenario_));
  Result<Crowd> made = Crowd::make(world_->navigator, std::move(profiles), crowd);
  if (!made.ok()) return made.error();
  crowd_.emplace(std::move(made).value());
  return Done{};
}

// A new recording, or an old one with the state to continue from.
Status Simulation::begin() {
  if (settings_.resume) {
    Result<std::optional<Recorder::Resumed>> resumed = Recorder::resume(settings_.output);
    if (!resumed.ok()) return resumed.error();
    if (resumed->has_value()) {
      if (Status status = load((*resumed)->state); !status.ok()) return status;
      recorder_.emplace(std::move((*resumed)->recorder));
      summary_.resumedAt = time();
      return Done{};
    }
    Result<Recording> old = Recording::open(settings_.output);
    if (old.ok() && !old->note("wend_result_hash").empty()) {
      return Error{ErrorCode::kInvalidSettings,
                   fmt::format("'{}' is complete; there is nothing to continue", settings_.output)};
    }
    context_.note("the recording has no checkpoint yet; the run begins anew");
  }
  Hash identity;
  identity.add(scenario_.text);
  RecordHeader header;
  header.version = scenario_.output.sqliteVersion;
  header.framesPerSecond = 1.0 / (scenario_.step * scenario_.output.every);
  header.notes = {{"wend_version", WEND_VERSION},
                  {"wend_seed", fmt::format("{}", scenario_.seed)},
                  {"wend_scenario_hash", fmt::format("{:016x}", identity.value())},
                  {"wend_scenario", scenario_.text},
                  {"wend_scenario_file", scenario_.file},
                  {"wend_step", fmt::format("{}", scenario_.step)}};
  Result<Recorder> recorder = Recorder::create(settings_.output, header);
  if (!recorder.ok()) return recorder.error();
  recorder_.emplace(std::move(recorder).value());
  if (Status status = recorder_->world(0, world_->environment()); !status.ok()) return status;
  // From here on the file is a recording, whatever happens.
  return recorder_->commit();
}

Status Simulation::record() {
  if (step_ % scenario_.output.every != 0) {
    for (const Person& person : persons_) {
      if (person.phase != Phase::kLeaving) continue;
      const AgentState* agent = crowd_->find(person.id);
      if (agent == nullptr) continue;
      latecomers_.push_back({person.id, agent->position, agent->velocity, agent->heading,
                             world_->environment().layers[agent->layer].id, person.stage});
    }
    return Done{};
  }
  return recordFrame(recordedFrame());
}

Status Simulation::recordFrame(int64_t frame) {
  std::vector<RecordedPosition> rows;
  rows.reserve(crowd_->size() + latecomers_.size());
  size_t next = 0;
  for (const AgentState& agent : crowd_->agents()) {
    while (next < persons_.size() && persons_[next].id < agent.id) ++next;
    const bool known = next < persons_.size() && persons_[next].id == agent.id;
    const bool underWay = known && persons_[next].phase != Phase::kArrived;
    rows.push_back({agent.id, agent.position, agent.velocity, agent.heading,
                    world_->environment().layers[agent.layer].id, underWay ? persons_[next].stage : -1});
  }
  checkPositions(rows);
  if (!latecomers_.empty()) {
    rows.insert(rows.end(), latecomers_.begin(), latecomers_.end());
    std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.person < b.person; });
    latecomers_.clear();
  }
  Hash hash;
  hash.add(chain_);
  for (const RecordedPosition& row : rows) {
    hash.add(row.person);
    hash.add(row.place.x);
    hash.add(row.place.y);
  }
  chain_ = hash.value();
  return recorder_->frame(frame, rows);
}

Status Simulation::step() {
  if (Status status = applyEvents(); !status.ok()) return status;
  if (Status status = enter(time(), time() + scenario_.step); !status.ok()) return status;
  beginWalking();
  reconsider();
  adaptSpeeds();
  if (step_ == 0) {
    if (Status status = record(); !status.ok()) return status;
  }
  std::vector<CrowdEvent> events;
  crowd_->step(context_, [&](Crowd&, const CrowdEvent& event) { events.push_back(event); });
  accumulate(summary_.substeps, crowd_->times());
  ++step_;
  for (const CrowdEvent& event : events) {
    Person* person = find(event.agent);
    if (person == nullptr) continue;
    if (event.kind == CrowdEventKind::kGoalReached) arrive(*person);
    if (event.kind == CrowdEventKind::kRemoved) leave(*person, "removed");
    if (event.kind == CrowdEventKind::kRouteBlocked && person->phase == Phase::kWalking) {
      if (!person->everBlocked) ++summary_.unreachable;
      person->everBlocked = true;
      // Another exit may be reachable.
      const ScenarioJourney& journey = scenario_.journeys[person->journey];
      const AgentState* agent = crowd_->find(person->id);
      if (agent == nullptr || journey.next.empty() || person->transition < 0) continue;
      Transition anyWay = journey.next[static_cast<size_t>(person->transition)];
      anyWay.rule = NextRule::kNearest;
      TransitionState none;
      const uint32_t other = choose(*person, anyWay, none);
      if (static_cast<int32_t>(other) == person->stage || pathLength(*person, agent->position, other) == kForever)
        continue;
      forgetTarget(*person);
      headFor(*person, other);
    }
  }
  serveQueues();
  endWaiting();
  letOut();
  watch();
  if (Status status = record(); !status.ok()) return status;
  for (const Person& person : persons_) {
    if (person.phase == Phase::kLeaving) crowd_->remove(person.id);
  }
  std::erase_if(persons_, [](const Person& person) { return person.phase == Phase::kLeaving; });
  if (failure_) return std::move(*failure_);
  return Done{};
}

bool Simulation::isOver() {
  const double end = settings_.endTime.value_or(scenario_.endTime);
  if (time() >= end - 1e-9) {
    summary_.status = RunStatus::kTime;
    return true;
  }
  bool expected = false;
  for (size_t i = 0; i < sources_.size(); ++i) {
    const SourceState& s = sources_[i];
    expected |= !isExhausted(scenario_.sources[i], s, time()) || s.arrived > s.entered + s.refused;
  }
  if (scenario_.untilEmpty && !expected &&
      std::all_of(persons_.begin(), persons_.end(), [](const Person& p) { return p.phase == Phase::kArrived; })) {
    summary_.status = RunStatus::kEmpty;
    return true;
  }
  if (isDeadlocked()) {
    summary_.status = RunStatus::kDeadlock;
    return true;
  }
  if (context_.cancelled()) {
    summary_.status = RunStatus::kStopped;
    return true;
  }
  return false;
}

void Simulation::report() {
  const double end = settings_.endTime.value_or(scenario_.endTime);
  context_.report("simulate", time() / end);
  if (!settings_.onProgress) return;
  const double wall = wallSeconds() - wallStart_;
  settings_.onProgress({time(), end, crowd_->size(), summary_.left, wall > 0 ? (time() - firstTime_) / wall : 0});
}

Result<SimulationSummary> Simulation::run() {
  if (Status status = prepare(); !status.ok()) return status.error();
  if (Status status = begin(); !status.ok()) return status.error();
  wallStart_ = wallSeconds();
  firstTime_ = time();
  const auto every = static_cast<uint64_t>(
      std::max(1.0, std::round(settings_.checkpointEvery / (scenario_.step * scenario_.output.every))) *
      scenario_.output.every);
  const auto lost = [&](Error error) {
    return Error{error.code, fmt::format("{}; the recording is complete up to {:g} s of {:g} s", error.message,
                                         recorder_->committedSeconds(), time())};
  };
  do {
    if (Status status = step(); !status.ok()) return lost(status.error());
    if (Status status = recorder_->pulse(time()); !status.ok()) return lost(status.error());
    if (step_ % every == 0) {
      if (Status status = recorder_->checkpoint(recordedFrame(), save()); !status.ok()) return lost(status.error());
    }
    report();
  } while (!isOver());

  summary_.time = time();
  summary_.steps = step_;
  summary_.inside = crowd_->size();
  summary_.wallSeconds = wallSeconds() - wallStart_;
  // A run that was cut short can go on later.
  const bool cut = summary_.status == RunStatus::kStopped ||
                   (summary_.status == RunStatus::kTime && time() < scenario_.endTime - 1e-9);
  // The last to leave may have done so between two frames.
  if (!cut && !latecomers_.empty()) {
    if (Status status = recordFrame(recordedFrame() + 1); !status.ok()) return lost(status.error());
  }
  Hash hash;
  hash.add(chain_);
  hash.add(crowd_->hash());
  summary_.resultHash = hash.value();
  std::vector<std::pair<std::string, std::string>> notes = {
      {"wend_status", statusName(summary_.status)},
      {"wend_outside", fmt::format("{}", summary_.outside)},
      {"wend_overlap", fmt::format("{}", summary_.overlap)},
      {"wend_wall_overlap", fmt::format("{}", summary_.wallOverlap)},
      {"wend_stuck", fmt::format("{}", summary_.stuck)},
      {"wend_longest_stuck", fmt::format("{}", summary_.longestStuck)}};
  if (!cut) notes.emplace_back("wend_result_hash", fmt::format("{:016x}", summary_.resultHash));
  for (const auto& [key, value] : notes) {
    if (Status status = recorder_->note(key, value); !status.ok()) return lost(status.error());
  }
  if (cut && step_ % scenario_.output.every == 0) {
    if (Status status = recorder_->checkpoint(recordedFrame(), save()); !status.ok()) return lost(status.error());
  }
  if (Status status = cut ? recorder_->commit() : recorder_->finish(); !status.ok()) return lost(status.error());
  return summary_;
}

Result<SimulationSummary> simulate(const Scenario& scenario, const SimulateSettings& settings, const Context& context) {
  if (settings.output.empty() || !(settings.checkpointEvery > 0)) {
    return Error{ErrorCode::kInvalidSettings,
                 "a simulation needs an output file and a time above 0 between checkpoints"};
  }
  return Simulation(scenario, settings, context).run();
}

}  // namespace wend
