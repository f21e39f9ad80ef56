#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "environment/extract/facets/facets.h"
#include "environment/extract/soup/triangle_neighbours.h"

// Upper bounds before free space is known: which faces may be reachable, or may belong to a component that is large
// enough. Faces within a step and a crack of each other count as connected.
namespace wend::extraction {

// The floors and the steep triangles: all that an agent may walk or step over.
BoxTree walkableTree(const Soup& soup, const Context& context);

// Facets, and after them other triangles that may be walked over.
struct WalkableFaces {
  const Soup& soup;
  const Facets& facets;
  const TriangleNeighbours& neighbours;
  BoxTree& tree;  // walkableTree(); if it is empty it is made when it is needed
  std::span<const uint32_t> others;
  // At least the doubled area of what is free of each, square units. What has none is not there.
  std::vector<double> areas;

  // Whatever covers them.
  static std::vector<double> mostAreas(const Soup& soup, const Facets& facets, std::span<const uint32_t> others,
                                       const Context& context);

  // Those that one large floor above them covers have none. Without a tree nothing is looked for.
  void leaveOutCovered(const Tolerances& tolerances);
};

// A mark for each face that the seed points may lead to.
std::vector<uint8_t> withinReach(const WalkableFaces& walkable, const ExtractSettings& settings,
                                 const Tolerances& tolerances);

// Groups of faces that are too small even if all of them are connected.
struct TooSmall {
  uint32_t groups = 0;
  double area = 0;  // doubled, square units
};

// A mark for each face that may belong to a component of a doubled area. Expected O(n), and next to nothing for
// those that are large enough by themselves.
std::vector<uint8_t> largeEnough(const WalkableFaces& walkable, double least, const Tolerances& tolerances,
                                 const Context& context, TooSmall& dropped);

// Faces that cannot belong to a component of a doubled area unless a larger face joins them.
struct SmallGroups {
  std::vector<uint32_t> of;   // of each face: its group, or kNone
  std::vector<double> areas;  // of each group at most, doubled, square units
};
// Faces without an area are in no group.
SmallGroups smallGroups(const WalkableFaces& walkable, double least, const Tolerances& tolerances,
                        const Context& context);

}  // namespace wend::extraction
