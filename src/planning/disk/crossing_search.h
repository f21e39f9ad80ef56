#pragma once

#include <span>
#include <vector>

#include "planning/clearance/portal_shrinking.h"
#include "planning/density/density.h"
#include "planning/disk/end_cells.h"
#include "planning/open_list.h"
#include "planning/point/mesh_analysis.h"
#include "planning/stamped.h"

// A* for a disk, from crossing to crossing: exact reachability, and a corridor for the route. A node is a directed
// portal. A path may use a cell twice, and may even leave it by the portal where it entered, through another shrunk
// portal.
namespace wend {

struct DiskEnds {
  Vec2 start;
  Vec2 goal;
  std::span<const CellId> startCells;
  std::span<const CellId> goalCells;
};

// The crossing of one cell or piece.
struct DiskStep {
  CellId cell = kNone;
  uint32_t piece = kNone;  // index of the piece, kNone for a whole cell
  // Indices among the shrunk portals of the cell. At the ends of the path: the free interval around the corner, or
  // kNone if the cell is not cut.
  uint32_t entry = kNone;
  uint32_t exit = kNone;
};

struct DiskPath {
  std::vector<DirectedPortalId> portals;
  std::vector<DiskStep> steps;  // one more than portals; one less at each end that lies on a shrunk portal itself
  bool startOnPortal = false;   // the start lies on the first portal
  bool goalOnPortal = false;
  void clear() {
    portals.clear();
    steps.clear();
    startOnPortal = goalOnPortal = false;
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
  std::vector<Node> nodes;       // per directed portal of the table
  std::vector<Node> localNodes;  // per directed portal of a cut
  std::vector<double> lengths;   // per node, from the start: for densities alone
  std::vector<double> localLengths;
  OpenList open;
  DiskPieces pieces;
  StampedSet goalBranch;  // the dead end that the goal is in
  QueryStamp query;
};

enum class DiskAnswer : uint8_t { kFound, kUnreachable, kStartBlocked, kGoalBlocked };

// The cost of the crowd in each cell.
struct DiskDensity {
  DensityCost cost;
  std::span<const CellId> cellOf;  // the density map's cell per cell of the table's mesh; empty if they are the same
  double operator()(CellId cell, double length, double before) const {
    return cost(cost.view().map->cellOf(cellOf.empty() ? cell : cellOf[cell]), length, before);
  }
};

// Which shrunk portals of its cell an end of the path can reach.
enum class EndTest : uint8_t {
  kTrust,  // all, if they are joined with each other; the result is a path only if a later measurement of the whole
           // path, ends included, confirms it
  kLook,   // those joined with a shrunk portal that a free straight segment leads to; if there is none, cut the cell
  kCut,    // cut the cell
};

// Fills `path`. O(k log k) for k directed portals visited, once the table holds the cells. With densities a crossing
// costs more than its length. The points on the portals are still those of the shortest path, so the path is a good
// one, not always the cheapest.
DiskAnswer searchDisk(ShrunkPortals& table, const MeshAnalysis& analysis, const DiskEnds& ends, EndTest test,
                      DiskSearchScratch& scratch, DiskPath& path, uint64_t& expanded,
                      const DiskDensity* density = nullptr);

// The ends of a directed portal, left and right in the direction of travel, and the walls that end it.
struct PortalEnds {
  Vec2 left;
  Vec2 right;
  SideId leftWall = kNone;
  SideId rightWall = kNone;
  Vec2 leftCentre;  // of the circles that a path around the ends follows
  Vec2 rightCentre;
};
PortalEnds portalEnds(const ShrunkPortals& table, const DiskPieces& pieces, DirectedPortalId portal);

}  // namespace wend
