#pragma once

#include <wend/context.h>

#include "generators/neogen/subdivision.h"

// Wider angles with the same number of cells.
namespace wend::neogen {

// A portal that makes an angle below 5 degrees with a side next to it is taken out, and, if only one notch needs it,
// put back where its smallest angle is widest, among the nearest elements that the notch sees. With `relaxed`, places
// that would leave a cell that is no simple polygon are refused. Proportional to the portals.
void widenSlivers(Subdivision& subdivision, bool relaxed, const Context& context);

}  // namespace wend::neogen
