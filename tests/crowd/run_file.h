#pragma once

#include <filesystem>
#include <string>

#include <wend/recording.h>
#include <wend/simulate.h>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

// A recording that is removed at the end of a test, and the run that writes it.
namespace wend {

class ScratchRecording {
 public:
  ScratchRecording() {
    static int count = 0;
    path_ = (std::filesystem::temp_directory_path() / fmt::format("wend_scratch_{}_{}.sqlite", ::getpid(), count++))
                .string();
  }
  ~ScratchRecording() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline SimulationSummary simulated(const std::string& text, const ScratchRecording& file, int threads = 1) {
  const Result<Scenario> scenario = parseScenario(text, "test.toml");
  EXPECT_TRUE(scenario.ok()) << (scenario.ok() ? "" : scenario.error().message);
  if (!scenario.ok()) return {};
  Context context;
  context.threads = threads;
  const Result<SimulationSummary> summary = simulate(*scenario, {.output = file.path()}, context);
  EXPECT_TRUE(summary.ok()) << (summary.ok() ? "" : summary.error().message);
  return summary.ok() ? *summary : SimulationSummary{};
}

inline bool says(const std::vector<std::string>& sentences, const std::string& part) {
  for (const std::string& sentence : sentences) {
    if (sentence.find(part) != std::string::npos) return true;
  }
  return false;
}

}  // namespace wend
