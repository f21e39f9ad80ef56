#pragma once

#include <chrono>

namespace wend {

// Seconds of a clock that never goes back. Only differences mean something.
inline double wallSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace wend
