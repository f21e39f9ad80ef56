#pragma once

#include <memory>

#include <wend/navigator.h>

// Routes for disks of any radius on any mesh.
namespace wend {

// The Navigator of a mesh that has no Explicit Corridor Map: cells, portals and walls are all it needs. After Oliva,
// Pelechano: Clearance for diversity of agents' sizes in navigation meshes (2015), made exact.
//
// Exact: a route for radius r is found iff the disk can get from start to goal (with a relative slack of 1e-9 in the
// radius, so that a corridor of width 2 r lets it pass). An end nearer than the radius to a wall is kStartTooNear or
// kGoalTooNear. The route is the shortest in the corridor of cells that the search chose, made of segments and arcs.
// PathQuery::clearance is kept by the whole route if there is such a route, else only the radius is; PathQuery::side is
// kUnsupported.
//
// What it learns about a radius stays in the caller's scratch, for the last kRadii radii; the first query of a radius
// is slower. Cells may be any simple polygons; overlapping cells are kUnsupported.
class MeshNavigator final : public Navigator {
 public:
  explicit MeshNavigator(NavMesh mesh);

  static constexpr size_t kRadii = 8;

  const NavMesh& mesh() const override;
  CellId locate(Vec3 metres, bool withHeights) const override;
  PathStatus plan(const PathQuery& query, PlanScratch& scratch, Route& route) const override;
  // Always a new route: with density, the search weighs the way through each cell by the cell's density.
  PathStatus replan(const PathQuery& query, PlanScratch& scratch, Route& route, bool& changed) const override;
  PathStatus reachable(const PathQuery& query, PlanScratch& scratch) const override;
  std::optional<NearestObstacle> nearestObstacle(Vec3 metres, bool withHeights, PlanScratch& scratch) const override;
  bool visibility(Vec3 metres, bool withHeights, double range, PlanScratch& scratch,
                  VisibilityPolygon& out) const override;
  double straightClearance(Vec3 from, Vec3 to, bool withHeights, PlanScratch& scratch) const override;
  // The disk is looked for up to kDiskReach metres; about ten searches for the nearest wall.
  FreeDisk freeDisk(CellId cell, Vec2 metres, PlanScratch& scratch) const override;
  StraightWay straightWay(CellId cell, Vec2 from, Vec2 to, double enough, PlanScratch& scratch) const override;

  static constexpr double kDiskReach = 10;

 private:
  struct Impl;
  struct Memory;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace wend
