#include "report/verdict_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace wend::app {

std::string boundsText(const Expectation& e) {
  if (!std::isfinite(e.min)) return fmt::format("at most {:g}", e.max);
  if (!std::isfinite(e.max)) return fmt::format("at least {:g}", e.min);
  return fmt::format("{:g} to {:g}", e.min, e.max);
}

std::string measuredText(double value) {
  return std::isnan(value) ? "no value" : fmt::format("{:.4g}", value);
}

bool isBlocked(RunStatus status) {
  return status == RunStatus::kGridlock || status == RunStatus::kDeadlock;
}

bool expectsBlocking(const Scenario& scenario) {
  return std::any_of(scenario.expectations.begin(), scenario.expectations.end(), [](const Expectation& e) {
    return (e.metric == "gridlock" || e.metric == "deadlock") && e.max >= 1;
  });
}

}  // namespace wend::app
