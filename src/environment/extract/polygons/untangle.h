#pragma once

#include "environment/extract/polygons/rings.h"

namespace wend::extraction {

// Makes boundary walks that lie upon themselves the border of all that they wind around: where two floors overlap by
// less than a contact, or rounding folds a floor, a walk goes around a strip twice or comes back along its own line.
// Walks that meet in vertices only stay as they are, and so do nested ones. Afterwards sides meet in common ends only;
// where they crossed, a vertex is rounded to the lattice. False, and nothing changed, if the walks are torn. Expected
// O(n log n).
bool untangle(Rings& rings);

}  // namespace wend::extraction
