#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include <wend/corridor_map.h>

#include "generators/ecm/edit/axis_zone.h"
#include "generators/ecm/edit/live_axis.h"
#include "generators/ecm/edit/zone_axis.h"

// Puts the new medial axis of a zone in the place of the old one.
namespace wend::ecm {

struct SplicedAxis {
  // Arcs of the old map that have another number now; kNone if the arc is gone or made anew.
  std::unordered_map<uint32_t, uint32_t> arcNow;
  std::vector<uint32_t> added;  // the arcs that were made anew, ascending
};

// `draft` is a version of the map, to be changed. Edges, vertices and bending points outside of the zone keep their
// bits and, but for a few that fill gaps, their numbers (SlotPlan). Chains of arcs are joined at their true vertices
// again; a closed chain without one gets a vertex of degree 2. Cells are left to the caller: arcs that are new or have
// another number have none in the draft. O(what is written).
SplicedAxis spliceAxis(const CorridorMap& map, const AxisZone& zone, const ZoneAxis& axis, AxisDraft& draft);

}  // namespace wend::ecm
