#include "crowd/simulation/events.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace wend {

Status Events::apply() {
  bool worldChanged = false;
  for (size_t i = 0; i < run_.scenario.events.size(); ++i) {
    if (done_[i] != kAhead || run_.scenario.events[i].time > run_.time() + 1e-9) continue;
    done_[i] = kApplied;
    run_.lastArrival = run_.time();
    if (Status status = apply(i, worldChanged); !status.ok()) return status;
  }
  return worldChanged ? rebuild() : Status(Done{});
}

bool Events::areDone() const {
  return std::none_of(done_.begin(), done_.end(), [](uint8_t done) { return done == kAhead; });
}

bool Events::isDoor(const std::string& id) const {
  return std::any_of(run_.scenario.doors.begin(), run_.scenario.doors.end(),
                     [&](const ScenarioDoor& door) { return door.id == id; });
}

Status Events::apply(size_t index, bool& worldChanged) {
  const ScenarioEvent& event = run_.scenario.events[index];
  std::string action = actionName(event.action);
  const auto stage = run_.stageIndex.find(event.target);
  switch (event.action) {
    case EventAction::kOpen:
      if (isDoor(event.target)) worldChanged |= run_.edits.closed.erase(event.target) > 0;
      if (stage != run_.stageIndex.end()) stages_.setOpen(stage->second, true);
      break;
    case EventAction::kClose:
      if (isDoor(event.target)) worldChanged |= run_.edits.closed.insert(event.target).second;
      if (stage != run_.stageIndex.end()) stages_.setOpen(stage->second, false);
      break;
    case EventAction::kInsert:
      if (Status status = insertObstacle(index, worldChanged, action); !status.ok()) return status;
      break;
    case EventAction::kRemove:
      worldChanged |= run_.edits.obstacles.erase(event.target) > 0;
      break;
    case EventAction::kActivate:
    case EventAction::kDeactivate:
      stages_.setActive(stage->second, event.action == EventAction::kActivate);
      break;
    case EventAction::kPop:
      stages_.popQueue(stage->second, event.count);
      break;
    case EventAction::kSetRate:
      sources_.setRate(event.target, event.rate);
      break;
    case EventAction::kSetJourney:
      for (size_t i = 0; i < run_.scenario.sources.size(); ++i) {
        if (run_.scenario.sources[i].id != event.target && event.target != "all") continue;
        run_.scenario.sources[i].journeys = {{event.journey, 1.0}};
        for (Person& person : run_.persons) {
          if (person.source != i || person.phase == Phase::kLeaving) continue;
          stages_.changeJourney(person, run_.journeyIndex.at(event.journey));
          if (Status status = run_.write(person); !status.ok()) return status;
        }
      }
      break;
    case EventAction::kAlarm:
      sources_.soundAlarm(event.target);
      break;
  }
  return run_.recorder->event({run_.recordedFrame(), action, event.target});
}

Status Events::insertObstacle(size_t index, bool& worldChanged, std::string& action) {
  const ScenarioEvent& event = run_.scenario.events[index];
  const Result<PlacedArea> area =
      placeArea(event.area, run_.world->environment(), fmt::format("obstacle '{}'", event.target));
  if (!area.ok()) return area.error();
  std::vector<AgentId> under;
  for (const AgentState& agent : run_.crowd->agents()) {
    const Vec2 at{agent.position.x, agent.position.y};
    if (agent.layer == area->layer && (area->contains(at) || area->edgeDistance(at) < agent.radius))
      under.push_back(agent.id);
  }
  if (!under.empty() && event.policy == InsertPolicy::kRefuse) {
    action = "refused-insert";
    done_[index] = kRefused;
    return Done{};
  }
  if (event.policy == InsertPolicy::kRemove) {
    for (const AgentId id : under) {
      if (Person* person = run_.find(id)) stages_.leave(*person, "removed");
    }
  }
  run_.edits.obstacles[event.target] = event.area;
  worldChanged = true;
  return Done{};
}

Status Events::rebuild() {
  // First the persons that an obstacle removes, so that the crowd does not push them out of it.
  run_.removeLeaving();
  if (Status status = run_.makeWorld(); !status.ok()) return status;
  if (Status status = stages_.place(); !status.ok()) return status;
  if (Status status = run_.crowd->setNavigator(run_.world->navigator, run_.context); !status.ok()) return status;
  return run_.recorder->world(run_.recordedFrame() + (run_.step == 0 ? 0 : 1), run_.world->environment());
}

bool Events::load(StateReader& in) {
  std::vector<uint8_t> done;
  in.array(done);
  if (!in.ok || done.size() != done_.size()) return false;
  done_ = done;
  std::vector<size_t> order(done.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return run_.scenario.events[a].time < run_.scenario.events[b].time; });
  for (const size_t i : order) {
    const ScenarioEvent& event = run_.scenario.events[i];
    if (done[i] != kApplied) continue;
    if (event.action == EventAction::kSetJourney) {
      for (ScenarioSource& source : run_.scenario.sources) {
        if (source.id == event.target || event.target == "all") source.journeys = {{event.journey, 1.0}};
      }
    }
    if (event.action == EventAction::kOpen && isDoor(event.target)) run_.edits.closed.erase(event.target);
    if (event.action == EventAction::kClose && isDoor(event.target)) run_.edits.closed.insert(event.target);
    if (event.action == EventAction::kInsert) run_.edits.obstacles[event.target] = event.area;
    if (event.action == EventAction::kRemove) run_.edits.obstacles.erase(event.target);
  }
  return true;
}

}  // namespace wend
