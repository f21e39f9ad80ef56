#pragma once

#include <string>
#include <vector>

#include <wend/simulate.h>

#include <gtest/gtest.h>

#include "tests/crowd/run_file.h"

// A small scenario and what comes of it.
namespace wend {

// A room of 12 x 8 m with an exit at its right side; `extra` is appended.
inline std::string room(const std::string& source, const std::string& extra = {}) {
  return R"toml(format = 1
environment = "POLYGON ((0 0, 12 0, 12 3.4, 14 3.4, 14 4.6, 12 4.6, 12 8, 0 8, 0 0))"
end_time = 120
[[stage]]
id = "door"
kind = "exit"
area = [[12.5, 3], [14, 3], [14, 5], [12.5, 5]]
[[journey]]
id = "out"
stages = ["door"]
[[source]]
id = "in"
journey = "out"
)toml" + source +
         "\n" + extra;
}

inline const std::string kTwenty = "area = [[1, 1], [8, 1], [8, 7], [1, 7]]\ncount = 20";

struct SmallRun {
  SimulationSummary summary;
  std::vector<std::string> notes;
};

inline SmallRun smallRun(const std::string& text, const ScratchRecording& file, int threads = 1,
                         SimulateSettings settings = {}) {
  SmallRun run;
  const Result<Scenario> scenario = parseScenario(text, "test.toml");
  EXPECT_TRUE(scenario.ok()) << (scenario.ok() ? "" : scenario.error().message);
  if (!scenario.ok()) return run;
  settings.output = file.path();
  Context context;
  context.threads = threads;
  context.onNote = [&](std::string_view note) { run.notes.emplace_back(note); };
  const Result<SimulationSummary> summary = simulate(*scenario, settings, context);
  EXPECT_TRUE(summary.ok()) << (summary.ok() ? "" : summary.error().message);
  if (summary.ok()) run.summary = *summary;
  return run;
}

}  // namespace wend
