#include "crowd/scenario/check_scenario.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/kind_parameters.h"

namespace wend {
namespace {

class Checker {
 public:
  Checker(const Scenario& scenario, const TomlValue& root, Reading& reading)
      : s_(scenario), root_(root), reading_(reading) {}

  void check() {
    const std::set<std::string> stages = ids(s_.stages, "stage");
    journeys_ = ids(s_.journeys, "journey");
    sources_ = ids(s_.sources, "source");
    doors_ = ids(s_.doors, "door");
    lines_ = ids(s_.lines, "line");
    regions_ = ids(s_.regions, "region");
    ids(s_.zones, "zone");
    ids(s_.stairs, "stair");
    ids(s_.smoke, "smoke");
    lifts_ = ids(s_.lifts, "lift");
    for (const ScenarioStage& stage : s_.stages) stages_.emplace(stage.id, &stage);
    for (const ScenarioLift& lift : s_.lifts) liftsById_.emplace(lift.id, &lift);
    for (const ScenarioEvent& event : s_.events) {
      if (event.action == EventAction::kInsert) inserted_.insert(event.target);
    }
    for (size_t i = 0; i < s_.stages.size(); ++i) checkLiftStage(s_.stages[i], at("stage", i));
    std::set<std::string> profiles;
    for (const ScenarioProfile& profile : s_.profiles) profiles.insert(profile.crowd.name);
    for (size_t i = 0; i < s_.sources.size(); ++i) {
      for (const Weighted& w : s_.sources[i].profiles) known(w.first, profiles, "profile", at("source", i));
      for (const std::string& name : s_.sources[i].members) known(name, profiles, "profile", at("source", i));
      for (const Weighted& w : s_.sources[i].journeys) known(w.first, journeys_, "journey", at("source", i));
    }
    for (size_t i = 0; i < s_.journeys.size(); ++i) checkJourney(s_.journeys[i], stages, at("journey", i));
    for (size_t i = 0; i < s_.events.size(); ++i) checkEvent(s_.events[i], at("event", i));
    checkZones();
    for (const Expectation& e : s_.expectations) checkExpectation(e);
  }

 private:
  // The line of the i-th table of a kind.
  int at(std::string_view kind, size_t i) const {
    const TomlValue* list = root_.find(kind);
    return list == nullptr || i >= list->items.size() ? 0 : list->items[i].line;
  }

  template <typename Things>
  std::set<std::string> ids(const Things& things, std::string_view kind) {
    std::set<std::string> result;
    for (size_t i = 0; i < things.size(); ++i) {
      if (!result.insert(things[i].id).second) {
        reading_.fail(at(kind, i),
                      fmt::format("there are two {}s '{}'; give each an id of its own", kind, things[i].id));
      }
    }
    return result;
  }

  void known(const std::string& name, const std::set<std::string>& names, std::string_view kind, int line) {
    if (reading_.error || names.contains(name)) return;
    const std::vector<std::string> list(names.begin(), names.end());
    reading_.fail(line, fmt::format("there is no {} '{}'; {}", kind, name,
                                    list.empty() ? fmt::format("the file has no {}", kind)
                                                 : "did you mean " + nearestNames(name, list) + "?"));
  }

  void checkJourney(const ScenarioJourney& journey, const std::set<std::string>& stages, int line) {
    for (const std::string& id : journey.stages) known(id, stages, "stage", line);
    std::set<std::string> own(journey.stages.begin(), journey.stages.end());
    std::set<std::string> from;
    for (const Transition& t : journey.next) {
      if (t.from != "start") known(t.from, own, "stage of this journey", line);
      for (const std::string& id : t.to) known(id, own, "stage of this journey", line);
      if (!from.insert(t.from).second) {
        reading_.fail(line, fmt::format("journey '{}' says twice what comes after '{}'", journey.id, t.from));
      }
    }
  }

  void checkLiftStage(const ScenarioStage& stage, int line) {
    if (stage.kind != StageKind::kLift) return;
    known(stage.lift, lifts_, "lift", line);
    const auto found = liftsById_.find(stage.lift);
    if (found == liftsById_.end()) return;
    const ScenarioLift& lift = *found->second;
    const auto stops = [&](int32_t layer) {
      return std::find(lift.floors.begin(), lift.floors.end(), layer) != lift.floors.end();
    };
    if (stops(stage.layer) && stops(stage.toLayer) && stage.layer != stage.toLayer) return;
    reading_.fail(line, fmt::format("stage '{}' takes lift '{}' from layer {} to layer {}; the lift must stop at both",
                                    stage.id, lift.id, stage.layer, stage.toLayer));
  }

  // Routes see the labels of zones, not the zones.
  void checkZones() {
    const bool fastest = std::any_of(s_.profiles.begin(), s_.profiles.end(),
                                     [](const ScenarioProfile& p) { return p.crowd.route == RouteMethod::kFastest; });
    if (!fastest) return;
    std::map<std::string, size_t> firstOf;  // of a label
    for (size_t i = 0; i < s_.zones.size(); ++i) {
      const ScenarioZone& zone = s_.zones[i];
      if (zone.label.empty()) continue;
      const size_t first = firstOf.emplace(zone.label, i).first->second;
      const ScenarioZone& other = s_.zones[first];
      if (other.speedFactor == zone.speedFactor) continue;
      reading_.fail(at("zone", first),
                    fmt::format("zones '{}' and '{}' share the label '{}' but not the 'speed_factor', which route "
                                "'fastest' goes by; give them labels of their own",
                                other.id, zone.id, zone.label));
    }
  }

  void checkEvent(const ScenarioEvent& e, int line) {
    const auto wrong = [&](std::string_view what) {
      reading_.fail(
          line, fmt::format("'{}' cannot be the target of '{}': it is not a {}", e.target, actionName(e.action), what));
    };
    if (e.condition == EventCondition::kPassed && !lines_.contains(e.conditionOf)) {
      reading_.fail(line, fmt::format("there is no line '{}' to pass", e.conditionOf));
    }
    if (e.condition == EventCondition::kInside && !regions_.contains(e.conditionOf)) {
      reading_.fail(line, fmt::format("there is no region '{}' to be inside", e.conditionOf));
    }
    const auto found = stages_.find(e.target);
    const ScenarioStage* target = found == stages_.end() ? nullptr : found->second;
    switch (e.action) {
      case EventAction::kOpen:
      case EventAction::kClose:
        if (!doors_.contains(e.target) && (target == nullptr || target->kind != StageKind::kExit))
          wrong("door or exit");
        break;
      case EventAction::kInsert:
        break;
      case EventAction::kMove:
      case EventAction::kRemove:
        if (!inserted_.contains(e.target)) wrong("obstacle that another event inserts");
        break;
      case EventAction::kActivate:
      case EventAction::kDeactivate:
        if (target == nullptr || target->kind != StageKind::kWaiting) wrong("stage of kind waiting");
        break;
      case EventAction::kPop:
        if (target == nullptr || target->kind != StageKind::kQueue) wrong("stage of kind queue");
        break;
      case EventAction::kSetRate:
        if (!sources_.contains(e.target)) wrong("source");
        break;
      case EventAction::kSetJourney:
        if (!sources_.contains(e.target) && e.target != "all") wrong("source, nor 'all'");
        if (!journeys_.contains(e.journey)) reading_.fail(line, fmt::format("there is no journey '{}'", e.journey));
        break;
      case EventAction::kAlarm:
        if (!sources_.contains(e.target) && e.target != "all") wrong("source, nor 'all'");
        break;
    }
  }

  void checkExpectation(const Expectation& e) {
    std::vector<std::string> names;
    for (const auto& [name, meaning] : expectableMetrics()) names.push_back(name);
    if (std::find(names.begin(), names.end(), e.metric) == names.end()) {
      reading_.fail(e.line,
                    fmt::format("there is no metric '{}'; did you mean {}?", e.metric, nearestNames(e.metric, names)));
    }
  }

  const Scenario& s_;
  const TomlValue& root_;
  Reading& reading_;
  std::set<std::string> journeys_, sources_, doors_, lines_, regions_, lifts_;
  std::set<std::string> inserted_;  // obstacles
  std::map<std::string, const ScenarioStage*> stages_;
  std::map<std::string, const ScenarioLift*> liftsById_;
};

}  // namespace

void checkScenario(const Scenario& scenario, const TomlValue& root, Reading& reading) {
  Checker(scenario, root, reading).check();
}

const std::vector<std::pair<std::string, std::string>>& expectableMetrics() {
  static const std::vector<std::pair<std::string, std::string>> all{
      {"evacuation_time", "seconds until the last person has left; inf if one has not"},
      {"t50", "seconds until half of all persons have left"},
      {"t90", "seconds until 90 % have left"},
      {"t95", "seconds until 95 % have left"},
      {"t98", "seconds until 98 % have left"},
      {"spawned", "persons that entered; of a source or profile"},
      {"left", "persons that left or finished their journey; of a source, profile or exit"},
      {"unfinished", "persons that did not; of a source or profile"},
      {"exit_share", "of all persons that left, the share by this exit"},
      {"last_arrival", "seconds until the last person of a source, profile or exit has left"},
      {"arrival_spread", "seconds between the first and the last person of a source, profile or exit to leave"},
      {"travel_time", "mean seconds from the start of walking to the exit; of a source, profile or exit"},
      {"walked_speed", "median of walked length over walking time, m/s; of a source, profile or exit"},
      {"path_efficiency", "mean of shortest over walked length; of a source, profile or exit"},
      {"delay", "mean seconds beyond the shortest way at free speed; of a source, profile or exit"},
      {"relative_delay", "mean of delay over the time of the shortest way at free speed"},
      {"start_error", "largest difference between the drawn and the observed start of walking, seconds"},
      {"start_ks", "Kolmogorov-Smirnov probability of the drawn pre-movement times; of a source or profile"},
      {"speed_ks", "Kolmogorov-Smirnov probability of the walked speeds; of a profile"},
      {"stuck", "persons that once moved less than 0.2 m in 10 s while wanting to move"},
      {"longest_stuck", "longest time that a person was stuck, seconds"},
      {"deadlock", "1 if the run ended in a deadlock"},
      {"gridlock", "most persons at a time that blocked each other for good"},
      {"outside", "positions off the walkable space"},
      {"overlap", "deepest overlap of two persons, metres"},
      {"overlap_share", "deepest overlap over the smaller radius"},
      {"wall_overlap", "deepest overlap of a body with a wall, metres"},
      {"collisions", "runs of frames in which two persons overlap by more than 1 mm"},
      {"crossings", "persons that crossed the line"},
      {"flow", "persons per second over the line, from the first to the last crossing"},
      {"specific_flow", "flow over the length of the line"},
      {"median_gap", "median time between crossings, seconds"},
      {"largest_gap", "largest time between crossings, seconds"},
      {"time_between", "mean seconds from one line to another, of = \"first, second\""},
      {"density", "mean density of the region while persons were in it, persons per m2"},
      {"peak_density", "largest mean density of the region over a window, persons per m2"},
      {"speed", "mean speed in the region, m/s"},
      {"region_flow", "mean density times mean speed in the region"},
      {"most_inside", "largest number of persons in the region at once"},
      {"last_inside", "last time that a person was in the region, seconds"},
      {"lane_order", "order of two-way flow in the region at the end, 0 mixed to 1 lanes"},
      {"mean_speed", "mean speed of all persons on their way, m/s; of a source or profile"},
      {"acceleration", "mean change of velocity, m/s2"},
      {"effort", "mean energy per person and kilogram, J/kg"},
      {"dose", "largest fractional effective dose of smoke; of a source or profile"},
  };
  return all;
}

}  // namespace wend
