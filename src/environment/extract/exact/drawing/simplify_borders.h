#pragma once

#include <wend/context.h>
#include <wend/environment.h>

namespace wend::exact {

// Drops vertices of borders that lie within a tolerance of a straight line, in units, without changing the topology.
// What both layers of a connection have in common stays as it is. Heights go on to where a border moved outwards.
void simplifyBorders(Environment& environment, double tolerance, const Context& context);

}  // namespace wend::exact
