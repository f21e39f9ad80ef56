#pragma once

#include <functional>
#include <string>
#include <vector>

#include <wend/scenario.h>

#include "command.h"

// What a scenario draws into the plan of a layer: exits, queues, waiting places, way points, sources, lines, regions,
// doors, stairs, lifts, smoke. Shown on maps and in the player, so that a reader sees where what was measured.
namespace wend::app {

struct PlanMark {
  std::string kind;  // "exit", "stage" (any other), "source", "line", "region", "door", "stair", "lift", "smoke"
  std::string id;
  int32_t layer = 0;  // the id that the environment gives it
  Loops loops;        // metres; a line has one loop of two points
  bool closed = true;
};

std::vector<PlanMark> planMarks(const Scenario* scenario);

// The colour of a kind as "#rrggbb".
std::string_view markColour(std::string_view kind);

// The marks of one layer as SVG. `place` turns metres into coordinates of the picture. Names stay within `width` and do
// not cover each other.
std::string marksSvg(const std::vector<PlanMark>& marks, int32_t layer, const std::function<Vec2(Vec2)>& place,
                     double width);

// A bar of a round length with its label, and an arrow to the north (up, the larger y). `pixelsPerMetre` is the scale
// of the plan; the lower left corner of both is at (x, y). `width` is the space that they may take.
std::string scaleBarSvg(double pixelsPerMetre, double x, double y, double width);

// The same marks for the player.
Json marksJson(const std::vector<PlanMark>& marks, const std::function<Vec2(Vec2)>& place);

}  // namespace wend::app
