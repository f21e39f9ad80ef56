#include <vector>

#include <wend/environment.h>

#include "base/disjoint_sets.h"
#include "environment/boundary.h"
#include "geometry/area.h"

// Each polygon is a surface whose boundary is its rings, a circle each, so its Euler characteristic is 1 - holes. A
// vertex that walks pass several times is as many corners. Gluing two edges takes one edge away and identifies their
// corners at both ends. So m joined pairs take m edges, and 2m identifications take 2m corners, except that the
// identifications around a point that is left with no closed edge form a cycle: one of them takes nothing. Hence
//   chi = sum(1 - holes) - m + (points closed all around),
// which is -1 for an open line of any number of segments and 0 for a line around a whole ring.
namespace wend {
namespace {

// Boundary curves with the joined edges open: from the end of a closed edge the walk turns through the layers that meet
// there to the next closed edge.
uint32_t countCurves(const Boundary& boundary, std::span<const uint32_t> twin) {
  std::vector<bool> walked(boundary.edgeCount(), false);
  uint32_t curves = 0;
  for (uint32_t first = 0; first < boundary.edgeCount(); ++first) {
    if (walked[first] || twin[first] != kNone) continue;
    ++curves;
    for (uint32_t e = first; !walked[e];) {
      walked[e] = true;
      e = boundary.next(e);
      while (twin[e] != kNone) e = boundary.next(twin[e]);
    }
  }
  return curves;
}

}  // namespace

Topology topology(const Environment& environment) {
  Topology result;
  Int128 area = 0;
  for (const Layer& layer : environment.layers) area += doubledArea(layer.free);
  result.doubledArea = toDoubledArea(area);

  const Boundary boundary(environment.layers, environment.connections);
  const std::vector<uint32_t> twin = glue(boundary, environment.connections);
  DisjointSets sets(boundary.polygonCount());
  result.components = boundary.polygonCount();
  int64_t joined = 0;
  for (uint32_t e = 0; e < boundary.edgeCount(); ++e) {
    if (twin[e] == kNone || twin[e] < e) continue;
    if (sets.join(boundary.ring(e).polygon, boundary.ring(twin[e]).polygon)) --result.components;
    ++joined;
  }
  result.boundaries = countCurves(boundary, twin);

  int64_t euler = static_cast<int64_t>(innerPoints(boundary, twin).size()) - joined;
  for (const Boundary::Ring& ring : boundary.rings()) euler += ring.hole == 0 ? 1 : -1;
  // An orientable surface by construction, so this is even and not negative.
  const int64_t twiceGenus =
      2 * static_cast<int64_t>(result.components) - static_cast<int64_t>(result.boundaries) - euler;
  result.genus = static_cast<uint32_t>(twiceGenus / 2);
  return result;
}

}  // namespace wend
