#include <numeric>

#include "base/hash.h"
#include "crowd/scenario/simulation.h"
#include "crowd/scenario/state_bytes.h"

// A run as bytes, from which it continues bit for bit.
namespace wend {
namespace {

constexpr uint64_t kFormat = 1;

uint64_t identity(const Scenario& scenario, const Environment& environment) {
  Hash h;
  h.add(kFormat);
  h.add(scenario.text);
  h.add(scenario.seed);
  h.add(hash(environment));
  return h.value();
}

}  // namespace

std::vector<std::byte> Simulation::save() const {
  StateWriter w;
  w.add(identity(scenario_, world_->environment()));
  w.array(eventDone_);
  w.add(step_);
  w.array(persons_);
  w.array(sources_);
  for (const StageState& stage : stages_) {
    w.add(stage.open);
    w.add(stage.active);
    w.add(stage.passed);
    w.add(stage.targeted);
    w.add(stage.credit);
    w.array(stage.line);
  }
  for (const std::vector<TransitionState>& journey : transitions_) {
    for (const TransitionState& t : journey) w.array(t.served);
  }
  w.array(alarm_);
  w.array(latecomers_);
  w.add(nextGroup_);
  w.add(chain_);
  w.add(lastArrival_);
  w.add(lastMotion_);
  for (const uint64_t count :
       {summary_.persons, summary_.left, summary_.refused, summary_.unreachable, summary_.stuck, summary_.outside}) {
    w.add(count);
  }
  for (const double value : {summary_.longestStuck, summary_.overlap, summary_.wallOverlap}) w.add(value);
  const std::vector<std::byte> crowd = crowd_->save();
  w.bytes.insert(w.bytes.end(), crowd.begin(), crowd.end());
  return std::move(w.bytes);
}

Status Simulation::load(std::span<const std::byte> bytes) {
  StateReader r(bytes);
  uint64_t saved = 0;
  r.get(saved);
  std::vector<uint8_t> done;
  r.array(done);
  const Error other{
      ErrorCode::kInvalidSettings,
      "the recording was made with another scenario, environment or seed; it cannot be continued with this "
      "one (run it without --resume)"};
  if (!r.ok || done.size() != eventDone_.size()) return other;
  // What past events changed in the scenario itself is changed again; the rest is in the state.
  eventDone_ = done;
  std::vector<size_t> order(done.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return scenario_.events[a].time < scenario_.events[b].time; });
  for (const size_t i : order) {
    const ScenarioEvent& event = scenario_.events[i];
    if (done[i] != kEventApplied) continue;
    const bool isDoor = std::any_of(scenario_.doors.begin(), scenario_.doors.end(),
                                    [&](const ScenarioDoor& d) { return d.id == event.target; });
    if (event.action == EventAction::kSetJourney) {
      for (ScenarioSource& source : scenario_.sources) {
        if (source.id == event.target || event.target == "all") source.journeys = {{event.journey, 1.0}};
      }
    }
    if (event.action == EventAction::kOpen && isDoor) edits_.closed.erase(event.target);
    if (event.action == EventAction::kClose && isDoor) edits_.closed.insert(event.target);
    if (event.action == EventAction::kInsert) edits_.obstacles[event.target] = event.area;
    if (event.action == EventAction::kRemove) edits_.obstacles.erase(event.target);
  }
  Result<std::shared_ptr<const ScenarioWorld>> world = maker_.make(edits_, context_);
  if (!world.ok()) return world.error();
  world_ = std::move(world).value();
  if (saved != identity(scenario_, world_->environment())) return other;
  if (Status status = placeStages(); !status.ok()) return status;
  if (Status status = crowd_->setNavigator(world_->navigator, context_); !status.ok()) return status;
  r.get(step_);
  r.array(persons_);
  r.array(sources_);
  for (StageState& stage : stages_) {
    r.get(stage.open);
    r.get(stage.active);
    r.get(stage.passed);
    r.get(stage.targeted);
    r.get(stage.credit);
    r.array(stage.line);
  }
  for (std::vector<TransitionState>& journey : transitions_) {
    for (TransitionState& t : journey) r.array(t.served);
  }
  r.array(alarm_);
  r.array(latecomers_);
  r.get(nextGroup_);
  r.get(chain_);
  r.get(lastArrival_);
  r.get(lastMotion_);
  for (uint64_t* count : {&summary_.persons, &summary_.left, &summary_.refused, &summary_.unreachable, &summary_.stuck,
                          &summary_.outside}) {
    r.get(*count);
  }
  for (double* value : {&summary_.longestStuck, &summary_.overlap, &summary_.wallOverlap}) r.get(*value);
  if (!r.ok || sources_.size() != scenario_.sources.size() || alarm_.size() != sources_.size()) {
    return Error{ErrorCode::kFormat, "the checkpoint of the recording is damaged; run it without --resume"};
  }
  return crowd_->load(r.rest());
}

}  // namespace wend
