#pragma once

#include <array>
#include <vector>

#include <wend/navmesh.h>

#include "planning/stamped.h"

// The cells of a mesh cut into triangles, for walks along straight lines: a line that enters a triangle leaves it by
// one of two edges, and the sign of one orientation tells by which. So a cell that is not convex costs no more than a
// convex one. Made cell by cell when a walk first comes there. Memory of one thread.
namespace wend {

class CellTriangles {
 public:
  // An edge of a triangle of a cell: four times the triangle, plus 0 to 2 counter-clockwise.
  using Edge = uint8_t;
  struct Half {
    uint8_t corner;  // of the cell, where the edge starts
    Edge across;     // the same edge in the triangle beyond; kSide: it is the cell's side from `corner` on
  };
  static constexpr Edge kSide = 0xff;
  static Edge next(Edge e) { return (e & 3) == 2 ? e - 2 : e + 1; }
  static Edge previous(Edge e) { return (e & 3) == 0 ? e + 2 : e - 1; }

  // Forgets the cells of a mesh with another serial number. About 7 bytes per side and 4 per cell.
  void follow(const NavMesh& mesh, uint64_t serial);
  // The edges of a cell of that mesh; null if it has more than kMostSides. O(sides^3) the first time: 6 sides at most
  // in the cells of a medial axis.
  const Half* of(const NavMesh& mesh, CellId cell) {
    if (made_.has(cell, stamp_)) [[likely]]
      return edges_.data() + begin(mesh, cell);
    return make(mesh, cell);
  }
  // The triangle's edge on a side, for sides of cells with triangles.
  Edge onSide(SideId side) const { return onSide_[side]; }

 private:
  static constexpr uint32_t kMostSides = 16;

  static size_t begin(const NavMesh& mesh, CellId cell) {
    return 4 * (mesh.firstSide(cell) - 2 * static_cast<size_t>(cell));
  }
  const Half* make(const NavMesh& mesh, CellId cell);

  uint64_t serial_ = 0;
  QueryStamp stamp_;
  StampedSet made_;
  std::vector<Half> edges_;
  std::vector<Edge> onSide_;
};

}  // namespace wend
