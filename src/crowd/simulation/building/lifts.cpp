#include "crowd/simulation/building/lifts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "crowd/simulation/state_bytes.h"

namespace wend {
namespace {

constexpr double kPitch = 0.55;   // m between places in a car
constexpr double kReach = 0.3;    // m
constexpr double kPatience = 30;  // s that a car waits for somebody on the way into it

}  // namespace

Status Lifts::prepare() {
  for (const ScenarioLift& lift : run_.scenario.lifts) {
    Shaft shaft{&lift, {}, {}};
    for (const int32_t floor : lift.floors) {
      Area area = lift.area;
      area.layer = floor;
      const std::string name = fmt::format("lift '{}'", lift.id);
      Result<PlacedArea> placed = placeArea(area, run_.world->environment(), name);
      if (!placed.ok()) return placed.error();
      std::vector<Vec3> places;
      const PlacedArea& a = *placed;
      for (double y = a.min.y + kPitch / 2; y < a.max.y; y += kPitch) {
        for (double x = a.min.x + kPitch / 2; x < a.max.x; x += kPitch) {
          if (!a.contains({x, y}) || a.edgeDistance({x, y}) < 0.2) continue;
          const std::optional<Vec3> place = run_.world->lift({x, y}, a.layer);
          if (place) places.push_back(*place);
        }
      }
      if (places.empty()) {
        return Error{
            ErrorCode::kNotOnMesh,
            fmt::format("{} has no floor for its car in layer {}; draw the area where it is walkable", name, floor)};
      }
      shaft.floors.push_back(std::move(placed).value());
      shaft.places.push_back(std::move(places));
    }
    shafts_.push_back(std::move(shaft));
    states_.emplace_back();
  }
  return Done{};
}

std::optional<Vec2> Lifts::lobbyOf(const ScenarioStage& stage) const {
  if (stage.kind != StageKind::kLift) return {};
  for (const ScenarioLift& lift : run_.scenario.lifts) {
    if (lift.id == stage.lift) return lift.lobby;
  }
  return {};
}

uint32_t Lifts::floorIndex(const Shaft& shaft, int32_t layer) {
  const auto at = std::find(shaft.lift->floors.begin(), shaft.lift->floors.end(), layer);
  return static_cast<uint32_t>(at - shaft.lift->floors.begin());
}

bool Lifts::uses(const Person& person, const Shaft& shaft) const {
  if (person.stage < 0 || (person.phase != Phase::kInLift && person.phase != Phase::kWalking)) return false;
  return stageOf(person).kind == StageKind::kLift && stageOf(person).lift == shaft.lift->id;
}

void Lifts::arrive(Person& person) {
  person.phase = Phase::kInLift;
  run_.crowd->stop(person.id);
  run_.lastArrival = run_.time();
}

// A place in the car for everybody in the lobby, as far as there are; all of one car have one way.
void Lifts::board(const Shaft& shaft, State& state) {
  const std::vector<Vec3>& places = shaft.places[state.floor];
  std::vector<uint8_t> taken(std::min<size_t>(places.size(), shaft.lift->capacity), 0);
  std::optional<int32_t> to;
  for (const Person& person : run_.persons) {
    if (!uses(person, shaft) || person.slot == kNone || person.release >= 0) continue;
    if (person.slot < taken.size()) taken[person.slot] = 1;
    to = stageOf(person).toLayer;
  }
  for (Person& person : run_.persons) {
    if (!uses(person, shaft) || person.phase != Phase::kInLift || person.slot != kNone || person.release >= 0) continue;
    const ScenarioStage& stage = stageOf(person);
    if (floorIndex(shaft, stage.layer) != state.floor || (to && *to != stage.toLayer)) continue;
    const auto free = std::find(taken.begin(), taken.end(), 0);
    if (free == taken.end()) return;
    *free = 1;
    to = stage.toLayer;
    person.slot = static_cast<uint32_t>(free - taken.begin());
    person.goal = places[person.slot];
    person.phase = Phase::kWalking;
    run_.crowd->setGoal(person.id, person.goal, kReach);
    state.lastEntry = run_.time();
  }
}

void Lifts::leave(const Shaft& shaft, State& state) {
  std::vector<Person*> passengers;
  size_t entering = 0;
  std::optional<uint32_t> call;
  const auto gap = [&](uint32_t f) { return f > state.floor ? f - state.floor : state.floor - f; };
  for (Person& person : run_.persons) {
    if (!uses(person, shaft) || person.release >= 0) continue;
    if (person.slot == kNone) {
      const uint32_t at = floorIndex(shaft, stageOf(person).layer);
      if (person.phase == Phase::kInLift && at != state.floor && (!call || gap(at) < gap(*call))) call = at;
      continue;
    }
    if (person.phase == Phase::kInLift) passengers.push_back(&person);
    if (person.phase == Phase::kWalking) ++entering;
  }
  const bool full = passengers.size() >= std::min<size_t>(shaft.lift->capacity, shaft.places[state.floor].size());
  const double since = run_.time() - std::max(state.lastEntry, state.until);
  const bool waited = since >= shaft.lift->dwell - 1e-9;
  if (passengers.empty() && !(call && waited && entering == 0)) return;
  if (!passengers.empty() && !full && (!waited || (entering > 0 && since < kPatience))) return;
  // Whoever is not in by now waits for the next car.
  for (Person& person : run_.persons) {
    if (!uses(person, shaft) || person.release >= 0 || person.slot == kNone || person.phase != Phase::kWalking)
      continue;
    person.slot = kNone;
    person.phase = Phase::kInLift;
    run_.crowd->stop(person.id);
  }
  const uint32_t target = passengers.empty() ? *call : floorIndex(shaft, stageOf(*passengers.front()).toLayer);
  const double height = std::abs(shaft.places[target].front().z - shaft.places[state.floor].front().z);
  const double open = run_.time() + 2 * shaft.lift->doorTime + height / shaft.lift->speed;
  for (Person* person : passengers) {
    const Vec3 there = shaft.places[target][person->slot % shaft.places[target].size()];
    const AgentState* agent = run_.crowd->find(person->id);
    if (agent == nullptr) continue;
    const Vec3 same{agent->position.x, agent->position.y, there.z};
    const bool moved = run_.crowd->moveTo(person->id, same).ok() || run_.crowd->moveTo(person->id, there).ok();
    if (moved) person->release = open;
  }
  state = {true, target, open, open};
}

std::vector<AgentId> Lifts::carry() {
  std::vector<AgentId> out;
  for (size_t i = 0; i < shafts_.size(); ++i) {
    State& state = states_[i];
    if (state.isMoving) {
      run_.lastArrival = run_.time();
      if (run_.time() < state.until - 1e-9) continue;
      state.isMoving = false;
    }
    for (const Person& person : run_.persons) {
      if (uses(person, shafts_[i]) && person.release >= 0 && run_.time() >= person.release - 1e-9) {
        out.push_back(person.id);
      }
    }
    // The car is empty before others come in.
    if (!out.empty()) continue;
    board(shafts_[i], state);
    leave(shafts_[i], state);
  }
  return out;
}

bool Lifts::load(StateReader& in) {
  in.array(states_);
  if (!in.ok || states_.size() != shafts_.size()) return false;
  for (size_t i = 0; i < states_.size(); ++i) {
    const State& state = states_[i];
    if (!isTruthValue(state.isMoving) || state.floor >= shafts_[i].floors.size() || !std::isfinite(state.until) ||
        !std::isfinite(state.lastEntry)) {
      return false;
    }
  }
  return true;
}

}  // namespace wend
