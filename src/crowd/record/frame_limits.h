#pragma once

#include <cstdint>

namespace wend {

// Readers visit every frame, also those without persons. Rows whose numbers leave out nearly all frames are not those
// of a recording.
inline constexpr int64_t kFramesPerRow = 64;
inline constexpr int64_t kFramesAlways = 100'000;

// Metres of persons from the origin: sums and differences of them fit into all types.
inline constexpr double kMaxMetres = 1e9;

inline bool isFrameCountOf(int64_t frames, int64_t rows) {
  return frames <= kFramesAlways + rows * kFramesPerRow;
}

}  // namespace wend
