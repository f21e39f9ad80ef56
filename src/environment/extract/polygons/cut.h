#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <wend/result.h>

#include "environment/extract/polygons/rings.h"
#include "geometry/index/grid_index.h"
#include "geometry/index/packed_box.h"

// A polygon without some convex pieces: what the exact method does thousands of times, with a handful of pieces each.
//
// All edges are split where they meet, each part is kept if it bounds free space, and the parts are chained. Whether a
// part is kept is decided where it truly lies, before its ends are rounded to the lattice; rounding then moves whole
// vertices, so what is kept still closes. With few edges, testing pairs beats any sweep, and this takes a fraction of
// the time of overlay(), which decides the rare case where numbers fail.
namespace wend::extraction {

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
  // What one cut may need at most.
  struct Limits {
    uint64_t pairs = std::numeric_limits<uint64_t>::max();  // of sides that are near each other
    uint64_t tests = std::numeric_limits<uint64_t>::max();  // of a place on a side and something that may be there
  };
  Cutter() = default;
  explicit Cutter(const Limits& limits) : limits_(limits) {}

  // The part of the outline outside all pieces, or inside any. The outline is a set of boundary walks that do not
  // cross. Not thread-safe: one per thread. Errors are those of overlay(), and kLimit.
  Status cut(const Rings& outline, std::span<const Convex> pieces, CutPart part, Rings& result);
  // How often overlay() had to decide.
  uint32_t fallbacks() const { return fallbacks_; }
  // Of the last cut, pairs of sides among them.
  uint64_t tests() const { return pairs_ + tests_; }

 private:
  // With fewer pieces a grid costs more than it saves.
  static constexpr size_t kGridFrom = 32;

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
  struct SidePair {
    uint32_t i, j;  // i < j
  };
  // A side i from a to b and a side j from c to d: how the ends of each turn from the other.
  struct Crossing {
    uint32_t i, j;
    int64_t ca, cb, ac, ad;
  };
  // Nearer to a line than this, in units, exact arithmetic says whether a side runs along it.
  static constexpr double kNearLine = 0.01;
  // A side as numbers: from (ax, ay) by (x, y).
  struct Line {
    Line(Point from, Point to)
        : ax(from.x), ay(from.y), x(to.x - ax), y(to.y - ay), near(kNearLine * (std::abs(x) + std::abs(y))) {}
    double ax, ay, x, y;
    double near;  // a turn smaller than this is next to the line
    double turn(double px, double py) const { return x * (py - ay) - y * (px - ax); }
  };
  // How a piece lies at a place on a side.
  enum class Cover : uint8_t { kNo, kBoth, kLeft, kRight };
  enum class Outcome : uint8_t { kDone, kFailed, kTooMuch };
  Outcome cutFast(const Rings& outline, std::span<const Convex> pieces, CutPart part, Rings& result);
  void collect(const Rings& outline, std::span<const Convex> pieces);
  void addPiece(std::span<const Point> ring, uint32_t shape, bool inside, const PackedBox& around);
  void dropShared();
  void dropCovered(std::span<const Convex> pieces);
  bool splitPairs(bool split);
  bool sortForSweep();
  void splitNear(size_t count);
  void sortSplits();
  void makeParts();
  bool choose(std::span<const Convex> pieces, CutPart part);
  void sortIntoRows(const Box& box);
  bool runsAlong(Point a, Point b, uint32_t side) const;
  Cover coverOf(const Convex& piece, std::span<const Line> lines, const Part& part) const;
  Cover coverNear(const Convex& piece, std::span<const Line> lines, const Part& part) const;
  Cover outlineAt(const Part& part);
  Cover alongOutline(const Part& part, uint32_t i) const;

  std::vector<Side> sides_;
  std::vector<PackedBox> boxes_;
  std::vector<SidePair> near_;
  std::vector<uint64_t> order_;  // where a side begins along the sweep, and which it is
  std::vector<uint64_t> sorting_;
  std::vector<PackedBox> sweepBoxes_;  // in that order
  std::vector<uint64_t> sweepEnds_;
  std::vector<Crossing> crossings_;
  std::vector<Split> splits_;
  std::vector<Split> sorted_;
  std::vector<uint32_t> splitBegin_;
  std::vector<Part> parts_;
  std::vector<Arrow> arrows_;
  std::vector<Box> pieceBoxes_;
  std::vector<PackedBox> packedBoxes_;  // of the pieces
  GridIndex grid_;                      // of the pieces, if there are many
  std::vector<uint32_t> nearPieces_;
  std::vector<Line> outlineLines_;
  std::vector<Line> pieceLines_;
  std::vector<uint32_t> firstLine_;  // of each piece
  // Sides of the outline by the rows that they pass, if there are many.
  std::vector<uint32_t> rowBegin_;
  std::vector<uint32_t> rowItems_;
  double rowOrigin_ = 0;
  double rowsPerUnit_ = 0;
  std::vector<uint32_t> slots_;
  std::vector<uint32_t> groups_;
  std::vector<uint8_t> twoWays_;
  uint32_t outlineSides_ = 0;
  Box around_;  // the outline
  uint32_t fallbacks_ = 0;
  Limits limits_;
  uint64_t pairs_ = 0;
  uint64_t tests_ = 0;
};

}  // namespace wend::extraction
