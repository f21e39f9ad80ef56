#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <wend/study/many_runs.h>

#include "command.h"

// `wend simulate --runs` and `--vary`: a scenario many times, over seeds and over values of its parameters.
namespace wend::app {

struct StudySettings {
  std::string scenario;
  ScenarioParameters parameters;  // of --set
  std::vector<std::string> vary;  // "NAME=V1,V2" or "NAME=FIRST:LAST:STEP"
  uint32_t runs = 1;
  double converge = 0;
  bool keep = false;
  std::optional<double> endTime;
  std::string folder;  // empty: nothing is written
  bool check = false;  // an expectation that fails, or a run that ends in gridlock, is a failure
  std::function<void(Scenario&)> override;
};

// "NAME=VALUE" each.
Result<ScenarioParameters> parametersOf(const std::vector<std::string>& set);
// All combinations, the last parameter changing fastest.
Result<std::vector<ScenarioParameters>> combinationsOf(const std::vector<std::string>& vary);

// The exit code of the command.
int simulateStudy(Run& run, const StudySettings& settings);

}  // namespace wend::app
