#pragma once

#include <vector>

#include "planning/disk/crossing_search.h"
#include "planning/disk/crossing_sleeve.h"
#include "planning/disk/faces/face_mesh.h"
#include "planning/disk/string_pulling.h"
#include "planning/point/funnel.h"

// The shortest path of a disk inside a corridor, from the borders of its free part: certain, and linear in the corridor
// once the borders of its crossings are known.
//
// The free part of the corridor is a sleeve: a row of segments from its left border to its right one. Arcs of the
// borders are polygons in it. The funnel of points finds the corners at which the path bends, in their order, whatever
// the shape of the crossings. The tangents and arcs around these corners are the path.
namespace wend {

// What the sleeve of a crossing is made from.
enum class SleeveSource : uint8_t {
  kFaces,    // the triangles of the cell's faces, in the cells of both ends too
  kBorders,  // the area between both borders of the crossing
};

// The sleeves of the crossings of a table. Belongs to one thread.
class CrossingSleeves {
 public:
  explicit CrossingSleeves(ShrunkPortals& table) : table_(table), faces_(table) {}

  // Appends the sleeve of a step, both portals left out. False if its border cannot be traced.
  bool append(const DiskPieces& pieces, const DiskEnds& ends, const DiskPath& path, size_t step, SleeveSource source,
              std::vector<SleevePortal>& portals);
  // The same with finer arcs, not in cells that hold an end and are not cut.
  bool appendFine(const DiskPieces& pieces, const DiskPath& path, size_t step, double arcStep,
                  std::vector<SleevePortal>& portals);

 private:
  struct Range {
    uint32_t first = kNone;  // kNone: not known yet
    uint32_t count = 0;
    bool traced = false;
  };
  ShrunkPortals& table_;
  FaceMeshes faces_;
  std::vector<Range> ranges_;  // per crossing: between its borders
  std::vector<SleevePortal> portals_;
  std::vector<ContourInterval> intervals_;
  std::vector<Vec2> polygon_;
  SleeveScratch scratch_;
};

struct SleeveStringScratch {
  std::vector<SleevePortal> portals;
  std::vector<uint32_t> stepOf;  // per portal
  std::vector<StringPortal> string;
  FunnelScratch funnel;
  SearchPath path;
  std::vector<DiskContact> taut;
  WayScratch way;
};

// Fills `string`; false if the border of a crossing cannot be traced. `tolerance`: how much nearer than the table's
// radius a path may come by rounding.
bool pullSleeveString(ShrunkPortals& table, CrossingSleeves& sleeves, SleeveSource source, const DiskPieces& pieces,
                      const DiskEnds& ends, const DiskPath& path, double tolerance, SleeveStringScratch& scratch,
                      DiskString& string);

// Finds the free space beside the arcs of that string, which limits how far the lines in their place may bulge.
void limitArcs(ShrunkPortals& table, const DiskPath& path, const SleeveStringScratch& scratch, DiskString& string);

// As pullSleeveString(), with arcs so fine that the funnel's own result is the path. Slower, for corridors as narrow as
// the disk.
bool pullFineSleeveString(ShrunkPortals& table, CrossingSleeves& sleeves, const DiskPieces& pieces,
                          const DiskEnds& ends, const DiskPath& path, double tolerance, SleeveStringScratch& scratch,
                          DiskString& string);

}  // namespace wend
