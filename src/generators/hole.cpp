#include "generators/hole.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <span>

#include "environment/edit/boundary_change.h"
#include "geometry/overlay.h"
#include "geometry/predicates.h"
#include "mesh/live_arrays.h"
#include "mesh/weld.h"

namespace wend {
namespace {

bool meets(const Box& box, Point a, Point b) {
  return std::max(a.x, b.x) >= box.min.x && std::min(a.x, b.x) <= box.max.x && std::max(a.y, b.y) >= box.min.y &&
         std::min(a.y, b.y) <= box.max.y;
}

// Boundary edges whose box meets a changed box, sorted.
std::vector<LayerEdge> edgesIn(const Environment& environment, const ChangedArea& changed,
                               const std::shared_ptr<const VersionBoundary>& boundary) {
  std::vector<LayerEdge> edges;
  const auto add = [&](const ChangedArea::Box& part, const Ring& ring) {
    for (size_t i = 0; i < ring.size(); ++i) {
      const Point b = ring[i + 1 == ring.size() ? 0 : i + 1];
      if (meets(part.box, ring[i], b)) edges.push_back({part.layer, ring[i], b});
    }
  };
  for (const ChangedArea::Box& part : changed.boxes) {
    if (boundary) {
      boundary->forEachEdge(part.layer, part.box, [&](std::span<const Point> ring, size_t i) {
        edges.push_back({part.layer, ring[i], ring[i + 1 == ring.size() ? 0 : i + 1]});
      });
      continue;
    }
    for (const Polygon& polygon : environment.layers[part.layer].free) {
      add(part, polygon.outer);
      for (const Ring& hole : polygon.holes) add(part, hole);
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

}  // namespace

ChangedEdges changedEdges(const Environment& before, const Environment& after, const ChangedArea& changed) {
  const EditFacts facts = changed.facts ? *changed.facts : EditFacts{};
  const std::vector<LayerEdge> old = edgesIn(before, changed, facts.before);
  const std::vector<LayerEdge> now = edgesIn(after, changed, facts.after);
  ChangedEdges edges;
  std::set_difference(old.begin(), old.end(), now.begin(), now.end(), std::back_inserter(edges.gone));
  std::set_difference(now.begin(), now.end(), old.begin(), old.end(), std::back_inserter(edges.added));
  return edges;
}

namespace {

class HoleFinder {
 public:
  HoleFinder(const NavMesh& mesh, const Environment& before, const Environment& after, const ChangedArea& changed)
      : mesh_(mesh), after_(after), changed_(changed), isRemoved_(mesh.cellCount(), 0) {
    ChangedEdges edges = changedEdges(before, after, changed);
    gone_ = std::move(edges.gone);
    added_ = std::move(edges.added);
  }

  Result<Hole> run(bool keepDelaunay) {
    Hole hole;
    hole.environment.lattice = after_.lattice;
    hole.environment.layers.resize(after_.layers.size());
    for (size_t i = 0; i < after_.layers.size(); ++i) hole.environment.layers[i].id = after_.layers[i].id;
    markTouched();
    if (keepDelaunay) growCircles();
    growOffLattice();
    std::sort(removed_.begin(), removed_.end());
    if (!collectEdges()) {
      return Error{ErrorCode::kUnsupported, "the cells around the change have corners off the lattice"};
    }
    for (LayerId layer = 0; layer < after_.layers.size(); ++layer) {
      Shape shape{0, loopsOf(layer)};
      if (shape.loops.empty()) continue;
      auto polygons = overlay(std::array{shape}, [](uint32_t groups) { return groups == 1; });
      if (!polygons.ok()) return polygons.error();
      hole.environment.layers[layer].free = std::move(polygons).value();
    }
    if (broken_) return Error{ErrorCode::kUnsupported, "the outline of the changed cells does not close"};
    hole.removed = std::move(removed_);
    return hole;
  }

 private:
  void remove(CellId cell) {
    if (isRemoved_[cell] == 0) removed_.push_back(cell);
    isRemoved_[cell] = 1;
  }
  Vec2 start(SideId s) const { return mesh_.vertex(mesh_.startVertex(s)); }
  Vec2 end(SideId s) const { return mesh_.vertex(mesh_.endVertex(s)); }

  // Whether all of the box lies right of a side of a convex cell.
  bool isApart(CellId cell, const Box& box) const {
    if (!mesh_.info().traits.convex) return false;
    const Vec2 corners[]{toVec2(box.min),
                         {static_cast<double>(box.max.x), static_cast<double>(box.min.y)},
                         toVec2(box.max),
                         {static_cast<double>(box.min.x), static_cast<double>(box.max.y)}};
    for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) {
      const Vec2 a = start(s);
      const Vec2 b = end(s);
      if (std::all_of(std::begin(corners), std::end(corners), [&](Vec2 p) { return orient(a, b, p) < 0; })) return true;
    }
    return false;
  }

  bool touches(CellId cell, const Box& box) const {
    double minX = 1e300, minY = 1e300, maxX = -1e300, maxY = -1e300;
    for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) {
      const Vec2 p = start(s);
      minX = std::min(minX, p.x);
      minY = std::min(minY, p.y);
      maxX = std::max(maxX, p.x);
      maxY = std::max(maxY, p.y);
    }
    return minX <= box.max.x && maxX >= box.min.x && minY <= box.max.y && maxY >= box.min.y && !isApart(cell, box);
  }

  // Whether a wall lies on an edge that is gone.
  bool isGone(SideId s) const {
    const LayerId layer = mesh_.layerOf(mesh_.cellOf(s));
    const Vec2 p = start(s);
    const Vec2 q = end(s);
    for (const LayerEdge& edge : gone_) {
      if (edge.layer != layer) continue;
      const Vec2 a = toVec2(edge.a);
      const Vec2 b = toVec2(edge.b);
      if (orient(a, b, p) == 0 && orient(a, b, q) == 0 && isBetween(a, p, b) && isBetween(a, q, b)) return true;
    }
    return false;
  }

  void markTouched() {
    Box gone;
    for (const LayerEdge& edge : gone_) {
      gone.add(edge.a);
      gone.add(edge.b);
    }
    for (const ChangedArea::Box& part : changed_.boxes) {
      for (const CellId cell : cellsNear(mesh_, part.box)) {
        if (part.layer == mesh_.layerOf(cell) && touches(cell, part.box)) remove(cell);
      }
    }
    if (gone.empty()) return;
    for (const CellId cell : cellsNear(mesh_, gone)) {
      if (isRemoved_[cell] != 0) continue;
      for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) {
        const Vec2 p = start(s);
        if (!mesh_.isWall(s) || p.x < gone.min.x || p.x > gone.max.x || p.y < gone.min.y || p.y > gone.max.y) continue;
        if (isGone(s)) remove(cell);
      }
    }
  }

  // --- Delaunay -----------------------------------------------------------------------------------------------------

  static Point rounded(Vec2 p) { return {static_cast<int32_t>(p.x), static_cast<int32_t>(p.y)}; }

  bool circleContains(CellId cell, Point p) const {
    const SideId s = mesh_.firstSide(cell);
    return inCircle(rounded(start(s)), rounded(start(s + 1)), rounded(start(s + 2)), p) > 0;
  }

  void growCircles() {
    std::vector<std::pair<LayerId, Point>> vertices;
    for (const LayerEdge& edge : added_) {
      vertices.emplace_back(edge.layer, edge.a);
      vertices.emplace_back(edge.layer, edge.b);
    }
    std::vector<CellId> stack;
    const auto take = [&](CellId cell) {
      remove(cell);
      stack.push_back(cell);
    };
    std::sort(removed_.begin(), removed_.end());
    for (const CellId cell : removed_) {
      stack.push_back(cell);
      for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) {
        vertices.emplace_back(mesh_.layerOf(cell), rounded(start(s)));
      }
    }
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    while (!stack.empty()) {
      const CellId cell = stack.back();
      stack.pop_back();
      for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) {
        const CellId other = mesh_.neighbour(s);
        if (other == kNone || isRemoved_[other] != 0 || mesh_.layerOf(other) != mesh_.layerOf(cell)) continue;
        if (mesh_.sideCount(other) != 3) continue;
        const LayerId layer = mesh_.layerOf(other);
        for (const auto& [vertexLayer, p] : vertices) {
          if (vertexLayer != layer || !circleContains(other, p)) continue;
          take(other);
          break;
        }
      }
    }
  }

  // --- outline ------------------------------------------------------------------------------------------------------

  // All cells around a point on a wall that is no lattice point go together: then it is no corner of the outline.
  void growOffLattice() {
    std::vector<CellId> stack = removed_;
    while (!stack.empty()) {
      const CellId cell = stack.back();
      stack.pop_back();
      for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) {
        const CellId other = mesh_.neighbour(s);
        if (other == kNone || isRemoved_[other] != 0 || mesh_.layerOf(other) != mesh_.layerOf(cell)) continue;
        if (isOnLattice(start(s)) && isOnLattice(end(s))) continue;
        remove(other);
        stack.push_back(other);
      }
    }
  }

  bool isOutline(SideId s) const {
    const CellId cell = mesh_.cellOf(s);
    const CellId other = mesh_.neighbour(s);
    return other == kNone ? !isGone(s) : isRemoved_[other] == 0 || mesh_.layerOf(other) != mesh_.layerOf(cell);
  }

  // The outline's side that continues a wall beyond a point of it, or kNone.
  SideId continued(SideId s) const {
    SideId t = mesh_.nextSide(s);
    while (!mesh_.isWall(t)) {
      if (isOutline(t)) return kNone;
      t = mesh_.nextSide(mesh_.twin(t));
    }
    return isOutline(t) && orient(start(s), end(s), end(t)) == 0 ? t : kNone;
  }

  bool collectEdges() {
    edges_.resize(after_.layers.size());
    for (const LayerEdge& edge : added_) edges_[edge.layer].emplace(edge.a, edge.b);
    for (const CellId cell : removed_) {
      const LayerId layer = mesh_.layerOf(cell);
      for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) {
        if (!isOutline(s)) continue;
        // A wall in pieces is taken from its first one on.
        if (!isOnLattice(start(s)) && mesh_.isWall(s)) continue;
        SideId last = s;
        while (mesh_.isWall(s) && last != kNone && !isOnLattice(end(last))) last = continued(last);
        if (last == kNone || !isOnLattice(start(s)) || !isOnLattice(end(last))) return false;
        edges_[layer].emplace(rounded(start(s)), rounded(end(last)));
      }
    }
    return true;
  }

  // Closed loops that use every edge once; under the even-odd rule it does not matter which.
  std::vector<Ring> loopsOf(LayerId layer) {
    std::multimap<Point, Point>& edges = edges_[layer];
    std::vector<Ring> loops;
    while (!edges.empty()) {
      Ring ring;
      const Point first = edges.begin()->first;
      Point at = first;
      do {
        const auto it = edges.find(at);
        if (it == edges.end()) {
          broken_ = true;
          return {};
        }
        ring.push_back(at);
        at = it->second;
        edges.erase(it);
      } while (at != first);
      loops.push_back(std::move(ring));
    }
    return loops;
  }

  const NavMesh& mesh_;
  const Environment& after_;
  const ChangedArea& changed_;
  std::vector<LayerEdge> gone_;
  std::vector<LayerEdge> added_;
  std::vector<uint8_t> isRemoved_;
  std::vector<CellId> removed_;
  std::vector<std::multimap<Point, Point>> edges_;  // per layer: the outline, the hole on the left
  bool broken_ = false;
};

}  // namespace

Result<Hole> findHole(const NavMesh& mesh, const Environment& before, const Environment& after,
                      const ChangedArea& changed, bool keepDelaunay) {
  return HoleFinder(mesh, before, after, changed).run(keepDelaunay);
}

}  // namespace wend
