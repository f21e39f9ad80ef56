#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <wend/result.h>

#include "environment/extract/exact/rings.h"

// A polygon without some convex pieces: what the exact method does thousands of times, with a handful of pieces each.
//
// All edges are split where they meet, each part is kept if it bounds free space, and the parts are chained. Whether a
// part is kept is decided where it truly lies, before its ends are rounded to the lattice; rounding then moves whole
// vertices, so what is kept still closes. With few edges, testing pairs beats any sweep, and this takes a fraction of
// the time of overlay(), which decides the rare case where numbers fail.
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
    double t;  // along the side, 0 to 1
    Point p;
  };
  struct Part {
    Point a, b;   // rounded
    double x, y;  // true middle
    uint32_t side;
  };
  // A side as numbers: from (ax, ay) by (x, y).
  struct Line {
    double ax, ay, x, y;
    double near;  // a turn smaller than this is next to the line
    Point a, b;
    double turn(double px, double py) const { return x * (py - ay) - y * (px - ax); }
  };
  static Line lineOf(Point a, Point b);
  // How a piece lies at a place on a side.
  enum class Cover : uint8_t { kNo, kBoth, kLeft, kRight };
  bool cutFast(const Rings& outline, std::span<const Convex> pieces, CutPart part, Rings& result);
  void collect(const Rings& outline, std::span<const Convex> pieces);
  void dropShared();
  void splitPairs();
  void sortSplits();
  void split(uint32_t i, uint32_t j);
  void makeParts();
  void choose(std::span<const Convex> pieces, CutPart part);
  void sortIntoRows();
  bool runsAlong(const Line& line, double turn, uint32_t side) const;
  Cover coverOf(size_t piece, const Part& part) const;
  Cover outlineAt(const Part& part) const;

  std::vector<Side> sides_;
  std::vector<Box> boxes_;
  std::vector<Split> splits_;
  std::vector<Split> sorted_;
  std::vector<uint32_t> splitBegin_;
  std::vector<Part> parts_;
  std::vector<Arrow> arrows_;
  std::vector<Box> pieceBoxes_;
  std::vector<Line> outlineLines_;
  std::vector<Line> pieceLines_;
  std::vector<uint32_t> pieceBegin_;  // into pieceLines_
  // Sides of the outline by the rows that they pass, if there are many.
  std::vector<uint32_t> rowBegin_;
  std::vector<uint32_t> rowItems_;
  double rowOrigin_ = 0;
  double rowsPerUnit_ = 0;
  std::vector<uint32_t> order_;
  std::vector<uint32_t> slots_;
  std::vector<uint32_t> groups_;
  std::vector<uint8_t> twoWays_;
  uint32_t outlineSides_ = 0;
  uint32_t fallbacks_ = 0;
};

}  // namespace wend::exact
