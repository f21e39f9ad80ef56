#pragma once

#include <optional>

#include <wend/navigator.h>

// The implementation of a Navigator. One class works on the cells and portals of any mesh (disk/), another on
// the medial axis (corridor/). The methods are those of Navigator.
namespace wend {

class RadiusNavigator {
 public:
  virtual ~RadiusNavigator() = default;

  virtual CellId locate(const Place& place) const = 0;
  virtual PathStatus plan(const PathQuery& query, PlanScratch& scratch, Route& route) const = 0;
  virtual PathStatus replan(const PathQuery& query, PlanScratch& scratch, Route& route, bool& changed) const = 0;
  virtual PathStatus replan(const PathQuery& query, const WorldChange& change, ReplanMethod method,
                            PlanScratch& scratch, Route& route, ReplanReport& report) const = 0;
  virtual bool isConcerned(const WorldChange& change, const PathQuery& query, PlanScratch& scratch,
                           const Route& route) const = 0;
  virtual bool keep(const WorldChange& change, const PathQuery& query, PlanScratch& scratch, Route& route) const = 0;
  virtual PathStatus reachable(const PathQuery& query, PlanScratch& scratch) const = 0;
  virtual std::optional<NearestObstacle> nearestObstacle(const Place& place, PlanScratch& scratch) const = 0;
  virtual bool visibility(const Place& place, double range, PlanScratch& scratch, VisibilityPolygon& out) const = 0;
  virtual double straightClearance(const Place& from, const Place& to, PlanScratch& scratch) const = 0;
  virtual FreeDisk freeDisk(CellId cell, Vec2 metres, PlanScratch& scratch) const = 0;
  virtual StraightWay straightWay(CellId cell, Vec2 from, Vec2 to, double enough, PlanScratch& scratch) const = 0;
};

}  // namespace wend
