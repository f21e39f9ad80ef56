#pragma once

#include <optional>
#include <vector>

#include "planning/corridor/corridor_portals.h"
#include "planning/point/funnel.h"
#include "planning/visibility/axis_sight.h"

// Indicative routes: curves inside the corridor of a path (van Toll 2017, section 4.4).
namespace wend {

struct RouteEnds {
  Retraction start;
  Retraction goal;
  CellId startCell = kNone;  // of the mesh
};

struct RoutePoint {
  Vec2 units;
  uint32_t arc = kNone;  // in whose cell it lies
};

struct CorridorRouteScratch {
  std::vector<CorridorPiece> pieces;
  std::vector<CorridorPortal> portals;
  std::vector<StringPortal> string;
  PortalScratch steps;
  FunnelScratch funnel;
  SearchPath path;
  std::vector<RoutePoint> points;  // the answer: start and goal included
};

// How far a chord of the medial axis may be from it, metres.
inline constexpr double kAxisDeviation = 5e-4;

// Fills `scratch.points` from `scratch.pieces`.
// - Without `side`, the shortest way in the corridor that keeps the clearance c (lattice units) wherever the axis does,
//   and follows the axis where it is narrower.
// - With `side` in [-1, 1]: 0 follows the medial axis, -1 keeps c from the obstacles on the left and 1 on the right,
//   values between them stay between.
// O(portals).
void makeRoute(const CorridorGraph& graph, const RouteEnds& ends, double c, std::optional<double> side,
               CorridorRouteScratch& scratch);

// Least distance of the route `scratch.points` from obstacles, lattice units. O(cells that it crosses).
double routeClearance(const CorridorGraph& graph, const std::vector<RoutePoint>& points, QueryStamp& stamp,
                      CorridorSightScratch& scratch);

}  // namespace wend
