#pragma once

#include <vector>

#include "planning/corridor/axis_search.h"

// The corridor along a path on the medial axis, and its portals for a disk that keeps a preferred clearance.
namespace wend {

// A part of an arc that a path walks.
struct CorridorPiece {
  DirectedArc arc;
  double from;  // parameters of the arc's curve; from > to if it is walked backwards
  double to;
};

// The pieces from `start` to `goal` along the half-edges.
void collectPieces(const CorridorGraph& graph, const AxisPoint& start, const AxisPoint& goal, const CorridorPath& path,
                   std::vector<CorridorPiece>& out);

// A shrunk portal across the corridor at one point of the axis: the centre may be anywhere between left and right.
// Where the axis is narrower than the preferred clearance, left = right = axis.
struct CorridorPortal {
  Vec2 axis;
  Vec2 left;
  Vec2 right;
  double clearance = 0;  // of the axis, lattice units
  uint32_t arc = kNone;
};

struct PortalScratch {
  struct Step {
    double u;
    bool flat;  // on the tangent of a parabola's apex
  };
  std::vector<Step> steps;
};

// Between two portals in a row the straight way from left to left keeps the preferred clearance c, and so does that
// from right to right, so everything between them does. Where the axis is narrower than c, the polyline of the axis
// deviates from it by at most `deviation`, and its clearance is nowhere less than the least of the piece of the axis
// that it replaces. O(portals).
void collectPortals(const CorridorGraph& graph, const std::vector<CorridorPiece>& pieces, double c, double deviation,
                    PortalScratch& scratch, std::vector<CorridorPortal>& out);

// One bending point, or a point between two, as stored: with the nearest obstacle points of both sides.
CorridorMap::BendingPoint annotated(const CorridorGraph& graph, DirectedArc arc, const ecm::ArcCurve& curve, double u);

}  // namespace wend
