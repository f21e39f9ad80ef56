#pragma once

#include <cstdint>
#include <vector>

#include <wend/corridor_map.h>

#include "generators/ecm/edit/axis_zone.h"
#include "generators/ecm/edit/zone_axis.h"

// Puts the new medial axis of a zone in the place of the old one.
namespace wend::ecm {

struct SplicedAxis {
  CorridorMap map;                 // cellArc is empty
  std::vector<uint32_t> arcOfOld;  // per arc of the old map: the same arc now, kNone if it is gone or made anew
  std::vector<uint32_t> added;     // the arcs that were made anew, ascending
};

// Edges, vertices and bending points outside of the zone keep their order and their bits; edges that the zone touches,
// and the new ones, come after them. Chains of arcs are joined at their true vertices again; a closed chain without one
// gets a vertex of degree 2. The arrays are copied: O(map).
SplicedAxis spliceAxis(const CorridorMap& map, const AxisZone& zone, const ZoneAxis& axis);

}  // namespace wend::ecm
