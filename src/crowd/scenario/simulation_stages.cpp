#include "crowd/scenario/distribution.h"
#include "crowd/scenario/placement.h"
#include "crowd/scenario/simulation.h"

// What happens at way points, exits, queues and waiting places.
namespace wend {
namespace {

constexpr double kSlotReach = 0.5;  // m; a slot is taken within this
constexpr double kExitReach = 0.1;  // m; exits are left by their area, not by the place headed for

}  // namespace

void Simulation::aim(Person& person, Vec3 goal, double within) {
  person.goal = goal;
  person.phase = Phase::kWalking;
  crowd_->setGoal(person.id, goal, within);
}

void Simulation::hold(Person& person) {
  crowd_->stop(person.id);
}

void Simulation::forgetTarget(Person& person) {
  if (person.stage < 0) return;
  StageState& state = stages_[static_cast<size_t>(person.stage)];
  if (state.targeted > 0) --state.targeted;
  for (AgentId& id : state.line) {
    if (id == person.id) id = kNone;
  }
  if (scenario_.stages[static_cast<size_t>(person.stage)].kind == StageKind::kQueue) std::erase(state.line, kNone);
}

void Simulation::goOn(Person& person) {
  forgetTarget(person);
  lastArrival_ = time();
  const int32_t next = chooseNext(person);
  if (next >= 0) {
    headFor(person, static_cast<uint32_t>(next));
    return;
  }
  person.phase = Phase::kArrived;
  hold(person);
  ++summary_.left;
  const std::string at = person.stage < 0 ? "start" : scenario_.stages[static_cast<size_t>(person.stage)].id;
  if (Status status = write(person, at); !status.ok() && !failure_) failure_ = status.error();
}

void Simulation::headFor(Person& person, uint32_t stage) {
  const ScenarioStage& s = scenario_.stages[stage];
  StageState& state = stages_[stage];
  const AgentState* agent = crowd_->find(person.id);
  const Vec3 from = agent == nullptr ? person.entry : agent->position;
  const bool revisited = person.stage == static_cast<int32_t>(stage);
  person.stage = static_cast<int32_t>(stage);
  person.slot = kNone;
  person.release = -1;
  ++state.targeted;
  Vec3 goal = placeOf(person, from, stage);
  double within = kSlotReach;
  Random random(scenario_.seed, (uint64_t{3} << 61) + (static_cast<uint64_t>(person.id) << 20) + person.choices);
  switch (s.kind) {
    case StageKind::kWaypoint:
      within = s.distance;
      if (s.area.everywhere) {
        goal = randomPlace(*world_, places_[stage].area(), person.radius, random, scratch_).value_or(from);
      } else if (!s.area.loops.empty()) {
        goal = places_[stage].random(person.radius, random);
      } else if (s.mirror) {
        const Vec2 opposite{2 * s.at.x - person.entry.x, 2 * s.at.y - person.entry.y};
        goal = world_->lift(opposite, world_->layerIndex(s.layer)).value_or(Vec3{opposite.x, opposite.y, 0});
      }
      break;
    case StageKind::kExit:
      within = kExitReach;
      break;
    case StageKind::kQueue:
      break;
    case StageKind::kWaiting:
      if (places_[stage].slots().empty()) {
        goal = places_[stage].random(person.radius, random);
        break;
      }
      state.line.resize(places_[stage].slots().size(), kNone);
      for (uint32_t i = 0; i < state.line.size(); ++i) {
        if (state.line[i] != kNone) continue;
        state.line[i] = person.id;
        person.slot = i;
        break;
      }
      goal = places_[stage].slots()[person.slot == kNone ? state.line.size() - 1 : person.slot];
      break;
  }
  person.nextChoice = -1;
  const ScenarioJourney& journey = scenario_.journeys[person.journey];
  if (!journey.next.empty() && person.transition >= 0 && s.kind == StageKind::kExit) {
    const Transition& transition = journey.next[static_cast<size_t>(person.transition)];
    const double every = scenario_.profiles[person.profile].crowd.replanEvery;
    if (transition.rule == NextRule::kFastest && transition.to.size() > 1 && every > 0) {
      // Spread over the steps by the id, so that not everybody decides at once.
      const double share = static_cast<double>(person.id % 64) / 64;
      person.nextChoice = time() + every * (person.choices == 1 ? share : 1.0);
    }
  }
  // The shortest way is for the report; those who roam for ever need none.
  if (!revisited && !s.area.everywhere) {
    PathQuery query{.from = from, .to = goal, .radius = person.radius};
    if (world_->navigator.plan(query, scratch_, route_) == PathStatus::kFound) person.shortest += route_.length;
  }
  aim(person, goal, within);
}

void Simulation::arrive(Person& person) {
  if (person.stage < 0 || person.phase != Phase::kWalking) return;
  const auto stage = static_cast<uint32_t>(person.stage);
  const ScenarioStage& s = scenario_.stages[stage];
  StageState& state = stages_[stage];
  switch (s.kind) {
    case StageKind::kWaypoint:
      ++state.passed;
      goOn(person);
      break;
    case StageKind::kExit:
      person.phase = Phase::kHeld;  // in it, or as near as it gets: letOut() decides
      break;
    case StageKind::kQueue:
      person.phase = Phase::kInLine;
      person.slot = static_cast<uint32_t>(state.line.size());
      state.line.push_back(person.id);
      lastArrival_ = time();
      moveLine(stage);
      break;
    case StageKind::kWaiting: {
      if (!state.active) {
        goOn(person);
        break;
      }
      Random random(scenario_.seed, (uint64_t{5} << 60) + (static_cast<uint64_t>(person.id) << 20) + person.choices);
      person.phase = Phase::kWaiting;
      person.release = time() + draw(s.duration, random).value_or(0);
      lastArrival_ = time();
      hold(person);
      break;
    }
  }
}

void Simulation::leave(Person& person, const std::string& exit) {
  forgetTarget(person);
  person.phase = Phase::kLeaving;
  lastArrival_ = time();
  ++summary_.left;
  if (Status status = write(person, exit); !status.ok() && !failure_) failure_ = status.error();
}

void Simulation::letOut() {
  for (size_t i = 0; i < stages_.size(); ++i) {
    const double flow = scenario_.stages[i].maxFlow;
    if (flow < kForever)
      stages_[i].credit = std::min(stages_[i].credit + flow * scenario_.step, std::max(1.0, flow * scenario_.step));
  }
  for (Person& person : persons_) {
    if (person.stage < 0 || (person.phase != Phase::kWalking && person.phase != Phase::kHeld)) continue;
    const auto stage = static_cast<uint32_t>(person.stage);
    const ScenarioStage& s = scenario_.stages[stage];
    if (s.kind != StageKind::kExit) continue;
    StageState& state = stages_[stage];
    const AgentState* agent = crowd_->find(person.id);
    if (agent == nullptr) continue;
    const bool shut = !state.open || state.passed >= s.capacity;
    if (shut && !scenario_.journeys[person.journey].next.empty() && person.transition >= 0) {
      const Transition& t = scenario_.journeys[person.journey].next[static_cast<size_t>(person.transition)];
      const uint32_t other = choose(person, t, transitions_[person.journey][static_cast<size_t>(person.transition)]);
      if (other != stage) {
        forgetTarget(person);
        headFor(person, other);
        continue;
      }
    }
    const bool inside = places_[stage].area().contains({agent->position.x, agent->position.y}, agent->layer);
    if (!inside && person.phase != Phase::kHeld) continue;
    if (shut || (s.maxFlow < kForever && state.credit < 1)) {
      if (person.phase != Phase::kHeld) hold(person);
      person.phase = Phase::kHeld;
      continue;
    }
    if (s.maxFlow < kForever) state.credit -= 1;
    ++state.passed;
    leave(person, s.id);
  }
}

void Simulation::moveLine(uint32_t stage) {
  StageState& state = stages_[stage];
  const std::vector<Vec3>& slots = places_[stage].slots();
  for (uint32_t i = 0; i < state.line.size(); ++i) {
    Person* person = find(state.line[i]);
    if (person == nullptr) continue;
    const Vec3 goal = slots[std::min<size_t>(i, slots.size() - 1)];
    if (person->slot == i && person->goal == goal) continue;
    person->slot = i;
    person->goal = goal;
    crowd_->setGoal(person->id, goal, 0.1);
  }
  // Those on their way head for the end of the line.
  for (Person& person : persons_) {
    if (person.stage != static_cast<int32_t>(stage) || person.phase != Phase::kWalking) continue;
    const Vec3 goal = slots[std::min(state.line.size(), slots.size() - 1)];
    if (!(goal == person.goal)) aim(person, goal, kSlotReach);
  }
}

void Simulation::serveQueues() {
  for (uint32_t stage = 0; stage < stages_.size(); ++stage) {
    const ScenarioStage& s = scenario_.stages[stage];
    if (s.kind != StageKind::kQueue || stages_[stage].line.empty()) continue;
    StageState& state = stages_[stage];
    std::vector<AgentId> released;
    for (size_t i = 0; i < std::min<size_t>(s.servers, state.line.size()) && s.automatic; ++i) {
      Person* person = find(state.line[i]);
      const AgentState* agent = person == nullptr ? nullptr : crowd_->find(person->id);
      if (agent == nullptr) continue;
      if (person->release < 0) {
        if (std::hypot(agent->position.x - person->goal.x, agent->position.y - person->goal.y) >
            kSlotReach + person->radius)
          continue;
        Random random(scenario_.seed,
                      (uint64_t{7} << 60) + (static_cast<uint64_t>(person->id) << 20) + person->choices);
        person->release = time() + draw(s.service, random).value_or(0);
      }
      if (time() >= person->release - 1e-9) released.push_back(person->id);
    }
    for (const AgentId id : released) {
      ++state.passed;
      goOn(*find(id));
    }
    if (!released.empty()) moveLine(stage);
  }
}

void Simulation::endWaiting() {
  for (Person& person : persons_) {
    if (person.phase != Phase::kWaiting) continue;
    const StageState& state = stages_[static_cast<size_t>(person.stage)];
    if (state.active && time() < person.release - 1e-9) continue;
    goOn(person);
  }
}

void Simulation::adaptSpeeds() {
  if (!slowing_) return;
  for (Person& person : persons_) {
    const AgentState* agent = crowd_->find(person.id);
    if (agent == nullptr) continue;
    const Vec2 at{agent->position.x, agent->position.y};
    double factor = 1;
    for (size_t i = 0; i < zones_.size(); ++i) {
      if (scenario_.zones[i].speedFactor != 1 && zones_[i].contains(at, agent->layer))
        factor *= scenario_.zones[i].speedFactor;
    }
    const auto& speeds = scenario_.profiles[person.profile].crowd.regionSpeed;
    if (!speeds.empty()) {
      for (size_t i = 0; i < labelled_.size(); ++i) {
        const auto found = speeds.find(labels_[i]);
        if (found != speeds.end() && labelled_[i].contains(at, agent->layer)) factor *= found->second;
      }
    }
    if (factor == person.factor) continue;
    person.factor = factor;
    crowd_->setSpeed(person.id, std::clamp(person.freeSpeed * factor, 0.05, 5.0));
  }
}

}  // namespace wend
