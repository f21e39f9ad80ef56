#include "crowd/simulation/gridlock.h"

#include <algorithm>
#include <cmath>

namespace wend {
namespace {

constexpr double kPatience = 60;  // s
constexpr double kGains = 3;      // m nearer to the goal
constexpr double kStrays = 6;     // m; persons that give way to each other step to and fro by up to 5 m
constexpr uint32_t kLeast = 2;    // persons

}  // namespace

void Gridlock::update() {
  const size_t stages = run_.scenario.stages.size();
  lastArrival_.resize(stages, 0);
  for (const Person& person : run_.persons) {
    if (person.phase == Phase::kLeaving && person.stage >= 0)
      lastArrival_[static_cast<size_t>(person.stage)] = run_.time();
  }
  if (!(std::floor(run_.time() + 1e-9) > std::floor(run_.time() - run_.scenario.step + 1e-9))) return;
  std::vector<uint32_t> held(stages, 0);
  std::vector<const Person*> first(stages, nullptr);
  size_t next = 0;
  const std::span<const AgentState> agents = run_.crowd->agents();
  for (Person& person : run_.persons) {
    while (next < agents.size() && agents[next].id < person.id) ++next;
    if (next == agents.size()) break;
    if (agents[next].id != person.id) continue;
    const Vec2 at{agents[next].position.x, agents[next].position.y};
    const bool walks = person.phase == Phase::kWalking && person.stage >= 0;
    // It has arrived, or heads for another stage now. The stage after a way point may be that way point again.
    const bool goesOn = person.stage != person.watchedStage || person.passed != person.watchedPassed;
    person.watchedPassed = person.passed;
    if (person.watchedStage >= 0 && (!walks || goesOn)) {
      lastArrival_[static_cast<size_t>(person.watchedStage)] = run_.time();
    }
    const auto toGoal = [&](Vec2 from) { return std::hypot(person.goal.x - from.x, person.goal.y - from.y); };
    const bool moved =
        toGoal(at) <= toGoal(person.stay) - kGains || std::hypot(at.x - person.stay.x, at.y - person.stay.y) >= kStrays;
    if (!walks || moved || goesOn) {
      person.stay = at;
      person.staySince = run_.time();
    }
    person.watchedStage = walks ? person.stage : -1;
    if (!walks || run_.time() - person.staySince < kPatience) continue;
    const auto stage = static_cast<size_t>(person.stage);
    ++held[stage];
    if (first[stage] == nullptr) first[stage] = &person;
  }
  SimulationSummary& summary = run_.summary;
  summary.gridlocked = 0;
  // What is to come may free them.
  if (!events_.areDone()) return;
  uint64_t count = 0;
  const Person* one = nullptr;
  for (size_t stage = 0; stage < stages; ++stage) {
    if (held[stage] == 0 || run_.time() - lastArrival_[stage] < kPatience) continue;
    count += held[stage];
    if (one == nullptr) one = first[stage];
  }
  if (count < kLeast) return;
  summary.gridlocked = count;
  summary.gridlockPlace = one->stay;
  if (summary.gridlockSince < 0) summary.gridlockSince = run_.time() - kPatience;
  summary.mostGridlocked = std::max(summary.mostGridlocked, summary.gridlocked);
}

void Gridlock::save(StateWriter& out) const {
  const SimulationSummary& summary = run_.summary;
  out.array(lastArrival_);
  out.add(summary.gridlocked);
  out.add(summary.mostGridlocked);
  out.add(summary.gridlockSince);
  out.add(summary.gridlockPlace);
}

bool Gridlock::load(StateReader& in) {
  SimulationSummary& summary = run_.summary;
  in.array(lastArrival_);
  in.get(summary.gridlocked);
  in.get(summary.mostGridlocked);
  in.get(summary.gridlockSince);
  in.get(summary.gridlockPlace);
  return in.ok && (lastArrival_.empty() || lastArrival_.size() == run_.scenario.stages.size());
}

}  // namespace wend
