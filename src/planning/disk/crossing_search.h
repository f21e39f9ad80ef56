#pragma once

#include <span>
#include <vector>

#include "planning/clearance/shrunk_portals.h"
#include "planning/density/density.h"
#include "planning/disk/end_cells.h"
#include "planning/open_list.h"
#include "planning/point/mesh_analysis.h"
#include "planning/stamped.h"

// A* over crossings for a disk: exact reachability, a corridor for the route. A path may use a cell twice, even leave
// it by the portal it came in by, through another door.
namespace wend {

struct DiskEnds {
  Vec2 start;
  Vec2 goal;
  std::span<const CellId> startCells;
  std::span<const CellId> goalCells;
};

// The way through one cell or piece.
struct DiskStep {
  CellId cell = kNone;
  uint32_t piece = kNone;  // index of the piece, kNone for a whole cell
  uint32_t entry = kNone;  // door by which it is entered: index among the cell's doors; at the ends the corner's door,
  uint32_t exit = kNone;   // or kNone if the cell was not cut
};

struct DiskPath {
  std::vector<CrossingId> crossings;
  std::vector<DiskStep> steps;  // one more than crossings; one less at each end that lies on a door itself
  bool startOnDoor = false;     // the first crossing is the door on which the start lies
  bool goalOnDoor = false;
  void clear() {
    crossings.clear();
    steps.clear();
    startOnDoor = goalOnDoor = false;
  }
};

struct DiskSearchScratch {
  struct Node {
    double g = 0;
    double f = 0;
    Vec2 point;
    uint32_t parent = kNone;
    uint32_t stamp = 0;  // of the query that wrote it; one more once it is closed
  };
  uint32_t stamp = 0;            // even
  std::vector<Node> nodes;       // per crossing of the table
  std::vector<Node> localNodes;  // per crossing of a cut
  std::vector<double> lengths;   // per node, from the start: for densities alone
  std::vector<double> localLengths;
  OpenList open;
  DiskPieces pieces;
  StampedSet goalBranch;  // the dead end that the goal is in
  QueryStamp query;
};

enum class DiskAnswer : uint8_t { kFound, kUnreachable, kStartBlocked, kGoalBlocked };

// What the crowd in each cell costs.
struct DiskDensity {
  DensityCost cost;
  std::span<const CellId> cellOf;  // the density map's cell per cell of the table's mesh; empty if they are the same
  double operator()(CellId cell, double length, double before) const {
    return cost(cost.view().map->cellOf(cellOf.empty() ? cell : cellOf[cell]), length, before);
  }
};

// How to find out which doors of its cell an end can reach, without which there is no answer.
enum class EndTest : uint8_t {
  kTrust,  // all, if they are joined with each other: what is found is a path only if it, with its ends, is measured
           // later
  kLook,   // those joined with a door to which a straight way is free; if there is none, cut the cell
  kCut,    // cut the cell
};

// Fills `path`. O(k log k) for k crossings looked at, once the table holds the cells. With densities the way
// through a cell costs more than its length; the doors' places are still those of the shortest way, so the path is a
// good one, not always the cheapest.
DiskAnswer searchDisk(RadiusTable& table, const MeshAnalysis& analysis, const DiskEnds& ends, EndTest test,
                      DiskSearchScratch& scratch, DiskPath& path, uint64_t& expanded,
                      const DiskDensity* density = nullptr);

// The ends of the door a crossing passes, left and right in the direction of travel, and the walls that bound it.
struct CrossingRoom {
  Vec2 left;
  Vec2 right;
  SideId leftWall = kNone;
  SideId rightWall = kNone;
  Vec2 leftCentre;  // of the circles that a path around the ends follows
  Vec2 rightCentre;
};
CrossingRoom roomOf(const RadiusTable& table, const DiskPieces& pieces, CrossingId crossing);

}  // namespace wend
