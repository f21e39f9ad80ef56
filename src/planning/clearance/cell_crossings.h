#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include <wend/lattice.h>

#include "planning/clearance/distances.h"
#include "planning/clearance/walls_in_sight.h"

// Which openings of a convex cell are joined inside it, for a disk of radius r? Exact, by the topology of the plane.
//
// The centre may be where no wall is nearer than r. The blocked part of the cell is a union of convex sets, one per
// wall: the points of the cell nearer than r to it. So two of them belong to one blocked component if they have a point
// in common. Every blocked component touches the border of the cell (walls lie on it or outside). The border is a cycle
// of doors (free stretches) and gaps (blocked ones); the blocked components partition the gaps without crossing, and
// two doors are joined exactly if no component has gaps on both sides of them: the doors' partition is the complement
// of the gaps' partition (Kreweras 1972).
//
// Two of the convex sets meet in the cell iff they meet on its border, or the middle of the shortest way between the
// two walls lies inside the cell and that way is shorter than 2 r: the points nearer than r to both walls are a convex
// set around that middle, and if it misses the border, it lies wholly inside or wholly outside.
namespace wend {

struct Wall {
  Vec2 a;
  Vec2 b;
  const Sight* sight = nullptr;  // where it counts, if not everywhere
};

// The shortest way between segment pq, as far as the wall counts for it, and the wall; infinite if it does not.
inline Closest closestToWall(Vec2 p, Vec2 q, const Wall& wall) {
  if (wall.sight == nullptr) return closestBetween(p, q, wall.a, wall.b);
  const Stretch part = wall.sight->clip(p, q);
  if (part.empty()) return {HUGE_VAL, p, wall.a};
  return closestBetween(p + part.low * (q - p), p + part.high * (q - p), wall.a, wall.b);
}

// A straight way of a disk.
struct DiskWay {
  Vec2 a;
  Vec2 b;
  double r;
  Vec2 along;
  double square;  // of its length
  double size;    // its length
  double limit;   // r times its length
  DiskWay(Vec2 from, Vec2 to, double radius)
      : a(from),
        b(to),
        r(radius),
        along(to - from),
        square(dot(along, along)),
        size(std::sqrt(square)),
        limit(radius * size) {}
  // The same way of another disk.
  DiskWay(const DiskWay& way, double radius) : DiskWay(way) {
    r = radius;
    limit = radius * size;
  }
};
// Whether it comes nearer than its radius to none of the walls.
bool isClearOf(std::span<const Wall> walls, const DiskWay& way);

// Where the segment of that length from o in the direction u (of length 1) is nearer than r to the wall.
Stretch blockedBy(const Wall& wall, Vec2 o, Vec2 u, double size, double r);

// What a path around the end of a door goes around, if this wall ends the door: a point of the wall. `corner` is the
// end of the edge on that side; where a wall leans over the edge from there, it stands for the wall's length.
inline Vec2 centreAt(Vec2 end, Vec2 corner, const Wall& wall) {
  const Vec2 nearest = closestOnSegment(end, wall.a, wall.b);
  if (wall.a == corner) return nearest == wall.b ? nearest : corner;
  if (wall.b == corner) return nearest == wall.a ? nearest : corner;
  return nearest;
}

inline constexpr uint32_t kNoWall = 0xffffffffU;

// A free stretch of one edge.
struct Door {
  double low = 0;  // along the edge
  double high = 0;
  uint32_t lowWall = kNoWall;  // the wall that ends it, an index; kNoWall where it reaches the end of the edge
  uint32_t highWall = kNoWall;
};

// Appends the free stretches of edge ab, in order.
struct DoorScratch {
  struct Blocked {
    double low, high;
    uint32_t wall;
  };
  std::vector<Blocked> blocked;
};
void findDoors(Vec2 a, Vec2 b, std::span<const Wall> walls, double r, DoorScratch& scratch, std::vector<Door>& doors);

// An edge of a convex cell, counter-clockwise.
struct CellEdge {
  Vec2 a;
  Vec2 b;
  bool wall = false;       // blocked as a whole
  uint32_t firstDoor = 0;  // into the cell's doors
  uint32_t doorCount = 0;
};

struct CellFaces {
  // Per door: doors with the same number are joined.
  std::vector<uint32_t> face;
  // Per wall: a gap that it belongs to, kNoWall if it does not reach the cell. Gap i comes after door i.
  std::vector<uint32_t> gap;
  // Per gap: whether doors i and i + 1 meet in a free corner.
  std::vector<uint8_t> open;
};

struct FaceScratch {
  std::vector<uint32_t> parent;
  std::vector<uint32_t> last;
  std::vector<Vec2> polygon;
  std::vector<Vec2> common;
  std::vector<Vec2> clipped;
  std::vector<uint32_t> near;  // walls whose boxes come near the cell's
};

// `doors` are those of all edges, counter-clockwise. O(edges times walls + pairs of walls).
void findFaces(std::span<const CellEdge> edges, std::span<const Door> doors, std::span<const Wall> walls, double r,
               FaceScratch& scratch, CellFaces& faces);

}  // namespace wend
