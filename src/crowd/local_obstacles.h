#pragma once

#include <span>
#include <string>
#include <vector>

#include <wend/environment.h>

#include "crowd/ground/ground.h"
#include "geometry/index/box_tree.h"

// Small things (benches, signs, trees) that no planner knows and that agents walk around: the labelled regions of the
// environment that the crowd's settings name. Each polygon of such a region counts as its convex hull. An agent steers
// past the side that needs the smaller turn and has space, and no step brings its disk into an obstacle. Walls come
// first: where they leave no space, an agent may overlap an obstacle.
namespace wend {

// What an agent does about them, metres.
struct ObstacleView {
  LayerId layer = 0;
  CellId cell = kNone;
  Vec2 at;
  Vec2 goal;  // an obstacle that holds the goal does not count
  double radius = 0.24;
  double toGoal = 0;  // what lies behind the goal does not count
  int side = 1;       // of equal turns: 1 passes on the right, -1 on the left
  Vec2f heading;      // where it walks now: it stays on the side that it has chosen
};

// Immutable; read from any thread. A query costs O(log n + obstacles near the agent).
class LocalObstacles {
 public:
  LocalObstacles() = default;
  LocalObstacles(const Environment& environment, std::span<const std::string> labels);

  bool empty() const { return hulls_.empty(); }
  size_t size() const { return hulls_.size(); }
  uint64_t hash() const;

  // The velocity turned, at the same speed, past the first obstacle that it runs into within kAhead metres.
  Vec2f steered(const Ground& ground, const ObstacleView& view, Vec2f velocity) const;
  // A displacement shorter than the disk, metres, changed so that it does not end in an obstacle; an agent inside one
  // leaves it by at most `most` metres.
  Vec2f keptOut(const ObstacleView& view, Vec2f by, float most) const;

  // How far the agent's disk reaches into an obstacle at a place, metres; not above 0 where it does not.
  double depth(const ObstacleView& view, Vec2 at) const;

  static constexpr double kAhead = 5;     // metres
  static constexpr double kMargin = 0.1;  // metres between rim and obstacle while passing

 private:
  struct Hull {
    std::vector<Vec2> corners;  // metres, counter-clockwise
  };
  template <typename Visit>
  void eachNear(const ObstacleView& view, double reach, Visit&& visit) const;
  bool isPassable(const Ground& ground, const ObstacleView& view, uint32_t hull, Vec2 aside) const;

  Lattice lattice_;
  std::vector<Hull> hulls_;
  BoxTree tree_;  // heights are layers
};

}  // namespace wend
