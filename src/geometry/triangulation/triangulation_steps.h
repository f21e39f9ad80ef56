#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "geometry/triangulation/delaunay_mesh.h"
#include "geometry/triangulation/triangulation.h"

// The steps that triangulate() and triangulateFree() have in common.
namespace wend {

// Too many points for 32-bit side ids, or points outside the lattice.
Status checkPoints(std::span<const Point> points);

// The triangles for which keep(t) holds, canonically numbered. A side for which closed(side) holds has no neighbour and
// is fixed; the same holds for the twin of a kept triangle that is not kept, except that it is not marked fixed.
std::vector<Triangulation::Triangle> canonicalTriangles(const DelaunayMesh& mesh,
                                                        const std::function<bool(uint32_t)>& keep,
                                                        const std::function<bool(DelaunayMesh::Side)>& closed);

// The sentence about two crossing edges, each named by `name` and its ends.
Error crossingError(const std::string& name, Point a, Point b, const std::string& otherName, Point c, Point d);

Error cancelledError();

}  // namespace wend
