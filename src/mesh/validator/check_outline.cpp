#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "environment/boundary.h"
#include "geometry/index/grid_index.h"
#include "mesh/cell_geometry.h"
#include "mesh/validator/check_steps.h"

namespace wend {

namespace {

// A directed piece of a layer's outline or boundary; the free space lies on its left.
struct Piece {
  LayerId layer;
  Vec2 a, b;
  LayerId other;  // the layer one walks into across it, or kNone
  uint32_t id;    // of the side or boundary edge

  auto key() const { return std::tuple(layer, a.x, a.y, b.x, b.y); }
  bool whole() const { return isWhole(a) && isWhole(b); }
  bool wide() const { return std::abs(b.x - a.x) >= std::abs(b.y - a.y); }
  // Position along the piece's main axis, and back.
  double along(Vec2 p) const { return wide() ? p.x : p.y; }
  Vec2 at(double position) const {
    const double t = std::clamp((position - along(a)) / (along(b) - along(a)), 0.0, 1.0);
    return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
  }
};

struct Interval {
  double low, high;
  auto operator<=>(const Interval&) const = default;
};

// The part of `piece` that lies on `line`, same direction, in positions of `piece`. Exact for whole ends, which then
// must be collinear; otherwise within kOffLattice, and longer than `least`: pieces that meet at a corner have a little
// in common there.
std::optional<Interval> common(const Piece& piece, const Piece& line, double least = kOffLattice) {
  const double start = piece.along(line.a);
  const double end = piece.along(line.b);
  const bool rising = piece.along(piece.b) > piece.along(piece.a);
  if (start == end || rising != (end > start)) return std::nullopt;
  const auto [pieceLow, pieceHigh] = std::minmax({piece.along(piece.a), piece.along(piece.b)});
  const auto [lineLow, lineHigh] = std::minmax({start, end});
  const Interval part{std::max(pieceLow, lineLow), std::min(pieceHigh, lineHigh)};
  if (piece.whole() && line.whole()) {
    const bool collinear = orient(line.a, line.b, piece.a) == 0 && orient(line.a, line.b, piece.b) == 0;
    return collinear && part.low < part.high ? std::optional(part) : std::nullopt;
  }
  if (part.high - part.low <= least) return std::nullopt;
  for (const double position : {part.low, part.high}) {
    const Vec2 p = piece.at(position);
    const double t = std::clamp((position - start) / (end - start), 0.0, 1.0);
    const Vec2 q{line.a.x + t * (line.b.x - line.a.x), line.a.y + t * (line.b.y - line.a.y)};
    if (std::hypot(p.x - q.x, p.y - q.y) > 2 * kOffLattice) return std::nullopt;
  }
  return part;
}

// The first position of a piece that no interval covers.
std::optional<double> gap(const Piece& piece, std::vector<Interval>& covered, double slack) {
  std::sort(covered.begin(), covered.end());
  const auto [low, high] = std::minmax({piece.along(piece.a), piece.along(piece.b)});
  double reached = low;
  for (const Interval& part : covered) {
    if (part.low > reached + slack) return (reached + part.low) / 2;
    reached = std::max(reached, part.high);
  }
  return reached + slack < high ? std::optional((reached + high) / 2) : std::nullopt;
}

// The first position of a piece that two intervals cover.
std::optional<double> doubled(std::vector<Interval>& covered, double slack) {
  std::sort(covered.begin(), covered.end());
  for (size_t i = 1; i < covered.size(); ++i) {
    const double end = std::min(covered[i - 1].high, covered[i].high);
    if (end - covered[i].low > slack) return (covered[i].low + end) / 2;
    covered[i].high = std::max(covered[i].high, covered[i - 1].high);
  }
  return std::nullopt;
}

Box boxOf(const Piece& piece) {
  Box box;
  for (const Vec2 p : {piece.a, piece.b}) {
    box.add(Point{static_cast<int32_t>(std::floor(p.x)), static_cast<int32_t>(std::floor(p.y))});
    box.add(Point{static_cast<int32_t>(std::ceil(p.x)), static_cast<int32_t>(std::ceil(p.y))});
  }
  return box;
}

// One unit larger: a side that is off the lattice by rounding still meets the box of its edge.
Box grown(Box box) {
  box.add(Point{std::max(box.min.x - 1, -kMaxCoordinate), std::max(box.min.y - 1, -kMaxCoordinate)});
  box.add(Point{std::min(box.max.x + 1, kMaxCoordinate), std::min(box.max.y + 1, kMaxCoordinate)});
  return box;
}

class OutlineCheck {
 public:
  OutlineCheck(const NavMesh& mesh, FaultList& faults) : mesh_(mesh), faults_(faults) {}

  void run(const std::vector<bool>& joined, const Environment& environment) {
    std::vector<Piece> sides = outline(joined);
    std::vector<Piece> edges = boundary(environment);
    match(sides, edges);
    for (LayerId layer = 0; layer < mesh_.layerCount(); ++layer) {
      const auto part = [&](const std::vector<Piece>& all) {
        const auto less = [](const Piece& p, LayerId l) { return p.layer < l; };
        const auto begin = std::lower_bound(all.begin(), all.end(), layer, less);
        return std::span<const Piece>(begin, std::lower_bound(begin, all.end(), layer + 1, less));
      };
      cover(part(sides), part(edges));
    }
  }

 private:
  std::vector<Piece> outline(const std::vector<bool>& joined) const {
    std::vector<Piece> sides;
    for (SideId s = 0; s < mesh_.sideCount(); ++s) {
      const LayerId layer = mesh_.layerOf(mesh_.cellOf(s));
      if (!mesh_.isWall(s) && !joined[s]) continue;
      const LayerId other = mesh_.isWall(s) ? kNone : mesh_.layerOf(mesh_.neighbour(s));
      if (other == layer) continue;
      // A mesh that is not exact may end before the boundary, but must not pass to another layer elsewhere.
      if (other == kNone && !mesh_.info().traits.exact) continue;
      sides.push_back({layer, startPoint(mesh_, s), endPoint(mesh_, s), other, s});
    }
    return sides;
  }

  static std::vector<Piece> boundary(const Environment& environment) {
    const Boundary walks(environment.layers, environment.connections);
    const std::vector<uint32_t> twin = glue(walks, environment.connections);
    std::vector<Piece> edges;
    for (uint32_t e = 0; e < walks.edgeCount(); ++e) {
      const LayerId other = twin[e] == kNone ? kNone : walks.ring(twin[e]).layer;
      edges.push_back({walks.ring(e).layer, toVec2(walks.start(e)), toVec2(walks.end(e)), other, e});
    }
    return edges;
  }

  // Almost every side is a whole boundary edge: those are taken out by sorting; what is left stays sorted.
  void match(std::vector<Piece>& sides, std::vector<Piece>& edges) {
    const auto less = [](const Piece& p, const Piece& q) { return p.key() < q.key(); };
    std::stable_sort(sides.begin(), sides.end(), less);
    std::stable_sort(edges.begin(), edges.end(), less);
    std::vector<Piece> otherSides;
    std::vector<Piece> otherEdges;
    size_t e = 0;
    for (const Piece& side : sides) {
      while (e < edges.size() && edges[e].key() < side.key()) otherEdges.push_back(edges[e++]);
      if (e < edges.size() && edges[e].key() == side.key()) {
        agree(side, edges[e++], side.at((side.along(side.a) + side.along(side.b)) / 2));
      } else {
        otherSides.push_back(side);
      }
    }
    otherEdges.insert(otherEdges.end(), edges.begin() + static_cast<std::ptrdiff_t>(e), edges.end());
    sides = std::move(otherSides);
    edges = std::move(otherEdges);
  }

  // Both lead into the same layer, or both are closed.
  void agree(const Piece& side, const Piece& edge, Vec2 place) {
    if (side.other == edge.other) return;
    const CellId cell = mesh_.cellOf(side.id);
    if (side.other == kNone) {
      faults_.add(MeshFaultKind::kObstacle, cell, place, "a wall of cell {} closes the connection to layer {}", cell,
                  mesh_.info().layerIds[edge.other]);
    } else {
      faults_.add(MeshFaultKind::kLayer, cell, place,
                  "cell {} has a portal to layer {} where there is no connection to it", cell,
                  mesh_.info().layerIds[side.other]);
    }
  }

  // Sides and edges of one layer that are not equal one to one: cut pieces, and faults.
  void cover(std::span<const Piece> sides, std::span<const Piece> edges) {
    std::vector<Box> boxes;
    for (const Piece& edge : edges) boxes.push_back(boxOf(edge));
    const GridIndex grid(boxes);
    std::vector<std::vector<Interval>> onEdge(edges.size());
    // Several sides in a row may be too short to tell on which edge they are; together they are no gap.
    std::vector<std::vector<Interval>> shortOnEdge(edges.size());
    std::vector<bool> rounded(edges.size(), false);
    std::vector<uint32_t> near;
    for (const Piece& side : sides) {
      near.clear();
      grid.forEach(grown(boxOf(side)), [&](uint32_t e) { near.push_back(e); });
      std::sort(near.begin(), near.end());
      near.erase(std::unique(near.begin(), near.end()), near.end());
      std::vector<Interval> onSide;
      for (const uint32_t e : near) {
        const std::optional<Interval> part = common(side, edges[e]);
        if (!part) {
          if (side.other != edges[e].other) continue;
          if (const std::optional<Interval> back = common(edges[e], side, 0)) shortOnEdge[e].push_back(*back);
          continue;
        }
        onSide.push_back(*part);
        if (const std::optional<Interval> back = common(edges[e], side)) onEdge[e].push_back(*back);
        if (!side.whole()) rounded[e] = true;
        agree(side, edges[e], side.at((part->low + part->high) / 2));
      }
      if (const auto place = gap(side, onSide, side.whole() ? 0 : kOffLattice)) strayed(side, side.at(*place));
    }
    if (!mesh_.info().traits.exact) return;
    for (size_t e = 0; e < edges.size(); ++e) {
      const double slack = rounded[e] ? kOffLattice : 0;
      std::vector<Interval> covered = onEdge[e];
      covered.insert(covered.end(), shortOnEdge[e].begin(), shortOnEdge[e].end());
      if (const auto place = gap(edges[e], covered, slack)) uncovered(edges[e], edges[e].at(*place));
      if (const auto place = doubled(onEdge[e], slack)) {
        faults_.add(MeshFaultKind::kOverlap, kNone, edges[e].at(*place),
                    "two sides lie on the same piece of the boundary");
      }
    }
  }

  void strayed(const Piece& side, Vec2 place) {
    const CellId cell = mesh_.cellOf(side.id);
    if (side.other == kNone) {
      faults_.add(MeshFaultKind::kObstacle, cell, place, "a wall of cell {} is not on the boundary of its layer", cell);
    } else {
      faults_.add(MeshFaultKind::kLayer, cell, place,
                  "cell {} has a portal to layer {} off the boundary of its own layer", cell,
                  mesh_.info().layerIds[side.other]);
    }
  }

  void uncovered(const Piece& edge, Vec2 place) {
    if (faults_.full()) return;
    if (!locator_) locator_.emplace(mesh_);
    const CellId cell = locator_->locate(mesh_.lattice().toMetres(place), edge.layer);
    faults_.add(MeshFaultKind::kObstacle, cell, place, "the mesh has no {} here, where layer {} ends",
                edge.other == kNone ? "wall" : "portal to the other layer", mesh_.info().layerIds[edge.layer]);
  }

  const NavMesh& mesh_;
  FaultList& faults_;
  std::optional<Locator> locator_;
};

}  // namespace

void checkOutline(const NavMesh& mesh, const std::vector<bool>& joined, const Environment& environment,
                  FaultList& faults) {
  OutlineCheck(mesh, faults).run(joined, environment);
}

}  // namespace wend
