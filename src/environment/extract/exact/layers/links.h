#pragma once

#include <cstdint>
#include <vector>

#include "environment/extract/exact/free_space/free_space.h"
#include "environment/extract/exact/free_space/slits.h"
#include "environment/extract/exact/layers/facing.h"

// Links: where an agent may walk from patch to patch, across mesh edges, cracks, steps, curbs and T-junctions, all by
// one rule. Two boundary edges face each other, the gap between them is a crack at most, the heights differ by a step
// at most, and no wall stands between them.
namespace wend::exact {

// The boundary edges of all patches. Edge i runs from point i of the patches' rings to point next[i], its patch on the
// left.
struct Edges {
  std::vector<uint32_t> next;
  std::vector<uint32_t> patch;
  std::vector<double> z;  // at the start of each edge
};
Edges makeEdges(const Facets& facets, const Patches& patches, const Context& context);

// Part of edge e, from e0 to e1, that may be crossed to edge g, where it arrives between g0 (beside e0) and g1.
struct Link {
  uint32_t e, g;
  Point e0, e1;
  Point g0, g1;
  double length;
  double rise;  // largest difference in height, units
  bool gap;     // the two sides are apart: a crack
};

struct Links {
  std::vector<uint32_t> match;  // of each edge: the edge that is the same, seen from the other side, or kNone
  std::vector<Link> list;       // beyond matches; disjoint along each edge
  // Points of two patches that rounding took apart: the first is to be moved to the second.
  struct Weld {
    Point from, to;
    uint32_t edge;
  };
  std::vector<Weld> welds;
};

// What links are made of.
struct Contacts {
  std::vector<uint32_t> match;  // as in Links
  std::vector<RawLink> list;    // between edges without a match, by edges
  std::vector<Slit> slits;      // between edges that may be crossed, whatever lies between them
};
Contacts findContacts(const Soup& soup, const Patches& patches, const Edges& edges, const TriangleTrees& trees,
                      const Tolerances& tolerances, const Context& context);
// The same after some patches were cut: `edgeBefore` has for each edge its number when the contacts were found, or
// kNone if its patch was cut. Those in order stay in order.
Contacts updateContacts(const Contacts& contacts, const std::vector<uint32_t>& edgeBefore, const Soup& soup,
                        const Patches& patches, const Edges& edges, const TriangleTrees& trees,
                        const Tolerances& tolerances, const Context& context);

Links makeLinks(Contacts contacts, const Patches& patches, const Edges& edges, const Tolerances& tolerances);

}  // namespace wend::exact
