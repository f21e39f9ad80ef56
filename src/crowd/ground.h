#pragma once

#include <vector>

#include <wend/navmesh.h>

#include "crowd/vec2f.h"

// A mesh in the layout that a crowd needs thousands of times per step: sides with their ends beside each other, walls
// joined along straight lines, and a straight walk from cell to cell.
namespace wend {

// A maximal straight piece of wall inside a layer; walkable space lies left of a -> b. Lattice units.
struct GroundWall {
  Vec2 a;
  Vec2 b;
  Vec2f along;   // unit, a -> b
  Vec2f before;  // unit direction of the wall that ends in a
  Vec2f after;   // unit direction of the wall that starts in b
  VertexId vertexA = kNone;
  VertexId vertexB = kNone;
  LayerId layer = 0;
  bool cornerA = true;  // the obstacle sticks out at a; false where walkable space has a convex corner
  bool cornerB = true;
};

// Where a straight walk ends.
struct GroundStep {
  Point at;
  CellId cell = kNone;
  bool blocked = false;  // by a wall
};

struct GroundTrace {
  CellId cell = kNone;  // the last one entered
  double at = 1;        // fraction of the segment that is free
  bool blocked = false;
};

// Immutable; read from any thread. About 60 bytes per side.
class Ground {
 public:
  Ground() = default;
  explicit Ground(const NavMesh& mesh);

  const NavMesh& mesh() const { return mesh_; }
  double unit() const { return mesh_.lattice().unit; }

  // Exact: true if the closed cell contains the lattice point.
  bool holds(CellId cell, Point p) const;
  // Two points of the cell can always walk straight to each other.
  bool isOpen(CellId cell) const { return (flags_[cell] & kOpen) != 0; }
  // A connection to another layer may lie within kConnectionReach of the cell.
  bool isNearConnection(CellId cell) const { return (flags_[cell] & kNearConnection) != 0; }
  static constexpr double kConnectionReach = 10;  // metres
  // Cells joined by portals have one number.
  uint32_t componentOf(CellId cell) const { return component_[cell]; }

  // The straight segment from a point of the cell, through portals, to its end or the first wall. Rounded: it may pass
  // a corner on the wrong side by a millionth of a unit, but only through portals. O(cells crossed).
  GroundTrace trace(CellId cell, Vec2 from, Vec2 to) const;
  // The same for an agent: ends on a lattice point that its cell holds, at most one unit before a wall. An agent that
  // cannot move stays.
  GroundStep walk(CellId cell, Point from, Point to) const;

  // True if a straight walk from `from`, a point of the cell, to the nearest point of the wall ends at that wall or at
  // another. False for a wall that is near in top view only: above or below.
  bool isMet(CellId cell, Vec2 from, uint32_t wall) const;

  struct Side {
    Vec2 from;
    Vec2 to;
    CellId neighbour = kNone;
    SideId twin = kNone;
    uint32_t wall = kNone;  // index into walls(), for a side without neighbour
  };
  const Side* firstSide(CellId cell) const { return sides_.data() + mesh_.firstSide(cell); }
  const Side* endSide(CellId cell) const { return sides_.data() + mesh_.endSide(cell); }
  const std::vector<GroundWall>& walls() const { return walls_; }

 private:
  static constexpr uint8_t kConvex = 1;
  static constexpr uint8_t kOpen = 2;
  static constexpr uint8_t kNearConnection = 4;

  void markShapes();
  void markConnections();
  void joinWalls();
  void numberComponents();
  CellId settle(CellId cell, Point p) const;
  bool hasWall(CellId cell, uint32_t wall, VertexId end) const;

  NavMesh mesh_;
  std::vector<Side> sides_;
  std::vector<GroundWall> walls_;
  std::vector<uint8_t> flags_;
  std::vector<uint32_t> component_;
};

}  // namespace wend
