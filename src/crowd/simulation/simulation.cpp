#include "crowd/simulation/simulation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/wall_clock.h"
#include "crowd/scenario/describe_profiles.h"
#include "crowd/simulation/warnings.h"

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
    case RunStatus::kGridlock:
      return "gridlock";
  }
  return "unknown";
}

Simulation::Simulation(const Scenario& scenario, const SimulateSettings& settings, const Context& context)
    : settings_(settings),
      run_(scenario, settings, context),
      stages_(run_),
      sources_(run_, stages_),
      speedZones_(run_),
      events_(run_, sources_, stages_),
      watch_(run_, sources_, events_),
      gridlock_(run_, events_),
      frames_(run_, watch_),
      checkpoint_(run_, sources_, stages_, events_, watch_, gridlock_, frames_) {}

Status Simulation::prepare(const std::optional<World>& given) {
  if (Status status = run_.prepareWorld(given); !status.ok()) return status;
  if (Status status = stages_.prepare(); !status.ok()) return status;
  if (Status status = sources_.prepare(); !status.ok()) return status;
  if (Status status = speedZones_.prepare(); !status.ok()) return status;
  if (Status status = events_.prepare(); !status.ok()) return status;
  if (speedZones_.changesSpeeds()) {
    stages_.setWalkTime([this](const Person& p, const Route& route, bool isSteady) {
      return speedZones_.walkTime(p, route, isSteady);
    });
  }
  warnOfScenario(run_);
  speedZones_.warnOfSteepFloors();
  return run_.prepareCrowd();
}

// A new recording, or an old one with the state to continue from.
Status Simulation::begin() {
  wallStart_ = wallSeconds();
  if (settings_.output.empty()) return Done{};
  if (settings_.resume) {
    Result<std::optional<Recorder::Resumed>> resumed = Recorder::resume(settings_.output);
    if (!resumed.ok()) return resumed.error();
    if (resumed->has_value()) {
      if (Status status = checkpoint_.load((*resumed)->state); !status.ok()) return status;
      if (run_.recordedFrame() != (*resumed)->frame) {
        return Error{ErrorCode::kFormat, "the checkpoint of the recording is damaged; run it without --resume"};
      }
      run_.recorder.emplace(std::move((*resumed)->recorder));
      run_.summary.resumedAt = run_.time();
      return Done{};
    }
    Result<Recording> old = Recording::open(settings_.output);
    if (old.ok() && !old->note("wend_result_hash").empty()) {
      return Error{ErrorCode::kInvalidSettings,
                   fmt::format("'{}' is complete; there is nothing to continue", settings_.output)};
    }
    run_.context.note("the recording has no checkpoint yet; the run begins anew");
  }
  Hash identity;
  identity.add(run_.scenario.text);
  RecordHeader header;
  header.version = run_.scenario.output.sqliteVersion;
  header.force = settings_.force;
  header.framesPerSecond = 1.0 / (run_.scenario.step * run_.scenario.output.every);
  header.notes = {{"wend_version", WEND_VERSION},
                  {"wend_seed", fmt::format("{}", run_.scenario.seed)},
                  {"wend_scenario_hash", fmt::format("{:016x}", identity.value())},
                  {"wend_scenario", run_.scenario.text},
                  {"wend_scenario_file", run_.scenario.file},
                  {"wend_profiles", describeProfiles(run_.scenario)},
                  {"wend_step", fmt::format("{}", run_.scenario.step)}};
  Result<Recorder> recorder = Recorder::create(settings_.output, header);
  if (!recorder.ok()) return recorder.error();
  run_.recorder.emplace(std::move(recorder).value());
  if (Status status = run_.recorder->world(0, run_.world->environment()); !status.ok()) return status;
  // From here on the file is a recording, whatever happens.
  return run_.recorder->commit();
}

void Simulation::handle(const CrowdEvent& event) {
  Person* person = run_.find(event.agent);
  if (person == nullptr) return;
  if (event.kind == CrowdEventKind::kGoalReached) stages_.arrive(*person);
  if (event.kind == CrowdEventKind::kRemoved) {
    run_.warn("a change of the world left persons no place to stand: they were removed, and count as left");
    stages_.leave(*person, "removed");
  }
  if (event.kind == CrowdEventKind::kRouteBlocked) stages_.reroute(*person);
}

Status Simulation::step() {
  if (Status status = events_.apply(); !status.ok()) return status;
  if (Status status = sources_.enter(run_.time(), run_.time() + run_.scenario.step); !status.ok()) return status;
  sources_.beginWalking();
  stages_.reconsider();
  stages_.aimAnew();
  speedZones_.adaptSpeeds();
  if (run_.step == 0) {
    if (Status status = frames_.record(); !status.ok()) return status;
  }
  std::vector<CrowdEvent> events;
  run_.crowd->step(run_.context, [&](Crowd&, const CrowdEvent& event) { events.push_back(event); });
  const CrowdTimes& times = run_.crowd->times();
  accumulate(run_.summary.substeps, times);
  run_.summary.frames.push_back(
      {run_.time(), static_cast<uint32_t>(run_.crowd->size()), times.total(), times.replanning + times.following});
  ++run_.step;
  for (const CrowdEvent& event : events) handle(event);
  events_.watchPersons();
  stages_.serveQueues();
  stages_.endWaiting();
  stages_.passGates();
  stages_.rideLifts();
  stages_.letOut();
  speedZones_.breathe();
  watch_.update();
  gridlock_.update();
  if (Status status = frames_.record(); !status.ok()) return status;
  run_.removeLeaving();
  if (run_.failure) return std::move(*run_.failure);
  return Done{};
}

double Simulation::endTime() const {
  return settings_.endTime.value_or(run_.scenario.endTime);
}

bool Simulation::isOver() {
  if (run_.time() >= endTime() - 1e-9) {
    // One that began to dissolve when the time was up is the reason why persons are left.
    const bool isLeft = run_.scenario.untilEmpty && run_.summary.mostGridlocked > 0 &&
                        std::any_of(run_.persons.begin(), run_.persons.end(),
                                    [](const Person& p) { return p.phase == Phase::kWalking; });
    run_.summary.status = gridlock_.isThere() || isLeft ? RunStatus::kGridlock : RunStatus::kTime;
    return true;
  }
  if (run_.scenario.untilEmpty && sources_.areDone() &&
      std::all_of(run_.persons.begin(), run_.persons.end(),
                  [](const Person& p) { return p.phase == Phase::kArrived || p.phase == Phase::kFallen; })) {
    run_.summary.status = RunStatus::kEmpty;
    return true;
  }
  if (watch_.isDeadlocked()) {
    run_.summary.status = RunStatus::kDeadlock;
    return true;
  }
  if (run_.context.cancelled()) {
    run_.summary.status = RunStatus::kStopped;
    return true;
  }
  return false;
}

void Simulation::report() {
  const double end = endTime();
  run_.context.report("simulate", run_.time() / end);
  if (!settings_.onProgress) return;
  const double wall = wallSeconds() - wallStart_;
  settings_.onProgress(
      {run_.time(), end, run_.crowd->size(), run_.summary.left, wall > 0 ? (run_.time() - firstTime_) / wall : 0});
}

// True for a run that was stopped before its end and can go on later.
bool Simulation::isCut() const {
  const RunStatus status = run_.summary.status;
  const bool timeIsUp = status == RunStatus::kTime || status == RunStatus::kGridlock;
  return status == RunStatus::kStopped || (timeIsUp && run_.time() < run_.scenario.endTime - 1e-9);
}

Status Simulation::finish() {
  run_.summary.time = run_.time();
  run_.summary.steps = run_.step;
  run_.summary.inside = run_.crowd->size();
  run_.summary.constructed = run_.crowd->constructed();
  run_.summary.wallSeconds = wallSeconds() - wallStart_;
  const bool cut = isCut();
  if (!cut) {
    warnOfOutcome(run_, sources_);
    events_.warnOfPending();
  }
  if (!run_.recorder) return Done{};
  if (!cut) {
    if (Status status = frames_.finish(); !status.ok()) return status;
  }
  Hash hash;
  hash.add(frames_.hash());
  hash.add(run_.crowd->hash());
  run_.summary.resultHash = hash.value();
  std::vector<std::pair<std::string, std::string>> notes = {
      {"wend_status", statusName(run_.summary.status)},
      {"wend_outside", fmt::format("{}", run_.summary.outside)},
      {"wend_overlap", fmt::format("{}", run_.summary.overlap)},
      {"wend_wall_overlap", fmt::format("{}", run_.summary.wallOverlap)},
      {"wend_stuck", fmt::format("{}", run_.summary.stuck)},
      {"wend_longest_stuck", fmt::format("{}", run_.summary.longestStuck)},
      {"wend_gridlocked", fmt::format("{}", run_.summary.mostGridlocked)}};
  std::string warnings;
  for (const std::string& sentence : run_.summary.warnings) warnings += sentence + "\n";
  notes.emplace_back("wend_warnings", warnings);
  if (!cut) notes.emplace_back("wend_result_hash", fmt::format("{:016x}", run_.summary.resultHash));
  for (const auto& [key, value] : notes) {
    if (Status status = run_.recorder->note(key, value); !status.ok()) return status;
  }
  if (cut && run_.step % run_.scenario.output.every == 0) {
    if (Status status = run_.recorder->checkpoint(run_.recordedFrame(), checkpoint_.save()); !status.ok())
      return status;
  }
  return cut ? run_.recorder->close() : run_.recorder->finish();
}

Status Simulation::advance() {
  if (Status status = step(); !status.ok()) return status;
  if (run_.recorder) {
    if (Status status = run_.recorder->pulse(run_.time()); !status.ok()) return status;
    const auto perFrame = run_.scenario.output.every;
    const auto every = static_cast<uint64_t>(
        std::max(1.0, std::round(settings_.checkpointEvery / (run_.scenario.step * perFrame))) * perFrame);
    if (run_.step % every == 0) {
      if (Status status = run_.recorder->checkpoint(run_.recordedFrame(), checkpoint_.save()); !status.ok())
        return status;
    }
  }
  report();
  return Done{};
}

Result<SimulationSummary> Simulation::run() {
  if (Status status = prepare(); !status.ok()) return status.error();
  if (Status status = begin(); !status.ok()) return status.error();
  firstTime_ = run_.time();
  const auto lost = [&](Error error) {
    return Error{error.code, fmt::format("{}; the recording is complete up to {:g} s of {:g} s", error.message,
                                         run_.recorder->committedSeconds(), run_.time())};
  };
  do {
    if (Status status = advance(); !status.ok()) return lost(status.error());
  } while (!isOver());
  if (Status status = finish(); !status.ok()) return lost(status.error());
  return run_.summary;
}

Status Simulation::changeWorld(const World& world) {
  const Result<World> ready = scenarioWorld(run_.scenario, world, run_.context);
  if (!ready.ok()) return ready.error();
  return events_.take(*ready);
}

Result<SimulationSummary> simulate(const Scenario& scenario, const SimulateSettings& settings, const Context& context) {
  if (settings.output.empty() || !(settings.checkpointEvery > 0)) {
    return Error{ErrorCode::kInvalidSettings,
                 "a simulation needs an output file and a time above 0 between checkpoints"};
  }
  return Simulation(scenario, settings, context).run();
}

}  // namespace wend
