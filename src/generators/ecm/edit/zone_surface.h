#pragma once

#include <span>
#include <vector>

#include <wend/environment.h>
#include <wend/result.h>

#include "generators/ecm/edit/axis_zone.h"
#include "generators/ecm/edit/changed_walls.h"
#include "generators/ecm/edit/live_axis.h"
#include "generators/ecm/edit/zone_axis.h"
#include "geometry/snap_round.h"

// The new medial axis inside a zone whose walls lie above each other in top view.
namespace wend::ecm {

// Makes the map of the layers around the zone with their connections, as a new construction does, and cuts the zone out
// of it. So layers may overlap in any way. Right if every disk of the result lies in the box of those before, which all
// connections in it are open for; should one not, all layers that hang together are taken.
//
// kUnsupported where a border is not found again, and the errors of the construction. O(m log m) for the m vertices of
// the rings that come near the zone, and a look at every ring of their layers and every connection.
Result<ZoneAxis> buildZoneOnSurface(const LiveAxis& axis, const Environment& after, const AxisZone& zone,
                                    const ChangedWalls& walls);

// The layers that a walk from the given ones reaches inside of the box (lattice units): rings that come near it, and
// connections. Those that end at one of the walls are open too, else the wall would go on along them. Heights and
// regions are left out; layers keep their numbers, and those that are not reached are empty. Exported for tests.
Environment environmentAround(const Environment& environment, std::vector<bool> layers, const Extent& box,
                              std::span<const Segment> walls = {});

}  // namespace wend::ecm
