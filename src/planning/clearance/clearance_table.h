#pragma once

#include <vector>

#include <wend/navmesh.h>

#include "geometry/vec2.h"

// What is known about clearance before any radius is asked for: how wide each way through a cell is at most, and up to
// which radius a portal is limited by its own ends alone. Oliva, Pelechano (2015): the clearance of cell crosses and
// the critical radius. Immutable; shared by all threads.
//
// Widths are upper bounds: a crossing narrower than 2 r is closed, a wider one is decided by RadiusTable. (No value per
// cell can decide alone: features of several cells may close a way together, and a cell may be open at both its ends
// but not between them.)
namespace wend {

class ClearanceTable {
 public:
  // The cells must be convex. `reach` (lattice units) bounds critical radii, and with them the time to build the table:
  // O(walls within reach) per cell.
  ClearanceTable(const NavMesh& mesh, double reach);

  // The narrowest place between the left and the right side of the way from one portal of a cell to another one,
  // lattice units: lengths of portals that end at walls, and ways from ends of portals to walls on the other side, also
  // through portals. Symmetric.
  double width(const NavMesh& mesh, SideId entry, SideId exit) const;

  struct PortalLimits {
    Vec2 start;
    Vec2 along;                 // of length 1
    double size = 0;            // lattice units
    double criticalRadius = 0;  // lattice units; up to it the door is [lowShare r, size - highShare r]
    double lowShare = 0;        // 0 at a free end, 1 at a wall, more where a wall leans over the portal
    double highShare = 0;
    SideId lowWall = kNone;
    SideId highWall = kNone;
    double nearReach = 0;  // lattice units; up to it the features are all that limit the door
    uint32_t firstFeature = 0;
    uint32_t featureCount = 0;
  };
  // In the direction of the portal's smaller side.
  const PortalLimits& limits(SideId side) const { return limits_[portalIndex_[side]]; }

  // The room of a disk in a portal, in the direction of the portal's smaller side.
  struct Room {
    enum Kind : uint8_t { kOpen, kClosed, kUnknown };
    Kind kind = kUnknown;
    double low = 0;  // lattice units along the portal
    double high = 0;
    SideId lowWall = kNone;  // that end it; kNone at a free end
    SideId highWall = kNone;
  };
  // kUnknown where the portal may have several doors, or walls count that are not kept here: RadiusTable knows.
  Room roomIn(SideId portal, double r) const {
    const PortalLimits& limits = limits_[portalIndex_[portal]];
    if (r > limits.criticalRadius) return roomBetweenFeatures(limits, r);
    const double low = limits.lowShare * r;
    const double high = limits.size - limits.highShare * r;
    return {low <= high ? Room::kOpen : Room::kClosed, low, high, limits.lowWall, limits.highWall};
  }

  size_t memory() const;

 private:
  friend class TableBuilder;
  // What limits a portal beside its own ends, in the portal's own coordinates: an end of a wall, or the length of one.
  struct Feature {
    double from;  // of an end: its foot on the portal; else the stretch that faces the wall's length at right angles
    double to;    // of an end: the square of its height over the portal
    double distance;  // of the stretch's nearer end from the wall
    double slope;     // how far along the stretch the distance grows by 1, negative if towards its begin; 0 for an end
    SideId wall;
    float critical;  // radius up to which the portal's own ends block all that this does
  };
  static constexpr size_t kMostFeatures = 12;
  Room roomBetweenFeatures(const PortalLimits& limits, double r) const;

  std::vector<PortalLimits> limits_;   // per portal
  std::vector<Feature> features_;      // per portal, the least critical radius first
  std::vector<uint32_t> portalIndex_;  // per side: index of its portal
  std::vector<uint32_t> ordinal_;      // per side: the how-many-th portal of its cell
  std::vector<uint32_t> firstWidth_;   // per cell, into widths_; kNone for cells with too many portals
  std::vector<uint32_t> portalCount_;  // per cell
  std::vector<float> widths_;          // upper triangles, rounded up
};

}  // namespace wend
