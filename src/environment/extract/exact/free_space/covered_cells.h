#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "environment/extract/facets/facets.h"

// What large floors above a facet hide. A table top covers the floor beneath it; whatever else stands on the table, or
// under it, changes nothing of that floor, and need not be looked at.
namespace wend::exact {

// Square cells over the box of a facet, each covered as a whole or not. Not thread-safe: one per thread.
class CoveredCells {
 public:
  CoveredCells(const Facets& facets, const Tolerances& tolerances) : facets_(facets), tol_(tolerances) {}

  // Finds the floors that cover something of a facet. False if none of them is large. O(cells).
  bool begin(uint32_t facet);
  // Whether all that lies in a box, and strips of walls beside it, is covered by these floors, with room to spare. The
  // box reaches into that of the facet.
  bool hide(const Box& box) const;
  // Whether a facet is one of these floors: they hide themselves, so they must not be left out.
  bool isCover(uint32_t facet) const { return facet < marks_.size() && marks_[facet] != 0; }

 private:
  bool liesAbove(const Facet& facet, const Facet& other) const;
  bool isLarge(const Facet& facet) const;
  void layOut(const Box& box);
  void draw(const Facet& facet);
  void drawSide(Point a, Point b);

  const Facets& facets_;
  const Tolerances& tol_;
  std::vector<uint32_t> covers_;
  std::vector<uint8_t> marks_;  // of each facet
  double originX_ = 0;
  double originY_ = 0;
  double perUnit_ = 0;  // cells
  int32_t columns_ = 0;
  int32_t rows_ = 0;
  size_t words_ = 0;  // of a row
  std::vector<uint64_t> covered_;
  std::vector<uint64_t> inside_;  // of the floor that is drawn: cells whose middles it holds
  std::vector<uint64_t> border_;  // and cells that its border passes
};

}  // namespace wend::exact
