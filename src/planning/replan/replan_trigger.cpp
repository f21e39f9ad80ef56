#include "planning/replan/replan_trigger.h"

#include <algorithm>
#include <cmath>

#include "geometry/vec2.h"
#include "planning/replan/changed_part.h"
#include "planning/replan/route_change.h"

namespace wend {

bool seesChange(const Navigator& believed, const Navigator& now, const WorldChange& change, const Place& eye,
                double range, PlanScratch& scratch) {
  if (change.everything()) return true;
  const Vec2 from = eye.top();
  const CellId oldCell = believed.locate(eye);
  const CellId newCell = now.locate(eye);
  for (const ChangedPlace& place : change.places()) {
    if (range > 0 && distanceToBox({place.low, place.high}, from) > range) continue;
    const Navigator& navigator = place.opened ? now : believed;
    const CellId cell = place.opened ? newCell : oldCell;
    if (cell == kNone) continue;
    const Vec2 centre = place.centre();
    for (const double x : {centre.x, place.low.x, place.high.x}) {
      for (const double y : {centre.y, place.low.y, place.high.y}) {
        if (range > 0 && distance(from, {x, y}) > range) continue;
        const StraightWay way = navigator.straightWay(cell, from, {x, y}, 0, scratch);
        if (way.cell != kNone && navigator.mesh().layerOf(way.cell) == place.layer) return true;
      }
    }
  }
  return false;
}

bool isNextStepGone(const Navigator& now, const WorldChange& change, const Place& at, double radius, double ahead,
                    const Route& route, PlanScratch& scratch) {
  if (change.empty() || route.points.empty()) return false;
  CellId cell = now.locate(at);
  if (cell == kNone) return true;
  // Walls that came nearer than this to the way are in it.
  const double margin = std::max(radius, 0.0);
  Vec2 from = at.top();
  double left = ahead;
  for (size_t i = restOf(route, from).next; i < route.points.size() && left > 0; ++i) {
    Vec2 to{route.points[i].x, route.points[i].y};
    const double size = distance(from, to);
    if (size > left) to = from + (left / size) * (to - from);
    for (const ChangedPlace& place : change.places()) {
      if (place.opened) continue;
      const ChangedBox box{{place.low.x - margin, place.low.y - margin},
                           {place.high.x + margin, place.high.y + margin}};
      if (lengthThroughBox(box, from, to) > (1 + 1e-9) * distance(from, to)) continue;
      // The box is only around the walls: the way itself decides.
      const StraightWay way = now.straightWay(cell, from, to, 0, scratch);
      if (way.cell == kNone || way.clearance < (1 - 1e-6) * radius) return true;
    }
    const StraightWay way = now.straightWay(cell, from, to, 0, scratch);
    // A wall that was there before: the agent is beside its route. That is no news.
    if (way.cell == kNone) return false;
    cell = way.cell;
    left -= size;
    from = to;
  }
  return false;
}

}  // namespace wend
