#include <cstdint>
#include <string_view>

#include <wend/study/trajectories.h>

#include "check_environment.h"

// Trajectories as text: what is read has persons with ascending frames, and not many more frames than lines.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wend;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<Trajectories> read = parseTrajectories(text, "fuzz.txt");
  if (!read.ok()) {
    if (read.error().message.empty()) fuzz::complain("an error without a sentence");
    return 0;
  }
  if (read->frames() > 100'000 + 64 * static_cast<int64_t>(size)) fuzz::complain("too many frames");
  for (const Trajectory& person : read->persons) {
    int64_t before = -1;
    for (const TrajectoryPoint& point : person.points) {
      if (point.frame <= before) fuzz::complain("frames that do not ascend");
      before = point.frame;
    }
  }
  return 0;
}
