#pragma once

#include <cstdint>

#include <wend/scenario.h>

// Whether one person crosses one measuring line, move by move.
//
// A person on the line has not crossed it yet: the move that leaves it to the other side does, and the move that leaves
// it to the side from which the person came does not. A person that appears on the line crosses it with the move that
// leaves it.
namespace wend {

class LineWatch {
 public:
  // The move from a to b on the layer of the line, and the last one if the person leaves the world at b: then a move
  // that ends on the line crosses it. True at the first crossing.
  bool crosses(const MeasuringLine& line, Vec2 a, Vec2 b, bool isLast);
  // The person jumped, or is on another layer.
  void interrupt() { from_ = 0; }
  bool isCrossed() const { return isCrossed_; }
  // Of the crossing: from the right of the line to its left.
  bool isForward() const { return isForward_; }

 private:
  int8_t from_ = 0;  // of a person on the line: the side from which it came, -1 right, 1 left, 0 unknown
  bool isCrossed_ = false;
  bool isForward_ = false;
};

}  // namespace wend
