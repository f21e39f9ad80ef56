#pragma once

#include <optional>

#include "generators/ecm/diagram.h"
#include "generators/ecm/open_zone.h"

// The simple opening, which the software of the dissertation uses: the Voronoi diagram of the neighbours in top view.
namespace wend::ecm {

// The tree of the zone cut out of that diagram, where this is known to be right, else nothing.
//
// It is right if on the outline of the zone the nearest site in top view is the label there: a straight way from any
// point of the zone to its nearest site in top view then leaves the zone through that label, so it lies on the surface.
// Every edge of the diagram that crosses the outline does so in the centre of a circle that touches both its sites and
// the vanishing obstacle; so it is enough that each such centre on an edge is a gap, and that the cells between the
// gaps close. Neighbours that cross or touch in top view, or of which two are one in top view, are refused.
// O(m log m).
std::optional<ZoneTree> projectZone(const Diagram& diagram, const Zone& zone);

}  // namespace wend::ecm
