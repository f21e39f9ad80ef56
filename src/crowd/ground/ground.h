#pragma once

#include <memory>
#include <span>
#include <vector>

#include <wend/navmesh.h>

#include "base/versions.h"
#include "crowd/vec2f.h"

// A mesh in the layout of a crowd, which reads it thousands of times per step: sides with their ends beside each other,
// walls joined along straight lines, and a straight walk from cell to cell.
namespace wend {

// A maximal straight piece of wall inside a layer; walkable space lies left of a -> b. Lattice units.
struct GroundWall {
  Vec2 a;
  Vec2 b;
  Vec2f along;           // unit, a -> b
  Vec2f before;          // unit direction of the wall that ends in a
  Vec2f after;           // unit direction of the wall that starts in b
  SideId first = kNone;  // its first side; kNone: no wall has this number now
  LayerId layer = 0;
  bool cornerA = true;  // the obstacle sticks out at a; false where walkable space has a convex corner
  bool cornerB = true;
};

struct GroundSide {
  Vec2 from;
  Vec2 to;
  CellId neighbour = kNone;
  SideId twin = kNone;
  uint32_t wall = kNone;  // index into walls(), for a side without neighbour
};

// What a ground reads, and the versions of it that edits make.
struct GroundArrays {
  uint64_t state = 0;
  std::vector<GroundSide> sides;
  std::vector<GroundWall> walls;
  std::vector<uint32_t> freeWalls;  // numbers that no wall has
  std::vector<uint8_t> flags;       // per cell

  void copyAll(const GroundArrays& other);
  bool follow(const GroundArrays& other, const BlockLog& log, bool forward);
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
  using Side = GroundSide;

  Ground() = default;
  explicit Ground(const NavMesh& mesh);

  // That of the mesh after an edit. Equal to Ground(mesh) but for the numbers of the walls: walls that stay keep
  // theirs.
  struct Next;
  Next next(const NavMesh& mesh) const;
  // The number that each wall has in Ground(mesh()); empty if it has that one. O(sides).
  std::vector<uint32_t> numbersAnew() const;

  const NavMesh& mesh() const { return mesh_; }
  double unit() const { return mesh_.lattice().unit; }

  // Exact: true if the closed cell contains the lattice point.
  bool holds(CellId cell, Point p) const;
  // Two points of the cell can always walk straight to each other.
  bool isOpen(CellId cell) const { return (flags_[cell] & kOpen) != 0; }
  // A connection to another layer may lie within kConnectionReach of the cell.
  bool isNearConnection(CellId cell) const { return (flags_[cell] & kNearConnection) != 0; }
  static constexpr double kConnectionReach = 10;  // metres
  // Whether portals lead from one cell to the other. O(1) for neighbours, else O(cells) the first time.
  bool areJoined(CellId one, CellId other) const;

  // The straight segment from a point of the cell, through portals, to its end or the first wall. Rounded: it may pass
  // a corner on the wrong side by a millionth of a unit, but only through portals. O(cells crossed).
  GroundTrace trace(CellId cell, Vec2 from, Vec2 to) const;
  // The same for an agent: ends on a lattice point that its cell holds, at most one unit before a wall. An agent that
  // cannot move stays.
  GroundStep walk(CellId cell, Point from, Point to) const;

  // True if a straight walk from `from`, a point of the cell, to the nearest point of the wall ends at that wall or at
  // another. False for a wall that is near in top view only: above or below.
  bool isMet(CellId cell, Vec2 from, uint32_t wall) const;

  const Side* firstSide(CellId cell) const { return sides_ + mesh_.firstSide(cell); }
  const Side* endSide(CellId cell) const { return sides_ + mesh_.endSide(cell); }
  const GroundWall& wall(uint32_t number) const { return walls_[number]; }
  // Some may have no sides (first == kNone).
  std::span<const GroundWall> walls() const { return {walls_, arrays_ ? arrays_->walls.size() : 0}; }

 private:
  friend class GroundUpdate;
  static constexpr uint8_t kConvex = 1;
  static constexpr uint8_t kOpen = 2;
  static constexpr uint8_t kNearConnection = 4;

  struct Components;

  Ground(const NavMesh& mesh, std::shared_ptr<const GroundArrays> arrays, bool isAnew);
  CellId settle(CellId cell, Point p) const;
  bool hasWall(CellId cell, uint32_t wall, const Vec2* end) const;

  NavMesh mesh_;
  std::shared_ptr<const GroundArrays> arrays_;
  std::shared_ptr<Components> components_;
  const Side* sides_ = nullptr;
  const GroundWall* walls_ = nullptr;
  const uint8_t* flags_ = nullptr;
  bool isAnew_ = true;
};

struct Ground::Next {
  Ground ground;
  bool isAnew = false;              // no wall has the number that it had
  std::vector<uint32_t> goneWalls;  // numbers whose wall is another one now, or none, ascending
  std::vector<uint32_t> newWalls;   // numbers of new walls, ascending
};

}  // namespace wend
