#pragma once

#include <optional>
#include <vector>

#include <wend/route.h>

#include "planning/corridor/corridor_graph.h"
#include "planning/corridor/triangle_walk.h"

// The cells of a mesh that a route crosses.
namespace wend {

// The cells of each arc of a corridor map. A map that edits change knows them itself.
class CorridorCells {
 public:
  // O(cells), or O(1) for the map of a mesh after an edit in place.
  CorridorCells(const NavMesh& mesh, const CorridorMap& map);

  // The cell of an arc that contains the point, else its first, else kNone (a cell too thin for a mesh).
  CellId nearest(uint32_t arc, Vec2 p) const;

 private:
  const NavMesh* mesh_;
  const ecm::LiveAxis* live_ = nullptr;  // then the lists are empty
  std::vector<uint32_t> begin_;          // per arc, into cells_
  std::vector<CellId> cells_;
};

// A step of a breadth-first search through portals.
struct CellVisit {
  CellId cell;
  SideId side;  // by which it was entered, seen from the cell before
  uint32_t before;
};

// Follows a polyline from cell to cell and writes down the cells and the portals between them. Cells need not be
// convex. Exact: a segment through a vertex or along a side passes beside it, where there is no wall.
class CellWalk {
 public:
  // With triangles of the mesh's cells the walk is faster.
  CellWalk(const NavMesh& mesh, std::vector<CellVisit>& visits, Route& route, CellTriangles* triangles = nullptr)
      : mesh_(mesh), visits_(visits), route_(route) {
    if (triangles != nullptr) quick_.emplace(mesh, *triangles, route);
  }

  // One of the cells that contain the first point.
  void start(CellId cell, Vec2 p);
  // Straight on to p. False where a wall blocks it, by rounding; then the walk ends at the wall. A segment along walls
  // is followed on its left (1) if there are cells, else on its right, or the other way round (-1).
  bool to(Vec2 p, int beside = 1);
  // After to() was false: on to p as if the wall in the way were a rounding away, through the cells that the segment
  // touches; false if that does not lead to p.
  bool along(Vec2 p);
  // To another cell around p, through as few portals as possible; false if that is far away.
  bool jump(CellId cell, Vec2 p);

  CellId cell() const { return route_.cells.back(); }

  // A state to come back to, before the cells around the start were left or after.
  struct Mark {
    size_t cells;
    CellId last;
    Vec2 at;
  };
  Mark mark() const { return {route_.cells.size(), cell(), at_}; }
  void back(const Mark& mark) {
    route_.cells.resize(mark.cells);
    route_.cells.back() = mark.last;
    route_.portals.resize(mark.cells - 1);
    at_ = mark.at;
    leaveTriangles();
  }

 private:
  // Segments are turned around their start infinitely little to the left (beside = 1) or to the right (-1).
  bool leads(CellId cell, Vec2 to, int beside) const;
  bool turnTowards(Vec2 to, int& beside);
  // The side by which the segment leaves the cell that it entered by `entry`; kNone if it ends there.
  SideId findExit(Vec2 to, int beside, SideId entry) const;
  // Where the segment to `to` crosses the line of a side.
  double fractionAt(SideId side, Vec2 to) const;
  void pass(SideId side);
  // Appends the cells behind those portals of visit i that accepts(start, end).
  template <typename Accepts>
  void visitNeighbours(uint32_t i, const Accepts& accepts);
  void takeWay(uint32_t visit);
  void leaveTriangles() {
    if (quick_) quick_->forget();
  }

  const NavMesh& mesh_;
  std::vector<CellVisit>& visits_;
  Route& route_;
  std::optional<TriangleWalk> quick_;
  Vec2 start_;
  Vec2 at_;
};

}  // namespace wend
