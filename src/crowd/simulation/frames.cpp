#include "crowd/simulation/frames.h"

#include <algorithm>

#include "base/hash.h"

namespace wend {

Status Frames::record() {
  if (!run_.recorder) return Done{};
  if (run_.step % run_.scenario.output.every != 0) {
    for (const Person& person : run_.persons) {
      if (person.phase != Phase::kLeaving) continue;
      const AgentState* agent = run_.crowd->find(person.id);
      if (agent == nullptr) continue;
      latecomers_.push_back({person.id, agent->position, agent->velocity, agent->heading,
                             run_.world->environment().layers[agent->layer].id, person.stage});
    }
    return Done{};
  }
  return recordFrame(run_.recordedFrame());
}

Status Frames::recordFrame(int64_t frame) {
  std::vector<RecordedPosition> rows;
  rows.reserve(run_.crowd->size() + latecomers_.size());
  size_t next = 0;
  for (const AgentState& agent : run_.crowd->agents()) {
    while (next < run_.persons.size() && run_.persons[next].id < agent.id) ++next;
    const bool known = next < run_.persons.size() && run_.persons[next].id == agent.id;
    const bool underWay = known && run_.persons[next].phase != Phase::kArrived;
    rows.push_back({agent.id, agent.position, agent.velocity, agent.heading,
                    run_.world->environment().layers[agent.layer].id, underWay ? run_.persons[next].stage : -1});
  }
  watch_.checkPositions(rows);
  if (!latecomers_.empty()) {
    rows.insert(rows.end(), latecomers_.begin(), latecomers_.end());
    std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.person < b.person; });
    latecomers_.clear();
  }
  Hash hash;
  hash.add(chain_);
  for (const RecordedPosition& row : rows) {
    hash.add(row.person);
    hash.add(row.place.x);
    hash.add(row.place.y);
  }
  chain_ = hash.value();
  return run_.recorder->frame(frame, rows);
}

Status Frames::finish() {
  return latecomers_.empty() ? Status(Done{}) : recordFrame(run_.recordedFrame() + 1);
}

void Frames::save(StateWriter& out) const {
  out.array(latecomers_);
  out.add(chain_);
}

bool Frames::load(StateReader& in) {
  in.array(latecomers_);
  in.get(chain_);
  return in.ok && latecomers_.empty();
}

}  // namespace wend
