#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <wend/context.h>
#include <wend/polygon.h>
#include <wend/result.h>

#include "geometry/int128.h"
#include "geometry/triangulation/triangulation.h"

// How often each place of a plane is covered: winding numbers over an exact arrangement of directed segments.
namespace wend {

// A lattice finer by a power of two around a box of the lattice, so that places between lattice points can be rounded
// with less harm. Lattice points of the box are points of it.
class FineLattice {
 public:
  // The finest, up to 2^20 times, on which the box still fits.
  explicit FineLattice(const Box& box);

  double scale() const { return scale_; }
  Point round(Vec2 units) const;
  Vec2 units(Vec2 fine) const { return {fine.x / scale_ + origin_.x, fine.y / scale_ + origin_.y}; }
  Vec2 units(Point fine) const { return units(toVec2(fine)); }

 private:
  Vec2 origin_;
  double scale_ = 1;
};

enum class CoverSource : uint8_t {
  kWall,      // of a cell
  kPassage,   // side of a cell with a neighbour in another layer
  kFree,      // closed boundary of the free space
  kOpen,      // boundary of the free space on a connection
  kOverhang,  // of an overhang of another layer
};

// The covered side is on the left. Segments of each source together form closed chains.
struct CoverSegment {
  Point a;
  Point b;
  CoverSource source = CoverSource::kWall;
  uint32_t cell = kNone;
};

// Walls that should be a portal: those of two cells on one another, or one on a connection.
struct LostPortal {
  Point a;
  Point b;
  uint32_t cell = kNone;
};

struct CoverCount {
  Triangulation triangulation;
  // One per triangle.
  std::vector<int32_t> cells;  // that cover it
  std::vector<int32_t> overhangs;
  std::vector<uint8_t> free;  // whether it is free space
  std::vector<LostPortal> lost;
  double bend = 0;  // area that segments may have swept when crossings were rounded, fine units squared

  bool covered(uint32_t t) const { return cells[t] > 0 || overhangs[t] > 0; }
  Int128 doubledArea(uint32_t t) const;
};

// Expected O((n + k) log n) for k crossings.
Result<CoverCount> countCover(std::span<const CoverSegment> segments, const Context& context);

// Closed border curves of the covered triangles; where the covered part touches itself in a point, each fan of
// triangles has its own curve.
uint32_t countOutlines(const CoverCount& cover);

}  // namespace wend
