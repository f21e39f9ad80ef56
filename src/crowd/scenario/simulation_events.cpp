#include <fmt/format.h>

#include "crowd/scenario/simulation.h"

// Events of the scenario, and the world that they change.
namespace wend {

Status Simulation::applyEvents() {
  bool worldChanged = false;
  for (size_t i = 0; i < scenario_.events.size(); ++i) {
    if (eventDone_[i] != kEventAhead || scenario_.events[i].time > time() + 1e-9) continue;
    eventDone_[i] = kEventApplied;
    lastArrival_ = time();
    if (Status status = apply(i, worldChanged); !status.ok()) return status;
  }
  return worldChanged ? rebuild() : Status(Done{});
}

Status Simulation::apply(size_t index, bool& worldChanged) {
  const ScenarioEvent& event = scenario_.events[index];
  std::string action = actionName(event.action);
  const auto stage = stageIndex_.find(event.target);
  const bool isDoor = std::any_of(scenario_.doors.begin(), scenario_.doors.end(),
                                  [&](const ScenarioDoor& d) { return d.id == event.target; });
  switch (event.action) {
    case EventAction::kOpen:
      if (isDoor) worldChanged |= edits_.closed.erase(event.target) > 0;
      if (stage != stageIndex_.end()) stages_[stage->second].open = true;
      break;
    case EventAction::kClose:
      if (isDoor) worldChanged |= edits_.closed.insert(event.target).second;
      if (stage != stageIndex_.end()) stages_[stage->second].open = false;
      break;
    case EventAction::kInsert: {
      const Result<PlacedArea> area =
          placeArea(event.area, world_->environment(), fmt::format("obstacle '{}'", event.target));
      if (!area.ok()) return area.error();
      std::vector<AgentId> under;
      for (const AgentState& agent : crowd_->agents()) {
        const Vec2 at{agent.position.x, agent.position.y};
        if (agent.layer == area->layer && (area->contains(at) || area->edgeDistance(at) < agent.radius))
          under.push_back(agent.id);
      }
      if (!under.empty() && event.policy == InsertPolicy::kRefuse) {
        action = "refused-insert";
        eventDone_[index] = kEventRefused;
        break;
      }
      if (event.policy == InsertPolicy::kRemove) {
        for (const AgentId id : under) {
          if (Person* person = find(id)) leave(*person, "removed");
        }
      }
      edits_.obstacles[event.target] = event.area;
      worldChanged = true;
      break;
    }
    case EventAction::kRemove:
      worldChanged |= edits_.obstacles.erase(event.target) > 0;
      break;
    case EventAction::kActivate:
    case EventAction::kDeactivate:
      stages_[stage->second].active = event.action == EventAction::kActivate;
      break;
    case EventAction::kPop: {
      StageState& state = stages_[stage->second];
      for (uint64_t i = 0; i < event.count && !state.line.empty(); ++i) {
        Person* person = find(state.line.front());
        if (person == nullptr) {
          state.line.erase(state.line.begin());
          continue;
        }
        ++state.passed;
        goOn(*person);
      }
      moveLine(stage->second);
      break;
    }
    case EventAction::kSetRate:
      for (size_t i = 0; i < scenario_.sources.size(); ++i) {
        if (scenario_.sources[i].id == event.target) sources_[i].setRate = event.rate;
      }
      break;
    case EventAction::kSetJourney:
      for (size_t i = 0; i < scenario_.sources.size(); ++i) {
        if (scenario_.sources[i].id != event.target && event.target != "all") continue;
        scenario_.sources[i].journeys = {{event.journey, 1.0}};
        for (Person& person : persons_) {
          if (person.source != i || person.phase == Phase::kLeaving) continue;
          const bool underWay = person.phase != Phase::kPremovement;
          if (person.phase == Phase::kArrived && summary_.left > 0) --summary_.left;
          forgetTarget(person);
          person.journey = journeyIndex_.at(event.journey);
          person.stage = -1;
          person.transition = -1;
          if (underWay) goOn(person);
          if (Status status = write(person); !status.ok()) return status;
        }
      }
      break;
    case EventAction::kAlarm:
      for (size_t i = 0; i < scenario_.sources.size(); ++i) {
        if ((scenario_.sources[i].id == event.target || event.target == "all") && alarm_[i] < 0) alarm_[i] = time();
      }
      break;
  }
  return recorder_->event({recordedFrame(), action, event.target});
}

Status Simulation::rebuild() {
  // Persons whom an obstacle removes are not pushed about first.
  for (const Person& person : persons_) {
    if (person.phase == Phase::kLeaving) crowd_->remove(person.id);
  }
  std::erase_if(persons_, [](const Person& person) { return person.phase == Phase::kLeaving; });
  Result<std::shared_ptr<const ScenarioWorld>> world = maker_.make(edits_, context_);
  if (!world.ok()) return world.error();
  world_ = std::move(world).value();
  if (Status status = placeStages(); !status.ok()) return status;
  if (Status status = crowd_->setNavigator(world_->navigator, context_); !status.ok()) return status;
  return recorder_->world(recordedFrame() + (step_ == 0 ? 0 : 1), world_->environment());
}

Status Simulation::placeStages() {
  std::vector<StagePlaces> places;
  for (const ScenarioStage& stage : scenario_.stages) {
    Result<StagePlaces> place = StagePlaces::make(stage, *world_);
    // A stage that an obstacle buries keeps its places: persons find it unreachable.
    if (!place.ok() && !places_.empty()) {
      places.push_back(places_[places.size()]);
      continue;
    }
    if (!place.ok()) return place.error();
    places.push_back(std::move(place).value());
  }
  places_ = std::move(places);
  return Done{};
}

}  // namespace wend
