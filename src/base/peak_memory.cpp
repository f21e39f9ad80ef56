#include "base/peak_memory.h"

#include <sys/resource.h>

namespace wend {

double peakMegabytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

}  // namespace wend
