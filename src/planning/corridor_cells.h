#pragma once

#include <vector>

#include <wend/plan.h>

#include "planning/corridor_portals.h"

// The cells of a mesh that belong to the arcs of its corridor map.
namespace wend {

class CorridorCells {
 public:
  CorridorCells(const NavMesh& mesh, const CorridorMap& map);

  // Appends the cells along a path to the route, from the start's to the goal's, and the portals between them.
  void follow(const std::vector<CorridorPiece>& pieces, CellId start, CellId goal, Route& route) const;

 private:
  // The cell of an arc in that layer, else its first, else kNone (a cell too thin for a mesh).
  CellId cellIn(uint32_t arc, LayerId layer) const;
  SideId portalBetween(CellId from, CellId to) const;
  // Appends a cell; where it is no neighbour of the last one, the cells between them too. A cell with no neighbour
  // nearby is left out.
  void append(CellId cell, Route& route) const;

  const NavMesh* mesh_;
  const CorridorMap* map_;
  std::vector<uint32_t> begin_;  // per arc, into cells_
  std::vector<CellId> cells_;
};

}  // namespace wend
