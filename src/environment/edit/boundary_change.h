#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "environment/edit/cut_clusters.h"
#include "environment/edit/live_base.h"

// What an edit changes of the boundary, without a look at the rest of it.
namespace wend {

// Rings that only one of two versions has; a ring may be in both lists.
struct BoundaryChange {
  struct LayerRing {
    uint32_t layer = 0;
    std::span<const Point> ring;  // of the base or of a cluster, which must outlive this
  };
  std::vector<LayerRing> gone;
  std::vector<LayerRing> added;
};

// The clusters that the others do not have.
std::vector<std::shared_ptr<const CutCluster>> clustersOnlyIn(const CutClusters& all, const CutClusters& others);

// O(clusters), and the rings of those that only one of the versions has.
BoundaryChange changeBetween(const LiveBase& base, const CutClusters& before, const CutClusters& after);

// The topology of a version from that of the version before; nothing if there are connections and `hasHolesOnly` does
// not say that nothing else changed (NextEnvironment). O(polygons, and what changed).
std::optional<Topology> topologyAfter(const Topology& before, const Environment& after, const BoundaryChange& change,
                                      bool hasHolesOnly);

// The boundary of a version: of the base what no cluster cuts, and the loops of the clusters.
class VersionBoundary {
 public:
  VersionBoundary(std::shared_ptr<const LiveBase> base, const CutClusters& clusters);
  const LiveBase& base() const { return *base_; }

  // Whether a ring with a connection on it is cut. If not, every connection is open as in the base.
  bool cutsConnections() const { return cutsConnections_; }

  // Calls visit(ring, i) for each boundary edge of the layer whose box meets the box: from the i-th point of a ring to
  // the next. O(edges near, and those of all clusters).
  template <typename Visit>
  void forEachEdge(uint32_t layer, const Box& box, Visit&& visit) const {
    forEachBaseEdge(layer, box, [&](uint32_t edge) { visit(ringAt(edge), edge - base_->boundary().ring(edge).begin); });
    forEachLoopEdge(layer, box, visit);
  }
  // Those of the base, by their number there.
  template <typename Visit>
  void forEachBaseEdge(uint32_t layer, const Box& box, Visit&& visit) const {
    std::vector<uint32_t> edges;
    base_->forEachEdge(layer, box, [&](uint32_t edge) { edges.push_back(edge); });
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    for (const uint32_t edge : edges) {
      if (!cut_.contains(base_->ringOf(edge))) visit(edge);
    }
  }
  // The others.
  template <typename Visit>
  void forEachLoopEdge(uint32_t layer, const Box& box, Visit&& visit) const {
    for (const Loop& loop : loops_) {
      if (loop.layer != layer || !meets(box, loop.box)) continue;
      for (size_t i = 0; i < loop.ring.size(); ++i) {
        Box edge;
        edge.add(loop.ring[i]);
        edge.add(loop.ring[i + 1 == loop.ring.size() ? 0 : i + 1]);
        if (meets(box, edge)) visit(loop.ring, i);
      }
    }
  }

 private:
  struct Loop {
    uint32_t layer;
    std::span<const Point> ring;
    Box box;
  };
  static bool meets(const Box& a, const Box& b) {
    return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y;
  }
  std::span<const Point> ringAt(uint32_t edge) const;

  std::shared_ptr<const LiveBase> base_;
  CutClusters clusters_;  // the loops lie in them
  std::unordered_set<uint32_t> cut_;
  bool cutsConnections_ = false;
  std::vector<Loop> loops_;
};

// What is known of the environments before and after an edit, for generators that would have to look at all of them.
// Travels with the changed area (ChangedArea::facts).
struct EditFacts {
  std::shared_ptr<const Environment> environment;  // after
  std::shared_ptr<const VersionBoundary> before;
  std::shared_ptr<const VersionBoundary> after;
  std::optional<Topology> topology;  // after
};

}  // namespace wend
