#include "crowd/simulation/stages.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "crowd/route_method.h"
#include "crowd/scenario/distribution.h"
#include "crowd/simulation/company.h"
#include "crowd/simulation/placement.h"

namespace wend {
namespace {

constexpr double kSlotReach = 0.5;  // m; a slot is taken within this
constexpr double kLobbyReach = 2;   // m; persons wait for a lift within this of its lobby
constexpr double kGateReach = 0.3;  // m; a lane of a gate is taken within this
constexpr double kTogether = 2;     // m; members of a group wait within this of each other

}  // namespace

Status Stages::prepare() {
  if (Status status = place(); !status.ok()) return status;
  for (const ScenarioStage& stage : run_.scenario.stages) {
    StageState& state = stages_.state.emplace_back();
    state.open = stage.open;
    state.active = stage.active;
  }
  next_.prepare();
  if (Status status = gates_.prepare(); !status.ok()) return status;
  if (Status status = lifts_.prepare(); !status.ok()) return status;
  if (passages_.areThere()) {
    next_.setOverPassages(
        [this](const Person& person, Vec3 from, Vec3 to) { return passages_.find(person, from, to).length; });
  }
  return Done{};
}

Status Stages::place() {
  std::vector<StagePlaces> places;
  for (const ScenarioStage& stage : run_.scenario.stages) {
    Result<StagePlaces> place = StagePlaces::make(stage, *run_.world, lifts_.lobbyOf(stage));
    // A stage that an obstacle buries keeps its places: persons find it unreachable.
    if (!place.ok() && !stages_.places.empty()) {
      places.push_back(stages_.places[places.size()]);
      continue;
    }
    if (!place.ok()) return place.error();
    places.push_back(std::move(place).value());
  }
  stages_.places = std::move(places);
  return Done{};
}

void Stages::aim(Person& person, Vec3 goal, double within) {
  person.goal = goal;
  person.phase = Phase::kWalking;
  person.gate = kNone;
  person.ride = kNone;
  person.berth = kNone;
  person.rideEnd = -1;
  if (passages_.areThere()) {
    const AgentState* agent = run_.crowd->find(person.id);
    const Vec3 from = agent == nullptr ? person.entry : agent->position;
    const Passages::Way way = passages_.find(person, from, goal);
    person.gate = way.lane;
    person.ride = way.ride;
    run_.crowd->setGroup(person.id, companyOf(run_, person));
    if (way.lane != kNone) {
      run_.crowd->setGoal(person.id, gates_.entryOf(way.lane), kGateReach);
      return;
    }
    if (way.ride != kNone) {
      run_.crowd->setGoal(person.id, lifts_.lobbyOf(way.ride), kLobbyReach);
      return;
    }
  }
  run_.crowd->setGroup(person.id, companyOf(run_, person));
  run_.crowd->setGoal(person.id, goal, within);
}

void Stages::hold(Person& person) {
  run_.crowd->stop(person.id);
}

void Stages::forgetTarget(Person& person) {
  if (person.stage < 0) return;
  StageState& state = stages_.state[static_cast<size_t>(person.stage)];
  if (state.targeted > 0) --state.targeted;
  for (AgentId& id : state.line) {
    if (id == person.id) id = kNone;
  }
  if (run_.scenario.stages[static_cast<size_t>(person.stage)].kind == StageKind::kQueue) std::erase(state.line, kNone);
}

void Stages::goOn(Person& person) {
  forgetTarget(person);
  run_.lastArrival = run_.time();
  const int32_t next = next_.after(person);
  if (next >= 0) {
    headFor(person, static_cast<uint32_t>(next));
    return;
  }
  person.phase = Phase::kArrived;
  hold(person);
  ++run_.summary.left;
  const std::string at = person.stage < 0 ? "start" : run_.scenario.stages[static_cast<size_t>(person.stage)].id;
  run_.writeOrFail(person, at);
}

void Stages::headFor(Person& person, uint32_t stage) {
  const ScenarioStage& s = run_.scenario.stages[stage];
  StageState& state = stages_.state[stage];
  const AgentState* agent = run_.crowd->find(person.id);
  const Vec3 from = agent == nullptr ? person.entry : agent->position;
  const bool revisited = person.stage == static_cast<int32_t>(stage);
  person.stage = static_cast<int32_t>(stage);
  person.slot = kNone;
  person.release = -1;
  ++state.targeted;
  Vec3 goal = next_.placeOf(person, from, stage);
  double within = kSlotReach;
  const auto drawFor = [&](AgentId id) {
    return Random(run_.scenario.seed, (uint64_t{3} << 61) + (static_cast<uint64_t>(id) << 20) + person.choices);
  };
  // A group goes to one place.
  Random random = drawFor(person.leader);
  switch (s.kind) {
    case StageKind::kWaypoint:
      within = s.distance;
      if (s.area.everywhere) {
        goal =
            randomPlace(*run_.world, stages_.places[stage].area(), person.radius, random, run_.scratch).value_or(from);
      } else if (!s.area.loops.empty()) {
        goal = stages_.places[stage].random(person.radius, random);
      } else if (s.mirror) {
        const Vec2 opposite{2 * s.at.x - person.entry.x, 2 * s.at.y - person.entry.y};
        goal = run_.world->lift(opposite, run_.world->layerIndex(s.layer)).value_or(Vec3{opposite.x, opposite.y, 0});
      }
      break;
    case StageKind::kExit:
      within = kExitReach;
      break;
    case StageKind::kQueue:
      break;
    case StageKind::kLift:
      within = kLobbyReach;
      break;
    case StageKind::kWaiting:
      if (stages_.places[stage].slots().empty()) {
        goal = stages_.places[stage].random(person.radius, random);
        if (person.leader == person.id) break;
        random = drawFor(person.id);
        goal = stages_.places[stage].randomNear(goal, kTogether, person.radius, random);
        break;
      }
      state.line.resize(stages_.places[stage].slots().size(), kNone);
      for (uint32_t i = 0; i < state.line.size(); ++i) {
        if (state.line[i] != kNone) continue;
        state.line[i] = person.id;
        person.slot = i;
        break;
      }
      goal = stages_.places[stage].slots()[person.slot == kNone ? state.line.size() - 1 : person.slot];
      break;
  }
  person.nextChoice = -1;
  const ScenarioJourney& journey = run_.scenario.journeys[person.journey];
  if (!journey.next.empty() && person.transition >= 0 && s.kind == StageKind::kExit) {
    const Transition& transition = journey.next[static_cast<size_t>(person.transition)];
    const double every = run_.scenario.profiles[person.profile].crowd.replanEvery;
    if (transition.rule == NextRule::kFastest && transition.to.size() > 1 && every > 0) {
      // Spread over the steps by the id, so that not all persons decide at once.
      const double share = static_cast<double>(person.id % 64) / 64;
      person.nextChoice = run_.time() + every * (person.choices == 1 ? share : 1.0);
    }
  }
  // The shortest path is for the report; persons that roam for ever need none.
  if (!revisited && !s.area.everywhere) {
    const Navigator& navigator = run_.navigatorOf(person);
    const PathQuery query{.from = from, .to = goal, .radius = person.radius, .method = methodOfAgents(navigator)};
    person.routeLength = 0;
    if (navigator.plan(query, run_.scratch, run_.route) == PathStatus::kFound) {
      person.shortest += run_.route.length;
      person.routeLength = run_.route.length;
    }
  }
  aim(person, goal, within);
}

void Stages::arrive(Person& person) {
  if (person.stage < 0 || person.phase != Phase::kWalking) return;
  // In a line, a car or a gate each person stands alone.
  run_.crowd->setGroup(person.id, kNone);
  if (person.gate != kNone) {
    gates_.arrive(person);
    return;
  }
  if (person.ride != kNone) {
    lifts_.arrive(person);
    return;
  }
  const auto stage = static_cast<uint32_t>(person.stage);
  const ScenarioStage& s = run_.scenario.stages[stage];
  StageState& state = stages_.state[stage];
  switch (s.kind) {
    case StageKind::kWaypoint:
      ++state.passed;
      ++person.passed;
      goOn(person);
      break;
    case StageKind::kExit:
      person.phase = Phase::kHeld;  // in it, or as near as it gets: letOut() decides
      break;
    case StageKind::kQueue:
      person.phase = Phase::kInLine;
      person.slot = static_cast<uint32_t>(state.line.size());
      state.line.push_back(person.id);
      run_.lastArrival = run_.time();
      moveLine(stage);
      break;
    case StageKind::kLift:
      person.ride = lifts_.rideOf(s);
      lifts_.arrive(person);
      break;
    case StageKind::kWaiting: {
      if (!state.active) {
        goOn(person);
        break;
      }
      Random random(run_.scenario.seed,
                    (uint64_t{5} << 60) + (static_cast<uint64_t>(person.id) << 20) + person.choices);
      person.phase = Phase::kWaiting;
      person.release = run_.time() + draw(s.duration, random).value_or(0);
      run_.lastArrival = run_.time();
      hold(person);
      break;
    }
  }
}

void Stages::leave(Person& person, const std::string& exit) {
  forgetTarget(person);
  person.phase = Phase::kLeaving;
  run_.lastArrival = run_.time();
  ++run_.summary.left;
  run_.writeOrFail(person, exit);
}

void Stages::letOut() {
  for (size_t i = 0; i < stages_.state.size(); ++i) {
    const double flow = run_.scenario.stages[i].maxFlow;
    if (flow < kForever)
      stages_.state[i].credit =
          std::min(stages_.state[i].credit + flow * run_.scenario.step, std::max(1.0, flow * run_.scenario.step));
  }
  for (Person& person : run_.persons) {
    if (person.stage < 0 || (person.phase != Phase::kWalking && person.phase != Phase::kHeld)) continue;
    const auto stage = static_cast<uint32_t>(person.stage);
    const ScenarioStage& s = run_.scenario.stages[stage];
    if (s.kind != StageKind::kExit) continue;
    StageState& state = stages_.state[stage];
    const AgentState* agent = run_.crowd->find(person.id);
    if (agent == nullptr) continue;
    const bool shut = !state.open || state.passed >= s.capacity;
    if (shut && !run_.scenario.journeys[person.journey].next.empty() && person.transition >= 0) {
      const uint32_t other = next_.again(person);
      if (other != stage) {
        forgetTarget(person);
        headFor(person, other);
        continue;
      }
    }
    const bool inside = stages_.places[stage].area().contains({agent->position.x, agent->position.y}, agent->layer);
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

// The same goal, reached in another way.
void Stages::aimAgain(Person& person) {
  const ScenarioStage& stage = run_.scenario.stages[static_cast<size_t>(person.stage)];
  double within = kSlotReach;
  if (stage.kind == StageKind::kWaypoint) within = stage.distance;
  if (stage.kind == StageKind::kExit) within = kExitReach;
  if (stage.kind == StageKind::kLift) within = kLobbyReach;
  aim(person, person.goal, within);
}

void Stages::passGates() {
  for (const AgentId id : gates_.letThrough()) aimAgain(*run_.find(id));
}

bool Stages::setGate(const std::string& door, bool open) {
  if (!gates_.setOpen(door, open)) return false;
  for (Person& person : run_.persons) {
    const bool underWay = person.phase == Phase::kWalking || person.phase == Phase::kAtGate;
    if (underWay && person.stage >= 0 && person.slot == kNone && person.berth == kNone) aimAgain(person);
  }
  return true;
}

void Stages::rideLifts() {
  for (const AgentId id : lifts_.carry()) {
    Person& person = *run_.find(id);
    const ScenarioStage& stage = run_.scenario.stages[static_cast<size_t>(person.stage)];
    const bool isStage = lifts_.rideOf(stage) == person.ride;
    person.ride = kNone;
    person.berth = kNone;
    person.rideEnd = -1;
    if (!isStage) {
      aimAgain(person);
      continue;
    }
    ++stages_.state[static_cast<size_t>(person.stage)].passed;
    goOn(person);
  }
}

void Stages::moveLine(uint32_t stage) {
  StageState& state = stages_.state[stage];
  const std::vector<Vec3>& slots = stages_.places[stage].line();
  for (uint32_t i = 0; i < state.line.size(); ++i) {
    Person* person = run_.find(state.line[i]);
    if (person == nullptr) continue;
    const Vec3 goal = slots[std::min<size_t>(i, slots.size() - 1)];
    if (person->slot == i && person->goal == goal) continue;
    person->slot = i;
    person->goal = goal;
    run_.crowd->setGoal(person->id, goal, 0.1);
  }
  // Those on their way head for the end of the line.
  for (Person& person : run_.persons) {
    if (person.stage != static_cast<int32_t>(stage) || person.phase != Phase::kWalking) continue;
    const Vec3 goal = slots[std::min(state.line.size(), slots.size() - 1)];
    if (!(goal == person.goal)) aim(person, goal, kSlotReach);
  }
}

void Stages::serveQueues() {
  for (uint32_t stage = 0; stage < stages_.state.size(); ++stage) {
    const ScenarioStage& s = run_.scenario.stages[stage];
    if (s.kind != StageKind::kQueue || stages_.state[stage].line.empty()) continue;
    StageState& state = stages_.state[stage];
    std::vector<AgentId> released;
    for (size_t i = 0; i < std::min<size_t>(s.servers, state.line.size()) && s.automatic; ++i) {
      Person* person = run_.find(state.line[i]);
      const AgentState* agent = person == nullptr ? nullptr : run_.crowd->find(person->id);
      if (agent == nullptr) continue;
      if (person->release < 0) {
        if (std::hypot(agent->position.x - person->goal.x, agent->position.y - person->goal.y) >
            kSlotReach + person->radius)
          continue;
        Random random(run_.scenario.seed,
                      (uint64_t{7} << 60) + (static_cast<uint64_t>(person->id) << 20) + person->choices);
        person->release = run_.time() + draw(s.service, random).value_or(0);
      }
      if (run_.time() >= person->release - 1e-9) released.push_back(person->id);
    }
    for (const AgentId id : released) {
      ++state.passed;
      goOn(*run_.find(id));
    }
    if (!released.empty()) moveLine(stage);
  }
}

void Stages::endWaiting() {
  for (Person& person : run_.persons) {
    if (person.phase != Phase::kWaiting) continue;
    const StageState& state = stages_.state[static_cast<size_t>(person.stage)];
    if (state.active && run_.time() < person.release - 1e-9) continue;
    goOn(person);
  }
}

void Stages::reconsider() {
  for (Person& person : run_.persons) {
    if (person.phase != Phase::kWalking || person.stage < 0 || person.berth != kNone || person.nextChoice < 0 ||
        run_.time() < person.nextChoice)
      continue;
    // A state from a file may have a time for a choice that the journey does not give.
    if (run_.scenario.journeys[person.journey].next.empty() || person.transition < 0) continue;
    const double every = run_.scenario.profiles[person.profile].crowd.replanEvery;
    person.nextChoice = run_.time() + every;
    const AgentState* agent = run_.crowd->find(person.id);
    if (agent == nullptr) continue;
    const auto present = static_cast<uint32_t>(person.stage);
    const uint32_t best = next_.again(person);
    if (best == present) continue;
    const bool follows = person.leader != person.id && run_.find(person.leader) != nullptr;
    if (!follows && !next_.isClearlyFaster(person, agent->position, best, present)) continue;
    forgetTarget(person);
    headFor(person, best);
  }
}

void Stages::reroute(Person& person) {
  if (person.phase != Phase::kWalking) return;
  if (!person.everBlocked) {
    ++run_.summary.unreachable;
    const ScenarioProfile& profile = run_.scenario.profiles[person.profile];
    const std::string& source = run_.scenario.sources[person.source].id;
    const std::string& stage = run_.scenario.stages[static_cast<size_t>(person.stage)].id;
    const char* doors =
        run_.scenario.doors.empty() ? "" : " (shut doors and doors that pass the other way only count as walls)";
    run_.warn(profile.stairs || !run_.level
                  ? fmt::format("persons of source '{}' find no way to stage '{}', wide enough for them, from where "
                                "they are{}",
                                source, stage, doors)
                  : fmt::format("persons of source '{}' with profile '{}' find no way without stairs and escalators to "
                                "stage '{}', wide enough for them, from where they are{}",
                                source, profile.crowd.name, stage, doors));
  }
  person.everBlocked = true;
  const AgentState* agent = run_.crowd->find(person.id);
  if (agent == nullptr || run_.scenario.journeys[person.journey].next.empty() || person.transition < 0) return;
  const uint32_t other = next_.nearest(person);
  if (static_cast<int32_t>(other) == person.stage || next_.pathLength(person, agent->position, other) == kForever)
    return;
  forgetTarget(person);
  headFor(person, other);
}

void Stages::popQueue(uint32_t stage, uint64_t count) {
  StageState& state = stages_.state[stage];
  for (uint64_t i = 0; i < count && !state.line.empty(); ++i) {
    Person* person = run_.find(state.line.front());
    if (person == nullptr) {
      state.line.erase(state.line.begin());
      continue;
    }
    ++state.passed;
    goOn(*person);
  }
  moveLine(stage);
}

void Stages::changeJourney(Person& person, uint32_t journey) {
  const bool underWay = person.phase != Phase::kPremovement;
  if (person.phase == Phase::kArrived && run_.summary.left > 0) --run_.summary.left;
  forgetTarget(person);
  person.journey = journey;
  person.stage = -1;
  person.transition = -1;
  if (underWay) goOn(person);
}

void Stages::save(StateWriter& out) const {
  for (const StageState& stage : stages_.state) {
    out.add(stage.open);
    out.add(stage.active);
    out.add(stage.passed);
    out.add(stage.targeted);
    out.add(stage.credit);
    out.array(stage.line);
  }
  next_.save(out);
  gates_.save(out);
  lifts_.save(out);
}

bool Stages::load(StateReader& in) {
  for (StageState& stage : stages_.state) {
    in.get(stage.open);
    in.get(stage.active);
    in.get(stage.passed);
    in.get(stage.targeted);
    in.get(stage.credit);
    in.array(stage.line);
  }
  next_.load(in);
  if (!gates_.load(in) || !lifts_.load(in)) return false;
  if (!in.ok) return false;
  for (uint32_t stage = 0; stage < stages_.state.size(); ++stage) {
    if (!isSound(stage)) return false;
  }
  return true;
}

// A person in a line heads for its stage, and stands there once; only slots of waiting places may be free.
bool Stages::isSound(uint32_t stage) const {
  const StageState& state = stages_.state[stage];
  if (!isTruthValue(state.open) || !isTruthValue(state.active) || !std::isfinite(state.credit)) return false;
  const bool isWaiting = run_.scenario.stages[stage].kind == StageKind::kWaiting;
  std::vector<AgentId> line = state.line;
  if (isWaiting) std::erase(line, kNone);
  std::sort(line.begin(), line.end());
  if (std::adjacent_find(line.begin(), line.end()) != line.end()) return false;
  return std::all_of(line.begin(), line.end(), [&](AgentId id) {
    const Person* person = run_.find(id);
    return person != nullptr && person->stage == static_cast<int32_t>(stage);
  });
}

}  // namespace wend
