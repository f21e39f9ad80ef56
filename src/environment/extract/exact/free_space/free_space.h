#pragma once

#include <vector>

#include "environment/extract/facets/facets.h"
#include "geometry/index/box_tree.h"

// The free part of each facet: without what geometry within head room above it covers.
namespace wend::exact {

// Connected polygons with holes, each the free part of one facet, in flat arrays.
struct Patches {
  Rings rings;                         // of all patches; the outer ring of each comes first
  std::vector<uint32_t> firstRing{0};  // one more than patches
  std::vector<uint32_t> facet;
  std::vector<uint8_t> whole;  // the facet as it is: nothing covers it

  uint32_t count() const { return static_cast<uint32_t>(facet.size()); }
  uint32_t firstPoint(uint32_t patch) const { return rings.begin[firstRing[patch]]; }
  double area(uint32_t patch) const;  // doubled
  void close(uint32_t ofFacet, bool isWhole) {
    firstRing.push_back(static_cast<uint32_t>(rings.count()));
    facet.push_back(ofFacet);
    whole.push_back(isWhole ? 1 : 0);
  }
  void add(const Polygon& polygon, uint32_t ofFacet);
};

struct FreeSpace {
  Patches patches;
  uint32_t cut = 0;  // facets that lost something
  std::vector<ExtractSpot> spots;
  bool tangled = false;  // a floor was given up because what lies above it crosses itself too often
};

// Only facets with a mark in `wanted` are looked at. Error: what lies above the floors crosses itself too often
// (kLimit).
Result<FreeSpace> makeFreeSpace(const Soup& soup, const Facets& facets, const TriangleTrees& trees,
                                const std::vector<uint8_t>& wanted, const ExtractSettings& settings,
                                const Tolerances& tolerances, const Context& context);

}  // namespace wend::exact
