#pragma once

#include <array>
#include <forward_list>
#include <span>
#include <vector>

#include <wend/navmesh.h>

#include "planning/clearance/cell_crossings.h"
#include "planning/clearance/clearance_table.h"
#include "planning/clearance/near_walls.h"

// What a mesh looks like to disks of one radius: the doors in its portals, and which of them each cell joins. Filled
// cell by cell as queries ask; belongs to one thread. The answers do not depend on the order of the questions.
namespace wend {

// Radii are compared after this relative slack, so that a corridor of width 2 r lets a disk of radius r pass.
inline constexpr double kRadiusSlack = 1e-9;

// A free stretch of a portal. `side` is the portal's smaller side, and gives the direction.
struct PortalDoor {
  struct End {
    Vec2 place;
    // Of the circle that a path around the end follows: the corner of a wall or, on a wall's length, its nearest point;
    // a free end itself.
    Vec2 centre;
    SideId wall = kNone;  // that ends the stretch; kNone where it reaches the portal's own end
  };
  double low = 0;
  double high = 0;
  SideId side = kNone;
  std::array<End, 2> ends;  // where it begins and ends; crossing c has ends[c & 1] on its left
};

// A crossing: a door passed in one direction. 2 * door enters the cell of the door's side, 2 * door + 1 the cell of the
// twin.
using CrossingId = uint32_t;

// What a search needs to know about a crossing, in one place.
struct Hop {
  Vec2 left;  // the door's ends in the direction of travel
  Vec2 right;
  CellId cell = kNone;         // entered
  uint32_t record = kNone;     // of the cell, once that was asked for
  uint32_t firstPass = kNone;  // of the ways from here to the cell's doors, once one was asked for
  uint32_t index : 31 = 0;     // among the entries of the cell, once that was asked for
  uint32_t deadEnd : 1 = 0;    // whoever passes has to come back by the same door
};

struct MeshAnalysis;
class PassFinder;

class RadiusTable {
 public:
  // r in lattice units, above 0. The table of widths and critical radii and the analysis of dead ends, if given, save
  // time and must outlive this.
  explicit RadiusTable(NavMesh mesh, double r, const ClearanceTable* clearance = nullptr,
                       const MeshAnalysis* analysis = nullptr);
  RadiusTable(const RadiusTable&) = delete;
  RadiusTable& operator=(const RadiusTable&) = delete;

  // The doors of one cell, counter-clockwise.
  struct CellView {
    std::span<const CrossingId> entries;  // the crossings into this cell; ^ 1 is the way out
    std::span<const uint32_t> faces;      // doors with equal numbers are joined inside the cell
    std::span<const SideId> walls;        // those nearer than r to the cell, ascending
    std::span<const Wall> shapes;         // of the walls
    std::span<const uint32_t> gaps;       // per wall: the gap between doors it belongs to; gap i follows door i
  };
  // Valid until the next call of a function of this table.
  CellView cell(CellId cell);
  struct EntryView {
    std::span<const CrossingId> entries;
    std::span<const uint32_t> faces;
  };
  // Of the cell entered.
  EntryView entries(CrossingId crossing) {
    if (hops_[crossing].record == kNone) evaluate(hops_[crossing].cell);
    const Record& r = records_[hops_[crossing].record];
    return {{entries_.data() + r.firstEntry, r.entryCount}, {faces_.data() + r.firstEntry, r.entryCount}};
  }
  // The walls of a cell that a straight way may come too near to if it keeps within the cell, begins and ends a radius
  // from all of them, and passes between the ends of both doors. Some are on the left or right of such a way, and
  // nearest to it at the corners that the doors end at there: if the way passes those by a radius, it keeps it from
  // these walls, too.
  enum class WallKind : uint8_t { kOpen, kLeft, kRight, kFar };
  struct WallGroup {
    uint32_t first = kNone;
    uint16_t open = 0;  // neither left nor right
    uint16_t left = 0;
    uint16_t right = 0;
  };
  // Of the ways between two doors of a cell: those that stay in the hull of the doors, and all.
  struct Pass {
    WallGroup hull;
    WallGroup cell;
    bool known = false;
    bool alone = false;  // the cell has no other door
  };
  // `in` enters the cell, `out` leaves it. Null for cells with too many doors; valid until the next call.
  const Pass* between(CrossingId in, CrossingId out) {
    const uint32_t first = hops_[in].firstPass;
    if (first == kNone) return findPass(in, out);
    const Pass& pass = passes_[first + hops_[out ^ 1].index];
    return pass.known ? &pass : findPass(in, out);
  }
  // A number for the same pair, kNone for cells with too many doors.
  uint32_t passBetween(CrossingId in, CrossingId out) {
    if (hops_[in].firstPass == kNone && findPass(in, out) == nullptr) return kNone;
    return hops_[in].firstPass + hops_[out ^ 1].index;
  }
  std::span<const Wall> openWalls(const WallGroup& group) const {
    return {passShapes_.data() + group.first, group.open};
  }
  std::span<const Wall> allWalls(const WallGroup& group) const {
    return {passShapes_.data() + group.first, size_t{group.open} + group.left + group.right};
  }

  // The surroundings, in the cell entered, of the corner that a door ends at, on the left or right of a crossing.
  struct CornerView {
    std::span<const Wall> walls;  // nearer to it than kQuiet radii
    bool sealed = false;          // no portal of the cell but those that begin in it is nearer than kBulged radii
  };
  // The lines that stand for an arc bulge by a hundredth of the radius, and keep one radius.
  static constexpr double kBulged = 1.02;
  static constexpr double kQuiet = 2.02;
  // Valid until the next call.
  CornerView around(CrossingId crossing, bool left);
  // The doors of a portal, in the direction of its smaller side.
  std::span<const PortalDoor> doors(SideId side, uint32_t& first);
  const PortalDoor& door(CrossingId crossing) const { return doors_[crossing >> 1]; }
  const Hop& hop(CrossingId crossing) const { return hops_[crossing]; }
  // The end of a door on the left or right of a crossing.
  const PortalDoor::End& endOf(CrossingId crossing, bool left) const {
    return doors_[crossing >> 1].ends[(crossing & 1) ^ (left ? 0U : 1U)];
  }
  CellId cellBehind(CrossingId crossing) const { return hops_[crossing].cell; }
  size_t crossingCount() const { return 2 * doors_.size(); }
  double radius() const { return r_; }
  const NavMesh& mesh() const { return mesh_; }
  Wall wall(SideId side) const { return {sideStart(mesh_, side), sideEnd(mesh_, side)}; }
  size_t evaluated() const { return evaluated_; }

  // Whether some way out of the cell entered by this crossing may be wide enough; if not, the cell need not be looked
  // at.
  bool mayLeadOn(CrossingId crossing) const { return hops_[crossing].record != kNone || isAnyWayWide(crossing); }

  // The nearest distance from a place in a cell to a wall is at least r.
  bool isFree(CellId cell, Vec2 place);

 private:
  struct Record {
    uint32_t firstEntry = 0;
    uint32_t entryCount = 0;
    uint32_t firstWall = 0;
    uint32_t wallCount = 0;
  };
  struct Range {
    uint32_t first = kNone;
    uint32_t count = 0;
  };
  struct Corner {
    uint32_t first = kNone;  // into cornerShapes_
    uint16_t count = 0;
    bool sealed = false;
  };
  Range nearWalls(CellId cell);
  void findWallsInLayers(CellId cell, uint32_t first);
  Range findPortalDoors(SideId side);
  Sight stripAlong(SideId side) const;
  // Takes memory for the mesh: a table that nobody asks takes none.
  void begin();
  void addDoor(const Door& door, SideId side, uint32_t firstWall);
  void addDoor(const ClearanceTable::Room& room, SideId side);
  void addHops(const PortalDoor& door);
  void evaluate(CellId cell);
  const Pass* findPass(CrossingId in, CrossingId out);
  WallGroup groupWalls(const Record& record, const PassFinder& finder, std::span<const Vec2> region);
  Corner findCorner(CrossingId crossing, bool left);
  bool isAnyWayWide(CrossingId crossing) const;

  NavMesh mesh_;
  double r_;
  const ClearanceTable* clearance_;
  const MeshAnalysis* analysis_;
  size_t evaluated_ = 0;
  std::vector<PortalDoor> doors_;
  std::vector<Hop> hops_;       // two per door
  std::vector<Range> portals_;  // per side, used for the smaller one
  std::vector<Range> near_;     // per cell, into nearWalls_
  std::vector<SideId> nearWalls_;
  std::vector<Wall> nearShapes_;     // of nearWalls_
  std::forward_list<Sight> sights_;  // walls point into it
  std::vector<uint32_t> recordOf_;   // per cell
  std::vector<Record> records_;
  std::vector<CrossingId> entries_;
  std::vector<uint32_t> faces_;
  std::vector<SideId> walls_;
  std::vector<Wall> shapes_;
  std::vector<uint32_t> gaps_;
  std::vector<Pass> passes_;     // a row of the cell's entries per entry
  std::vector<Corner> corners_;  // two per crossing
  std::vector<Wall> passShapes_;
  std::vector<Wall> cornerShapes_;

  std::vector<WallKind> kinds_;
  std::vector<Vec2> polygon_;
  WallSearchScratch wallSearch_;
  DoorScratch doorScratch_;
  FaceScratch faceScratch_;
  CellFaces cellFaces_;
  std::vector<Wall> wallShapes_;
  std::vector<SideId> wallIds_;
  SightTable sightTable_;
  std::vector<SightWall> sightWalls_;
  std::vector<Door> cellDoors_;
  std::vector<CellEdge> cellEdges_;
};

}  // namespace wend
