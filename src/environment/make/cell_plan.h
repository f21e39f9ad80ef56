#pragma once

#include <vector>

#include <wend/polygon.h>

#include "environment/make/construction.h"
#include "geometry/int128.h"

// A floor plan drawn with rectangles: later strokes cover earlier ones, and the boundary of what stays free is traced
// exactly. Free space that meets itself only in a corner is not joined there.
namespace wend::make {

class CellPlan {
 public:
  void free(const Rect& r) { strokes_.push_back({r, true}); }
  void block(const Rect& r) { strokes_.push_back({r, false}); }
  // Keeps a vertex in the middle of a straight wall (the end of a connection); it must lie on a line of the drawing.
  void keep(Point p) { kept_.push_back(p); }

  struct Traced {
    std::vector<Polygon> polygons;
    Int128 doubledArea = 0;  // the sum of the free cells
  };
  // O(strokes x cells).
  Traced trace() const;

 private:
  struct Stroke {
    Rect r;
    bool free;
  };
  std::vector<Stroke> strokes_;
  std::vector<Point> kept_;
};

// The same on a given grid: cell (i, j) spans xs[i]..xs[i+1] and ys[j]..ys[j+1]; `free` is row by row. `kept` sorted.
CellPlan::Traced traceCells(const std::vector<int32_t>& xs, const std::vector<int32_t>& ys,
                            const std::vector<uint8_t>& free, const std::vector<Point>& kept = {});

}  // namespace wend::make
