#include "crowd/simulation/checkpoint.h"

#include <algorithm>

#include "base/hash.h"

namespace wend {
namespace {

constexpr uint64_t kFormat = 5;

enum : uint8_t { kAsLoaded, kWithWorld, kLost };

// `base`: without what events did.
uint64_t identity(const Scenario& scenario, const Environment& base) {
  Hash h;
  h.add(kFormat);
  h.add(scenario.text);
  h.add(scenario.seed);
  h.add(hash(base));
  return h.value();
}

Error damaged() {
  return {ErrorCode::kFormat, "the checkpoint of the recording is damaged; run it without --resume"};
}

}  // namespace

std::vector<std::byte> Checkpoint::save() const {
  StateWriter w;
  w.add(identity(run_.scenario, run_.world->world.base()));
  // The world as events have made it: the numbers of its cells depend on all of them, so it is never made anew. A world
  // that cannot be written leaves a checkpoint that cannot be used.
  const bool edited = run_.world->world.version() != run_.firstVersion;
  const Result<std::string> world = edited ? serialiseWorld(run_.world->world) : Result<std::string>(std::string());
  w.add(static_cast<uint8_t>(!edited ? kAsLoaded : world.ok() ? kWithWorld : kLost));
  w.text(world.ok() ? *world : std::string());
  events_.save(w);
  run_.save(w);
  sources_.save(w);
  stages_.save(w);
  watch_.save(w);
  gridlock_.save(w);
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
  if (saved != identity(run_.scenario, run_.world->world.base())) return other;
  uint8_t kind = kLost;
  std::string bytesOfWorld;
  r.get(kind);
  r.text(bytesOfWorld);
  if (!r.ok || kind == kLost) return other;
  if (kind == kWithWorld) {
    Result<World> world = parseWorld(std::as_bytes(std::span(bytesOfWorld)), "the checkpoint");
    if (!world.ok() || identity(run_.scenario, world->base()) != saved) return other;
    if (Status status = run_.setWorld(*std::move(world)); !status.ok()) return status;
  }
  if (!events_.load(r)) return other;
  if (Status status = stages_.place(); !status.ok()) return status;
  if (Status status = run_.crowd->setNavigator(run_.world->navigator, run_.context); !status.ok()) return status;
  if (Status status = run_.closeStairs(); !status.ok()) return status;
  const bool fits = run_.load(r) && sources_.load(r) && stages_.load(r) && watch_.load(r) && gridlock_.load(r) &&
                    frames_.load(r) && r.ok;
  if (!fits) return damaged();
  if (Status status = run_.crowd->load(r.rest()); !status.ok()) return status;
  const auto isThere = [&](const Person& person) { return run_.crowd->find(person.id) != nullptr; };
  if (!std::all_of(run_.persons.begin(), run_.persons.end(), isThere)) return damaged();
  return Done{};
}

}  // namespace wend
