#pragma once

#include <memory>

#include "planning/radius_navigator.h"

// Routes of disks of any radius on the cells and portals of any mesh. Oliva, Pelechano: Clearance for diversity of
// agents' sizes in navigation meshes (2015), made exact.
namespace wend {

struct MeshAnalysis;
class ShrunkPortals;

// What it learns about a radius stays in the caller's scratch, for the last kRadii radii; the first query of a radius
// is slower. Cells may be any simple polygons; overlapping cells are kUnsupported, and so is PathQuery::side.
class DiskNavigator final : public RadiusNavigator {
 public:
  explicit DiskNavigator(NavMesh mesh);
  // The same for the mesh after an edit of the one of `before`; it answers as one made anew.
  DiskNavigator(const DiskNavigator& before, NavMesh mesh);

  static constexpr size_t kRadii = 8;

  const NavMesh& mesh() const;
  // The mesh with its reflex cells cut into convex ones, and what is known about it.
  const NavMesh& convexMesh() const;
  const Locator& locator() const;
  const MeshAnalysis& analysis() const;
  // The cell or side of the given mesh.
  CellId given(CellId convexCell) const;
  SideId givenSide(SideId convexSide) const;

  // Routes.
  PathStatus plan(const PathQuery& query, PlanScratch& scratch, Route& route) const override;
  // Always a new route: with density, the search weighs the way through each cell by the cell's density.
  PathStatus replan(const PathQuery& query, PlanScratch& scratch, Route& route, bool& changed) const override;
  // The route itself is the path: see planning/replan/route_change.h.
  PathStatus replan(const PathQuery& query, const WorldChange& change, ReplanMethod method, PlanScratch& scratch,
                    Route& route, ReplanReport& report) const override;
  bool isConcerned(const WorldChange& change, const PathQuery& query, PlanScratch& scratch,
                   const Route& route) const override;
  bool keep(const WorldChange& change, const PathQuery& query, PlanScratch& scratch, Route& route) const override;
  PathStatus reachable(const PathQuery& query, PlanScratch& scratch) const override;
  // The table of a radius in metres, above 0; valid until kRadii other radii were used.
  ShrunkPortals& table(double radius, PlanScratch& scratch) const;

  // Places. freeDisk() looks this far, metres; about ten searches for the nearest wall.
  static constexpr double kDiskReach = 10;
  CellId locate(const Place& place) const override;
  std::optional<NearestObstacle> nearestObstacle(const Place& place, PlanScratch& scratch) const override;
  bool visibility(const Place& place, double range, PlanScratch& scratch, VisibilityPolygon& out) const override;
  double straightClearance(const Place& from, const Place& to, PlanScratch& scratch) const override;
  FreeDisk freeDisk(CellId cell, Vec2 metres, PlanScratch& scratch) const override;
  StraightWay straightWay(CellId cell, Vec2 from, Vec2 to, double enough, PlanScratch& scratch) const override;

 private:
  struct Impl;
  struct Memory;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace wend
