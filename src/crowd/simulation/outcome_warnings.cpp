#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "crowd/simulation/warnings.h"

namespace wend {
namespace {

constexpr double kDeepOverlap = 0.05;   // m; persons that push in a crowd stay below it
constexpr double kWallOverlap = 0.001;  // m; above the rounding of places

// What a run promises: positions on the walkable space, persons that are bodies. A result that breaks it is no basis.
void warnOfChecks(SimulationRun& run) {
  const SimulationSummary& s = run.summary;
  if (s.outside > 0) run.warn(fmt::format("{} recorded positions are off the walkable space", s.outside));
  if (s.wallOverlap > kWallOverlap) {
    run.warn(fmt::format("a person reached {:.1f} mm into a wall", s.wallOverlap * 1000));
  }
  if (s.overlap > kDeepOverlap) {
    run.warn(fmt::format("persons overlapped by up to {:.1f} cm: they were pressed together more than people can be",
                         s.overlap * 100));
  }
}

// What would have begun after the run was over.
void warnOfLateParts(SimulationRun& run) {
  const double end = run.time();
  for (const ScenarioSmoke& smoke : run.scenario.smoke) {
    if (smoke.rows.empty() || smoke.rows.front().time < end) continue;
    run.warn(fmt::format("smoke '{}' begins at {:g} s, after the end of the run at {:g} s; it had no effect", smoke.id,
                         smoke.rows.front().time, end));
  }
  for (const MeasuringRegion& region : run.scenario.regions) {
    if (region.start <= end) continue;
    run.warn(
        fmt::format("region '{}' is measured from {:g} s on, after the end of the run at {:g} s; an [[expect]] on "
                    "it has no value",
                    region.id, region.start, end));
  }
  for (const ScenarioSource& source : run.scenario.sources) {
    double first = source.count > 0 || source.density > 0 || source.rate > 0 ? source.start : kForever;
    for (const auto& [time, rate] : source.schedule) {
      if (rate > 0) first = std::min(first, std::max(source.start, time));
    }
    if (first < end || first == kForever) continue;
    run.warn(fmt::format("source '{}' begins at {:g} s, after the end of the run at {:g} s; no person entered by it",
                         source.id, first, end));
  }
}

// Persons that stand in an exit and may not leave by it.
void warnOfHeld(SimulationRun& run) {
  std::map<int32_t, size_t> held;
  for (const Person& person : run.persons) {
    if (person.phase == Phase::kHeld) ++held[person.stage];
  }
  for (const auto& [stage, count] : held) {
    run.warn(
        fmt::format("{} persons stood in exit '{}' at the end and were not let out: it was shut or full, or its "
                    "largest flow was too small",
                    count, run.scenario.stages[static_cast<size_t>(stage)].id));
  }
}

}  // namespace

void warnOfOutcome(SimulationRun& run, const Sources& sources) {
  for (size_t i = 0; i < run.scenario.sources.size(); ++i) {
    const auto [waiting, refused] = sources.neverEntered(i);
    const std::string& id = run.scenario.sources[i].id;
    if (waiting > 0) run.warn(fmt::format("source '{}': {} persons never found a place to enter", id, waiting));
    if (refused > 0) run.warn(fmt::format("source '{}': {} persons were dropped, since it was full", id, refused));
  }
  size_t standing = 0;
  size_t walking = 0;
  for (const Person& person : run.persons) {
    standing += person.phase == Phase::kPremovement ? 1 : 0;
    const bool isAtRest = person.phase == Phase::kArrived || person.phase == Phase::kFallen;
    walking += person.phase != Phase::kPremovement && !isAtRest ? 1 : 0;
  }
  if (standing > 0 && run.summary.status != RunStatus::kStopped) {
    run.warn(
        fmt::format("{} persons never began to walk: their pre-movement time was not over or no alarm came", standing));
  }
  if (run.summary.mostGridlocked > 0) {
    run.warn(
        fmt::format("up to {} persons blocked each other for 60 s or more, the first from {:.0f} s on; the last near "
                    "({:.1f}, {:.1f})",
                    run.summary.mostGridlocked, run.summary.gridlockSince, run.summary.gridlockPlace.x,
                    run.summary.gridlockPlace.y));
  }
  warnOfHeld(run);
  warnOfChecks(run);
  warnOfLateParts(run);
  if (run.summary.status == RunStatus::kDeadlock) {
    run.warn(
        fmt::format("no person moved or arrived any more; {} persons were still under way, one at ({:.1f}, {:.1f})",
                    walking, run.summary.deadlockPlace.x, run.summary.deadlockPlace.y));
  }
  if (walking > 0 && run.scenario.untilEmpty &&
      (run.summary.status == RunStatus::kTime || run.summary.status == RunStatus::kGridlock)) {
    run.warn(fmt::format("{} persons were still under way when the end time came", walking));
  }
  if (run.summary.fallen > 0) run.warn(fmt::format("{} persons fell in smoke and did not get out", run.summary.fallen));
  if (run.summary.unreachable > 0) {
    run.warn(fmt::format("{} persons had no way to their goal at some time", run.summary.unreachable));
  }
  if (run.summary.stuck > 0) {
    run.warn(fmt::format("persons that were stuck for 10 s or more: {}; the longest for {:.1f} s", run.summary.stuck,
                         run.summary.longestStuck));
  }
}

}  // namespace wend
