#pragma once

#include <array>
#include <memory>
#include <vector>

#include "generators/ecm/edit/live_axis.h"
#include "planning/corridor/retraction.h"

// The largest disk that can get from one place to another: a maximum-bottleneck spanning forest of the medial axis.
//
// The world is cut into a quadtree of squares. Each square has the forest of the edges inside it, and hands on to the
// square around it only what that needs: the vertices with an edge to the outside, and the forest between them. So an
// edit makes anew the squares that it touches and those around them, and shares the others with the version before.
namespace wend {

class CorridorBottleneck {
 public:
  // O(n log n).
  explicit CorridorBottleneck(const CorridorGraph& graph);
  // After an edit: the same answers as made anew. O(the touched squares and the edges that cross those around them);
  // about the square root of the axis.
  CorridorBottleneck next(const CorridorMap& before, const CorridorMap& now,
                          const ecm::AxisDifference& difference) const;

  // The largest clearance with which a disk can get from vertex to vertex, lattice units; negative if there is no path.
  // O(log n).
  double between(const CorridorMap& map, uint32_t from, uint32_t to) const;
  // Between two points of the axis, parts of edges included. O(log n), plus the arcs between them on a common edge.
  double between(const CorridorGraph& graph, const AxisPoint& from, const AxisPoint& to) const;

 private:
  // Vertices of a square have numbers of their own. In a square without parts they are those of `vertices`, else those
  // that the parts hand on, part after part.
  struct Square;
  using Code = uint32_t;  // of a smallest square: two bits per level, the coarsest first

  Code codeOf(Vec2 p) const;
  std::shared_ptr<const Square> makeLeaf(const CorridorMap& map, Code code, std::vector<uint32_t> vertices) const;
  std::shared_ptr<const Square> makeInner(const CorridorMap& map, Code prefix, int level,
                                          std::array<std::shared_ptr<const Square>, 4> parts) const;

  Vec2 low_;
  double scaleX_ = 0;
  double scaleY_ = 0;
  int depth_ = 0;
  std::shared_ptr<const Square> root_;

  friend class BottleneckUpdate;
};

}  // namespace wend
