#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include <wend/lattice.h>

#include "planning/clearance/distances.h"
#include "planning/clearance/walls_in_sight.h"

// Exact arbitrary clearance of one cell: the crossings of a convex cell for a disk of radius r, i.e. which free
// intervals of its edges are joined inside it. Exact by the topology of the plane.
//
// The centre may be where no wall is nearer than r. The blocked part of the cell is a union of convex sets, one per
// wall: the points of the cell nearer than r to it. So two of them belong to one blocked component if they have a point
// in common. Every blocked component touches the border of the cell (walls lie on it or outside). The border is a cycle
// of free intervals and gaps (blocked intervals). The blocked components partition the gaps, and the parts do not cross
// each other. Two free intervals are joined exactly if no component has gaps on both sides of them: the partition of
// the free intervals is the complement of the partition of the gaps (Kreweras 1972).
//
// Two of the convex sets meet in the cell if and only if they meet on its border, or if the shortest segment between
// the two walls is shorter than 2 r and its middle lies inside the cell. The points nearer than r to both walls are a
// convex set around that middle; if this set misses the border, it lies wholly inside or wholly outside.
namespace wend {

struct Wall {
  Vec2 a;
  Vec2 b;
  const Sight* sight = nullptr;  // where it counts, if not everywhere
};

// The shortest segment between pq and the wall. Only the part of pq where the wall counts; infinite if there is none.
inline Closest closestToWall(Vec2 p, Vec2 q, const Wall& wall) {
  if (wall.sight == nullptr) return closestBetween(p, q, wall.a, wall.b);
  const Interval part = wall.sight->clip(p, q);
  if (part.empty()) return {HUGE_VAL, p, wall.a};
  return closestBetween(p + part.low * (q - p), p + part.high * (q - p), wall.a, wall.b);
}

// A straight move of a disk.
struct DiskMove {
  Vec2 a;
  Vec2 b;
  double r;
  Vec2 along;
  double square;  // of its length
  double size;    // its length
  double limit;   // r times its length
  DiskMove(Vec2 from, Vec2 to, double radius)
      : a(from),
        b(to),
        r(radius),
        along(to - from),
        square(dot(along, along)),
        size(std::sqrt(square)),
        limit(radius * size) {}
  // The same move of another disk.
  DiskMove(const DiskMove& way, double radius) : DiskMove(way) {
    r = radius;
    limit = radius * size;
  }
};
// True if the disk keeps its radius from all the walls on that move.
bool isClearOf(std::span<const Wall> walls, const DiskMove& way);

// Where the segment of that length from o in the direction u (of length 1) is nearer than r to the wall.
Interval blockedBy(const Wall& wall, Vec2 o, Vec2 u, double size, double r);

// The centre of the circle that a path follows around the end of a free interval that this wall ends: a point of the
// wall. `corner` is the end of the edge on that side. Where a wall leans over the edge from there, the corner stands
// for the length of the wall.
inline Vec2 centreAt(Vec2 end, Vec2 corner, const Wall& wall) {
  const Vec2 nearest = closestOnSegment(end, wall.a, wall.b);
  if (wall.a == corner) return nearest == wall.b ? nearest : corner;
  if (wall.b == corner) return nearest == wall.a ? nearest : corner;
  return nearest;
}

inline constexpr uint32_t kNoWall = 0xffffffffU;

// A part of one edge that the centre of the disk may cross. On a portal it is a shrunk portal.
struct FreeInterval {
  double low = 0;  // along the edge
  double high = 0;
  uint32_t lowWall = kNoWall;  // the wall that ends it, an index; kNoWall where it reaches the end of the edge
  uint32_t highWall = kNoWall;
};

struct FreeIntervalScratch {
  struct Blocked {
    double low, high;
    uint32_t wall;
  };
  std::vector<Blocked> blocked;
};
// Appends the free intervals of edge ab, in order.
void findFreeIntervals(Vec2 a, Vec2 b, std::span<const Wall> walls, double r, FreeIntervalScratch& scratch,
                       std::vector<FreeInterval>& intervals);

// An edge of a convex cell, counter-clockwise.
struct CellEdge {
  Vec2 a;
  Vec2 b;
  bool wall = false;           // blocked as a whole
  uint32_t firstInterval = 0;  // into the cell's free intervals
  uint32_t intervalCount = 0;
};

struct CellFaces {
  // Per free interval: intervals with the same number are joined.
  std::vector<uint32_t> face;
  // Per wall: a gap that it belongs to, kNoWall if it does not reach the cell. Gap i comes after free interval i.
  std::vector<uint32_t> gap;
  // Per gap: whether free intervals i and i + 1 meet in a free corner.
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

// `intervals` are those of all edges, counter-clockwise. O(edges times walls + pairs of walls).
void findFaces(std::span<const CellEdge> edges, std::span<const FreeInterval> intervals, std::span<const Wall> walls,
               double r, FaceScratch& scratch, CellFaces& faces);

}  // namespace wend
