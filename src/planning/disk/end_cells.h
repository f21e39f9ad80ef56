#pragma once

#include <span>
#include <vector>

#include "planning/clearance/portal_shrinking.h"

// The cells of a query's start and goal, cut into at most three convex pieces each, so that both points become corners.
// A corner of a piece lies on free intervals of its cuts. So the portals that the point reaches are those that the
// piece joins with these intervals.
namespace wend {

// The id of a directed portal on a cut between pieces has this bit; the rest is 2 * index of the shrunk cut +
// direction.
inline constexpr DirectedPortalId kOnCut = 0x80000000U;

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
    std::vector<DirectedPortalId> entries;
    CellFaces faces;
    std::vector<Vec2> polygon;
    uint32_t startInterval = kNone;  // the free interval around the corner where the query starts or ends
    uint32_t goalInterval = kNone;
    bool containsEntry(DirectedPortalId portal) const;
  };
  // A part of a cut that the centre of the disk may cross.
  struct ShrunkCut {
    double low, high;
    SideId lowWall, highWall;
    uint32_t cut;
    Vec2 lowEnd, highEnd;
    Vec2 lowCentre, highCentre;  // as in ShrunkPortalUnits
  };

  void clear();
  // Cuts the cell (or the piece of it that contains the point) at a point inside. If the point lies on a cut already,
  // nothing is cut. Returns false if the point is on no piece.
  void cut(const NavMesh& mesh, CellId cell, Vec2 point);
  // Finds the shrunk portals and faces of all pieces; start and goal are the corners whose intervals are marked.
  void evaluate(ShrunkPortals& table, const Vec2* start, const Vec2* goal);

  bool isCut(CellId cell) const;
  std::span<const Piece> pieces() const { return std::span(pieces_).first(count_); }
  // The piece that a directed portal enters, or null if it enters no cut cell.
  const Piece* behind(const ShrunkPortals& table, DirectedPortalId portal) const {
    return count_ == 0 ? nullptr : find(table, portal);
  }
  const ShrunkCut& shrunkCut(DirectedPortalId portal) const { return shrunkCuts_[(portal & ~kOnCut) >> 1]; }
  size_t directedCount() const { return 2 * shrunkCuts_.size(); }
  Vec2 cutStart(uint32_t cut) const { return cuts_[cut].a; }
  // A directed portal of the cut on which the point lies, or kNone.
  DirectedPortalId cutAt(const NavMesh& mesh, CellId cell, Vec2 point) const;

 private:
  struct Cut {
    Vec2 a, b;
    uint32_t firstShrunk = 0;  // into shrunkCuts_
    uint32_t shrunkCount = 0;
  };
  const Piece* find(const ShrunkPortals& table, DirectedPortalId portal) const;
  Piece& addPiece(CellId cell);
  void split(size_t piece, Vec2 point);
  void evaluate(ShrunkPortals& table, Piece& piece);

  std::vector<Piece> pieces_;
  size_t count_ = 0;
  std::vector<Cut> cuts_;
  std::vector<ShrunkCut> shrunkCuts_;
  std::vector<uint32_t> cutPieces_;  // per directed portal on a cut: the piece it enters

  std::vector<FreeInterval> pieceIntervals_;
  std::vector<CellEdge> pieceEdges_;
  FreeIntervalScratch intervalScratch_;
  FaceScratch faceScratch_;
  std::vector<Edge> old_;
};

}  // namespace wend
