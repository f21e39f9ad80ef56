#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <wend/result.h>

#include "environment/extract/exact/rings.h"

// A polygon without some convex pieces: what the exact method does thousands of times, with a handful of pieces each.
//
// All edges are split where they meet, each part is kept if free space lies on exactly one of its sides, and the parts
// are chained. With few edges, testing every pair beats any sweep, and this takes a fraction of the time of overlay().
// Rounding a crossing may leave parts that do not close; then overlay() decides.
namespace wend::exact {

// Counter-clockwise, without repeated points.
struct Convex {
  uint32_t count = 0;
  std::array<Point, 8> p{};
  std::span<const Point> ring() const { return std::span(p).first(count); }
  void add(Point q) { p[count++] = q; }
};

// Makes the points of a convex polygon a Convex; false if nothing with area is left.
bool tidy(Convex& piece);

enum class CutPart : uint8_t { kOutside, kInside };

class Cutter {
 public:
  // The part of the outline outside all pieces, or inside any. The outline is a set of boundary walks that do not
  // cross. Not thread-safe: one per thread. Errors are those of overlay().
  Status cut(const Rings& outline, std::span<const Convex> pieces, CutPart part, Rings& result);
  // How often overlay() had to decide.
  uint32_t fallbacks() const { return fallbacks_; }

 private:
  struct Side {
    Point a, b;
    uint32_t shape;  // 0 is the outline, 1 + i piece i
  };
  struct Split {
    uint32_t side;
    int64_t along;
    Point p;
    auto operator<=>(const Split&) const = default;
  };
  struct Part {
    Point a, b;  // a < b
    uint32_t shape;
    int32_t direction;
  };
  bool cutFast(const Rings& outline, std::span<const Convex> pieces, CutPart part, Rings& result);
  void collect(const Rings& outline, std::span<const Convex> pieces);
  void splitPairs();
  void split(uint32_t i, uint32_t j);
  void makeParts();
  void choose(std::span<const Convex> pieces, CutPart part);
  bool inOutline(int64_t x, int64_t y) const;

  std::vector<Side> sides_;
  std::vector<Box> boxes_;
  std::vector<Split> splits_;
  std::vector<Part> parts_;
  std::vector<Arrow> arrows_;
  std::vector<Box> pieceBoxes_;
  std::vector<uint32_t> order_;
  uint32_t fallbacks_ = 0;
};

}  // namespace wend::exact
