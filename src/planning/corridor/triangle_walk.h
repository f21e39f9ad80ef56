#pragma once

#include <array>

#include <wend/route.h>

#include "planning/corridor/cell_triangles.h"

// The straight steps of a walk through cells, quickly: over the triangles of the cells.
namespace wend {

class TriangleWalk {
 public:
  TriangleWalk(const NavMesh& mesh, CellTriangles& triangles, Route& route)
      : mesh_(mesh), triangles_(triangles), route_(route) {}

  // How a segment through vertices or along walls is followed: turned infinitely little to one side around its start;
  // or as if it could pass vertices beside it on one side, where walls are off by the rounding of their corners. The
  // first that leads to the end counts.
  enum Option : uint8_t { kLeft, kRight, kNearlyLeft, kNearlyRight, kOptions };
  static constexpr uint8_t kAll = (1 << kOptions) - 1;
  static constexpr uint8_t kOnRight = (1 << kRight) | (1 << kNearlyRight);

  // From `from`, in the last cell of the route, straight to `to`; appends the portals and cells. `isFirst`: the route
  // may begin in another cell around `from`. False, and nothing appended, if a wall is in the way or this walk cannot
  // tell.
  bool go(Vec2 from, Vec2 to, bool isFirst, uint8_t options = kAll);
  // The next step begins elsewhere than where the last one ended.
  void forget() { edge_ = CellTriangles::kSide; }

 private:
  struct Line;
  using Edge = CellTriangles::Edge;
  using Half = CellTriangles::Half;

  static constexpr size_t kMostAround = 64;
  // The portals around a corner, to its left or right, and by which edge the triangle behind them is left.
  struct Turn {
    size_t portals = 0;
    bool isLeft = true;
    Edge exit = CellTriangles::kSide;
  };

  uint8_t look(const Line& line, uint8_t corner);
  uint8_t sweep(const Line& line, uint8_t corner, bool isLeft, uint8_t wanted);
  void take(const Turn& turn, bool isFirst);
  Edge triangleAround(Vec2 p, const Half* edges) const;
  bool exitOf(const Line& line, const Half* edges, Edge triangle, Edge& exit) const;
  bool advance(const Line& line, Edge exit);
  Vec2 place(CellId cell, uint8_t corner) const;
  CellId cell() const { return route_.cells.back(); }

  const NavMesh& mesh_;
  CellTriangles& triangles_;
  Route& route_;
  Edge edge_ = CellTriangles::kSide;  // of the triangle in which the last step ended
  std::array<Turn, kOptions> turns_;
  std::array<std::array<SideId, kMostAround>, 2> around_;  // portals to the right and to the left of a corner
};

}  // namespace wend
