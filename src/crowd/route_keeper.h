#pragma once

#include <span>
#include <vector>

#include <wend/edit.h>
#include <wend/navmesh.h>
#include <wend/route.h>

#include "crowd/route_index.h"

// Which routes outlive an edit of the world.
namespace wend {

class RouteKeeper {
 public:
  // Without a report no route does.
  RouteKeeper(const NavMesh& before, const NavMesh& now, const UpdateReport* report);

  // Whether the route can be walked on as it is: no part of it comes within `berth` metres of a changed box, and if
  // something became free, no way through a box can be shorter than the `left` metres to go. A route that stays names
  // cells and portals of the new mesh from then on. `at`: the agent, lattice units.
  bool keep(Route& route, Vec2 at, double left, double berth) const;

  // The number of an old cell in the new mesh; kNone if it is gone.
  CellId cellNow(CellId old) const { return old < cellNow_.size() ? cellNow_[old] : kNone; }
  // Whether a changed box is within so many metres of a place in lattice units.
  bool isNear(Vec2 units, double metres) const;
  // The changed boxes, metres.
  std::span<const RouteIndex::Area> areas() const { return boxes_; }
  // Whether the route comes within `berth` metres of one, from a segment on.
  bool comesNear(const Route& route, size_t segment, double berth) const;
  // Whether a way through one of them to the end of the route may be shorter than `left` metres. `at`: lattice units.
  bool mayBeShorter(const Route& route, Vec2 at, double left) const;

 private:
  bool rename(Route& route) const;

  const NavMesh& before_;
  const NavMesh& now_;
  const UpdateReport* report_;
  std::vector<RouteIndex::Area> boxes_;
  std::vector<CellId> cellNow_;  // per cell of the old mesh: the same in the new one, or kNone
};

}  // namespace wend
