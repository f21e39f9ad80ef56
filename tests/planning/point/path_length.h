#pragma once

#include "geometry/vec2.h"
#include "planning/point/search.h"

namespace wend {

inline double pathLength(Vec2 start, Vec2 goal, const SearchPath& path) {
  double length = 0;
  Vec2 last = start;
  for (const Bend& bend : path.bends) {
    length += distance(last, bend.place);
    last = bend.place;
  }
  return length + distance(last, goal);
}

}  // namespace wend
