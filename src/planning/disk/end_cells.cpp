#include "planning/disk/end_cells.h"

#include <algorithm>

#include "geometry/predicates.h"
#include "geometry/vec2.h"

namespace wend {
namespace {

bool liesOn(Vec2 a, Vec2 b, Vec2 p) {
  return isBetween(a, p, b) && orient(a, b, p) == 0;
}

}  // namespace

bool DiskPieces::Piece::containsEntry(DirectedPortalId portal) const {
  return std::find(entries.begin(), entries.end(), portal) != entries.end();
}

void DiskPieces::clear() {
  count_ = 0;
  cuts_.clear();
  shrunkCuts_.clear();
  cutPieces_.clear();
}

DiskPieces::Piece& DiskPieces::addPiece(CellId cell) {
  if (count_ == pieces_.size()) pieces_.emplace_back();
  Piece& piece = pieces_[count_++];
  piece.cell = cell;
  piece.edges.clear();
  piece.startInterval = piece.goalInterval = kNone;
  return piece;
}

bool DiskPieces::isCut(CellId cell) const {
  return std::any_of(pieces_.begin(), pieces_.begin() + static_cast<ptrdiff_t>(count_),
                     [&](const Piece& p) { return p.cell == cell; });
}

void DiskPieces::cut(const NavMesh& mesh, CellId cell, Vec2 point) {
  if (!isCut(cell)) {
    Piece& piece = addPiece(cell);
    for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
      piece.edges.push_back({sideStart(mesh, s), sideEnd(mesh, s), s, kNone, true});
    }
  }
  for (size_t i = 0; i < count_; ++i) {
    if (pieces_[i].cell != cell) continue;
    const std::vector<Edge>& edges = pieces_[i].edges;
    if (std::any_of(edges.begin(), edges.end(), [&](const Edge& e) { return orient(e.a, e.b, point) < 0; })) continue;
    if (std::any_of(edges.begin(), edges.end(), [&](const Edge& e) { return liesOn(e.a, e.b, point); })) return;
    split(i, point);
    return;
  }
}

// Three cuts from the point to corners of a triangle around it keep every piece convex.
void DiskPieces::split(size_t index, Vec2 point) {
  old_ = pieces_[index].edges;
  const CellId cell = pieces_[index].cell;
  const size_t n = old_.size();
  size_t i = 1;
  while (i + 2 < n && orient(old_[0].a, old_[i + 1].a, point) > 0) ++i;
  const size_t corners[3] = {0, i, i + 1};
  uint32_t cuts[3];
  for (int k = 0; k < 3; ++k) {
    cuts[k] = static_cast<uint32_t>(cuts_.size());
    cuts_.push_back({point, old_[corners[k]].a});
  }
  for (int k = 0; k < 3; ++k) {
    const size_t from = corners[k];
    const size_t to = k == 2 ? n : corners[k + 1];
    Piece& piece = k == 0 ? pieces_[index] : addPiece(cell);
    piece.edges.clear();
    piece.edges.push_back({point, old_[from].a, kNone, cuts[k], true});
    for (size_t e = from; e < to; ++e) piece.edges.push_back(old_[e]);
    piece.edges.push_back({old_[to % n].a, point, kNone, cuts[(k + 1) % 3], false});
  }
}

void DiskPieces::evaluate(ShrunkPortals& table, const Vec2* start, const Vec2* goal) {
  for (size_t i = 0; i < count_; ++i) table.cell(pieces_[i].cell);
  // A cut lies in one cell, whose walls are all that come near it.
  for (size_t i = 0; i < count_; ++i) {
    const ShrunkPortals::CellView view = table.cell(pieces_[i].cell);
    for (const Edge& edge : pieces_[i].edges) {
      if (edge.cut == kNone || !edge.forward) continue;
      pieceIntervals_.clear();
      findFreeIntervals(edge.a, edge.b, view.shapes, table.radius(), intervalScratch_, pieceIntervals_);
      cuts_[edge.cut].firstShrunk = static_cast<uint32_t>(shrunkCuts_.size());
      cuts_[edge.cut].shrunkCount = static_cast<uint32_t>(pieceIntervals_.size());
      const auto name = [&](uint32_t w) { return w == kNoWall ? kNone : view.walls[w]; };
      const Vec2 along = edge.b - edge.a;
      const double size = length(along);
      for (const FreeInterval& d : pieceIntervals_) {
        const Vec2 low = edge.a + (d.low / size) * along;
        const Vec2 high = edge.a + (d.high / size) * along;
        const auto centre = [&](Vec2 end, uint32_t w, Vec2 corner) {
          return w == kNoWall ? end : centreAt(end, corner, view.shapes[w]);
        };
        shrunkCuts_.push_back({d.low, d.high, name(d.lowWall), name(d.highWall), edge.cut, low, high,
                               centre(low, d.lowWall, edge.a), centre(high, d.highWall, edge.b)});
      }
    }
  }
  cutPieces_.assign(2 * shrunkCuts_.size(), kNone);
  for (size_t i = 0; i < count_; ++i) {
    Piece& piece = pieces_[i];
    evaluate(table, piece);
    for (const DirectedPortalId c : piece.entries) {
      if ((c & kOnCut) != 0) cutPieces_[c & ~kOnCut] = static_cast<uint32_t>(i);
    }
    const auto corner = [&](const Vec2* point) {
      if (point == nullptr) return kNone;
      for (size_t e = 0; e < piece.edges.size(); ++e) {
        const CellEdge& edge = pieceEdges_[e];
        if (edge.a == *point && edge.intervalCount > 0 && pieceIntervals_[edge.firstInterval].low == 0)
          return edge.firstInterval;
      }
      return kNone;
    };
    piece.startInterval = corner(start);
    piece.goalInterval = corner(goal);
  }
}

void DiskPieces::evaluate(ShrunkPortals& table, Piece& piece) {
  const NavMesh& mesh = table.mesh();
  const ShrunkPortals::CellView view = table.cell(piece.cell);
  const auto indexOf = [&](SideId id) {
    return id == kNone
               ? kNoWall
               : static_cast<uint32_t>(std::lower_bound(view.walls.begin(), view.walls.end(), id) - view.walls.begin());
  };
  piece.entries.clear();
  piece.polygon.clear();
  pieceIntervals_.clear();
  pieceEdges_.clear();
  for (const Edge& e : piece.edges) {
    piece.polygon.push_back(e.a);
    CellEdge edge{e.a, e.b, e.side != kNone && mesh.isWall(e.side), static_cast<uint32_t>(pieceIntervals_.size()), 0};
    const double size = length(e.b - e.a);
    const auto add = [&](double low, double high, SideId lowWall, SideId highWall, bool along,
                         DirectedPortalId portal) {
      pieceIntervals_.push_back(along ? FreeInterval{low, high, indexOf(lowWall), indexOf(highWall)}
                                      : FreeInterval{size - high, size - low, indexOf(highWall), indexOf(lowWall)});
      piece.entries.push_back(portal + (along ? 0 : 1));
    };
    if (e.cut != kNone) {
      const Cut& cut = cuts_[e.cut];
      edge.intervalCount = cut.shrunkCount;
      for (uint32_t i = 0; i < cut.shrunkCount; ++i) {
        const uint32_t k = cut.firstShrunk + (e.forward ? i : cut.shrunkCount - 1 - i);
        const ShrunkCut& d = shrunkCuts_[k];
        add(d.low, d.high, d.lowWall, d.highWall, e.forward, kOnCut | (2 * k));
      }
    } else if (!edge.wall) {
      uint32_t first = 0;
      const std::span<const ShrunkPortalUnits> found = table.shrunkPortals(e.side, first);
      const bool along = e.side < mesh.twin(e.side);
      edge.intervalCount = static_cast<uint32_t>(found.size());
      for (uint32_t i = 0; i < found.size(); ++i) {
        const uint32_t k = along ? i : edge.intervalCount - 1 - i;
        add(found[k].low, found[k].high, found[k].ends[0].wall, found[k].ends[1].wall, along, 2 * (first + k));
      }
    }
    pieceEdges_.push_back(edge);
  }
  findFaces(pieceEdges_, pieceIntervals_, view.shapes, table.radius(), faceScratch_, piece.faces);
}

const DiskPieces::Piece* DiskPieces::find(const ShrunkPortals& table, DirectedPortalId portal) const {
  if ((portal & kOnCut) != 0) return &pieces_[cutPieces_[portal & ~kOnCut]];
  const CellId cell = table.cellBehind(portal);
  for (size_t i = 0; i < count_; ++i) {
    if (pieces_[i].cell == cell && pieces_[i].containsEntry(portal)) return &pieces_[i];
  }
  return nullptr;
}

DirectedPortalId DiskPieces::cutAt(const NavMesh&, CellId cell, Vec2 point) const {
  for (const Piece& piece : pieces()) {
    if (piece.cell != cell) continue;
    for (const Edge& edge : piece.edges) {
      if (edge.cut == kNone || !liesOn(edge.a, edge.b, point)) continue;
      const Cut& cut = cuts_[edge.cut];
      const double along = length(point - cut.a);
      DirectedPortalId best = kNone;
      double miss = HUGE_VAL;
      for (uint32_t k = cut.firstShrunk; k < cut.firstShrunk + cut.shrunkCount; ++k) {
        const double off = std::max({0.0, shrunkCuts_[k].low - along, along - shrunkCuts_[k].high});
        if (off < miss) {
          miss = off;
          best = kOnCut | (2 * k);
        }
      }
      return best;
    }
  }
  return kNone;
}

}  // namespace wend
