#include "generators/ecm/edit/changed_walls.h"

#include <algorithm>
#include <iterator>

#include "environment/boundary.h"
#include "environment/edit/boundary_change.h"
#include "environment/edit/live_base.h"
#include "geometry/predicates.h"

namespace wend::ecm {
namespace {

bool meets(const Box& box, Point a, Point b) {
  return std::max(a.x, b.x) >= box.min.x && std::min(a.x, b.x) <= box.max.x && std::max(a.y, b.y) >= box.min.y &&
         std::min(a.y, b.y) <= box.max.y;
}

bool isStraight(Point before, Point p, Point after) {
  return orient(before, p, after) == 0 && onSegment(before, after, p) && p != before && p != after;
}

// The walls of one ring of a world without connections.
class RingWalls {
 public:
  explicit RingWalls(std::span<const Point> ring) : ring_(ring) {}

  size_t next(size_t i) const { return i + 1 == ring_.size() ? 0 : i + 1; }
  size_t previous(size_t i) const { return i == 0 ? ring_.size() - 1 : i - 1; }
  bool isStraightAt(size_t i) const { return isStraight(ring_[previous(i)], ring_[i], ring_[next(i)]); }
  WallRun run(LayerId layer, size_t edge) const {
    size_t first = edge;
    size_t last = next(edge);
    // No ring is straight everywhere; the count only stops what is no ring.
    for (size_t steps = 0; steps < ring_.size() && isStraightAt(first); ++steps) first = previous(first);
    for (size_t steps = 0; steps < ring_.size() && isStraightAt(last); ++steps) last = next(last);
    return {layer, ring_[first], ring_[last], layer, layer};
  }

 private:
  std::span<const Point> ring_;
};

// Walls that meet one of the changed boxes.
std::vector<WallRun> runsIn(const Walls& walls, const ChangedArea& changed) {
  std::vector<WallRun> runs;
  for (const ChangedArea::Box& part : changed.boxes) {
    walls.forEach(part.layer, part.box, [&](Point, Point, const WallRun& run) { runs.push_back(run); });
  }
  std::sort(runs.begin(), runs.end());
  runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
  return runs;
}

// A layer at an obstacle vertex. One vertex may get several names when a connection between its layers is closed.
using LayerAtEnd = std::pair<LayerId, WallEnd>;

std::vector<LayerAtEnd> endsIn(const Walls& walls, const ChangedArea& changed) {
  std::vector<LayerAtEnd> ends;
  for (const ChangedArea::Box& part : changed.boxes) {
    walls.forEachEnd(part.layer, part.box, [&](LayerId layer, const WallEnd& end) { ends.emplace_back(layer, end); });
  }
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

template <typename T>
std::vector<T> without(const std::vector<T>& all, const std::vector<T>& others) {
  std::vector<T> left;
  std::set_difference(all.begin(), all.end(), others.begin(), others.end(), std::back_inserter(left));
  return left;
}

}  // namespace

// The boundary of the surface that connections make.
struct Walls::Surface {
  explicit Surface(const Environment& environment)
      : own(std::make_unique<const Boundary>(environment.layers, environment.connections)),
        ownTwin(glue(*own, environment.connections)),
        boundary(*own),
        twin(ownTwin) {}
  explicit Surface(const LiveBase& base) : boundary(base.boundary()), twin(base.twins()) {}

  // Along the ring.
  uint32_t before(uint32_t e) const {
    const Boundary::Ring& ring = boundary.ring(e);
    return e == ring.begin ? ring.end - 1 : e - 1;
  }

  // The wall that follows, through the layers that meet in its end. Around every end of a wall there is another one.
  uint32_t next(uint32_t e) const {
    e = boundary.next(e);
    while (twin[e] != kNone) e = boundary.next(twin[e]);
    return e;
  }
  uint32_t previous(uint32_t e) const {
    e = before(e);
    while (twin[e] != kNone) e = before(twin[e]);
    return e;
  }
  bool goesOn(uint32_t e, uint32_t f) const {
    return isStraight(boundary.start(e), boundary.start(f), boundary.end(f)) && boundary.end(e) == boundary.start(f);
  }
  WallRun run(uint32_t edge) const {
    uint32_t first = edge;
    uint32_t last = edge;
    for (uint32_t e = previous(first); e != edge && goesOn(e, first); e = previous(e)) first = e;
    for (uint32_t e = next(last); e != edge && goesOn(last, e); e = next(e)) last = e;
    return {boundary.ring(first).layer, boundary.start(first), boundary.end(last), leastLayerAfter(previous(first)),
            leastLayerAfter(last)};
  }

  // Calls visit(layer) for the layers between the end of a wall and the start of the next one.
  template <typename Visit>
  void forEachLayerAfter(uint32_t wall, Visit&& visit) const {
    visit(boundary.ring(wall).layer);
    for (uint32_t e = boundary.next(wall); twin[e] != kNone; e = boundary.next(twin[e])) {
      visit(boundary.ring(twin[e]).layer);
    }
  }
  LayerId leastLayerAfter(uint32_t wall) const {
    LayerId least = boundary.ring(wall).layer;
    forEachLayerAfter(wall, [&](LayerId layer) { least = std::min(least, layer); });
    return least;
  }
  // The wall that ends where this edge does, with free space between them; kNone inside of a connection.
  uint32_t wallBefore(uint32_t edge) const {
    uint32_t e = edge;
    while (twin[e] != kNone) {
      e = before(twin[e]);
      if (e == edge) return kNone;
    }
    return e;
  }

  std::unique_ptr<const Boundary> own;
  std::vector<uint32_t> ownTwin;
  const Boundary& boundary;
  std::span<const uint32_t> twin;  // across a connection
};

// Where no connection is cut, the surface is that of the base, and its cut rings are replaced by loops of one layer.
Walls::Walls(const Environment& environment, std::shared_ptr<const VersionBoundary> boundary)
    : environment_(environment), boundary_(std::move(boundary)) {
  if (environment.connections.empty()) return;
  isOfBase_ = boundary_ && !boundary_->cutsConnections();
  surface_ = isOfBase_ ? std::make_unique<Surface>(boundary_->base()) : std::make_unique<Surface>(environment);
}

Walls::~Walls() = default;

template <typename Visit>
void Walls::forEachSurfaceEdge(LayerId layer, const Box& box, Visit&& visit) const {
  if (isOfBase_) {
    boundary_->forEachBaseEdge(layer, box, visit);
    return;
  }
  for (const Boundary::Ring& ring : surface_->boundary.rings()) {
    if (ring.layer != layer) continue;
    for (uint32_t e = ring.begin; e < ring.end; ++e) {
      if (meets(box, surface_->boundary.start(e), surface_->boundary.end(e))) visit(e);
    }
  }
}

template <typename Visit>
void Walls::forEachRingEdge(LayerId layer, const Box& box, Visit&& visit) const {
  const auto visitEdge = [&](std::span<const Point> ring, size_t i) {
    const RingWalls walls(ring);
    visit(ring[i], ring[walls.next(i)], walls.run(layer, i));
  };
  if (surface_) {
    if (isOfBase_) boundary_->forEachLoopEdge(layer, box, visitEdge);
    return;
  }
  if (boundary_) {
    boundary_->forEachEdge(layer, box, visitEdge);
    return;
  }
  const auto walk = [&](const Ring& ring) {
    for (size_t i = 0; i < ring.size(); ++i) {
      if (meets(box, ring[i], ring[i + 1 == ring.size() ? 0 : i + 1])) visitEdge(ring, i);
    }
  };
  for (const Polygon& polygon : environment_.layers[layer].free) {
    walk(polygon.outer);
    for (const Ring& hole : polygon.holes) walk(hole);
  }
}

void Walls::forEach(LayerId layer, const Box& box,
                    const std::function<void(Point a, Point b, const WallRun& run)>& visit) const {
  if (surface_) {
    forEachSurfaceEdge(layer, box, [&](uint32_t e) {
      if (surface_->twin[e] != kNone) return;
      visit(surface_->boundary.start(e), surface_->boundary.end(e), surface_->run(e));
    });
  }
  forEachRingEdge(layer, box, visit);
}

void Walls::forEachEnd(LayerId layer, const Box& box,
                       const std::function<void(LayerId layer, const WallEnd& end)>& visit) const {
  const auto visitEnd = [&](uint32_t edge) {
    const uint32_t wall = surface_->wallBefore(edge);
    if (wall == kNone || surface_->goesOn(wall, surface_->next(wall))) return;
    const WallEnd end{surface_->leastLayerAfter(wall), surface_->boundary.end(wall)};
    surface_->forEachLayerAfter(wall, [&](LayerId at) { visit(at, end); });
  };
  if (surface_) {
    forEachSurfaceEdge(layer, box, [&](uint32_t e) {
      visitEnd(e);
      visitEnd(surface_->before(e));
    });
  }
  forEachRingEdge(layer, box, [&](Point, Point, const WallRun& run) {
    visit(layer, {layer, run.a});
    visit(layer, {layer, run.b});
  });
}

std::vector<WallTouch> Walls::touches(LayerId layer, const Box& box) const {
  return findWallTouches(layer, [&](const VisitVertex& visit) {
    const auto visitInside = [&](std::span<const Point> ring, size_t i) {
      if (meets(box, ring[i], ring[i])) visit(ring, i);
    };
    if (boundary_) {
      boundary_->forEachEdge(layer, box, visitInside);
    } else {
      forEachVertex(environment_.layers[layer], visitInside);
    }
  });
}

ChangedWalls findChangedWalls(const Walls& before, const Walls& after, const ChangedArea& changed) {
  const std::vector<WallRun> old = runsIn(before, changed);
  const std::vector<WallRun> now = runsIn(after, changed);
  ChangedWalls walls;
  walls.gone = without(old, now);
  walls.added = without(now, old);
  for (const auto& [layer, end] : without(endsIn(before, changed), endsIn(after, changed))) {
    walls.goneEnds.push_back(end);
  }
  std::sort(walls.goneEnds.begin(), walls.goneEnds.end());
  walls.goneEnds.erase(std::unique(walls.goneEnds.begin(), walls.goneEnds.end()), walls.goneEnds.end());
  return walls;
}

}  // namespace wend::ecm
