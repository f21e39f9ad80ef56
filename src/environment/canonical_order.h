#pragma once

#include <wend/environment.h>

namespace wend {

// Puts an environment into the order in which overlay() and the readers give it: every ring begins at its smallest
// vertex, holes, polygons and connections are sorted, and the points of a height field follow their first use by a
// triangle. Worlds that are the same then compare and hash the same, however they came about, and writing and reading
// gives back what was written. O(n log n).
void putInCanonicalOrder(Environment& environment);

}  // namespace wend
