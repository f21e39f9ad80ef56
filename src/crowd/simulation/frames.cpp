#include "crowd/simulation/frames.h"

#include "base/hash.h"

namespace wend {

Status Frames::record() {
  if (!run_.recorder) return Done{};
  return run_.step % run_.scenario.output.every == 0 ? recordFrame(run_.recordedFrame()) : Status(Done{});
}

Status Frames::recordFrame(int64_t frame) {
  std::vector<RecordedPosition> rows;
  rows.reserve(run_.crowd->size());
  size_t next = 0;
  for (const AgentState& agent : run_.crowd->agents()) {
    while (next < run_.persons.size() && run_.persons[next].id < agent.id) ++next;
    const bool known = next < run_.persons.size() && run_.persons[next].id == agent.id;
    const Phase phase = known ? run_.persons[next].phase : Phase::kArrived;
    // A person in a lift or before it is not stuck.
    const bool underWay = phase != Phase::kArrived && phase != Phase::kFallen && phase != Phase::kInLift;
    rows.push_back({agent.id, agent.position, agent.velocity, agent.heading,
                    run_.world->environment().layers[agent.layer].id, underWay ? run_.persons[next].stage : -1});
  }
  watch_.checkPositions(rows);
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
  const bool ended = run_.summary.status == RunStatus::kEmpty && run_.step % run_.scenario.output.every != 0;
  return ended ? recordFrame(run_.recordedFrame() + 1) : Status(Done{});
}

void Frames::save(StateWriter& out) const {
  out.add(chain_);
}

bool Frames::load(StateReader& in) {
  in.get(chain_);
  return in.ok;
}

}  // namespace wend
