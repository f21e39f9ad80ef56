#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "environment/extract/facets/facet_seeds.h"
#include "environment/extract/polygons/rings.h"
#include "environment/extract/soup/soup.h"
#include "environment/extract/soup/triangle_neighbours.h"

// Facets: walkable triangles joined into plane floors, near-vertical ones into plane walls.
namespace wend::extraction {

// z = a (x - ox) + b (y - oy) + c, lattice units.
struct Plane {
  double a = 0;
  double b = 0;
  double c = 0;
  double ox = 0;
  double oy = 0;
  double at(double x, double y) const { return a * (x - ox) + b * (y - oy) + c; }
  double at(Point p) const { return at(p.x, p.y); }
};
Plane planeOf(const Soup& soup, const Triangle& triangle);

// An edge-connected set of triangles in one plane. Of two facets in the same place the one of smaller index is the
// floor: the one that began with the larger triangle.
struct Facet {
  Plane plane;
  uint32_t firstTriangle = 0;  // into Facets::triangles
  uint32_t triangleCount = 0;
  uint32_t firstRing = 0;  // into Facets::outlines
  uint32_t ringCount = 0;
  uint32_t label = 0;
  Box box;
  double low = 0;
  double high = 0;
  bool riser = false;        // too steep to stand on, low enough to step over: joins the floors below and above it
  uint32_t firstClosed = 0;  // into Facets::closed
  uint32_t closedCount = 0;
};

struct Facets {
  std::vector<Facet> list;
  std::vector<uint32_t> triangles;
  Rings outlines;
  std::vector<std::array<Point, 4>> closed;  // parts of risers that are too high
  std::vector<uint32_t> wallOf;              // of each triangle: the wall it belongs to, or kNone

  std::span<const uint32_t> trianglesOf(const Facet& f) const {
    return std::span(triangles).subspan(f.firstTriangle, f.triangleCount);
  }
};

// A mark for each walkable triangle that has no neighbour in its plane, as most of a terrain: it is a facet alone.
std::vector<uint8_t> findAlone(const Soup& soup, const TriangleNeighbours& neighbours, const ExtractSettings& settings,
                               const Tolerances& tolerances, const Context& context);

// Floors and walls; risers come later. Sets Triangle::facet of floors. O(n).
Facets makeFacets(Soup& soup, const TriangleNeighbours& neighbours, const FacetSeeds& seeds,
                  const ExtractSettings& settings, const Tolerances& tolerances, const Context& context);

}  // namespace wend::extraction
