#pragma once

#include <memory>
#include <span>

#include <wend/navigator.h>

#include "planning/disk/disk_navigator.h"

// Places, moves and lengths on the cells of any mesh. The methods are those of Navigator. Immutable.
namespace wend {

class SurfaceNavigator {
 public:
  // O(n log n).
  explicit SurfaceNavigator(std::shared_ptr<const DiskNavigator> disk);

  std::optional<NearestPlace> nearest(const Place& place, double radius, double reach, PlanScratch& scratch) const;
  std::optional<NearestPlace> nearestReachable(const Place& from, const Place& to, double radius, double reach,
                                               PlanScratch& scratch, double snap) const;
  std::optional<NearestPlace> randomPlace(const RandomPlaceQuery& query, uint64_t seed, PlanScratch& scratch) const;
  std::optional<RayHit> castRay(const Place& from, Vec2 to, double radius, PlanScratch& scratch, double snap) const;
  std::optional<Slide> slide(const Place& from, Vec2 to, double radius, PlanScratch& scratch, double snap) const;
  std::optional<WallDistance> nearestWall(const Place& place, double reach, PlanScratch& scratch, double snap) const;
  // Of a point.
  void costs(const Place& from, std::span<const Place> to, PlanScratch& scratch, std::span<double> costs, double snap,
             std::span<double> moved) const;
  bool within(const Place& from, double distance, PlanScratch& scratch, std::vector<ReachedCell>& out,
              double snap) const;

  // The narrowest passage between the walls on both sides of a route that plan() found with this radius.
  struct Passage {
    Vec3 place;
    double width = 0;
  };
  std::optional<Passage> narrowestOn(const Route& route, double radius, PlanScratch& scratch) const;

 private:
  struct Impl;
  struct Memory;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace wend
