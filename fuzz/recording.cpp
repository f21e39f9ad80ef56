#include <cstdint>
#include <cstdlib>
#include <string>

#include <wend/analysis.h>
#include <wend/recording.h>
#include <wend/scenario.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "crowd/record/recorder.h"

// Recordings: files of SQLite that anybody may have made. What is opened can be read to its end and analysed, and a run
// that goes on from it either goes on or says why not.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wend;
  static const int file = ::memfd_create("recording", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (file < 0 || ::ftruncate(file, 0) != 0) std::abort();
  if (::pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
  {
    const Result<Recording> recording = Recording::open(path);
    if (!recording.ok() && recording.error().message.empty()) std::abort();
    if (recording.ok()) {
      const Result<Scenario> scenario = parseScenario(recording->note("wend_scenario"), "fuzz.toml");
      AnalysisSettings settings;
      settings.grid = 5;
      (void)analyse(*recording, scenario.ok() ? &*scenario : nullptr, settings, {});
    }
  }
  const auto resumed = Recorder::resume(path);
  if (!resumed.ok() && resumed.error().message.empty()) std::abort();
  return 0;
}
