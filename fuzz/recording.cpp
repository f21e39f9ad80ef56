#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <wend/analysis.h>
#include <wend/recording.h>
#include <wend/scenario.h>

#include <unistd.h>

#include "crowd/record/recorder.h"

namespace {

// A file of its own for each process, in memory where that is possible: SQLite follows links, so that a name below
// /proc is none to it.
class Scratch {
 public:
  Scratch() {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path folder = fs::is_directory("/dev/shm", error) ? "/dev/shm" : fs::temp_directory_path();
    path_ = (folder / ("wend_fuzz_" + std::to_string(::getpid()) + ".sqlite")).string();
  }
  ~Scratch() { clear(); }
  void write(const uint8_t* data, size_t size) const {
    clear();
    std::ofstream file(path_, std::ios::binary);
    file.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    if (!file.good()) std::abort();
  }
  const std::string& path() const { return path_; }

 private:
  void clear() const {
    for (const char* end : {"", "-wal", "-shm", "-journal"}) ::unlink((path_ + end).c_str());
  }
  std::string path_;
};

}  // namespace

// Recordings: files of SQLite that anybody may have made. What is opened can be read to its end and analysed, and a run
// that goes on from it either goes on or says why not.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wend;
  static const Scratch scratch;
  const std::string& path = scratch.path();
  scratch.write(data, size);
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
