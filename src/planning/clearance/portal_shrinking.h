#pragma once

#include <array>
#include <forward_list>
#include <span>
#include <vector>

#include <wend/navmesh.h>

#include "planning/clearance/cell_crossings.h"
#include "planning/clearance/clearance_table.h"
#include "planning/clearance/near_walls.h"

// Portal shrinking: the shrunk portals of a mesh for disks of one radius, and the crossings between them in each cell.
// Cells are evaluated when a query first needs them. Belongs to one thread. The answers do not depend on the order of
// the queries.
namespace wend {

// Radii are compared after this relative slack, so that a corridor of width 2 r lets a disk of radius r pass.
inline constexpr double kRadiusSlack = 1e-9;

// A shrunk portal in lattice units (the public one, ShrunkPortal, is in metres). One portal may have several. `side` is
// the portal's smaller side; it gives the direction.
struct ShrunkPortalUnits {
  struct End {
    Vec2 place;
    // The centre of the circle that a path around the end follows: the corner of a wall or, on the length of a wall,
    // its nearest point. At a free end the place itself.
    Vec2 centre;
    SideId wall = kNone;  // that ends it; kNone where it reaches the portal's own end
  };
  double low = 0;
  double high = 0;
  SideId side = kNone;
  std::array<End, 2> ends;  // where it begins and ends; directed portal c has ends[c & 1] on its left
};

// A directed portal is a shrunk portal passed in one direction. The id 2 i enters the cell of the side of shrunk portal
// i, the id 2 i + 1 the cell of its twin; id ^ 1 is the opposite direction.
using DirectedPortalId = uint32_t;

// All that a search needs of a directed portal.
struct DirectedPortal {
  Vec2 left;  // the ends in the direction of travel
  Vec2 right;
  CellId cell = kNone;             // entered
  uint32_t record = kNone;         // of the cell, kNone until the cell is evaluated
  uint32_t firstCrossing = kNone;  // from here to the portals of the cell; kNone until one is needed
  uint32_t index : 31 = 0;         // among the entries of the cell, once it is evaluated
  uint32_t deadEnd : 1 = 0;        // the only way back is the same shrunk portal
};

struct MeshAnalysis;
class CrossingWalls;

class ShrunkPortals {
 public:
  // r in lattice units, above 0. The clearance table and the mesh analysis save time if given; they must outlive this.
  explicit ShrunkPortals(NavMesh mesh, double r, const ClearanceTable* clearance = nullptr,
                         const MeshAnalysis* analysis = nullptr);
  ShrunkPortals(const ShrunkPortals&) = delete;
  ShrunkPortals& operator=(const ShrunkPortals&) = delete;

  // The shrunk portals of one cell, counter-clockwise.
  struct CellView {
    std::span<const DirectedPortalId> entries;  // the directed portals into this cell; ^ 1 is the way out
    std::span<const uint32_t> faces;            // shrunk portals with equal numbers are joined inside the cell
    std::span<const SideId> walls;              // those nearer than r to the cell, ascending
    std::span<const Wall> shapes;               // of the walls
    std::span<const uint32_t>
        gaps;  // per wall: the gap between shrunk portals it belongs to; gap i follows shrunk portal i
  };
  // Valid until the next call of a function of this object.
  CellView cell(CellId cell);
  struct EntryView {
    std::span<const DirectedPortalId> entries;
    std::span<const uint32_t> faces;
  };
  // The entries of the cell that a directed portal enters.
  EntryView entries(DirectedPortalId portal) {
    if (directed_[portal].record == kNone) evaluate(directed_[portal].cell);
    const Record& r = records_[directed_[portal].record];
    return {{entries_.data() + r.firstEntry, r.entryCount}, {faces_.data() + r.firstEntry, r.entryCount}};
  }
  // The walls that a straight move through a crossing may come too near to. The move stays within the cell, begins and
  // ends a radius from all walls, and passes between the ends of both shrunk portals. Walls on the left and on the
  // right are nearest to the move at the corners where the shrunk portals end: a move that keeps the radius from those
  // corners keeps it from these walls too.
  enum class WallKind : uint8_t { kOpen, kLeft, kRight, kFar };
  struct WallGroup {
    uint32_t first = kNone;
    uint16_t open = 0;  // neither left nor right
    uint16_t left = 0;
    uint16_t right = 0;
  };
  // The walls of one crossing: for moves in the hull of both shrunk portals, and for all moves in the cell.
  struct Crossing {
    WallGroup hull;
    WallGroup cell;
    bool known = false;
    bool alone = false;  // the cell has only these two shrunk portals
  };
  // From `in`, which enters the cell, to `out`, which leaves it. Null for cells with too many shrunk portals. Valid
  // until the next call.
  const Crossing* crossing(DirectedPortalId in, DirectedPortalId out) {
    const uint32_t first = directed_[in].firstCrossing;
    if (first == kNone) return findCrossing(in, out);
    const Crossing& crossing = crossings_[first + directed_[out ^ 1].index];
    return crossing.known ? &crossing : findCrossing(in, out);
  }
  // The number of that crossing, kNone for cells with too many shrunk portals.
  uint32_t crossingIndex(DirectedPortalId in, DirectedPortalId out) {
    if (directed_[in].firstCrossing == kNone && findCrossing(in, out) == nullptr) return kNone;
    return directed_[in].firstCrossing + directed_[out ^ 1].index;
  }
  std::span<const Wall> openWalls(const WallGroup& group) const {
    return {crossingWalls_.data() + group.first, group.open};
  }
  std::span<const Wall> allWalls(const WallGroup& group) const {
    return {crossingWalls_.data() + group.first, size_t{group.open} + group.left + group.right};
  }

  // The surroundings of the corner where a directed portal ends on its left or right, in the cell entered.
  struct CornerView {
    std::span<const Wall> walls;  // nearer to it than kQuiet radii
    bool sealed = false;          // all portals of the cell nearer than kBulged radii begin in it
  };
  // The lines that stand for an arc bulge by a hundredth of the radius, and keep one radius.
  static constexpr double kBulged = 1.02;
  static constexpr double kQuiet = 2.02;
  // Valid until the next call.
  CornerView around(DirectedPortalId portal, bool left);
  // The shrunk portals of a portal, in the direction of its smaller side.
  std::span<const ShrunkPortalUnits> shrunkPortals(SideId side, uint32_t& first);
  const ShrunkPortalUnits& shrunkPortal(DirectedPortalId portal) const { return shrunkPortals_[portal >> 1]; }
  const DirectedPortal& directed(DirectedPortalId portal) const { return directed_[portal]; }
  // The left or right end of a directed portal.
  const ShrunkPortalUnits::End& endOf(DirectedPortalId portal, bool left) const {
    return shrunkPortals_[portal >> 1].ends[(portal & 1) ^ (left ? 0U : 1U)];
  }
  CellId cellBehind(DirectedPortalId portal) const { return directed_[portal].cell; }
  // The side of the entered cell. Ids depend on which cells were needed first, sides do not.
  SideId sideBehind(DirectedPortalId portal) const { return sides_[portal]; }
  size_t directedCount() const { return 2 * shrunkPortals_.size(); }
  double radius() const { return r_; }
  const NavMesh& mesh() const { return mesh_; }
  Wall wall(SideId side) const { return {sideStart(mesh_, side), sideEnd(mesh_, side)}; }
  size_t evaluated() const { return evaluated_; }

  // False if every crossing on from this directed portal is too narrow. Needs no evaluation of the cell.
  bool mayLeadOn(DirectedPortalId portal) const {
    return directed_[portal].record != kNone || isAnyCrossingWide(portal);
  }

  // True if no wall is nearer than r to the place, which lies in the cell.
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
  Range shrink(SideId side);
  Sight stripAlong(SideId side) const;
  // Allocates the arrays per cell and side, at the first query.
  void begin();
  void addPortal(const FreeInterval& interval, SideId side, uint32_t firstWall);
  void addPortal(const ClearanceTable::Shrunk& shrunk, SideId side);
  void addDirected(const ShrunkPortalUnits& shrunk);
  void evaluate(CellId cell);
  const Crossing* findCrossing(DirectedPortalId in, DirectedPortalId out);
  WallGroup groupWalls(const Record& record, const CrossingWalls& finder, std::span<const Vec2> region);
  Corner findCorner(DirectedPortalId portal, bool left);
  bool isAnyCrossingWide(DirectedPortalId portal) const;

  NavMesh mesh_;
  double r_;
  const ClearanceTable* clearance_;
  const MeshAnalysis* analysis_;
  size_t evaluated_ = 0;
  std::vector<ShrunkPortalUnits> shrunkPortals_;
  std::vector<DirectedPortal> directed_;  // two per shrunk portal
  std::vector<SideId> sides_;             // per directed portal, of the cell entered
  std::vector<Range> portals_;            // per side, used for the smaller one
  std::vector<Range> near_;               // per cell, into nearWalls_
  std::vector<SideId> nearWalls_;
  std::vector<Wall> nearShapes_;     // of nearWalls_
  std::forward_list<Sight> sights_;  // walls point into it
  std::vector<uint32_t> recordOf_;   // per cell
  std::vector<Record> records_;
  std::vector<DirectedPortalId> entries_;
  std::vector<uint32_t> faces_;
  std::vector<SideId> walls_;
  std::vector<Wall> shapes_;
  std::vector<uint32_t> gaps_;
  std::vector<Crossing> crossings_;  // per entry of a cell a row with all entries of the cell
  std::vector<Corner> corners_;      // two per directed portal
  std::vector<Wall> crossingWalls_;
  std::vector<Wall> cornerShapes_;

  std::vector<WallKind> kinds_;
  std::vector<Vec2> polygon_;
  WallSearchScratch wallSearch_;
  FreeIntervalScratch intervalScratch_;
  FaceScratch faceScratch_;
  CellFaces cellFaces_;
  std::vector<Wall> wallShapes_;
  std::vector<SideId> wallIds_;
  SightTable sightTable_;
  std::vector<SightWall> sightWalls_;
  std::vector<FreeInterval> cellIntervals_;
  std::vector<CellEdge> cellEdges_;
};

}  // namespace wend
