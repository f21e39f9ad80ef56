#pragma once

#include <vector>

#include <wend/navmesh.h>

#include "geometry/vec2.h"

// Exact arbitrary clearance: the clearance of a mesh for every radius, computed once: an upper bound of the width of
// each crossing, and the critical radius of each portal, up to which only its own two ends limit its shrunk portal.
// Oliva, Pelechano (2015). Immutable; shared by all threads.
//
// A crossing narrower than 2 r is closed. For a wider one ShrunkPortals decides: no value per cell can decide alone,
// because walls of several cells may close a crossing together, and a cell may be open at both its ends but not between
// them.
namespace wend {

class ClearanceTable {
 public:
  // The cells must be convex. `reach` (lattice units) bounds critical radii, and with them the time to build the table:
  // O(walls within reach) per cell.
  ClearanceTable(const NavMesh& mesh, double reach);
  // The same after an edit of the mesh of `before`, which must have the same reach. Cells that the edit is far from are
  // copied: O(cells) for that, and the time to build for the others.
  ClearanceTable(const ClearanceTable& before, const NavMesh& old, const NavMesh& mesh, double reach);

  // The width of the crossing from one portal of a cell to another: the least distance between its left and its right
  // side, lattice units. Counted are the lengths of portals that end at walls, and the distances from ends of portals
  // to walls on the other side, also through portals. Symmetric.
  double width(const NavMesh& mesh, SideId entry, SideId exit) const;

  struct PortalLimits {
    Vec2 start;
    Vec2 along;                 // of length 1
    double size = 0;            // lattice units
    double criticalRadius = 0;  // lattice units; up to it the shrunk portal is [lowShare r, size - highShare r]
    double lowShare = 0;        // 0 at a free end, 1 at a wall, more where a wall leans over the portal
    double highShare = 0;
    SideId lowWall = kNone;
    SideId highWall = kNone;
    double nearReach = 0;  // lattice units; up to it the features are all that limit the shrunk portal
    uint32_t firstFeature = 0;
    uint32_t featureCount = 0;
    bool operator==(const PortalLimits&) const = default;
  };
  // In the direction of the portal's smaller side.
  const PortalLimits& limits(SideId side) const { return limits_[portalIndex_[side]]; }

  // The shrunk portal of a disk, in the direction of the portal's smaller side.
  struct Shrunk {
    enum Kind : uint8_t { kOpen, kClosed, kUnknown };
    Kind kind = kUnknown;
    double low = 0;  // lattice units along the portal
    double high = 0;
    SideId lowWall = kNone;  // that end it; kNone at a free end
    SideId highWall = kNone;
  };
  // kUnknown where a portal may have several shrunk portals, or walls count that this table does not keep. Then
  // ShrunkPortals gives the answer.
  Shrunk shrink(SideId portal, double r) const {
    const PortalLimits& limits = limits_[portalIndex_[portal]];
    if (r > limits.criticalRadius) return shrinkByFeatures(limits, r);
    const double low = limits.lowShare * r;
    const double high = limits.size - limits.highShare * r;
    return {low <= high ? Shrunk::kOpen : Shrunk::kClosed, low, high, limits.lowWall, limits.highWall};
  }

  size_t memory() const;
  bool operator==(const ClearanceTable&) const = default;

 private:
  friend class TableBuilder;
  // A wall that limits a portal beside the portal's own ends, in the coordinates of the portal: an end of the wall, or
  // its length.
  struct Feature {
    double from;  // of an end: its foot on the portal; else the interval that faces the wall's length at right angles
    double to;    // of an end: the square of its height over the portal
    double distance;  // of the interval's nearer end from the wall
    double slope;     // how far along the interval the distance grows by 1, negative if towards its begin; 0 for an end
    SideId wall;
    float critical;  // up to this radius the portal's own ends block all that this feature blocks
    bool operator==(const Feature&) const = default;
  };
  static constexpr size_t kMostFeatures = 12;
  Shrunk shrinkByFeatures(const PortalLimits& limits, double r) const;

  std::vector<PortalLimits> limits_;   // per portal
  std::vector<Feature> features_;      // per portal, the least critical radius first
  std::vector<uint32_t> portalIndex_;  // per side: index of its portal
  std::vector<uint32_t> ordinal_;      // per side: the how-many-th portal of its cell
  std::vector<uint32_t> firstWidth_;   // per cell, into widths_; kNone for cells with too many portals
  std::vector<uint32_t> portalCount_;  // per cell
  std::vector<float> widths_;          // upper triangles, rounded up
};

}  // namespace wend
