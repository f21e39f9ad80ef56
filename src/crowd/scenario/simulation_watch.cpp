#include "crowd/scenario/simulation.h"

// Who is stuck, whether anything still moves, and whether everybody is where persons can be.
namespace wend {
namespace {

constexpr double kStuckWay = 0.2;     // m
constexpr double kStuckTime = 10;     // s
constexpr double kStillSpeed = 0.05;  // m/s
constexpr double kDeadlockTime = 30;  // s
constexpr size_t kNamedPersons = 10;

}  // namespace

void Simulation::watch() {
  summary_.overlap = std::max(summary_.overlap, crowd_->deepestOverlap());
  const bool atSecond = std::floor(time() + 1e-9) > std::floor(time() - scenario_.step + 1e-9);
  size_t next = 0;
  const std::span<const AgentState> agents = crowd_->agents();
  for (Person& person : persons_) {
    while (next < agents.size() && agents[next].id < person.id) ++next;
    if (next == agents.size()) break;
    const AgentState& agent = agents[next];
    if (agent.id != person.id) continue;
    const Vec2 at{agent.position.x, agent.position.y};
    if (person.phase != Phase::kWalking || std::hypot(at.x - person.anchor.x, at.y - person.anchor.y) >= kStuckWay) {
      person.anchor = at;
      person.anchorTime = time();
    } else if (time() - person.anchorTime >= kStuckTime) {
      if (!person.everStuck) ++summary_.stuck;
      person.everStuck = true;
      summary_.longestStuck = std::max(summary_.longestStuck, time() - person.anchorTime);
    }
    if (person.phase != Phase::kArrived && std::hypot(agent.velocity.x, agent.velocity.y) >= kStillSpeed) {
      lastMotion_ = time();
    }
    if (atSecond) {
      summary_.wallOverlap = std::max(summary_.wallOverlap, agent.radius - world_->clearance(agent.position, scratch_));
    }
  }
}

bool Simulation::isDeadlocked() {
  if (time() - std::max(lastArrival_, lastMotion_) < kDeadlockTime) return false;
  for (const uint8_t done : eventDone_) {
    if (done == kEventAhead) return false;
  }
  for (size_t i = 0; i < sources_.size(); ++i) {
    if (!isExhausted(scenario_.sources[i], sources_[i], time())) return false;
  }
  bool unfinished = false;
  for (const Person& person : persons_) {
    switch (person.phase) {
      case Phase::kPremovement:
        if (hasAlarm_[person.source] == 0 || alarm_[person.source] >= 0) return false;
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
        unfinished = true;
        break;
      case Phase::kArrived:
      case Phase::kLeaving:
        break;
    }
  }
  if (!unfinished) return false;
  for (const Person& person : persons_) {
    if (person.phase == Phase::kArrived || summary_.deadlocked.size() >= kNamedPersons) continue;
    if (summary_.deadlocked.empty()) summary_.deadlockPlace = person.anchor;
    summary_.deadlocked.push_back(person.id);
  }
  return true;
}

void Simulation::checkPositions(std::span<const RecordedPosition> positions) {
  for (const RecordedPosition& p : positions) {
    const LayerId layer = world_->layerIndex(p.layer);
    if (layer == static_cast<LayerId>(kNone) || world_->locator.locate(Vec2{p.place.x, p.place.y}, layer) == kNone) {
      ++summary_.outside;
    }
  }
}

}  // namespace wend
