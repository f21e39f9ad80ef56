#pragma once

#include <cmath>
#include <vector>

#include "planning/clearance_radius.h"
#include "planning/disk_search.h"

// The shortest path of a disk inside the corridor of a search: segments and arcs of radius r around corners.
//
// A funnel (Lee, Preparata 1984) whose chains hold circles, joined by oriented tangents (Demyen, Buro 2006; Kallmann
// 2014). It begins with the ends of the doors alone. Then the path is measured against the walls that reach into the
// cells of the corridor; a wall that comes too near joins the chain of its side, and the funnel runs again. Every
// circle in a chain is blocked room on a known side, and the walls are finite, so the loop ends with the shortest path
// that keeps clear of all of them.
namespace wend {

// A circle that the path may wrap around: left or right of it. Radius 0 for start, goal and free ends of portals.
struct DiskContact {
  Vec2 centre;
  double radius = 0;
  double side = 0;          // +1: left of the path; -1: right of it; 0: start or goal
  uint32_t firstStage = 0;  // 2 i at gate i (0 is the start), 2 i + 1 in the step after it
  uint32_t lastStage = 0;
};

// One bend: the path arrives at `in`, turns around the centre by `sweep`, and leaves at `out`.
struct DiskBend {
  DiskContact contact;
  Vec2 in;
  Vec2 out;
  double sweep = 0;         // radians, positive counter-clockwise
  double slack = HUGE_VAL;  // how much farther than r the arc stays from walls that do not touch its centre
};

// The least distance between the arc and a wall; `nearest`, if given, becomes the wall's point.
double arcClearance(const DiskBend& bend, const Wall& wall, Vec2* nearest = nullptr);

struct DiskString {
  std::vector<DiskBend> bends;
  double length = 0;
  bool clear = true;  // the path keeps the radius everywhere
  uint32_t rounds = 0;
};

struct DiskStringScratch {
  struct Inserted {
    uint32_t step;
    double order;  // around the border of the cell, from the entry on, on the contact's side
    double along;  // in the direction from entry to exit
    DiskContact contact;
  };
  struct Link {
    DiskContact contact;
    Vec2 in;
  };
  std::vector<Inserted> inserted;
  std::vector<Link> chain;
  std::vector<DiskContact> taut;
  std::vector<Vec2> polygon;
};

// The funnel alone, not measured against walls: most often that is the path.
void pullDiskStringOnce(RadiusTable& table, const DiskPieces& pieces, const DiskEnds& ends, const DiskPath& path,
                        DiskStringScratch& scratch, DiskString& string);

// Lets the walls that the way to a bend of the string comes too near to join the funnel, and pulls again. False if
// there are none. `tolerance`: how much nearer than the table's radius a path may come (rounding).
bool mendDiskString(RadiusTable& table, const DiskPieces& pieces, const DiskEnds& ends, const DiskPath& path,
                    size_t bend, double tolerance, DiskStringScratch& scratch, DiskString& string);

// The same, until the whole string keeps clear.
void pullDiskString(RadiusTable& table, const DiskPieces& pieces, const DiskEnds& ends, const DiskPath& path,
                    double tolerance, DiskStringScratch& scratch, DiskString& string);

}  // namespace wend
