#pragma once

#include <wend/environment.h>

namespace wend {

// Puts an environment into the order in which overlay() and the readers give it: every ring begins at its smallest
// vertex, holes, polygons and connections are sorted, and the points of a height field follow their first use by a
// triangle. Equal worlds then compare and hash equal, whatever made them, and reading gives back what was
// written. O(n log n).
void putInCanonicalOrder(Environment& environment);

}  // namespace wend
