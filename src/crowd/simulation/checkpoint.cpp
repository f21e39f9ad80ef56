#include "crowd/simulation/checkpoint.h"

#include "base/hash.h"

namespace wend {
namespace {

constexpr uint64_t kFormat = 2;

uint64_t identity(const Scenario& scenario, const Environment& environment) {
  Hash h;
  h.add(kFormat);
  h.add(scenario.text);
  h.add(scenario.seed);
  h.add(hash(environment));
  return h.value();
}

}  // namespace

std::vector<std::byte> Checkpoint::save() const {
  StateWriter w;
  w.add(identity(run_.scenario, run_.world->environment()));
  events_.save(w);
  run_.save(w);
  sources_.save(w);
  stages_.save(w);
  watch_.save(w);
  frames_.save(w);
  const std::vector<std::byte> crowd = run_.crowd->save();
  w.bytes.insert(w.bytes.end(), crowd.begin(), crowd.end());
  return std::move(w.bytes);
}

Status Checkpoint::load(std::span<const std::byte> bytes) {
  StateReader r(bytes);
  uint64_t saved = 0;
  r.get(saved);
  const Error other{ErrorCode::kInvalidSettings,
                    "the recording was made with another scenario, environment, seed or version of wend; it cannot be "
                    "continued with this one (run it without --resume)"};
  if (!events_.load(r)) return other;
  if (Status status = run_.makeWorld(); !status.ok()) return status;
  if (saved != identity(run_.scenario, run_.world->environment())) return other;
  if (Status status = stages_.place(); !status.ok()) return status;
  if (Status status = run_.crowd->setNavigator(run_.world->navigator, run_.context); !status.ok()) return status;
  run_.load(r);
  const bool fits = sources_.load(r);
  stages_.load(r);
  watch_.load(r);
  frames_.load(r);
  if (!r.ok || !fits) {
    return Error{ErrorCode::kFormat, "the checkpoint of the recording is damaged; run it without --resume"};
  }
  return run_.crowd->load(r.rest());
}

}  // namespace wend
