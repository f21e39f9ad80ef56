#pragma once

#include <functional>

#include <wend/recording.h>
#include <wend/scenario.h>

#include "command.h"

// What changed in the world during a run, for the player: free space, doors, bodies on their way, events.
namespace wend::app {

// Times are samples of the player: `stride` frames each. `place` turns metres into its coordinates. `scenario` may be
// null: then only the free space is known.
//   paths    different outlines of layers, each once
//   worlds   {from, layers: indexes into paths}
//   doors    per name {from, open} from the begin on
//   bodies   {outline around its centre, path, from, until, layer, pace: metres per sample}
//   events   {at, text} of doors and obstacles
Json editsJson(const Recording& recording, const Scenario* scenario, int64_t stride,
               const std::function<Vec2(Vec2)>& place);

}  // namespace wend::app
