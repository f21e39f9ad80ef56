#pragma once

#include <memory>

#include "planning/radius_navigator.h"

// Queries on the Explicit Corridor Map: one medial axis answers every radius.
// W. van Toll, A. Cook, R. Geraerts: Navigation meshes for realistic multi-layered environments, IROS 2011; W. van
// Toll: Navigation for characters and crowds in complex virtual environments, 2017, chapters 4 and 5.
namespace wend {

class CorridorNavigator final : public RadiusNavigator {
 public:
  // kUnsupported for a mesh without a corridor map (bake it with the generator "ecm"). O(n log n).
  static Result<std::shared_ptr<const CorridorNavigator>> make(NavMesh mesh);
  // The same for the mesh after an edit of this one's.
  Result<std::shared_ptr<const CorridorNavigator>> next(NavMesh mesh) const;

  const NavMesh& mesh() const;
  const Locator& locator() const;

  // Routes. O(n log n) at worst for the path on the axis, O(m) for the route, m cells.
  PathStatus plan(const PathQuery& query, PlanScratch& scratch, Route& route) const override;
  // Searches the axis within the viewing distance only and takes over the rest of the old path. The old route stays if
  // its path does.
  PathStatus replan(const PathQuery& query, PlanScratch& scratch, Route& route, bool& changed) const override;
  PathStatus replan(const PathQuery& query, const WorldChange& change, ReplanMethod method, PlanScratch& scratch,
                    Route& route, ReplanReport& report) const override;
  bool isConcerned(const WorldChange& change, const PathQuery& query, PlanScratch& scratch,
                   const Route& route) const override;
  bool keep(const WorldChange& change, const PathQuery& query, PlanScratch& scratch, Route& route) const override;
  PathStatus reachable(const PathQuery& query, PlanScratch& scratch) const override;
  double largestRadius(const PathQuery& query, PlanScratch& scratch) const;
  PathStatus corridor(const PathQuery& query, PlanScratch& scratch, Corridor& out) const;

  // Places. The nearest obstacle and the retraction cost O(1) once the cell is known.
  CellId locate(const Place& place) const override;
  std::optional<CorridorPosition> retraction(const Place& place, PlanScratch& scratch) const;
  std::optional<NearestObstacle> nearestObstacle(const Place& place, PlanScratch& scratch) const override;
  bool visibility(const Place& place, double range, PlanScratch& scratch, VisibilityPolygon& out) const override;
  double straightClearance(const Place& from, const Place& to, PlanScratch& scratch) const override;
  FreeDisk freeDisk(CellId cell, Vec2 metres, PlanScratch& scratch) const override;
  StraightWay straightWay(CellId cell, Vec2 from, Vec2 to, double enough, PlanScratch& scratch) const override;

  struct Impl;
  explicit CorridorNavigator(std::shared_ptr<const Impl> impl);

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace wend
