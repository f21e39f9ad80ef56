#include "crowd/simulation/warnings.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include <fmt/format.h>

#include "crowd/scenario/placed_area.h"

namespace wend {
namespace {

std::string listed(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += fmt::format("{}'{}'", text.empty() ? "" : ", ", name);
  return text.empty() ? "none" : text;
}

void checkLabels(SimulationRun& run) {
  std::set<std::string> known;
  for (const Layer& layer : run.world->environment().layers) {
    for (const Region& region : layer.regions) known.insert(region.label);
  }
  for (const ScenarioZone& zone : run.scenario.zones) known.insert(zone.label);
  for (const ScenarioProfile& profile : run.scenario.profiles) {
    for (const auto& [key, labels] :
         {std::pair("region_speed", &profile.crowd.regionSpeed), {"region_cost", &profile.crowd.regionCost}}) {
      for (const auto& [label, value] : *labels) {
        if (known.contains(label)) continue;
        known.erase("");
        run.warn(
            fmt::format("'{}' of profile '{}' names the label '{}', which the world does not have (it has {}); it "
                        "has no effect",
                        key, profile.crowd.name, label, listed(known)));
      }
    }
    if (!profile.crowd.regionCost.empty() && profile.crowd.route != RouteMethod::kWeighted) {
      run.warn(fmt::format("'region_cost' of profile '{}' has no effect: its route is '{}', not 'weighted'",
                           profile.crowd.name, methodName(profile.crowd.route)));
    }
  }
}

// True if a disk of no size can stand somewhere on the segment.
bool touchesFloor(const SimulationRun& run, const MeasuringLine& line) {
  const LayerId layer = run.world->layerIndex(line.layer);
  if (layer == static_cast<LayerId>(kNone)) return false;
  const double length = std::hypot(line.to.x - line.from.x, line.to.y - line.from.y);
  const int steps = static_cast<int>(std::clamp(std::ceil(length / 0.1), 2.0, 10'000.0));
  for (int i = 0; i <= steps; ++i) {
    const double t = static_cast<double>(i) / steps;
    const Vec2 at{line.from.x + t * (line.to.x - line.from.x), line.from.y + t * (line.to.y - line.from.y)};
    if (run.world->lift(at, layer)) return true;
  }
  return false;
}

void checkPlaces(SimulationRun& run) {
  const Environment& environment = run.world->environment();
  const auto check = [&](const Area& area, const std::string& what, std::string_view effect) {
    const Result<PlacedArea> placed = placeArea(area, environment, what);
    if (!placed.ok()) {
      run.warn(placed.error().message);
      return;
    }
    const Result<double> size = walkableArea(*placed, environment);
    if (size.ok() && *size > 0) return;
    run.warn(fmt::format("{} does not overlap the walkable space of layer {}; {}", what, area.layer, effect));
  };
  for (const ScenarioZone& zone : run.scenario.zones) {
    check(zone.area, fmt::format("zone '{}'", zone.id), "it has no effect");
  }
  for (const ScenarioStair& stair : run.scenario.stairs) {
    check(stair.area, fmt::format("stair '{}'", stair.id), "it has no effect");
  }
  for (const ScenarioSmoke& smoke : run.scenario.smoke) {
    if (!smoke.area.everywhere) check(smoke.area, fmt::format("smoke '{}'", smoke.id), "it has no effect");
  }
  for (const MeasuringRegion& region : run.scenario.regions) {
    check(region.area, fmt::format("region '{}'", region.id), "it measures nothing");
  }
  for (const MeasuringLine& line : run.scenario.lines) {
    if (touchesFloor(run, line)) continue;
    run.warn(fmt::format("line '{}' does not touch the walkable space of layer {}; nobody can cross it", line.id,
                         line.layer));
  }
}

void checkUse(SimulationRun& run) {
  const Scenario& s = run.scenario;
  std::set<std::string> journeys;
  std::set<std::string> stages;
  std::set<std::string> profiles;
  const auto enters = [](const ScenarioSource& source) {
    return source.count > 0 || source.density > 0 || source.rate > 0 || !source.schedule.empty();
  };
  bool rated = false;
  for (const ScenarioEvent& event : s.events) {
    if (event.action == EventAction::kSetJourney) journeys.insert(event.journey);
    rated |= event.action == EventAction::kSetRate;
  }
  for (const ScenarioSource& source : s.sources) {
    for (const Weighted& w : source.journeys) journeys.insert(w.first);
    for (const Weighted& w : source.profiles) profiles.insert(w.first);
    profiles.insert(source.members.begin(), source.members.end());
    if (source.profiles.empty() && source.members.empty()) {
      const std::string& name = s.profiles.front().crowd.name;
      profiles.insert(name);
      if (s.profiles.size() > 1 && name != "default") {
        run.warn(
            fmt::format("source '{}' names no profile and takes the first of the file, '{}'; write 'profiles', or "
                        "name a profile 'default'",
                        source.id, name));
      }
    }
    if (!enters(source) && !rated) {
      run.warn(fmt::format("source '{}' sends nobody: it has no 'count', 'density', 'rate' or 'schedule' above 0",
                           source.id));
    }
  }
  for (const ScenarioJourney& journey : s.journeys) {
    if (!journeys.contains(journey.id)) {
      run.warn(fmt::format("journey '{}' is used by no source and no event", journey.id));
      continue;
    }
    stages.insert(journey.stages.begin(), journey.stages.end());
  }
  for (const ScenarioStage& stage : s.stages) {
    if (!stages.contains(stage.id)) run.warn(fmt::format("stage '{}' is in no journey that is used", stage.id));
  }
  const bool namesStairs = std::any_of(s.stairs.begin(), s.stairs.end(), [](const ScenarioStair& stair) {
    return stair.kind == StairKind::kStair || stair.kind == StairKind::kEscalator;
  });
  for (const ScenarioProfile& profile : s.profiles) {
    if (!profile.stairs && !namesStairs && run.world->environment().layers.size() > 1) {
      run.warn(
          fmt::format("profile '{}' takes no stairs, but the scenario names none; write [[stair]] for those of the "
                      "world",
                      profile.crowd.name));
    }
    if (!profiles.contains(profile.crowd.name) && !s.sources.empty()) {
      run.warn(fmt::format("profile '{}' is used by no source", profile.crowd.name));
    }
  }
}

}  // namespace

void warnOfScenario(SimulationRun& run) {
  checkLabels(run);
  checkPlaces(run);
  checkUse(run);
}

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
    walking += person.phase != Phase::kPremovement && person.phase != Phase::kArrived ? 1 : 0;
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
