#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <wend/context.h>
#include <wend/environment.h>
#include <wend/lattice.h>
#include <wend/navmesh.h>

// The Explicit Corridor Map (van Toll, Cook, Geraerts): the medial axis of the free space, each of its points with the
// nearest obstacle points on both sides. One map answers every radius.
//
// Distances are lattice units and measured in top view; layers joined by connections are one surface, so nearest
// obstacle points may lie in another layer than the axis.
namespace wend {

// The medial axis is the closure of the points with at least two distinct nearest obstacle points. A true vertex has
// degree 1 (in a corner), 3 or more. An edge is a chain of arcs between true vertices; an arc has one site (an
// obstacle vertex, or an open obstacle segment) on each side. Bending points are the ends of arcs.
//
// On request (the option "split" of the generator) edges are cut where they cross a connection: at vertices of degree
// 2, with arcs of the same sites on both sides. Then all bending points of an edge have one layer.
struct CorridorMap {
  enum class SiteKind : uint8_t { kPoint, kSegment };
  // A site: an obstacle vertex, or an open boundary segment of a layer (free space left of a -> b).
  struct Site {
    Point a;
    Point b;  // equal to a for a point
    SiteKind kind = SiteKind::kPoint;
    LayerId layer = 0;
    bool operator==(const Site&) const = default;
  };

  // (p, l, r) of the papers. clearance = |p l| = |p r|. At a degree-1 vertex in a corner all three are equal.
  struct BendingPoint {
    Vec2 p;
    Vec2 l;
    Vec2 r;
    double clearance = 0;
    LayerId layer = 0;   // of p
    LayerId layerL = 0;  // of l
    LayerId layerR = 0;  // of r
    bool operator==(const BendingPoint&) const = default;
  };

  // From bending point i to i + 1 of one edge: parabola between a point and a segment, straight otherwise.
  struct Arc {
    uint32_t left = kNone;  // site
    uint32_t right = kNone;
    double minClearance = 0;  // exact, minima inside the arc included
    double length = 0;        // of the curve
    bool operator==(const Arc&) const = default;
  };

  struct Edge {
    uint32_t from = kNone;  // vertex
    uint32_t to = kNone;    // vertex; may equal from (a loop)
    uint32_t first = 0;     // its first bending point; count >= 2
    uint32_t count = 0;
    double length = 0;
    double minClearance = 0;
    bool operator==(const Edge&) const = default;
  };

  struct Vertex {
    Vec2 p;
    double clearance = 0;
    LayerId layer = 0;
    uint32_t firstOut = 0;  // into out
    uint32_t degree = 0;
    bool operator==(const Vertex&) const = default;
  };

  Lattice lattice;
  std::vector<Site> sites;
  std::vector<Vertex> vertices;
  std::vector<Edge> edges;
  std::vector<BendingPoint> bendingPoints;
  // arcs[i] starts at bendingPoints[i]; the entry of an edge's last bending point is unused (left = right = kNone).
  std::vector<Arc> arcs;
  // Half-edges leaving each vertex, counter-clockwise: 2 * edge, or 2 * edge + 1 for the reversed direction, whose
  // bending points run backwards with l and r swapped.
  std::vector<uint32_t> out;
  // The arc a NavMesh cell belongs to (a cell that crosses a connection becomes one NavMesh cell per layer).
  std::vector<uint32_t> cellArc;

  // How the construction went.
  uint32_t voronoiAttempts = 0;  // diagrams that needed a second construction
  uint32_t simpleOpenings = 0;   // connections opened by projecting (safe by the test)
  uint32_t sweptOpenings = 0;    // connections opened by sweep and merge

  bool operator==(const CorridorMap&) const = default;

  bool empty() const { return edges.empty(); }
  size_t memory() const;
};

// Equal maps have equal hashes on every machine.
uint64_t hash(const CorridorMap& map);

// Everything wrong with the medial axis of a mesh, at most `limit` faults (kMedialAxis), in the order of their
// dependence: a stage that finds something ends the search. None if the mesh has no medial axis. Proves, for a mesh
// that checkMesh() finds right:
// - sites: each is a wall or an obstacle vertex of the environment;
// - equidistance: every bending point is as far from both its annotations as its clearance says, the annotations lie on
//   the sites of the arcs, and so do the points between them;
// - clearances and lengths of arcs, edges and vertices are those of the curves;
// - nearest: no wall lies inside the disk of a bending point or of the middle of an arc, on the surface across
//   connections;
// - connectivity: the graph has the components of the environment and Euler's number of its free space, and the cells
// of
//   each arc are those between its bending points and annotations.
// Numbers may be off by kAxisTolerance. O(n) and the cells in the disks.
std::vector<MeshFault> checkMedialAxis(const NavMesh& mesh, const Environment& environment, size_t limit = 100);
inline constexpr double kAxisTolerance = 1e-3;  // lattice units; vertices are doubles, off by at most 1e-4

// One of the two sides of the axis along an arc, or the whole arc of a location.
struct CorridorPosition {
  uint32_t edge = kNone;
  uint32_t arc = kNone;  // index into arcs and bendingPoints
  Vec2 p;                // on the axis, lattice units
  double along = 0;      // length from the edge's start, lattice units
  double clearance = 0;  // lattice units
};

}  // namespace wend
