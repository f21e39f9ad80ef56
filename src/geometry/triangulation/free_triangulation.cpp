#include <utility>

#include <fmt/format.h>

#include "geometry/index/hilbert_order.h"
#include "geometry/triangulation/triangulation.h"
#include "geometry/triangulation/triangulation_steps.h"

// Which triangles of the plane lie inside polygons: those left of a ring's edge, and all that can be reached from them
// without stepping over a ring.
namespace wend {
namespace {

using MeshSide = DelaunayMesh::Side;

// The input as one list of points with directed edges; ring edges come first.
struct Walls {
  std::vector<Point> points;
  std::vector<Edge> edges;
  size_t ringEdges = 0;
};

Walls collect(std::span<const Polygon> polygons, std::span<const std::vector<Point>> extra) {
  Walls walls;
  const auto addChain = [&](std::span<const Point> chain, bool close) {
    const uint32_t first = static_cast<uint32_t>(walls.points.size());
    const uint32_t count = static_cast<uint32_t>(chain.size());
    walls.points.insert(walls.points.end(), chain.begin(), chain.end());
    for (uint32_t i = 0; i + 1 < count; ++i) walls.edges.push_back({first + i, first + i + 1});
    if (close && count > 1) walls.edges.push_back({first + count - 1, first});
  };
  for (const Polygon& polygon : polygons) {
    addChain(polygon.outer, true);
    for (const Ring& hole : polygon.holes) addChain(hole, true);
  }
  walls.ringEdges = walls.edges.size();
  for (const std::vector<Point>& line : extra) addChain(line, false);
  return walls;
}

class Labelling {
 public:
  explicit Labelling(DelaunayMesh& mesh)
      : mesh_(mesh), wall_(mesh.triangles().size() * 4, 0), inside_(mesh.triangles().size(), 0) {}

  bool isInside(uint32_t t) const { return inside_[t] != 0; }
  bool isBoundary(MeshSide s) const { return wall_[s] != 0 || wall_[mesh_.twin(s)] != 0; }

  // The triangle left of the piece of a ring is inside.
  Status addWall(Edge piece) {
    const MeshSide s = mesh_.findSide(piece.a, piece.b);
    if (s == kNone) return error("a ring without area", piece.a, piece.b);
    if (wall_[s] != 0) return error("two boundaries in the same direction, so overlapping polygons,", piece.a, piece.b);
    wall_[s] = 1;
    seeds_.push_back(DelaunayMesh::triangleOf(s));
    return Done{};
  }

  Status flood() {
    for (const uint32_t t : seeds_) inside_[t] = 1;
    while (!seeds_.empty()) {
      const uint32_t t = seeds_.back();
      seeds_.pop_back();
      if (mesh_.isGhost(t)) return error("a ring that runs clockwise around its interior, or is open,", t);
      for (unsigned i = 0; i < 3; ++i) {
        const MeshSide s = DelaunayMesh::side(t, i);
        if (wall_[s] != 0) continue;
        const MeshSide twin = mesh_.twin(s);
        if (wall_[twin] != 0) {
          return error("a boundary with polygon interior on its right, so overlapping or wrongly turned rings,",
                       mesh_.endOf(s), mesh_.startOf(s));
        }
        const uint32_t u = DelaunayMesh::triangleOf(twin);
        if (inside_[u] != 0) continue;
        inside_[u] = 1;
        seeds_.push_back(u);
      }
    }
    return Done{};
  }

 private:
  Error error(const char* what, uint32_t a, uint32_t b) const {
    const Point p = mesh_.points()[a];
    const Point q = mesh_.points()[b];
    return {
        ErrorCode::kInvalidGeometry,
        fmt::format("the polygons are not valid: {} at the edge from ({}, {}) to ({}, {}) lattice units; unite() or "
                    "overlay() makes valid polygons of them",
                    what, p.x, p.y, q.x, q.y)};
  }
  Error error(const char* what, uint32_t ghost) const {
    for (unsigned i = 0; i < 3; ++i) {
      const MeshSide s = DelaunayMesh::side(ghost, i);
      if (mesh_.corner(s) == DelaunayMesh::kGhost) return error(what, mesh_.endOf(s), mesh_.startOf(s));
    }
    return {};
  }

  DelaunayMesh& mesh_;
  std::vector<uint8_t> wall_;    // per side: a ring runs along it, with the triangle on its left
  std::vector<uint8_t> inside_;  // per triangle
  std::vector<uint32_t> seeds_;
};

}  // namespace

Result<FreeTriangulation> triangulateFree(std::span<const Polygon> polygons, std::span<const std::vector<Point>> extra,
                                          const Context& context) {
  const Walls walls = collect(polygons, extra);
  if (const Status status = checkPoints(walls.points); !status.ok()) return status.error();
  DistinctPoints distinct = distinctInHilbertOrder(walls.points);
  FreeTriangulation result;
  result.points = std::move(distinct.points);
  DelaunayMesh mesh(result.points);
  if (!mesh.insertPoints(context)) return cancelledError();

  std::vector<Edge> pieces;  // of the rings
  for (size_t i = 0; i < walls.edges.size(); ++i) {
    if ((i & 0xfff) == 0 && context.cancelled()) return cancelledError();
    const uint32_t a = distinct.idOf[walls.edges[i].a];
    const uint32_t b = distinct.idOf[walls.edges[i].b];
    if (const auto crossing = mesh.insertConstraint(a, b, i < walls.ringEdges ? &pieces : nullptr)) {
      return crossingError(i < walls.ringEdges ? "the boundary edge" : "the inner line", result.points[a],
                           result.points[b], "the edge", result.points[crossing->crossed.a],
                           result.points[crossing->crossed.b]);
    }
  }
  mesh.makeCanonical();
  if (mesh.triangles().empty() && walls.ringEdges > 0) {
    return Error{ErrorCode::kInvalidGeometry,
                 fmt::format("the polygons have no area: all points lie on one line through ({}, {}) lattice units",
                             result.points[0].x, result.points[0].y)};
  }
  Labelling labelling(mesh);
  for (const Edge piece : pieces) {
    if (const Status status = labelling.addWall(piece); !status.ok()) return status.error();
  }
  if (const Status status = labelling.flood(); !status.ok()) return status.error();
  result.triangles = canonicalTriangles(
      mesh, [&](uint32_t t) { return labelling.isInside(t); }, [&](MeshSide s) { return labelling.isBoundary(s); });
  return result;
}

}  // namespace wend
