#pragma once

#include <wend/context.h>
#include <wend/environment.h>

namespace wend::exact {

// Drops vertices of borders and connections that lie within 1.5 units of the straight line between those before and
// after them: where pieces of floor meet along one side of the model, or a strip was cut off, rounding leaves jags of a
// unit. Each costs a cell or two later on, and a disk that turns around a corner takes the jag beside it for another
// wall. Ends of connections, and points that several rings or walks share, stay. The polygons are valid before and
// after. Expected O(n log n).
void straighten(Environment& environment, const Context& context);

}  // namespace wend::exact
