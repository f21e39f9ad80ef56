#pragma once

#include <wend/navigator.h>

// When an agent notices that the world is not the version it knows (van Toll 2017, section 8.6.2).
namespace wend {

// True if an agent at `eye` sees a place that changed, at most `range` metres away (0 = any distance). `believed` is
// the version it knows, `now` the newest one. Walls that came count if they are in sight in the version it knows, walls
// that went if they are in sight in the newest one. Nine points of each place are looked at. O(cells along the lines of
// sight).
bool seesChange(const Navigator& believed, const Navigator& now, const WorldChange& change, const Place& eye,
                double range, PlanScratch& scratch);

// True if the disk cannot walk on: the straight way to the next points of its route, up to `ahead` metres, meets a wall
// that came. Such an agent bumps into the change, seen or not.
bool isNextStepGone(const Navigator& now, const WorldChange& change, const Place& at, double radius, double ahead,
                    const Route& route, PlanScratch& scratch);

}  // namespace wend
