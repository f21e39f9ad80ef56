#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include <wend/corridor_map.h>

#include "base/disjoint_sets.h"
#include "generators/ecm/arc.h"
#include "generators/ecm/empty_disks.h"
#include "geometry/predicates.h"
#include "geometry/vec2.h"
#include "mesh/validator/check_corridor.h"
#include "mesh/validator/fault_list.h"

namespace wend {
namespace {

using ecm::ArcCurve;
using ecm::nearestOn;

// Relative, of areas and lengths that were summed in another order.
constexpr double kRounded = 1e-9;

class AxisCheck {
 public:
  AxisCheck(const NavMesh& mesh, const Environment& environment, size_t limit)
      : mesh_(mesh), map_(*mesh.corridorMap()), environment_(environment), faults_(mesh, limit) {}

  std::vector<MeshFault> run() {
    const std::string broken = findCorridorFault(map_, environment_.layers.size(), mesh_.cellCount());
    if (!broken.empty()) {
      faults_.add(MeshFaultKind::kMedialAxis, kNone, {}, "{}", broken);
      return faults_.take();
    }
    for (auto step : {&AxisCheck::checkSites, &AxisCheck::checkVertices, &AxisCheck::checkPoints, &AxisCheck::checkArcs,
                      &AxisCheck::checkDisks, &AxisCheck::checkGraph, &AxisCheck::checkCells}) {
      (this->*step)();
      if (faults_.size() > 0) break;
    }
    return faults_.take();
  }

 private:
  template <typename... Values>
  void fault(Vec2 at, fmt::format_string<Values...> text, Values&&... values) {
    faults_.add(MeshFaultKind::kMedialAxis, kNone, at, text, std::forward<Values>(values)...);
  }
  double metres(double units) const { return units * map_.lattice.unit; }
  bool same(double a, double b) const { return std::abs(a - b) <= kAxisTolerance; }

  // --- sites --------------------------------------------------------------------------------------------------------

  struct Wall {
    Point a, b;
    LayerId layer;
    auto operator<=>(const Wall&) const = default;
  };

  void readWalls() {
    std::set<Wall> open;
    for (const Connection& connection : environment_.connections) {
      for (size_t i = 0; i + 1 < connection.line.size(); ++i) {
        open.insert({connection.line[i], connection.line[i + 1], connection.layerA});
        open.insert({connection.line[i + 1], connection.line[i], connection.layerB});
      }
    }
    const auto add = [&](LayerId layer, const Ring& ring) {
      for (size_t i = 0; i < ring.size(); ++i) {
        const Wall wall{ring[i], ring[i + 1 == ring.size() ? 0 : i + 1], layer};
        points_.emplace_back(layer, wall.a);
        if (open.empty() || !open.contains(wall)) walls_.push_back(wall);
      }
    };
    for (LayerId id = 0; id < environment_.layers.size(); ++id) {
      for (const Polygon& polygon : environment_.layers[id].free) {
        add(id, polygon.outer);
        for (const Ring& hole : polygon.holes) add(id, hole);
      }
    }
    std::sort(walls_.begin(), walls_.end());
    std::sort(points_.begin(), points_.end());
  }

  // One wall, or several in a straight line; at the end of a connection it may go on in another layer.
  bool isWall(const CorridorMap::Site& site) const {
    Point at = site.a;
    while (at != site.b) {
      bool found = false;
      for (auto it =
               std::lower_bound(walls_.begin(), walls_.end(), Wall{at, {-kMaxCoordinate - 1, -kMaxCoordinate - 1}, 0});
           it != walls_.end() && it->a == at; ++it) {
        if (!onSegment(at, site.b, it->b) || it->b == at || (at == site.a && it->layer != site.layer)) continue;
        at = it->b;
        found = true;
        break;
      }
      if (!found) return false;
    }
    return true;
  }

  void checkSites() {
    readWalls();
    for (size_t i = 0; i < map_.sites.size() && !faults_.full(); ++i) {
      const CorridorMap::Site& site = map_.sites[i];
      const bool known = site.kind == CorridorMap::SiteKind::kPoint
                             ? std::binary_search(points_.begin(), points_.end(), std::pair(site.layer, site.a))
                             : isWall(site);
      if (!known) fault(toVec2(site.a), "site {} of the medial axis is not an obstacle of the environment", i);
    }
  }

  // --- clearances ---------------------------------------------------------------------------------------------------

  void checkVertices() {
    for (size_t v = 0; v < map_.vertices.size() && !faults_.full(); ++v) {
      const CorridorMap::Vertex& vertex = map_.vertices[v];
      for (uint32_t k = vertex.firstOut; k < vertex.firstOut + vertex.degree; ++k) {
        const CorridorMap::Edge& edge = map_.edges[map_.out[k] / 2];
        const auto& bp = map_.bendingPoints[map_.out[k] % 2 == 0 ? edge.first : edge.first + edge.count - 1];
        if (bp.p == vertex.p && bp.clearance == vertex.clearance && bp.layer == vertex.layer) continue;
        fault(vertex.p, "vertex {} of the medial axis is not the end of its edge {}", v, map_.out[k] / 2);
        break;
      }
    }
  }

  void checkPoints() {
    for (size_t i = 0; i < map_.bendingPoints.size() && !faults_.full(); ++i) {
      const auto& bp = map_.bendingPoints[i];
      for (const Vec2 foot : {bp.l, bp.r}) {
        if (same(distance(bp.p, foot), bp.clearance)) continue;
        fault(bp.p, "bending point {} has a clearance of {:.7f} m, but its annotation is {:.7f} m away", i,
              metres(bp.clearance), metres(distance(bp.p, foot)));
        break;
      }
    }
  }

  // Both ends and the middle of an arc, which are as far from its two sites as they say.
  void checkArc(const CorridorMap::Edge& edge, uint32_t i) {
    const CorridorMap::Arc& arc = map_.arcs[i];
    const auto& a = map_.bendingPoints[i];
    const auto& b = map_.bendingPoints[i + 1];
    const CorridorMap::Site& left = map_.sites[arc.left];
    const CorridorMap::Site& right = map_.sites[arc.right];
    const bool last = i + 2 == edge.first + edge.count;
    for (const auto* bp : {&a, &b}) {
      // An inner bending point has the annotations of the arc that starts there; they are as near as its own.
      for (const CorridorMap::Site* site : {&left, &right}) {
        if (same(distance(bp->p, nearestOn(*site, bp->p)), bp->clearance)) continue;
        return fault(bp->p, "arc {} is not as far from both of its sites as its clearance says", i);
      }
      if (bp == &b && !last) continue;
      if (distance(bp->l, nearestOn(left, bp->l)) > kAxisTolerance ||
          distance(bp->r, nearestOn(right, bp->r)) > kAxisTolerance) {
        return fault(bp->p, "an annotation of arc {} does not lie on its site", i);
      }
    }
    const ArcCurve curve(left, right, a.p, b.p, a.clearance, b.clearance);
    const double u = 0.5 * (curve.begin() + curve.end());
    const Vec2 middle = curve.position(u);
    for (const CorridorMap::Site* site : {&left, &right}) {
      if (!same(distance(middle, nearestOn(*site, middle)), curve.clearance(u))) {
        return fault(middle, "arc {} is not equally far from its two sites", i);
      }
    }
    if (!same(arc.minClearance, curve.minClearance())) {
      return fault(middle, "arc {} has a least clearance of {:.7f} m, but the map says {:.7f} m", i,
                   metres(curve.minClearance()), metres(arc.minClearance));
    }
    if (std::abs(arc.length - curve.length()) > kAxisTolerance + kRounded * curve.length()) {
      fault(middle, "arc {} is {:.7f} m long, but the map says {:.7f} m", i, metres(curve.length()),
            metres(arc.length));
    }
  }

  void checkArcs() {
    for (size_t e = 0; e < map_.edges.size() && !faults_.full(); ++e) {
      const CorridorMap::Edge& edge = map_.edges[e];
      double length = 0;
      double least = map_.bendingPoints[edge.first].clearance;
      for (uint32_t i = edge.first; i + 1 < edge.first + edge.count; ++i) {
        checkArc(edge, i);
        length += map_.arcs[i].length;
        least = std::min(least, map_.arcs[i].minClearance);
      }
      const Vec2 at = map_.bendingPoints[edge.first].p;
      if (!same(least, edge.minClearance)) {
        fault(at, "edge {} has a least clearance of {:.7f} m, but the map says {:.7f} m", e, metres(least),
              metres(edge.minClearance));
      }
      if (std::abs(length - edge.length) > kAxisTolerance + kRounded * length) {
        fault(at, "edge {} is {:.7f} m long, but the map says {:.7f} m", e, metres(length), metres(edge.length));
      }
    }
  }

  void checkDisks() {
    ecm::EmptyDisks disks(mesh_);
    for (uint32_t i = 0; i < map_.arcs.size() && !faults_.full(); ++i) {
      if (map_.arcs[i].left == kNone) continue;
      const auto& a = map_.bendingPoints[i];
      const auto& b = map_.bendingPoints[i + 1];
      const ArcCurve curve(map_.sites[map_.arcs[i].left], map_.sites[map_.arcs[i].right], a.p, b.p, a.clearance,
                           b.clearance);
      const double u = 0.5 * (curve.begin() + curve.end());
      for (const auto& [p, clearance] : {std::pair(a.p, a.clearance), std::pair(curve.position(u), curve.clearance(u)),
                                         std::pair(b.p, b.clearance)}) {
        const double nearest = disks.nearestWall(i, p, clearance - kAxisTolerance);
        if (nearest >= clearance - kAxisTolerance) continue;
        fault(p, "arc {} has a clearance of {:.7f} m here, but a wall is {:.7f} m away", i, metres(clearance),
              metres(nearest));
        break;
      }
    }
  }

  // --- the graph ----------------------------------------------------------------------------------------------------

  void checkGraph() {
    const Topology wanted = topology(environment_);
    DisjointSets sets(map_.vertices.size());
    auto components = static_cast<int64_t>(map_.vertices.size());
    for (const CorridorMap::Edge& edge : map_.edges) components -= sets.join(edge.from, edge.to) ? 1 : 0;
    if (components != wanted.components) {
      fault({}, "the medial axis has {} components, but the environment has {}", components, wanted.components);
    }
    // Free space shrinks to its medial axis.
    const int64_t euler = static_cast<int64_t>(map_.vertices.size()) - static_cast<int64_t>(map_.edges.size());
    if (euler != wanted.euler()) {
      fault({}, "the medial axis has {} vertices less edges, but the Euler number of the free space is {}", euler,
            wanted.euler());
    }
  }

  double doubledArea(uint32_t arc) const {
    const auto& a = map_.bendingPoints[arc];
    const auto& b = map_.bendingPoints[arc + 1];
    const Vec2 loop[]{a.p, a.r, b.r, b.p, b.l, a.l};
    double sum = 0;
    for (size_t i = 2; i < std::size(loop); ++i) sum += cross(loop[i - 1] - loop[0], loop[i] - loop[0]);
    return sum;
  }

  void checkCells() {
    std::vector<double> area(map_.arcs.size(), 0);
    const double square = map_.lattice.unit * map_.lattice.unit;
    for (CellId cell = 0; cell < mesh_.cellCount(); ++cell) area[map_.cellArc[cell]] += cellArea(mesh_, cell) / square;
    for (uint32_t i = 0; i < map_.arcs.size() && !faults_.full(); ++i) {
      if (map_.arcs[i].left == kNone) continue;
      const double wanted = 0.5 * doubledArea(i);
      // Corners are welded within the tolerance of the builder.
      const double width =
          map_.arcs[i].length + 2 * map_.bendingPoints[i].clearance + 2 * map_.bendingPoints[i + 1].clearance;
      if (std::abs(area[i] - wanted) <= 4 * kAxisTolerance * width + kRounded * wanted) continue;
      fault(map_.bendingPoints[i].p, "the cells of arc {} cover {:.9g} m2 instead of {:.9g} m2", i, area[i] * square,
            wanted * square);
    }
  }

  const NavMesh& mesh_;
  const CorridorMap& map_;
  const Environment& environment_;
  FaultList faults_;
  std::vector<Wall> walls_;                        // sorted
  std::vector<std::pair<LayerId, Point>> points_;  // sorted
};

}  // namespace

std::vector<MeshFault> checkMedialAxis(const NavMesh& mesh, const Environment& environment, size_t limit) {
  if (mesh.corridorMap() == nullptr || limit == 0) return {};
  return AxisCheck(mesh, environment, limit).run();
}

}  // namespace wend
