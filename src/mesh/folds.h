#pragma once

#include <vector>

#include "mesh/side_pieces.h"

// Where a cell is narrower than the tolerance, cutting its sides at each other makes them run there and back over the
// same ground: a fold, which encloses nothing.
namespace wend {

// Takes folds out of the cells' loops before loose pieces are paired, so that they do not compete with the pieces on
// either side of them. Only folds of two loose pieces in one domain: of others, the pieces across still need them.
// As below, returns whether there were any.
bool dropLooseFolds(std::vector<SidePiece>& pieces);

// Takes all folds out once the pieces are paired: the pieces across a fold become twins. Cells may lose all pieces,
// never all but one or two. O(n).
bool closeFolds(std::vector<SidePiece>& pieces);

}  // namespace wend
