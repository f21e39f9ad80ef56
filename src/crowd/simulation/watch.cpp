#include "crowd/simulation/watch.h"

#include <algorithm>
#include <cmath>

namespace wend {
namespace {

constexpr double kStuckDistance = 0.2;  // m
constexpr double kStuckTime = 10;       // s
constexpr double kStillSpeed = 0.05;    // m/s
constexpr double kDeadlockTime = 30;    // s
constexpr size_t kNamedPersons = 10;

}  // namespace

void Watch::update() {
  run_.summary.overlap = std::max(run_.summary.overlap, run_.crowd->deepestOverlap());
  const bool atSecond = std::floor(run_.time() + 1e-9) > std::floor(run_.time() - run_.scenario.step + 1e-9);
  size_t next = 0;
  const std::span<const AgentState> agents = run_.crowd->agents();
  for (Person& person : run_.persons) {
    while (next < agents.size() && agents[next].id < person.id) ++next;
    if (next == agents.size()) break;
    const AgentState& agent = agents[next];
    if (agent.id != person.id) continue;
    const Vec2 at{agent.position.x, agent.position.y};
    if (person.phase != Phase::kWalking ||
        std::hypot(at.x - person.anchor.x, at.y - person.anchor.y) >= kStuckDistance) {
      person.anchor = at;
      person.anchorTime = run_.time();
    } else if (run_.time() - person.anchorTime >= kStuckTime) {
      if (!person.everStuck) ++run_.summary.stuck;
      person.everStuck = true;
      run_.summary.longestStuck = std::max(run_.summary.longestStuck, run_.time() - person.anchorTime);
    }
    if (person.phase != Phase::kArrived && std::hypot(agent.velocity.x, agent.velocity.y) >= kStillSpeed) {
      lastMotion_ = run_.time();
    }
    if (atSecond) {
      run_.summary.wallOverlap =
          std::max(run_.summary.wallOverlap, agent.radius - run_.world->clearance(agent.position, run_.scratch));
    }
  }
}

bool Watch::isDeadlocked() {
  if (run_.time() - std::max(run_.lastArrival, lastMotion_) < kDeadlockTime) return false;
  if (!events_.areDone() || !sources_.areExhausted()) return false;
  bool unfinished = false;
  for (const Person& person : run_.persons) {
    switch (person.phase) {
      case Phase::kPremovement:
        if (!sources_.awaitsAlarm(person.source)) return false;
        break;
      case Phase::kWaiting:
        if (person.release < kForever) return false;
        unfinished = true;
        break;
      case Phase::kInLine:
        if (person.release >= 0) return false;
        unfinished = true;
        break;
      case Phase::kWalking:
      case Phase::kHeld:
      case Phase::kAtGate:
      case Phase::kInLift:
        unfinished = true;
        break;
      case Phase::kFallen:
      case Phase::kArrived:
      case Phase::kLeaving:
        break;
    }
  }
  if (!unfinished) return false;
  for (const Person& person : run_.persons) {
    if (person.phase == Phase::kArrived || run_.summary.deadlocked.size() >= kNamedPersons) continue;
    if (run_.summary.deadlocked.empty()) run_.summary.deadlockPlace = person.anchor;
    run_.summary.deadlocked.push_back(person.id);
  }
  return true;
}

void Watch::checkPositions(std::span<const RecordedPosition> positions) {
  for (const RecordedPosition& p : positions) {
    const LayerId layer = run_.world->layerIndex(p.layer);
    if (layer == static_cast<LayerId>(kNone) ||
        run_.world->locator.locate(Vec2{p.place.x, p.place.y}, layer) == kNone) {
      ++run_.summary.outside;
    }
  }
}

}  // namespace wend
