#pragma once

#include <span>
#include <vector>

#include "planning/ends.h"
#include "planning/point/mesh_analysis.h"
#include "planning/point/polyanya.h"

// Shortest paths of a point from one place to many, and all cells within a walking distance. Polyanya's search without
// a goal: intervals in the order of their distance from the start.
namespace wend {

struct FloodTarget {
  Vec2 place;
  std::span<const CellId> cells;  // that contain it
  uint32_t id = 0;                // of the caller
  double distance = 0;            // lattice units; infinity until it is reached
};

struct PointFloodScratch {
  QueryStamp stamp;
  StampedArray<double> reached;        // per cell: the length of the shortest path to its nearest point
  std::vector<CellId> cells;           // those reached, each once
  StampedArray<uint32_t> firstTarget;  // per cell, into entries
  struct Entry {
    uint32_t target;
    uint32_t next;
  };
  std::vector<Entry> entries;
  SearchScope scope;
  PolyanyaScratch polyanya;
};

// Fills `reached` and `cells` of the scratch up to `limit` lattice units, and the distances of the targets. Without a
// limit it ends when all targets are reached. O(k log k) for k intervals nearer than that.
void floodPoint(const NavMesh& mesh, const MeshAnalysis& analysis, const End& start, double limit,
                std::span<FloodTarget> targets, PointFloodScratch& scratch);

}  // namespace wend
