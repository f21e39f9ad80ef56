#include "crowd/simulation/building/lifts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "crowd/simulation/state_bytes.h"

namespace wend {
namespace {

constexpr double kPitch = 0.55;   // m between places in a car
constexpr double kReach = 0.3;    // m
constexpr double kPatience = 30;  // s that a car waits for a person on the way into it

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
  for (uint32_t i = 0; i < shafts_.size(); ++i) {
    const Shaft& shaft = shafts_[i];
    for (uint32_t from = 0; from < shaft.floors.size(); ++from) {
      const std::optional<Vec3> lobby = run_.world->lift(shaft.lift->lobby, shaft.floors[from].layer);
      if (!lobby) {
        return Error{
            ErrorCode::kNotOnMesh,
            fmt::format("the lobby of lift '{}' has no floor in layer {}; put it where all floors are walkable",
                        shaft.lift->id, shaft.lift->floors[from])};
      }
      for (uint32_t to = 0; to < shaft.floors.size(); ++to) {
        if (to != from) rides_.push_back({i, from, to, *lobby, shaft.places[to].front()});
      }
    }
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

uint32_t Lifts::rideOf(const ScenarioStage& stage) const {
  if (stage.kind != StageKind::kLift) return kNone;
  for (uint32_t i = 0; i < rides_.size(); ++i) {
    const Ride& ride = rides_[i];
    const ScenarioLift& lift = *shafts_[ride.shaft].lift;
    if (lift.id == stage.lift && lift.floors[ride.from] == stage.layer && lift.floors[ride.to] == stage.toLayer)
      return i;
  }
  return kNone;
}

double Lifts::trip(const Shaft& shaft, uint32_t from, uint32_t to) const {
  if (from == to) return 0;
  const double height = std::abs(shaft.places[to].front().z - shaft.places[from].front().z);
  return 2 * shaft.lift->doorTime + height / shaft.lift->speed;
}

double Lifts::secondsOf(uint32_t ride, const Person& person, double arrival) const {
  const Ride& own = rides_[ride];
  const Shaft& shaft = shafts_[own.shaft];
  const State& state = states_[own.shaft];
  const double dwell = shaft.lift->dwell;
  std::vector<size_t> heading(rides_.size(), 0);
  for (const Person& other : run_.persons) {
    if (other.id != person.id && other.ride != kNone && other.rideEnd < 0) ++heading[other.ride];
  }
  // When the car can be here for this person: after all that are ahead of it have been carried.
  double ready = state.isMoving ? std::max(0.0, state.until - run_.time()) : 0;
  uint32_t at = state.floor;
  for (uint32_t i = 0; i < rides_.size(); ++i) {
    if (rides_[i].shaft != own.shaft || heading[i] == 0) continue;
    const size_t places = placesOf(shaft, rides_[i].from);
    // Of the own ride, those that leave a place in the last car come along with it.
    const size_t cars = i == ride ? heading[i] / places : (heading[i] + places - 1) / places;
    for (size_t n = 0; n < cars; ++n) {
      ready += trip(shaft, at, rides_[i].from) + dwell + trip(shaft, rides_[i].from, rides_[i].to);
      at = rides_[i].to;
    }
  }
  ready += trip(shaft, at, own.from);
  return std::max(0.0, ready - arrival) + dwell + trip(shaft, own.from, own.to);
}

bool Lifts::uses(const Person& person, uint32_t shaft) const {
  return person.ride != kNone && rides_[person.ride].shaft == shaft &&
         (person.phase == Phase::kInLift || person.phase == Phase::kWalking);
}

void Lifts::arrive(Person& person) {
  person.phase = Phase::kInLift;
  run_.crowd->stop(person.id);
  run_.lastArrival = run_.time();
}

// A place in the car for each person in the lobby, while there are places; all persons of a car have the same ride.
void Lifts::board(uint32_t index) {
  const Shaft& shaft = shafts_[index];
  State& state = states_[index];
  const std::vector<Vec3>& places = shaft.places[state.floor];
  std::vector<uint8_t> taken(places.size(), 0);
  size_t inside = 0;
  std::optional<uint32_t> to;
  for (const Person& person : run_.persons) {
    if (!uses(person, index) || person.berth == kNone || person.rideEnd >= 0) continue;
    if (person.berth < taken.size()) taken[person.berth] = 1;
    ++inside;
    to = rides_[person.ride].to;
  }
  for (Person& person : run_.persons) {
    if (!uses(person, index) || person.phase != Phase::kInLift || person.berth != kNone || person.rideEnd >= 0)
      continue;
    const Ride& ride = rides_[person.ride];
    if (ride.from != state.floor || (to && *to != ride.to)) continue;
    if (inside >= placesOf(shaft, state.floor)) return;
    // Where the person fits; a wheelchair needs more space than others.
    uint32_t berth = kNone;
    for (uint32_t i = 0; i < places.size(); ++i) {
      if (taken[i] != 0) continue;
      if (berth == kNone) berth = i;
      if (!run_.world->fits(places[i], person.radius, run_.scratch)) continue;
      berth = i;
      break;
    }
    taken[berth] = 1;
    ++inside;
    to = ride.to;
    person.berth = berth;
    person.phase = Phase::kWalking;
    run_.crowd->setGoal(person.id, places[berth], kReach);
    state.lastEntry = run_.time();
  }
}

void Lifts::leave(uint32_t index) {
  const Shaft& shaft = shafts_[index];
  State& state = states_[index];
  std::vector<Person*> passengers;
  size_t entering = 0;
  std::optional<uint32_t> call;
  const auto gap = [&](uint32_t f) { return f > state.floor ? f - state.floor : state.floor - f; };
  for (Person& person : run_.persons) {
    if (!uses(person, index) || person.rideEnd >= 0) continue;
    if (person.berth == kNone) {
      const uint32_t at = rides_[person.ride].from;
      if (person.phase == Phase::kInLift && at != state.floor && (!call || gap(at) < gap(*call))) call = at;
      continue;
    }
    if (person.phase == Phase::kInLift) passengers.push_back(&person);
    if (person.phase == Phase::kWalking) ++entering;
  }
  const bool full = passengers.size() >= placesOf(shaft, state.floor);
  const double since = run_.time() - std::max(state.lastEntry, state.until);
  const bool waited = since >= shaft.lift->dwell - 1e-9;
  if (passengers.empty() && !(call && waited && entering == 0)) return;
  if (!passengers.empty() && !full && (!waited || (entering > 0 && since < kPatience))) return;
  // Persons that are not in by now wait for the next car.
  for (Person& person : run_.persons) {
    if (!uses(person, index) || person.rideEnd >= 0 || person.berth == kNone || person.phase != Phase::kWalking)
      continue;
    person.berth = kNone;
    person.phase = Phase::kInLift;
    run_.crowd->stop(person.id);
  }
  const uint32_t target = passengers.empty() ? *call : rides_[passengers.front()->ride].to;
  const double open = run_.time() + trip(shaft, state.floor, target);
  for (Person* person : passengers) {
    const Vec3 there = shaft.places[target][person->berth % shaft.places[target].size()];
    const AgentState* agent = run_.crowd->find(person->id);
    if (agent == nullptr) continue;
    const Vec3 same{agent->position.x, agent->position.y, there.z};
    const bool moved = run_.crowd->moveTo(person->id, same).ok() || run_.crowd->moveTo(person->id, there).ok();
    if (moved) person->rideEnd = open;
  }
  state = {true, target, open, open};
}

std::vector<AgentId> Lifts::carry() {
  std::vector<AgentId> out;
  for (uint32_t i = 0; i < shafts_.size(); ++i) {
    State& state = states_[i];
    if (state.isMoving) {
      run_.lastArrival = run_.time();
      if (run_.time() < state.until - 1e-9) continue;
      state.isMoving = false;
    }
    const size_t before = out.size();
    for (const Person& person : run_.persons) {
      if (uses(person, i) && person.rideEnd >= 0 && run_.time() >= person.rideEnd - 1e-9) out.push_back(person.id);
    }
    // The car is empty before others come in.
    if (out.size() > before) continue;
    board(i);
    leave(i);
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
  return std::all_of(run_.persons.begin(), run_.persons.end(), [&](const Person& person) {
    if (person.ride == kNone) return person.phase != Phase::kInLift && person.berth == kNone;
    return person.ride < rides_.size();
  });
}

}  // namespace wend
