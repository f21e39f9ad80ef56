#pragma once

#include <string>

#include <wend/simulate.h>

// How a verdict on a run is said: the same words on the terminal and on every page.
namespace wend::app {

// "at most 3", "0.5 to 1.2".
std::string boundsText(const Expectation& expectation);
// The number, or "no value" where there was nothing to measure.
std::string measuredText(double value);

// A run that ended so is no result: --check fails, unless the scenario is made to show it.
bool isBlocked(RunStatus status);
bool expectsBlocking(const Scenario& scenario);

// Said by --check of a scenario without [[expect]].
inline constexpr const char* kNothingToCheck =
    "the scenario has no [[expect]]: --check can only tell whether the run ended in gridlock or deadlock";

}  // namespace wend::app
