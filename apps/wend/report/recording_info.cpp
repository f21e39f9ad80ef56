#include "report/recording_info.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <wend/recording.h>

#include <fmt/format.h>

namespace wend::app {
namespace {

// What is known about the end of a run.
struct RunEnd {
  bool known = false;     // recordings of other programs do not say
  bool complete = false;  // the run came to its end
  std::string status;     // how it ended, or was left
};

RunEnd endOf(const Recording& recording) {
  RunEnd end;
  end.status = recording.note("wend_status");
  end.known = !recording.note("wend_version").empty() || !end.status.empty();
  end.complete = !recording.note("wend_result_hash").empty() || end.status == "experiment";
  return end;
}

size_t lineCount(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

std::string sentenceOf(const RunEnd& end, const std::string& resultHash) {
  if (!end.known) return "recorded by another program: it does not say whether the run came to its end";
  if (end.complete) {
    return fmt::format("complete, status {}{}", end.status,
                       resultHash.empty() ? "" : fmt::format(", result hash {}", resultHash));
  }
  return fmt::format("not complete{}: still running, stopped or killed; `wend simulate --resume` continues it",
                     end.status.empty() ? "" : fmt::format(" (status {})", end.status));
}

}  // namespace

bool isDatabase(const std::string& path) {
  constexpr std::string_view kHead = "SQLite format 3";
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;  // opening a pipe would wait for its writer
  std::ifstream file(path, std::ios::binary);
  std::array<char, kHead.size()> head{};
  file.read(head.data(), head.size());
  return file.gcount() == static_cast<std::streamsize>(head.size()) &&
         std::string_view(head.data(), head.size()) == kHead;
}

int recordingInfo(Run& run, const std::string& file) {
  const Result<Recording> opened = Recording::open(file, run.context());
  if (!opened.ok()) return run.fail(opened.error());
  run.finishProgress();
  const Recording& recording = *opened;
  const std::vector<RecordedPerson>& persons = recording.persons();
  const auto left = std::count_if(persons.begin(), persons.end(), [](const auto& p) { return p.exitFrame >= 0; });
  const double seconds =
      static_cast<double>(std::max<int64_t>(recording.frames() - 1, 0)) / recording.framesPerSecond();
  const Environment& environment = recording.worlds().front().environment;
  const RunEnd end = endOf(recording);
  const std::string program = recording.note("wend_version");
  const std::string scenario = recording.note("wend_scenario_file");
  const std::string scenarioHash = recording.note("wend_scenario_hash");
  const std::string seed = recording.note("wend_seed");
  const std::string resultHash = recording.note("wend_result_hash");
  const size_t warnings = lineCount(recording.note("wend_warnings"));

  run.say(fmt::format("{}: recording{}", file, program.empty() ? "" : fmt::format(" by wend {}", program)));
  if (!scenarioHash.empty()) {
    run.say(fmt::format("  scenario '{}', hash {}, seed {}", scenario, scenarioHash, seed));
  }
  run.say(fmt::format("  {} persons, {} left, {} inside at the end", persons.size(), left,
                      persons.size() - static_cast<size_t>(left)));
  run.say(fmt::format("  {} frames, {:g} per second: 0 to {:g} s", recording.frames(), recording.framesPerSecond(),
                      seconds));
  run.say(fmt::format("  environment: {} layers, hash {}, {} events", environment.layers.size(),
                      hexHash(hash(environment)), recording.events().size()));
  if (warnings > 0)
    run.say(fmt::format("  {} warning{} (`wend report` lists them)", warnings, warnings == 1 ? "" : "s"));
  run.say("  " + sentenceOf(end, resultHash));
  run.print({{"ok", true},
             {"file", file},
             {"kind", "recording"},
             {"wend_version", program},
             {"scenario", scenario},
             {"scenario_hash", scenarioHash},
             {"seed", seed},
             {"persons", persons.size()},
             {"left", left},
             {"frames", recording.frames()},
             {"frames_per_second", recording.framesPerSecond()},
             {"time", seconds},
             {"layers", environment.layers.size()},
             {"environment_hash", hexHash(hash(environment))},
             {"events", recording.events().size()},
             {"warnings", warnings},
             {"status", end.status},
             {"complete", end.known ? Json(end.complete) : Json(nullptr)},
             {"result_hash", resultHash}});
  return kOk;
}

}  // namespace wend::app
