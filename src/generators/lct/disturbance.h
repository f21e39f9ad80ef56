#pragma once

#include <optional>
#include <vector>

#include "generators/lct/triangle_net.h"

// Clearance of a crossing of a triangle, and the disturbances: the vertices that make it wrong.
namespace wend::lct {

// The clearance of the crossing around corner i of triangle t, from one of its edges there to the other: the lengths
// of both, and the distance to walls that the corner faces behind the third edge. Lattice units.
double cornerClearance(const TriangleNet& net, uint32_t t, uint32_t i);

// A vertex nearer to a wall than the clearance of the crossing between them.
struct Disturbance {
  double width = 0;  // from the vertex to the wall, lattice units
  NetEdge wall;
  Vec2 split;  // where the wall should be split to get the vertex connected
};

// A corner by which a vertex looks into free space, between two neighbouring edges: where its disturbances begin.
struct Corner {
  uint32_t triangle;
  uint32_t corner;
};

// Corners in fans from wall to wall, without those of fans that are exactly straight: nothing is pinched there.
std::vector<Corner> disturbingCorners(const TriangleNet& net);

class DisturbanceSearch {
 public:
  explicit DisturbanceSearch(const TriangleNet& net) : net_(net) {}
  // The narrowest one of the vertex at this corner, if any, of those with a place to split. The triangles on which the
  // answer depends are added to `looked`, with repeats.
  std::optional<Disturbance> find(Corner corner, std::vector<uint32_t>& looked);
  // Of the last call: how many had no place.
  uint32_t withoutPlace() const { return withoutPlace_; }

 private:
  // What lies right or left of the way. Distances from the eye are squared.
  struct Side {
    Vec2 bound;   // of what is seen
    Vec2 end;     // of the edge
    double away;  // to the end
    double near;  // to the nearest vertex that was passed
  };
  struct Step {
    NetEdge portal;  // by which the walk leaves a triangle
    uint32_t depth;  // steps before it
    Side right;
    Side left;
    double promise;  // squared: at least the width that a triangle on the way promises
  };
  void consider(NetEdge wall, Vec2 right, Vec2 left, std::vector<uint32_t>& looked);
  bool disturbs(Vec2 foot, double distance, std::vector<uint32_t>& looked);

  const TriangleNet& net_;
  Vec2 eye_{};
  std::vector<NetEdge> path_;  // from the eye to the step at hand
  std::vector<Step> todo_;
  std::vector<NetEdge> edges_;
  std::optional<Disturbance> best_;
  uint32_t withoutPlace_ = 0;
};

}  // namespace wend::lct
