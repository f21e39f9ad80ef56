#pragma once

#include <cmath>
#include <vector>

#include "planning/clearance/portal_shrinking.h"
#include "planning/disk/bends.h"
#include "planning/disk/circle_funnel.h"
#include "planning/disk/crossing_search.h"
#include "planning/disk/portal_tangents.h"

// The shortest path of a disk inside the corridor of a search: segments and arcs of radius r around corners.
//
// A funnel (Lee, Preparata 1984) whose chains hold circles, joined by oriented tangents (Demyen, Buro 2006; Kallmann
// 2014). It begins with the ends of the shrunk portals alone. Then the path is measured against the walls that reach
// into the cells of the corridor. A wall that comes too near joins the chain of its side, and the funnel runs again.
// Every circle in a chain is blocked space on a known side, and the number of walls is finite, so the loop ends with
// the shortest path that keeps clear of all of them.
namespace wend {

struct DiskStringScratch {
  struct Inserted {
    uint32_t step;
    double order;  // around the border of the cell, from the entry on, on the contact's side
    double along;  // in the direction from entry to exit
    DiskContact contact;
  };
  std::vector<Inserted> inserted;
  std::vector<CircleFunnel::Link> chain;
  std::vector<DiskContact> taut;
  WayScratch way;
  std::vector<Vec2> polygon;
};

// The funnel alone, not measured against walls: most often that is the path.
void pullDiskStringOnce(ShrunkPortals& table, PortalTangents& tangents, const DiskPieces& pieces, const DiskEnds& ends,
                        const DiskPath& path, DiskStringScratch& scratch, DiskString& string);

// The same with only those posts at which a shortest path may turn; faster. False if the result is not taut. A string
// that keeps clear is the shortest; another one may differ from the result of the whole funnel.
bool pullThinString(ShrunkPortals& table, PortalTangents& tangents, const DiskPieces& pieces, const DiskEnds& ends,
                    const DiskPath& path, DiskStringScratch& scratch, DiskString& string);

// Lets the walls that the way to a bend of the string comes too near to join the funnel, and pulls again. False if
// there are none. `tolerance`: how much nearer than the table's radius a path may come (rounding).
bool mendDiskString(ShrunkPortals& table, const DiskPieces& pieces, const DiskEnds& ends, const DiskPath& path,
                    size_t bend, double tolerance, DiskStringScratch& scratch, DiskString& string);

// The same, until the whole string keeps clear.
void pullDiskString(ShrunkPortals& table, const DiskPieces& pieces, const DiskEnds& ends, const DiskPath& path,
                    double tolerance, DiskStringScratch& scratch, DiskString& string);

}  // namespace wend
