#pragma once

#include <compare>
#include <functional>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include <wend/environment.h>
#include <wend/generate.h>

#include "generators/ecm/wall_touches.h"

namespace wend {
class VersionBoundary;
}

// Which sites of the medial axis an edit takes away and which it adds.
namespace wend::ecm {

// A wall without a turn: one or several boundary edges in a straight line, free space left of a -> b. Such a run is one
// site of the medial axis. At the end of a connection it may go on in another layer.
struct WallRun {
  LayerId layer = 0;  // where it begins
  Point a;
  Point b;
  // Those of the obstacle vertices a and b (WallEnd). Not compared, since the others name the run.
  LayerId layerOfA = 0;
  LayerId layerOfB = 0;

  friend auto operator<=>(const WallRun& r, const WallRun& s) {
    return std::tie(r.layer, r.a, r.b) <=> std::tie(s.layer, s.a, s.b);
  }
  friend bool operator==(const WallRun& r, const WallRun& s) { return (r <=> s) == 0; }
};

// An obstacle vertex. Where several layers meet in it, the least of them names it, as in a new construction.
struct WallEnd {
  LayerId layer = 0;
  Point p;
  auto operator<=>(const WallEnd&) const = default;
};

struct ChangedWalls {
  std::vector<WallRun> gone;      // sorted
  std::vector<WallRun> added;     // sorted
  std::vector<WallEnd> goneEnds;  // obstacle vertices that are there no more or have another name, sorted
};

// The walls of an environment. It must outlive this. Nothing is copied where there are no connections, or an index of
// the boundary and no connection that is cut; else O(vertices).
class Walls {
 public:
  // `boundary`: an index of the environment's boundary, if there is one.
  explicit Walls(const Environment& environment, std::shared_ptr<const VersionBoundary> boundary = nullptr);
  ~Walls();
  Walls(const Walls&) = delete;
  Walls& operator=(const Walls&) = delete;

  // Calls visit(a, b, run) for every wall edge of the layer whose box meets the given one. O(edges near the box) where
  // nothing was copied and the boundary is indexed, else O(vertices of the layer).
  void forEach(LayerId layer, const Box& box,
               const std::function<void(Point a, Point b, const WallRun& run)>& visit) const;
  // Calls visit(layer, end) for each layer that meets in an end of a run at such an edge, or of a connection there.
  void forEachEnd(LayerId layer, const Box& box,
                  const std::function<void(LayerId layer, const WallEnd& end)>& visit) const;
  // The touches in the box, sorted. As above.
  std::vector<WallTouch> touches(LayerId layer, const Box& box) const;

 private:
  struct Surface;
  // Edges of the surface, and of rings that do not belong to it.
  template <typename Visit>
  void forEachSurfaceEdge(LayerId layer, const Box& box, Visit&& visit) const;
  template <typename Visit>
  void forEachRingEdge(LayerId layer, const Box& box, Visit&& visit) const;

  const Environment& environment_;
  std::shared_ptr<const VersionBoundary> boundary_;
  bool isOfBase_ = false;                   // the surface is that of the base
  std::unique_ptr<const Surface> surface_;  // null without connections
};

// Exact. Reads the boundaries of the layers that have a changed box.
ChangedWalls findChangedWalls(const Walls& before, const Walls& after, const ChangedArea& changed);

}  // namespace wend::ecm
