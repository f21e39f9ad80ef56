#pragma once

#include <functional>
#include <memory>

#include "planning/corridor/corridor_navigator.h"
#include "planning/disk/disk_navigator.h"

// Shortest routes on a world with a medial axis. They are searched on the search mesh of the world
// (world/search_mesh.h), which has few large cells, and translated to the cells of the world's own mesh. The axis
// answers all other queries.
namespace wend {

class SearchMeshNavigator final : public RadiusNavigator {
 public:
  // `search` works on an exact mesh of the same environment that `axis` is of; `cells()` on the world's own cells.
  using Cells = std::function<const DiskNavigator&()>;
  SearchMeshNavigator(std::shared_ptr<const CorridorNavigator> axis, std::shared_ptr<const DiskNavigator> search,
                      Cells cells);

  // False where the axis answers better: a clearance that is kept where there is space, a side, densities.
  static bool suits(const PathQuery& query);
  const DiskNavigator& search() const { return *search_; }
  const std::shared_ptr<const DiskNavigator>& shared() const { return search_; }

  CellId locate(const Place& place) const override { return axis_->locate(place); }
  // The shortest path of a point, a disk's shortest path in the corridor of cells that the search chose: as on the
  // search mesh. A route that cannot be translated is planned on the world's own cells; a query without a route on the
  // search mesh is planned on the axis.
  PathStatus plan(const PathQuery& query, PlanScratch& scratch, Route& route) const override;
  PathStatus replan(const PathQuery& query, PlanScratch& scratch, Route& route, bool& changed) const override;
  // The route itself is the path: see planning/replan/route_change.h.
  PathStatus replan(const PathQuery& query, const WorldChange& change, ReplanMethod method, PlanScratch& scratch,
                    Route& route, ReplanReport& report) const override;
  bool isConcerned(const WorldChange& change, const PathQuery& query, PlanScratch& scratch,
                   const Route& route) const override {
    return search_->isConcerned(change, query, scratch, route);
  }
  bool keep(const WorldChange& change, const PathQuery& query, PlanScratch& scratch, Route& route) const override {
    return search_->keep(change, query, scratch, route);
  }
  PathStatus reachable(const PathQuery& query, PlanScratch& scratch) const override {
    return axis_->reachable(query, scratch);
  }
  std::optional<NearestObstacle> nearestObstacle(const Place& place, PlanScratch& scratch) const override {
    return axis_->nearestObstacle(place, scratch);
  }
  bool visibility(const Place& place, double range, PlanScratch& scratch, VisibilityPolygon& out) const override {
    return axis_->visibility(place, range, scratch, out);
  }
  double straightClearance(const Place& from, const Place& to, PlanScratch& scratch) const override {
    return axis_->straightClearance(from, to, scratch);
  }
  FreeDisk freeDisk(CellId cell, Vec2 metres, PlanScratch& scratch) const override {
    return axis_->freeDisk(cell, metres, scratch);
  }
  StraightWay straightWay(CellId cell, Vec2 from, Vec2 to, double enough, PlanScratch& scratch) const override {
    return axis_->straightWay(cell, from, to, enough, scratch);
  }

 private:
  bool translate(const PathQuery& query, PlanScratch& scratch, Route& route) const;

  uint64_t serial_;
  std::shared_ptr<const CorridorNavigator> axis_;
  std::shared_ptr<const DiskNavigator> search_;
  Cells cells_;
};

}  // namespace wend
