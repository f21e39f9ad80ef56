#pragma once

#include <span>
#include <string>
#include <vector>

#include <wend/scenario.h>

#include "serve/crowd_frame.h"

// Counts the persons that cross the measuring lines of a crowd, in either direction, from one frame to the next.
namespace wend::serve {

class LineCounter {
 public:
  struct Line {
    MeasuringLine line;
    uint32_t layer = 0;  // index
    uint64_t crossed = 0;
  };
  LineCounter() = default;
  LineCounter(const std::vector<MeasuringLine>& lines, const Environment& environment);

  // Persons in ascending order of ids.
  void count(std::span<const FramePerson> persons);
  const std::vector<Line>& lines() const { return lines_; }

 private:
  std::vector<Line> lines_;
  std::vector<uint32_t> ids_;  // of the last call
  std::vector<Vec2> places_;
};

}  // namespace wend::serve
