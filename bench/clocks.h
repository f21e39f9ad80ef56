#pragma once

#include <ctime>

#include "base/wall_clock.h"

// Clocks of the benchmarks, beside wallSeconds(). Processor time is what counts on a machine that others use too.
namespace wend {

inline double secondsOn(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Seconds that all threads of this process have computed.
inline double cpuSeconds() {
  return secondsOn(CLOCK_PROCESS_CPUTIME_ID);
}
// Seconds that this thread has computed.
inline double threadSeconds() {
  return secondsOn(CLOCK_THREAD_CPUTIME_ID);
}

// Processor time of the work.
double cpuSecondsOf(const auto& work) {
  const double start = cpuSeconds();
  work();
  return cpuSeconds() - start;
}

}  // namespace wend
