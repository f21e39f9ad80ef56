#pragma once

#include <span>
#include <vector>

#include <wend/navmesh.h>

#include "planning/clearance_radius.h"

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
    double nearReach = 0;  // lattice units; up to it the near walls are all that limit the door
    uint32_t firstNear = 0;
    uint32_t nearCount = 0;
  };
  struct NearWall {
    SideId wall;
    float distance;  // from the portal, rounded down
  };
  // In the direction of the portal's smaller side.
  const PortalLimits& limits(const NavMesh&, SideId side) const { return limits_[portalIndex_[side]]; }

  // The room of a disk in a portal, where no other walls than those at its ends can limit it.
  enum class Room : uint8_t { kOpen, kClosed, kUnknown };
  // `low` and `high` become its ends, in the direction of the portal's smaller side. kUnknown above the critical radius
  // of a portal that is long enough: RadiusTable knows.
  Room roomIn(SideId portal, double r, Vec2& low, Vec2& high) const {
    const PortalLimits& limits = limits_[portalIndex_[portal]];
    const double from = limits.lowShare * r;
    const double to = limits.size - limits.highShare * r;
    low = limits.start + from * limits.along;
    high = limits.start + to * limits.along;
    if (r <= limits.criticalRadius) return from <= to ? Room::kOpen : Room::kClosed;
    return limits.lowShare > 0 && limits.highShare > 0 && limits.size < 2 * r ? Room::kClosed : Room::kUnknown;
  }

  // The walls near a portal, the nearest first: at most kMostNear.
  std::span<const NearWall> nearWalls(const PortalLimits& limits) const {
    return {near_.data() + limits.firstNear, limits.nearCount};
  }
  static constexpr size_t kMostNear = 12;

  size_t memory() const;

 private:
  friend class TableBuilder;
  std::vector<PortalLimits> limits_;  // per portal
  std::vector<NearWall> near_;
  std::vector<uint32_t> portalIndex_;  // per side: index of its portal
  std::vector<uint32_t> ordinal_;      // per side: the how-many-th portal of its cell
  std::vector<uint32_t> firstWidth_;   // per cell, into widths_; kNone for cells with too many portals
  std::vector<uint32_t> portalCount_;  // per cell
  std::vector<float> widths_;          // upper triangles, rounded up
};

}  // namespace wend
