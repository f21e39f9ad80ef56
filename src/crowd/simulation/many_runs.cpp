#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <limits>
#include <mutex>
#include <thread>

#include <wend/analysis.h>
#include <wend/recording.h>
#include <wend/study/many_runs.h>

#include <fmt/format.h>

namespace wend {
namespace {

constexpr uint32_t kLeastRuns = 10;  // before a run may stop early

// Two-sided 95 % quantile of Student's distribution. Cornish and Fisher's expansion around the normal quantile; off by
// less than 0.5 % from three degrees on, below that exact.
double student95(size_t degrees) {
  if (degrees == 1) return 12.706;
  if (degrees == 2) return 4.303;
  const double z = 1.959964;
  const auto n = static_cast<double>(degrees);
  const double z3 = z * z * z;
  const double z5 = z3 * z * z;
  const double z7 = z5 * z * z;
  return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
}

double timeAt(const std::vector<double>& exits, size_t persons, double share) {
  const auto wanted = static_cast<size_t>(std::ceil(share * static_cast<double>(persons) - 1e-9));
  if (wanted == 0) return 0;
  return exits.size() < wanted ? kForever : exits[wanted - 1];
}

// What the recording says; the expectations need the whole of it, the times only the table of persons.
Status measure(const Scenario& scenario, const std::string& file, OneRun& run, const Context& context) {
  const Result<Recording> recording = Recording::open(file);
  if (!recording.ok()) return recording.error();
  for (const RecordedPerson& person : recording->persons()) {
    if (person.exitTime >= 0) run.exitTimes.push_back(person.exitTime);
  }
  std::sort(run.exitTimes.begin(), run.exitTimes.end());
  run.evacuation = timeAt(run.exitTimes, run.persons, 1);
  run.t50 = timeAt(run.exitTimes, run.persons, 0.5);
  run.t95 = timeAt(run.exitTimes, run.persons, 0.95);
  if (scenario.expectations.empty()) return Done{};
  const Result<Analysis> analysis = analyse(*recording, &scenario, analysisSettings(scenario), context);
  if (!analysis.ok()) return analysis.error();
  for (const Expectation& e : scenario.expectations) {
    const Result<double> value = metricValue(*analysis, *recording, scenario, e.metric, e.of);
    if (!value.ok()) {
      return Error{value.error().code, fmt::format("'{}', line {}: {}", scenario.file, e.line, value.error().message)};
    }
    run.expectations.push_back(*value);
  }
  return Done{};
}

class Runner {
 public:
  Runner(const Scenario& scenario, const ManyRunsSettings& settings, const Context& context)
      : scenario_(scenario), settings_(settings), context_(context), done_(settings.runs) {}

  Result<ManyRuns> run() {
    size_t threads = context_.threads > 0 ? static_cast<size_t>(context_.threads)
                                          : std::max(1U, std::thread::hardware_concurrency());
    threads = std::min<size_t>(threads, settings_.runs);
    std::vector<std::thread> others;
    for (size_t i = 1; i < threads; ++i) others.emplace_back([this] { work(false); });
    work(true);
    for (std::thread& other : others) other.join();
    if (context_.cancelled()) return Error{ErrorCode::kCancelled, "stopped"};
    // The error of the first run by seed, whichever came first in time.
    for (uint32_t i = 0; i < stopAt(); ++i) {
      if (done_[i].error) return std::move(*done_[i].error);
    }
    return collect();
  }

 private:
  struct Slot {
    bool isDone = false;
    OneRun run;
    std::optional<Error> error;
  };

  void work(bool reports) {
    while (true) {
      const uint32_t index = next_.fetch_add(1);
      if (index >= stopAt() || context_.cancelled() || failed_) return;
      Slot slot = one(index, reports);
      const std::scoped_lock lock(mutex_);
      failed_ = failed_ || slot.error.has_value();
      done_[index] = std::move(slot);
      decide();
      if (reports) context_.report("runs", static_cast<double>(ready_) / settings_.runs);
    }
  }

  Slot one(uint32_t index, bool reports) {
    Slot slot;
    slot.isDone = true;
    slot.run.seed = scenario_.seed + index;
    Context own;
    own.threads = 1;
    SimulateSettings settings;
    settings.output = (std::filesystem::path(settings_.folder) / fmt::format("run_{}.sqlite", slot.run.seed)).string();
    settings.seed = slot.run.seed;
    settings.endTime = settings_.endTime;
    settings.onProgress = [&](const SimulationProgress&) {
      if (context_.cancelled() || index >= stopAt()) own.cancel();
      if (reports) context_.report("runs", static_cast<double>(ready_) / settings_.runs);
    };
    const Result<SimulationSummary> summary = simulate(scenario_, settings, own);
    if (!summary.ok()) {
      slot.error = summary.error();
    } else {
      slot.run.status = summary->status;
      slot.run.persons = summary->persons;
      slot.run.left = summary->left;
      slot.run.stuck = summary->stuck;
      slot.run.hash = summary->resultHash;
      slot.run.warnings = summary->warnings;
      Scenario seeded = scenario_;
      seeded.seed = slot.run.seed;
      if (!own.cancelled()) {
        if (Status status = measure(seeded, settings.output, slot.run, own); !status.ok()) slot.error = status.error();
      }
    }
    if (!settings_.keep) {
      std::error_code ignored;
      std::filesystem::remove(settings.output, ignored);
    }
    return slot;
  }

  uint32_t stopAt() const { return stopAt_.load(); }

  // Looks at the runs in the order of seeds, so that the end does not depend on which thread is faster.
  void decide() {
    while (ready_ < settings_.runs && done_[ready_].isDone) {
      const OneRun& run = done_[ready_].run;
      ++ready_;
      if (!std::isfinite(run.evacuation) || done_[ready_ - 1].error) continue;
      ++count_;
      const double delta = run.evacuation - mean_;
      mean_ += delta / static_cast<double>(count_);
      squares_ += delta * (run.evacuation - mean_);
      if (count_ < 2) continue;
      Convergence c;
      c.runs = ready_;
      c.mean = mean_;
      c.deviation = std::sqrt(squares_ / static_cast<double>(count_ - 1));
      c.halfWidth = student95(count_ - 1) * c.deviation / std::sqrt(static_cast<double>(count_));
      convergence_.push_back(c);
      if (settings_.converge > 0 && count_ >= kLeastRuns && c.halfWidth <= settings_.converge * c.mean &&
          ready_ < stopAt()) {
        stopAt_ = ready_.load();
        converged_ = true;
        return;
      }
    }
  }

  ManyRuns collect() {
    ManyRuns out;
    out.converged = converged_;
    for (uint32_t i = 0; i < stopAt(); ++i) out.runs.push_back(std::move(done_[i].run));
    for (const Convergence& c : convergence_) {
      if (c.runs <= out.runs.size()) out.convergence.push_back(c);
    }
    for (const OneRun& run : out.runs) out.unfinished += std::isfinite(run.evacuation) ? 0 : 1;
    return out;
  }

  const Scenario& scenario_;
  const ManyRunsSettings& settings_;
  const Context& context_;
  std::mutex mutex_;
  std::atomic<uint32_t> next_{0};
  std::atomic<uint32_t> stopAt_{settings_.runs};
  std::atomic<uint32_t> ready_{0};
  std::atomic<bool> failed_{false};
  std::vector<Slot> done_;
  std::vector<Convergence> convergence_;
  size_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
  bool converged_ = false;
};

}  // namespace

Result<ManyRuns> simulateMany(const Scenario& scenario, const ManyRunsSettings& settings, const Context& context) {
  if (settings.runs < 1 || settings.runs > 100'000 || !(settings.converge >= 0 && settings.converge <= 1)) {
    return Error{ErrorCode::kInvalidSettings, "runs must be 1 to 100000, and the share to converge to 0 to 1"};
  }
  if (settings.folder.empty() || !std::filesystem::is_directory(settings.folder)) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("'{}' is not a folder; many runs need one for their recordings", settings.folder)};
  }
  return Runner(scenario, settings, context).run();
}

double percentile(std::vector<double> values, double share) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const double at = std::clamp(share, 0.0, 1.0) * static_cast<double>(values.size() - 1);
  const auto i = static_cast<size_t>(at);
  if (i + 1 >= values.size() || values[i] == values[i + 1]) return values[i];
  const double t = at - static_cast<double>(i);
  return t > 0 ? (1 - t) * values[i] + t * values[i + 1] : values[i];
}

std::vector<CurveBand> evacuationBand(const ManyRuns& all, size_t points) {
  double end = 0;
  for (const OneRun& run : all.runs) {
    if (!run.exitTimes.empty()) end = std::max(end, run.exitTimes.back());
  }
  std::vector<CurveBand> band;
  for (size_t i = 0; i <= points && end > 0; ++i) {
    CurveBand b;
    b.time = end * static_cast<double>(i) / static_cast<double>(std::max<size_t>(1, points));
    std::vector<double> left;
    for (const OneRun& run : all.runs) {
      left.push_back(static_cast<double>(std::upper_bound(run.exitTimes.begin(), run.exitTimes.end(), b.time + 1e-9) -
                                         run.exitTimes.begin()));
    }
    b.low = percentile(left, 0.05);
    b.mid = percentile(left, 0.5);
    b.high = percentile(std::move(left), 0.95);
    band.push_back(b);
  }
  return band;
}

}  // namespace wend
