#pragma once

#include <vector>

#include "planning/disk/crossing_sleeve.h"
#include "planning/disk/end_cells.h"

// The free parts of the cells of a table, as triangles. A face of a cell is where a disk gets without leaving the cell.
// All walls are on the border of the cell or beyond it, so a face has no holes, and its triangles form a tree. The way
// through a face from anywhere to anywhere is a path in that tree.
namespace wend {

// Each cell is triangulated when a path first needs it. Belongs to one thread.
class FaceMeshes {
 public:
  // A place in a cell, or one of the shrunk portals of the cell.
  struct Stop {
    Vec2 place;
    uint32_t interval = kNone;  // index among the cell's entries; kNone: the place
  };

  explicit FaceMeshes(ShrunkPortals& table) : table_(table) {}

  // Appends the segments between both stops, which the shortest path passes in this order. Shrunk portals are left out.
  // False if the border of a face cannot be traced, or if the stops are not in one face. O(triangles of the cell) for a
  // place, else O(result).
  bool appendSleeve(CellId cell, const Stop& from, const Stop& to, std::vector<SleevePortal>& portals);

  // Of memory, for what is known so far.
  size_t bytes() const;

 private:
  // Of three consecutive corners u, v, w, counter-clockwise, that were cut off the face. The rest of the face lies
  // behind wu. The parent is the triangle there, with a larger number; kNone for the last one.
  struct Triangle {
    uint32_t u, v, w;
    uint32_t parent;
  };
  struct Record {
    uint32_t firstTriangle = 0;
    uint32_t triangleCount = 0;
    uint32_t firstInterval = 0;  // into atInterval_
    bool known = false;
    bool traced = false;
  };
  const Record& find(CellId cell);
  bool trace(CellId cell, Record& record);
  bool addFace(const ContourCell& cell, uint32_t first, uint32_t firstInterval);
  // Cuts the polygon of corners_ into triangles.
  bool triangulate(uint32_t firstInterval);
  bool isEar(uint32_t v, bool strict) const;
  void cutOff(uint32_t v, uint32_t firstInterval);
  uint32_t triangleAt(const Record& record, Vec2 place) const;

  // A corner of the polygon that is left.
  struct Corner {
    uint32_t point;
    uint32_t next;
    uint32_t previous;
    // What lies behind the edge to the next corner.
    uint32_t interval = kNone;
    uint32_t triangle = kNone;
  };

  ShrunkPortals& table_;
  std::vector<Record> records_;  // per cell
  std::vector<ContourPoint> points_;
  std::vector<Triangle> triangles_;
  std::vector<uint32_t> faces_;       // per triangle
  std::vector<uint32_t> atInterval_;  // the triangle behind it

  DiskPieces noPieces_;
  std::vector<Vec2> polygon_;
  std::vector<ContourInterval> intervals_;
  std::vector<ContourPoint> border_;
  std::vector<Corner> corners_;
  std::vector<SleevePortal> back_;
};

}  // namespace wend
