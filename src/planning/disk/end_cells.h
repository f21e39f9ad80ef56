#pragma once

#include <span>
#include <vector>

#include "planning/clearance/shrunk_portals.h"

// The cells of a query's start and goal, cut into at most three convex pieces each, so that both points become corners.
// Then the question which doors a point can reach is the same as that of a door: which doors does a piece join?
namespace wend {

// Crossings of the cuts between pieces carry this bit; the rest is 2 * local door + direction.
inline constexpr CrossingId kLocalCrossing = 0x80000000U;

class DiskPieces {
 public:
  struct Edge {
    Vec2 a;
    Vec2 b;
    SideId side = kNone;  // kNone on a cut
    uint32_t cut = kNone;
    bool forward = true;  // along the cut's own direction
  };
  struct Piece {
    CellId cell = kNone;
    std::vector<Edge> edges;
    std::vector<CrossingId> entries;
    CellFaces faces;
    std::vector<Vec2> polygon;
    uint32_t startDoor = kNone;  // the door around the corner where the query starts or ends
    uint32_t goalDoor = kNone;
    bool containsEntry(CrossingId crossing) const;
  };
  // A free stretch of a cut.
  struct CutDoor {
    double low, high;
    SideId lowWall, highWall;
    uint32_t cut;
    Vec2 lowEnd, highEnd;
    Vec2 lowCentre, highCentre;  // as those of a PortalDoor
  };

  void clear();
  // Cuts the cell (or the piece of it that contains the point) at a point inside. If the point lies on a cut already,
  // nothing is cut. Returns false if the point is on no piece.
  void cut(const NavMesh& mesh, CellId cell, Vec2 point);
  // Finds the doors and faces of all pieces; start and goal are the corners to look for.
  void evaluate(RadiusTable& table, const Vec2* start, const Vec2* goal);

  bool isCut(CellId cell) const;
  std::span<const Piece> pieces() const { return std::span(pieces_).first(count_); }
  // The piece that a crossing enters, or null if it enters no cut cell.
  const Piece* behind(const RadiusTable& table, CrossingId crossing) const {
    return count_ == 0 ? nullptr : find(table, crossing);
  }
  const CutDoor& door(CrossingId crossing) const { return doors_[(crossing & ~kLocalCrossing) >> 1]; }
  size_t crossingCount() const { return 2 * doors_.size(); }
  Vec2 cutStart(uint32_t cut) const { return cuts_[cut].a; }
  // A crossing of the cut on which the point lies, or kNone.
  CrossingId crossingAt(const NavMesh& mesh, CellId cell, Vec2 point) const;

 private:
  struct Cut {
    Vec2 a, b;
    uint32_t firstDoor = 0;
    uint32_t doorCount = 0;
  };
  const Piece* find(const RadiusTable& table, CrossingId crossing) const;
  Piece& addPiece(CellId cell);
  void split(size_t piece, Vec2 point);
  void evaluate(RadiusTable& table, Piece& piece);

  std::vector<Piece> pieces_;
  size_t count_ = 0;
  std::vector<Cut> cuts_;
  std::vector<CutDoor> doors_;
  std::vector<uint32_t> doorPieces_;  // per local crossing: the piece it enters

  std::vector<Door> pieceDoors_;
  std::vector<CellEdge> pieceEdges_;
  DoorScratch doorScratch_;
  FaceScratch faceScratch_;
  std::vector<Edge> old_;
};

}  // namespace wend
