#include "planning/corridor_cells.h"

#include <algorithm>
#include <array>

namespace wend {

CorridorCells::CorridorCells(const NavMesh& mesh, const CorridorMap& map)
    : mesh_(&mesh), map_(&map), begin_(map.arcs.size() + 1), cells_(map.cellArc.size()) {
  for (const uint32_t arc : map.cellArc) ++begin_[arc + 1];
  for (size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (CellId cell = 0; cell < map.cellArc.size(); ++cell) cells_[next[map.cellArc[cell]]++] = cell;
}

CellId CorridorCells::cellIn(uint32_t arc, LayerId layer) const {
  for (uint32_t i = begin_[arc]; i < begin_[arc + 1]; ++i) {
    if (mesh_->layerOf(cells_[i]) == layer) return cells_[i];
  }
  return begin_[arc] < begin_[arc + 1] ? cells_[begin_[arc]] : kNone;
}

SideId CorridorCells::portalBetween(CellId from, CellId to) const {
  for (SideId s = mesh_->firstSide(from); s != mesh_->endSide(from); ++s) {
    if (mesh_->neighbour(s) == to) return s;
  }
  return kNone;
}

void CorridorCells::append(CellId cell, Route& route) const {
  if (route.cells.back() == cell) return;
  const CellId last = route.cells.back();
  if (const SideId side = portalBetween(last, cell); side != kNone) {
    route.portals.push_back(side);
    route.cells.push_back(cell);
    return;
  }
  // Around a vertex of the axis, or where connections cut cells into pieces, others lie between: the shortest way.
  struct Visit {
    CellId cell;
    SideId side;  // by which it was entered, seen from the cell before
    size_t before;
  };
  constexpr size_t kMost = 256;
  std::array<Visit, kMost> visits;
  size_t count = 1;
  visits[0] = {last, kNone, 0};
  for (size_t i = 0; i < count && count < kMost; ++i) {
    for (SideId s = mesh_->firstSide(visits[i].cell); s != mesh_->endSide(visits[i].cell) && count < kMost; ++s) {
      const CellId next = mesh_->neighbour(s);
      const auto end = visits.begin() + static_cast<std::ptrdiff_t>(count);
      if (next == kNone || std::any_of(visits.begin(), end, [&](const Visit& v) { return v.cell == next; })) continue;
      visits[count++] = {next, s, i};
      if (next != cell) continue;
      const size_t first = route.cells.size();
      for (size_t v = count - 1; v != 0; v = visits[v].before) {
        route.cells.push_back(visits[v].cell);
        route.portals.push_back(visits[v].side);
      }
      std::reverse(route.cells.begin() + static_cast<std::ptrdiff_t>(first), route.cells.end());
      std::reverse(route.portals.begin() + static_cast<std::ptrdiff_t>(first - 1), route.portals.end());
      return;
    }
  }
}

void CorridorCells::follow(const std::vector<CorridorPiece>& pieces, CellId start, CellId goal, Route& route) const {
  route.cells.push_back(start);
  for (const CorridorPiece& piece : pieces) {
    const uint32_t arc = piece.arc >> 1;
    const uint32_t reversed = piece.arc & 1;
    const CellId cell = cellIn(arc, map_->bendingPoints[arc + reversed].layer);
    if (cell != kNone) append(cell, route);
    const CellId ahead = cellIn(arc, map_->bendingPoints[arc + 1 - reversed].layer);
    if (ahead != kNone) append(ahead, route);
  }
  append(goal, route);
}

}  // namespace wend
