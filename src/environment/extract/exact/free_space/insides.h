#pragma once

#include <cstdint>
#include <vector>

#include "environment/extract/exact/free_space/free_space.h"
#include "environment/extract/soup/solids.h"

namespace wend::exact {

// A mark for each patch that lies inside a solid. Between inside and outside lies what the surface of the solid covers,
// so a few places of a patch tell for all of it; where they disagree it stays. Empty if there is none.
std::vector<uint8_t> findInsides(const Solids& solids, const Facets& facets, const Patches& patches,
                                 const Tolerances& tolerances, const Context& context);

}  // namespace wend::exact
