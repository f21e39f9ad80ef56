#pragma once

#include <cstdint>
#include <vector>

#include "environment/extract/polygons/rings.h"
#include "environment/extract/tolerances.h"

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

}  // namespace wend::exact
