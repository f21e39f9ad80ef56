#pragma once

#include "crowd/local/local_view.h"

// Keeping to one side: where others come from the opposite direction, an agent drifts to its right (or left), as people
// do. Two streams in a corridor then separate into two lanes instead of meeting head-on everywhere.
namespace wend {

// The preferred velocity, turned towards LocalView::side as far as oncoming agents require and walls allow. Unchanged
// without oncoming agents, so that a stream in one direction uses the whole width.
Vec2f keepSide(const LocalView& view);

}  // namespace wend
