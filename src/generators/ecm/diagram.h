#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <wend/context.h>
#include <wend/environment.h>
#include <wend/lattice.h>
#include <wend/navmesh.h>
#include <wend/polygon.h>
#include <wend/result.h>

// The Voronoi diagram of the boundary, on its free side only, over all layers at once: what the medial axis is made of,
// in a form that can be changed in place. Opening a connection replaces a part of it.
namespace wend::ecm {

// Cells. Every site has a cell on the free side: the points nearest to it. It is bounded by the site and by a chain of
// half-edges that runs counter-clockwise, the site on their left:
// - a segment a -> b: from its fan's corner vertex at b to that at a. The chain begins with the normal at b (secondary,
//   outward) if b is a notch, else with the arc that leaves the corner b; it ends with the normal at a (inward), or
//   with the arc that arrives in the corner a;
// - a notch p: from p along the normal of the segment that leaves p, around, and back along the normal of the segment
//   that arrives in p. Where these are exactly collinear (180 degrees), the two normals are the whole chain;
// - a corner of less than 180 degrees has no cell (first == kNone);
// - a bare point: a ring, next and previous never kNone.
// So every chain but a bare point's begins and ends on the boundary, in corner vertices.
struct Diagram {
  // An open boundary segment (free space left of a -> b), or one visit of a ring at a boundary vertex, i.e. one fan of
  // free space around it.
  struct Site {
    Point a;
    Point b;                      // equal to a for a point
    LayerId layer = 0;            // of the boundary
    uint32_t connection = kNone;  // of a segment: the closed connection it is a part of, kNone for a wall
    uint32_t piece = kNone;       // the segment of the connection's line: line[piece] .. line[piece + 1]
    // Neighbours along the boundary walk: of a segment the point sites at a and b, of a point the segments that arrive
    // and leave. kNone for a bare point.
    uint32_t before = kNone;
    uint32_t after = kNone;
    uint32_t first = kNone;   // first half-edge of the chain; any of the ring for a bare point
    uint32_t corner = kNone;  // of a point that is no bare one: its own vertex at a, clearance 0
    bool removed = false;

    bool isPoint() const { return a == b; }
    bool operator==(const Site&) const = default;
  };
  struct Vertex {
    Vec2 p;                // lattice units
    double clearance = 0;  // 0 in corner vertices
    LayerId layer = 0;     // of p
    bool removed = false;
    bool operator==(const Vertex&) const = default;
  };
  // Half-edges e and e ^ 1 are twins.
  struct HalfEdge {
    uint32_t start = kNone;  // vertex
    uint32_t site = kNone;   // on its left
    uint32_t next = kNone;   // along the site's chain; kNone at its end
    uint32_t previous = kNone;
    bool secondary = false;  // a normal: between a segment and the notch at its end
    bool removed = false;
    bool operator==(const HalfEdge&) const = default;
  };

  // Sites [0, n) are the boundary edges in the order of environment/boundary.h, site n + i is the vertex where edge i
  // starts; then come those of extra walks, in the same way (all segments, then all points). A vertex on a straight
  // wall that nothing else touches is removed, with the edge that starts there: the one before them goes on.
  std::vector<Site> sites;
  std::vector<Vertex> vertices;  // degrees above three stay one vertex
  std::vector<HalfEdge> edges;
  uint32_t voronoiAttempts = 0;  // layers whose diagram needed a second construction

  uint32_t end(uint32_t e) const { return edges[e ^ 1].start; }
  uint32_t across(uint32_t e) const { return edges[e ^ 1].site; }
  // The half-edge that leaves the same vertex next to e, counter-clockwise; kNone if the boundary lies between.
  uint32_t nextAround(uint32_t e) const { return edges[e].previous == kNone ? kNone : edges[e].previous ^ 1; }

  bool operator==(const Diagram&) const = default;
};

// Further obstacles of a layer, inside its free space and apart from its boundary and from each other: closed walks
// with free space on their left. One point is a bare point, two are a bare segment (there and back), more go around a
// tree of segments or around an area.
struct ExtraWalks {
  LayerId layer = 0;
  std::vector<Ring> walks;
};

// All connections closed. Layers in parallel; O(n log n).
//
// Errors: kInvalidGeometry if boundary segments cross or touch other than in ends, or come so close (relative
// kVoronoiError) that the diagram cannot tell them apart; kInternal if the Voronoi diagram cannot be built; kCancelled.
Result<Diagram> buildDiagram(const Environment& environment, const Context& context = {},
                             std::span<const ExtraWalks> extra = {});

// Whether the diagram is what the comments above promise: twins, chains, corners, fans around vertices, vertices as far
// from every site around them as they say, chains in order along their site. Removed parts must not be referred to.
// Empty when right, else one sentence. O(n).
std::string findDiagramFault(const Diagram& diagram);

}  // namespace wend::ecm
