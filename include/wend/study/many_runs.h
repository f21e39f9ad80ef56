#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <wend/context.h>
#include <wend/scenario.h>
#include <wend/simulate.h>

// The same scenario many times, each time with another seed: how much of a result is chance.
namespace wend {

struct ManyRunsSettings {
  uint32_t runs = 100;  // 1 to 100,000; at most this many
  // Stops once the half width of the 95 % confidence interval of the mean evacuation time is below this share of the
  // mean, with at least ten runs. 0 to 1; 0: makes all runs.
  double converge = 0;
  std::string folder;  // where recordings are written; must exist
  bool keep = false;   // keep them as run_SEED.sqlite; otherwise each is removed once it is measured
  std::optional<double> endTime;
};

// One run as the statistics see it.
struct OneRun {
  uint64_t seed = 0;
  RunStatus status = RunStatus::kTime;
  uint64_t persons = 0;
  uint64_t left = 0;
  uint64_t stuck = 0;
  double evacuation = 0;  // s until the last person left; infinite if one did not
  double t50 = 0;
  double t95 = 0;
  uint64_t hash = 0;
  std::vector<double> exitTimes;     // s, ascending
  std::vector<double> expectations;  // one value per [[expect]] of the scenario
  std::vector<std::string> warnings;
};

struct Convergence {
  uint32_t runs = 0;     // the first so many
  double mean = 0;       // of the evacuation time, s
  double deviation = 0;  // standard deviation of the sample
  double halfWidth = 0;  // of the 95 % confidence interval of the mean (Student)
};

struct ManyRuns {
  std::vector<OneRun> runs;              // by seed, from the scenario's on
  std::vector<Convergence> convergence;  // after each run that all persons left, from the second on
  size_t unfinished = 0;                 // runs in which a person did not leave
  bool converged = false;                // stopped early, as asked
};

// Runs with seeds scenario.seed, scenario.seed + 1, ... side by side, each on one thread; context.threads is the number
// of them. The result does not depend on it. Progress counts runs. The first error of a run ends all.
Result<ManyRuns> simulateMany(const Scenario& scenario, const ManyRunsSettings& settings, const Context& context = {});

// The value below which this share of the values lies, between neighbours by the line through them; NaN for none.
double percentile(std::vector<double> values, double share);

// At each time, percentiles over the runs of how many persons had left.
struct CurveBand {
  double time = 0;
  double low = 0;   // 5th percentile
  double mid = 0;   // median
  double high = 0;  // 95th
};
std::vector<CurveBand> evacuationBand(const ManyRuns& runs, size_t points = 200);

}  // namespace wend
