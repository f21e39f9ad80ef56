#include "crowd/simulation/arrivals.h"

#include "base/random.h"

namespace wend {
namespace {

// Arrivals of one step above this are a slip of the file rather than a crowd.
constexpr uint64_t kMaxPerStep = 1'000'000;

double rateAt(const ScenarioSource& source, const SourceState& state, double time) {
  if (time < source.start || time >= source.end) return 0;
  if (state.setRate >= 0) return state.setRate;
  if (source.schedule.empty()) return source.rate;
  double rate = 0;
  for (const auto& [from, value] : source.schedule) {
    if (time >= from) rate = value;
  }
  return rate;
}

// The next time after `time` at which the rate may change.
double nextChange(const ScenarioSource& source, double time) {
  double next = kForever;
  for (const double at : {source.start, source.end}) {
    if (at > time) next = std::min(next, at);
  }
  for (const auto& [at, value] : source.schedule) {
    if (at > time) next = std::min(next, at);
  }
  return next;
}

}  // namespace

uint64_t arrivals(const ScenarioSource& source, SourceState& state, double from, double to, uint64_t seed,
                  uint64_t index) {
  uint64_t count = 0;
  const uint64_t room = source.limit - std::min(source.limit, state.arrived);
  // Piece by piece of constant rate.
  for (double time = from; time < to && count < std::min(room, kMaxPerStep);) {
    const double end = std::min(to, nextChange(source, time));
    const double rate = rateAt(source, state, time);
    if (source.arrivals == Arrivals::kRegular) {
      const double before = std::floor(state.fluid + 1e-9);
      state.fluid += rate * (end - time);
      count += static_cast<uint64_t>(std::floor(state.fluid + 1e-9) - before);
    } else if (rate > 0) {
      // Without memory: what was left of a gap when the rate changed is drawn anew.
      double at = state.nextTime >= time ? state.nextTime : -1;
      while (count < kMaxPerStep) {
        if (at < 0) {
          Random random(seed, (index << 40) + (uint64_t{1} << 39) + state.draws++);
          at = time - std::log(1 - random.real()) / rate;
        }
        if (at >= end) break;
        ++count;
        Random random(seed, (index << 40) + (uint64_t{1} << 39) + state.draws++);
        at -= std::log(1 - random.real()) / rate;
      }
      state.nextTime = end < to || end == nextChange(source, time) ? -1 : at;
    }
    time = end;
  }
  count = std::min(count, room);
  state.arrived += count;
  return count;
}

bool isExhausted(const ScenarioSource& source, const SourceState& state, double time) {
  if (!state.placed && (source.count > 0 || source.density > 0)) return false;
  if (state.arrived >= source.limit || time >= source.end) return true;
  if (state.setRate > 0) return false;
  if (state.setRate == 0) return true;
  if (source.schedule.empty()) return source.rate == 0;
  for (size_t i = 0; i < source.schedule.size(); ++i) {
    const double until = i + 1 < source.schedule.size() ? source.schedule[i + 1].first : kForever;
    if (source.schedule[i].second > 0 && until > time) return false;
  }
  return true;
}

}  // namespace wend
