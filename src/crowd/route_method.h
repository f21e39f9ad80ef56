#pragma once

#include <wend/navigator.h>

// How the routes of agents are planned.
namespace wend {

// Along the medial axis where there is one: in the middle of narrow places, and planned again from the old path. The
// shortest routes of PathMethod::kBest run along walls.
inline PathMethod methodOfAgents(const Navigator& navigator) {
  return navigator.hasMedialAxis() ? PathMethod::kCorridor : PathMethod::kBest;
}

}  // namespace wend
