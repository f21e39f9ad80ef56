#pragma once

#include <string>
#include <vector>

#include <wend/context.h>

// The program as a child of its own, with limits: whatever happens to it is a result, not an accident.
namespace wend::app {

struct ChildLimits {
  double seconds = 60;      // wall clock
  double megabytes = 4096;  // of private memory
};

enum class ChildEnd : uint8_t { kExited, kTimeout, kOutOfMemory, kCrashed, kNotStarted, kCancelled };

struct ChildResult {
  ChildEnd end = ChildEnd::kNotStarted;
  int code = 0;  // exit code, or signal
  std::string out;
  std::string err;           // the last of it
  double peakMegabytes = 0;  // of the whole process
};

// Runs this program with arguments and waits. Its output goes to files in `folder`, which are removed again.
ChildResult runChild(const std::vector<std::string>& arguments, const std::string& folder, const ChildLimits& limits,
                     const Context& context);

// The file this program runs from.
std::string ownProgram();

}  // namespace wend::app
