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
  known.erase("");
  for (const std::string& label : run.scenario.localObstacles) {
    // The default is for scenes that have such regions; the scenario does not name it.
    if (known.contains(label) || Scenario().localObstacles == std::vector{label}) continue;
    run.warn(
        fmt::format("'local_obstacles' names the label '{}', which the world does not have (it has {}); it has no "
                    "effect",
                    label, listed(known)));
  }
  for (const ScenarioProfile& profile : run.scenario.profiles) {
    for (const auto& [key, labels] :
         {std::pair("region_speed", &profile.crowd.regionSpeed), {"region_cost", &profile.crowd.regionCost}}) {
      for (const auto& [label, value] : *labels) {
        if (known.contains(label)) continue;
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
    if (run.world->layerIndex(line.layer) == static_cast<LayerId>(kNone)) {
      run.warn(fmt::format("line '{}' is in layer {}, which the environment does not have; no person can cross it",
                           line.id, line.layer));
      continue;
    }
    run.warn(fmt::format("line '{}' does not touch the walkable space of layer {}; no person can cross it", line.id,
                         line.layer));
  }
}

// A zone acts by its factor, or by its label in the profiles and the local obstacles.
void checkZones(SimulationRun& run) {
  const Scenario& s = run.scenario;
  for (const ScenarioZone& zone : s.zones) {
    if (zone.speedFactor != 1) continue;
    const bool isRead =
        std::find(s.localObstacles.begin(), s.localObstacles.end(), zone.label) != s.localObstacles.end() ||
        std::any_of(s.profiles.begin(), s.profiles.end(), [&](const ScenarioProfile& profile) {
          return profile.crowd.regionCost.contains(zone.label) || profile.crowd.regionSpeed.contains(zone.label);
        });
    if (zone.label.empty()) {
      run.warn(fmt::format("zone '{}' has no effect: its 'speed_factor' is 1 and it has no 'label'", zone.id));
    } else if (!isRead) {
      run.warn(fmt::format("zone '{}' has no effect: its 'speed_factor' is 1 and no profile names its label '{}'",
                           zone.id, zone.label));
    }
  }
}

// When an exit is shut for the last time; kForever if it may be open later, or to the end.
double shutFrom(const Scenario& s, const ScenarioStage& exit) {
  std::vector<const ScenarioEvent*> events;
  for (const ScenarioEvent& event : s.events) {
    const bool turns = event.action == EventAction::kOpen || event.action == EventAction::kClose;
    if (turns && event.target == exit.id && event.time < s.endTime) events.push_back(&event);
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const ScenarioEvent* a, const ScenarioEvent* b) { return a->time < b->time; });
  double since = exit.open ? kForever : 0;
  for (const ScenarioEvent* event : events) {
    if (event->action == EventAction::kOpen) since = kForever;
    // One that waits for a condition may never come.
    if (event->action == EventAction::kClose && event->condition == EventCondition::kNone && since == kForever) {
      since = event->time;
    }
  }
  return since;
}

// Exits that stay shut, and journeys that lead to no other.
void checkExits(SimulationRun& run, const std::set<std::string>& journeys) {
  const Scenario& s = run.scenario;
  for (const ScenarioJourney& journey : s.journeys) {
    if (!journeys.contains(journey.id)) continue;
    std::set<std::string> shut;
    double since = 0;
    bool leadsOut = false;
    for (const std::string& id : journey.stages) {
      const ScenarioStage& stage = s.stages[run.stageIndex.at(id)];
      if (stage.kind != StageKind::kExit) continue;
      const double from = shutFrom(s, stage);
      if (from == kForever) {
        leadsOut = true;
      } else {
        shut.insert(id);
        since = std::max(since, from);
      }
      // Without `next` no person gets beyond the first exit.
      if (journey.next.empty()) break;
    }
    if (leadsOut || shut.empty()) continue;
    run.warn(since == 0 ? fmt::format("journey '{}' leads to no exit that ever opens: {} shut, and no event opens it; "
                                      "its persons cannot leave",
                                      journey.id, listed(shut) + (shut.size() > 1 ? " are" : " is"))
                        : fmt::format("from {:g} s on all exits of journey '{}' are shut for good ({}); persons "
                                      "inside then cannot leave",
                                      since, journey.id, listed(shut)));
  }
}

// Lifts that no person may take, and persons that may take lifts where there are none.
void checkLifts(SimulationRun& run, const std::set<std::string>& profiles, const std::set<std::string>& stages) {
  const Scenario& s = run.scenario;
  bool areTaken = false;
  for (const ScenarioProfile& profile : s.profiles) {
    if (!profiles.contains(profile.crowd.name)) continue;
    areTaken |= profile.lifts;
    // Wheelchairs have lifts = true wherever they are.
    if (profile.lifts && profile.stairs && s.lifts.empty()) {
      run.warn(fmt::format("'lifts' of profile '{}' has no effect: the scenario has no [[lift]]", profile.crowd.name));
    }
  }
  for (const ScenarioLift& lift : s.lifts) {
    const bool isStage = std::any_of(s.stages.begin(), s.stages.end(), [&](const ScenarioStage& stage) {
      return stage.kind == StageKind::kLift && stage.lift == lift.id && stages.contains(stage.id);
    });
    if (areTaken || isStage) continue;
    run.warn(
        fmt::format("lift '{}' carries no person: no journey has a stage of it, and no profile in use has 'lifts = "
                    "true'",
                    lift.id));
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
    if (source.arrivals == Arrivals::kPoisson && source.rate == 0 && source.schedule.empty() && !rated) {
      run.warn(fmt::format("'arrivals' of source '{}' has no effect without 'rate' or 'schedule'", source.id));
    }
    if (!enters(source) && !rated) {
      run.warn(fmt::format("source '{}' sends no person: it has no 'count', 'density', 'rate' or 'schedule' above 0",
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
  checkExits(run, journeys);
  checkLifts(run, profiles, stages);
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
  for (const std::string& sentence : run.scenario.warnings) run.warn(sentence);
  checkLabels(run);
  checkZones(run);
  checkPlaces(run);
  checkUse(run);
}

}  // namespace wend
