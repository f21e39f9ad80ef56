#pragma once

#include <optional>
#include <vector>

#include "base/random.h"
#include "planning/point/mesh_analysis.h"
#include "planning/surface/surface.h"

// Random places, uniform by area: a triangle of a cell by its area, then a place in it.
namespace wend {

class AreaSampler {
 public:
  // The cells of a component follow each other, so that one of them can be drawn from alone. O(n log n).
  AreaSampler(const NavMesh& mesh, const std::vector<uint32_t>& component);

  // On the whole mesh, or in the component of a cell. O(log n).
  SurfacePlace draw(const NavMesh& mesh, Random& random, CellId componentOf = kNone) const;
  bool empty() const { return fans_.empty(); }

 private:
  struct Fan {
    CellId cell;
    SideId side;  // the triangle of this side and the cell's first corner
  };
  struct Range {
    uint32_t first = 0;
    uint32_t last = 0;
  };
  std::vector<Fan> fans_;
  std::vector<double> sums_;         // of areas, up to and with each fan
  std::vector<Range> ranges_;        // per component
  std::vector<uint32_t> component_;  // per cell
};

struct CircleScratch {
  CellBuckets::Scratch buckets;
  struct Piece {
    Vec2 a, b, c;
    CellId cell;
    double sum;  // of areas
  };
  std::vector<Piece> pieces;
  std::vector<Vec2> polygon;
  std::vector<Vec2> clipped;
};
// In a circle around a place: the cells are cut to a polygon around the circle, and places outside the circle are drawn
// again. Over all layers. O(cells in the circle).
class CircleSampler {
 public:
  CircleSampler(const Surface& surface, const Place& centre, double range, CircleScratch& scratch);
  bool empty() const { return scratch_.pieces.empty(); }
  // Nothing in the rare case that the place is outside the circle.
  std::optional<SurfacePlace> draw(Random& random) const;

 private:
  Vec2 centre_;
  double range_;
  CircleScratch& scratch_;
};

}  // namespace wend
