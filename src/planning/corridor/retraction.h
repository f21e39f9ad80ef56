#pragma once

#include "planning/corridor/corridor_graph.h"

// The retraction of a point of the free space on the medial axis, and its nearest obstacle. Both O(1) once the cell is
// known.
namespace wend {

// A point of the medial axis.
struct AxisPoint {
  uint32_t edge = kNone;
  uint32_t arc = kNone;
  double u = 0;             // parameter of the arc's curve
  Vec2 p;                   // lattice units
  double along = 0;         // length from the edge's start
  double clearance = 0;     // lattice units
  double leastToStart = 0;  // least clearance between here and the edge's start
  double leastToEnd = 0;
};

// A point of the free space, its nearest obstacle and its retraction.
struct Retraction {
  Vec2 units;
  uint32_t arc = kNone;   // whose cell contains the point
  uint32_t site = kNone;  // the nearest site
  Vec2 nearest;           // the nearest obstacle point; the left one on the axis
  double clearance = 0;   // distance to it
  AxisPoint axis;         // the retraction itself
};

// `arc` is the arc whose cell contains the point, or one beside it where rounding decides.
Retraction retract(const CorridorGraph& graph, Vec2 units, uint32_t arc);

// The same without `axis`.
Retraction nearestInCorridor(const CorridorGraph& graph, Vec2 units, uint32_t arc);

// The nearest obstacle and the largest empty disk around the retraction: all that a step of a crowd needs.
struct CorridorDisk {
  Vec2 nearest;
  double clearance = 0;
  Vec2 centre;
  double radius = 0;
};
CorridorDisk diskInCorridor(const CorridorGraph& graph, Vec2 units, uint32_t arc);

// The point of an arc's curve at parameter u, clamped to the arc.
AxisPoint axisPoint(const CorridorGraph& graph, uint32_t arc, double u);

// Least clearance on one edge between two of its points.
double leastClearanceBetween(const CorridorGraph& graph, const AxisPoint& a, const AxisPoint& b);

}  // namespace wend
