#include "crowd/simulation/building/gates.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "crowd/simulation/state_bytes.h"

namespace wend {
namespace {

constexpr double kLaneWidth = 0.7;  // m
constexpr double kSide = 0.45;      // m from the line of the door to where a person stands before and after it

double distance(Vec3 a, Vec3 b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

}  // namespace

Status Gates::prepare() {
  for (const ScenarioDoor& door : run_.scenario.doors) {
    if (door.pass == DoorPass::kFree) continue;
    const auto gate = static_cast<uint32_t>(gates_.size());
    gates_.push_back({&door});
    states_.push_back({1, door.open});
    const double width = std::hypot(door.to.x - door.from.x, door.to.y - door.from.y);
    const int count = std::max(1, static_cast<int>(width / kLaneWidth + 1e-9));
    // To the left of the line.
    const Vec2 left{-(door.to.y - door.from.y) / width, (door.to.x - door.from.x) / width};
    const LayerId layer = run_.world->layerIndex(door.layer);
    for (int i = 0; i < count; ++i) {
      const double t = (i + 0.5) / count;
      const Vec2 middle{door.from.x + t * (door.to.x - door.from.x), door.from.y + t * (door.to.y - door.from.y)};
      const auto right = run_.world->lift({middle.x - kSide * left.x, middle.y - kSide * left.y}, layer);
      const auto beyond = run_.world->lift({middle.x + kSide * left.x, middle.y + kSide * left.y}, layer);
      if (!right || !beyond) {
        return Error{ErrorCode::kNotOnMesh,
                     fmt::format("the gate '{}' has no floor within {:g} m of ({:g}, {:g}) on both of its sides",
                                 door.id, kSide, middle.x, middle.y)};
      }
      lanes_.push_back({gate, *right, *beyond, 2 * kSide});
      if (door.pass == DoorPass::kBoth) lanes_.push_back({gate, *beyond, *right, 2 * kSide});
    }
  }
  laneStates_.resize(lanes_.size());
  return Done{};
}

// Seconds behind those that head for the lane already.
double Gates::waitAt(uint32_t lane) const {
  const ScenarioDoor& door = *gates_[lanes_[lane].gate].door;
  size_t ahead = 0;
  for (const Person& person : run_.persons) ahead += person.gate == lane ? 1 : 0;
  const double perPerson = std::max(1.0, door.passTime);
  const auto lanes = static_cast<double>(
      std::count_if(lanes_.begin(), lanes_.end(), [&](const Lane& other) { return other.gate == lanes_[lane].gate; }));
  return static_cast<double>(ahead) * std::max(perPerson, door.maxFlow < kForever ? lanes / door.maxFlow : 0.0);
}

double Gates::secondsThrough(uint32_t lane, const Person& person) const {
  return lanes_[lane].length / person.freeSpeed + gates_[lanes_[lane].gate].door->passTime + waitAt(lane);
}

// A person that was sent elsewhere meanwhile does not keep a lane.
bool Gates::isTaken(uint32_t lane) const {
  const Person* person = laneStates_[lane].person == kNone ? nullptr : run_.find(laneStates_[lane].person);
  return person != nullptr && person->phase == Phase::kAtGate && person->gate == lane;
}

void Gates::arrive(Person& person) {
  person.phase = Phase::kAtGate;
  LaneState& lane = laneStates_[person.gate];
  // Two persons may reach it in one step; the second one waits behind.
  if (!isTaken(person.gate)) lane = {person.id, run_.time()};
  run_.crowd->stop(person.id);
  run_.lastArrival = run_.time();
}

bool Gates::isFree(Vec3 place, double radius, AgentId except) const {
  for (const AgentState& agent : run_.crowd->agents()) {
    if (agent.id == except || std::abs(agent.position.z - place.z) > 1.5) continue;
    if (distance(agent.position, place) < radius + agent.radius) return false;
  }
  return true;
}

std::vector<AgentId> Gates::letThrough() {
  std::vector<AgentId> passed;
  if (gates_.empty()) return passed;
  for (size_t i = 0; i < gates_.size(); ++i) {
    const double flow = gates_[i].door->maxFlow;
    if (flow == kForever) continue;
    states_[i].credit =
        std::min(states_[i].credit + flow * run_.scenario.step, std::max(1.0, flow * run_.scenario.step));
  }
  for (Person& person : run_.persons) {
    if (person.phase != Phase::kAtGate || person.gate == kNone) continue;
    LaneState& state = laneStates_[person.gate];
    if (!isTaken(person.gate)) state = {person.id, run_.time()};
    if (state.person != person.id) continue;
    const Lane& lane = lanes_[person.gate];
    GateState& gate = states_[lane.gate];
    const ScenarioDoor& door = *gates_[lane.gate].door;
    const bool limited = door.maxFlow < kForever;
    // Passing takes the time of the walk, so that it is no gain.
    const double due = state.since + std::max(door.passTime, lane.length / person.freeSpeed);
    if (!gate.open || run_.time() < due - 1e-9 || (limited && gate.credit < 1)) continue;
    if (!isFree(lane.exit, person.radius, person.id)) continue;
    if (!run_.crowd->moveTo(person.id, lane.exit).ok()) continue;
    if (limited) gate.credit -= 1;
    state = {};
    person.gate = kNone;
    run_.lastArrival = run_.time();
    passed.push_back(person.id);
  }
  return passed;
}

bool Gates::setOpen(const std::string& door, bool open) {
  for (size_t i = 0; i < gates_.size(); ++i) {
    if (gates_[i].door->id != door) continue;
    states_[i].open = open;
    return true;
  }
  return false;
}

void Gates::save(StateWriter& out) const {
  out.array(states_);
  out.array(laneStates_);
}

bool Gates::load(StateReader& in) {
  const size_t gates = gates_.size();
  in.array(states_);
  in.array(laneStates_);
  if (!in.ok || states_.size() != gates || laneStates_.size() != lanes_.size()) return false;
  for (const GateState& state : states_) {
    if (!isTruthValue(state.open) || !std::isfinite(state.credit)) return false;
  }
  for (const LaneState& state : laneStates_) {
    if (!std::isfinite(state.since)) return false;
  }
  return std::all_of(run_.persons.begin(), run_.persons.end(), [&](const Person& person) {
    return person.gate == kNone ? person.phase != Phase::kAtGate : person.gate < lanes_.size();
  });
}

}  // namespace wend
