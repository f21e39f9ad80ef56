#include "crowd/refuge.h"

#include <algorithm>
#include <cmath>

#include "crowd/route_method.h"
#include "geometry/vec2.h"

namespace wend {
namespace {

constexpr double kReach = 50;     // metres
constexpr size_t kMaxWalks = 64;  // walks that are measured for one agent
constexpr double kRoundings = 2;  // lattice units

}  // namespace

bool Refuge::find(const AgentPlace& old, double height, double radius, AgentPlace& place, NearWalls& walls,
                  WallFloodScratch& scratch, PlanScratch& plan) const {
  if (settle(old.at, height, old.cell, place, radius, walls, scratch)) return true;
  // The nearest free place of a disk touches a wall.
  struct Candidate {
    double distance;  // metres
    Point at;
  };
  std::vector<Candidate> candidates;
  const double r = radius / now_.unit() + kRoundings;
  const Vec2 x = toVec2(old.at);
  const auto offer = [&](Vec2 p) {
    const double far = length(p - x) * now_.unit();
    if (far > kReach) return;
    candidates.push_back({far, {static_cast<int32_t>(std::lround(p.x)), static_cast<int32_t>(std::lround(p.y))}});
  };
  for (const GroundWall& wall : now_.walls()) {
    if (wall.first == kNone) continue;
    const Vec2 foot = closestOnSegment(x, wall.a, wall.b);
    const Vec2 forward{r * wall.along.x, r * wall.along.y};
    const Vec2 across = leftOf(forward);
    offer(foot + across);
    // Beside the foot another wall may be too near: the ends of the wall are farther away, but there.
    offer(wall.a + across + forward);
    offer(wall.b + across - forward);
  }
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.at < b.at;
  });
  const Lattice& lattice = now_.mesh().lattice();
  const Vec2 from = lattice.toMetres(old.at);
  double best = -1;
  AgentPlace bestPlace;
  NearWalls bestWalls;
  size_t walks = 0;
  Route route;
  for (const Candidate& candidate : candidates) {
    // No walk is shorter than the straight line.
    if ((best >= 0 && candidate.distance >= best) || walks >= kMaxWalks) break;
    AgentPlace found;
    NearWalls foundWalls;
    if (!settle(candidate.at, height, old.cell, found, radius, foundWalls, scratch)) continue;
    ++walks;
    // A point may go anywhere that a disk was pushed to.
    const Vec2 to = lattice.toMetres(found.at);
    PathQuery query;
    query.from = Place(from.x, from.y, height);
    query.to = Place(to.x, to.y, height);
    query.method = methodOfAgents(before_);
    query.measure = false;
    if (before_.plan(query, plan, route) != PathStatus::kFound) continue;
    if (best >= 0 && route.length >= best) continue;
    best = route.length;
    bestPlace = found;
    bestWalls = foundWalls;
  }
  if (best < 0) return false;
  place = bestPlace;
  walls = bestWalls;
  return true;
}

bool Refuge::settle(Point at, double height, CellId oldCell, AgentPlace& place, double radius, NearWalls& walls,
                    WallFloodScratch& scratch) const {
  const Vec2 metres = now_.mesh().lattice().toMetres(at);
  const Vec3 p{metres.x, metres.y, height};
  const CellId cell = nowLocator_.locate(p);
  if (cell == kNone || !now_.holds(cell, at)) return false;
  const CellId was = locator_.locate(p);
  if (was == kNone || !ground_.areJoined(oldCell, was)) return false;
  place = {at, cell};
  walls = {};
  move(now_, {}, radius, place, walls, scratch);
  // Squeezed in is worse than a little farther away.
  return clearanceAt(now_, walls, toVec2(place.at)) >= 0.5 * radius;
}

}  // namespace wend
