#include "planning/corridor/triangle_walk.h"

#include <bit>
#include <cmath>

#include "geometry/predicates.h"
#include "geometry/vec2.h"
#include "mesh/cell_geometry.h"

namespace wend {

// Lattice units: by so much a wall that the segment runs along may be beside it, by the rounding of its corners.
constexpr double kRounding = 1e-3;

// Tells on which side places are. Exact; on the line it is the option that tells.
struct TriangleWalk::Line {
  Vec2 from, to, along;
  double band;  // the cross product at the rounding
  Option option = kLeft;

  Line(Vec2 a, Vec2 b) : from(a), to(b), along(b - a), band(kRounding * length(along)) {}

  // The options by which the place is on the right.
  uint8_t rightOf(Vec2 p) const {
    const double left = along.x * (p.y - from.y);
    const double right = along.y * (p.x - from.x);
    constexpr double kBound = 4 * 0x1.0p-53;  // as in orient()
    if (std::abs(left - right) > kBound * (std::abs(left) + std::abs(right)) + band) [[likely]] {
      return left < right ? kAll : 0;
    }
    const int turn = orient(from, to, p);
    return static_cast<uint8_t>((turn <= 0 ? 1 << kLeft : 0) | (turn < 0 ? 1 << kRight : 0) | (1 << kNearlyLeft));
  }
  bool isRight(Vec2 p) const { return ((rightOf(p) >> option) & 1) != 0; }
};

Vec2 TriangleWalk::place(CellId cell, uint8_t corner) const {
  const NavMesh::Views& views = mesh_.views();
  return views.vertices[views.sideVertex[views.cellBegin[cell] + corner]];
}

bool TriangleWalk::go(Vec2 from, Vec2 to, bool isFirst, uint8_t options) {
  if (from == to) return true;
  const Half* const edges = triangles_.of(mesh_, cell());
  if (edges == nullptr) return false;
  const size_t cells = route_.cells.size();
  const CellId first = cell();
  const auto sides = static_cast<uint8_t>(mesh_.sideCount(first));
  Line line(from, to);
  uint8_t corner = 0;
  while (corner < sides && !(place(first, corner) == from)) ++corner;
  const bool isCorner = corner < sides;
  if (isCorner) options &= look(line, corner);
  const Edge triangle = isCorner || edge_ != CellTriangles::kSide ? edge_ : triangleAround(from, edges);
  forget();
  if (!isCorner && triangle == CellTriangles::kSide) return false;
  for (; options != 0; options &= options - 1) {
    line.option = static_cast<Option>(std::countr_zero(options));
    Edge exit = turns_[line.option].exit;
    if (isCorner) take(turns_[line.option], isFirst);
    if ((isCorner || exitOf(line, edges, triangle, exit)) && advance(line, exit)) return true;
    route_.cells.resize(cells);
    route_.cells.back() = first;
    route_.portals.resize(cells - 1);
  }
  return false;
}

// A triangle of the cell that contains a place; none for a place on the cell's sides.
TriangleWalk::Edge TriangleWalk::triangleAround(Vec2 p, const Half* edges) const {
  const uint32_t end = 4 * (mesh_.sideCount(cell()) - 2);
  for (uint32_t triangle = 0; triangle < end; triangle += 4) {
    bool holds = true;
    for (uint32_t e = triangle; e < triangle + 3 && holds; ++e) {
      const Half& next = edges[CellTriangles::next(static_cast<Edge>(e))];
      const int side = orient(place(cell(), edges[e].corner), place(cell(), next.corner), p);
      holds = side > 0 || (side == 0 && edges[e].across != CellTriangles::kSide);
    }
    if (holds) return static_cast<Edge>(triangle);
  }
  return CellTriangles::kSide;
}

// The edge that leads from the right of the line to its left.
bool TriangleWalk::exitOf(const Line& line, const Half* edges, Edge triangle, Edge& exit) const {
  exit = triangle & ~Edge{3};
  for (int i = 0; i < 3; ++i, ++exit) {
    if (line.isRight(place(cell(), edges[exit].corner)) &&
        !line.isRight(place(cell(), edges[CellTriangles::next(exit)].corner))) {
      return true;
    }
  }
  return false;
}

// From a corner of the cell: the options by which the line leads into a triangle around it, and the ways there.
uint8_t TriangleWalk::look(const Line& line, uint8_t corner) {
  const Half* const edges = triangles_.of(mesh_, cell());
  const Edge last = CellTriangles::previous(triangles_.onSide(mesh_.firstSide(cell()) + corner));
  // To the side where the line is nearer first; a wall may be in between.
  const bool isLeft = line.isRight(place(cell(), edges[last].corner));
  const uint8_t found = sweep(line, corner, isLeft, kAll);
  return (found & 1) != 0 ? found : found | sweep(line, corner, !isLeft, kAll & ~found);
}

uint8_t TriangleWalk::sweep(const Line& line, uint8_t corner, bool isLeft, uint8_t wanted) {
  CellId here = cell();
  const Half* edges = triangles_.of(mesh_, here);
  Edge edge = triangles_.onSide(mesh_.firstSide(here) + corner);  // starts at the corner
  std::array<SideId, kMostAround>& around = around_[isLeft ? 1 : 0];
  uint8_t found = 0;
  // The signs of the two ends away from the corner, of which a triangle shares one with the next.
  uint8_t right = line.rightOf(place(here, edges[CellTriangles::next(edge)].corner));
  uint8_t left = line.rightOf(place(here, edges[CellTriangles::previous(edge)].corner));
  for (size_t portals = 0;;) {
    const uint8_t hits = right & ~left & wanted & ~found;
    for (uint8_t rest = hits; rest != 0; rest &= rest - 1) {
      turns_[static_cast<size_t>(std::countr_zero(rest))] = {portals, isLeft, CellTriangles::next(edge)};
    }
    found |= hits;
    if ((found & 1) != 0) return found;
    const Edge out = isLeft ? CellTriangles::previous(edge) : edge;
    Edge in = edges[out].across;
    if (in == CellTriangles::kSide) {
      const SideId side = mesh_.firstSide(here) + edges[out].corner;
      if (mesh_.isWall(side) || portals == around.size()) return found;
      around[portals++] = side;
      here = mesh_.neighbour(side);
      edges = triangles_.of(mesh_, here);
      if (edges == nullptr) return found;
      in = triangles_.onSide(mesh_.twin(side));
    }
    edge = isLeft ? in : CellTriangles::next(in);
    if (isLeft) {
      right = left;
      left = line.rightOf(place(here, edges[CellTriangles::previous(edge)].corner));
    } else {
      left = right;
      right = line.rightOf(place(here, edges[CellTriangles::next(edge)].corner));
    }
  }
}

void TriangleWalk::take(const Turn& turn, bool isFirst) {
  const std::array<SideId, kMostAround>& around = around_[turn.isLeft ? 1 : 0];
  if (isFirst && turn.portals > 0) {
    route_.cells.back() = mesh_.neighbour(around[turn.portals - 1]);
    return;
  }
  for (size_t i = 0; i < turn.portals; ++i) {
    route_.portals.push_back(around[i]);
    route_.cells.push_back(mesh_.neighbour(around[i]));
  }
}

// From the first triangle's exit on. The signs beside one line lead through no triangle twice, whatever the cells are.
bool TriangleWalk::advance(const Line& line, Edge exit) {
  const NavMesh::Views views = mesh_.views();
  CellId here = cell();
  const Half* edges = triangles_.of(mesh_, here);
  SideId first = views.cellBegin[here];
  const auto at = [&](Edge edge) { return views.vertices[views.sideVertex[first + edges[edge].corner]]; };
  struct Exit {
    Edge edge;
    Vec2 right, left;  // its start and end
  };
  Exit now{exit, at(exit), at(CellTriangles::next(exit))};
  const auto isBeyond = [&](const Exit& e) { return orient(e.right, e.left, line.to) < 0; };
  const auto enter = [&](Edge entry) {
    const Edge third = CellTriangles::previous(entry);
    const Vec2 p = at(third);
    const bool isRight = line.isRight(p);
    now.edge = isRight ? third : CellTriangles::next(entry);
    now.right = isRight ? p : now.right;
    now.left = isRight ? now.left : p;
  };
  Exit inCell = now;
  for (size_t steps = 0; steps <= views.sideVertex.size(); ++steps) {
    const Half half = edges[now.edge];
    if (half.across != CellTriangles::kSide) {
      enter(half.across);
      continue;
    }
    if (!isBeyond(now)) {
      // The last cell: to the triangle that the step ends in.
      for (now = inCell; isBeyond(now);) enter(edges[now.edge].across);
      edge_ = now.edge;
      return true;
    }
    const SideId side = first + half.corner;
    const SideId twin = views.sideTwin[side];
    if (twin == kNone) return false;
    here = views.sideCell[twin];
    route_.portals.push_back(side);
    route_.cells.push_back(here);
    edges = triangles_.of(mesh_, here);
    if (edges == nullptr) return false;
    first = views.cellBegin[here];
    enter(triangles_.onSide(twin));
    inCell = now;
  }
  return false;
}

}  // namespace wend
