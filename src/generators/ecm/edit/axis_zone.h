#pragma once

#include <cstdint>
#include <vector>

#include <wend/corridor_map.h>
#include <wend/environment.h>

#include "generators/ecm/edit/changed_walls.h"
#include "generators/ecm/edit/live_axis.h"

// The part of a medial axis that an edit may change.
namespace wend::ecm {

// The zone is a set of arcs with their cells. Every arc inside is made anew. Around them lie border arcs, which the
// edit does not touch: each is cut in its middle, and the half towards the zone is made anew. So the old and the new
// axis meet inside of arcs, away from all vertices.
struct AxisZone {
  enum class Part : uint8_t { kKept, kBorder, kInside };
  struct Border {
    uint32_t arc = kNone;
    uint32_t edge = kNone;
    bool forward = true;  // whether the arc runs into the zone
    Vec2 middle;          // a point of the arc, lattice units
  };
  std::vector<Part> part;        // per arc
  std::vector<uint32_t> inside;  // arcs
  std::vector<uint32_t> edges;   // edges with an arc that is not kept, ascending
  std::vector<Border> borders;
  std::vector<uint8_t> goneSites;  // per site of the map: 1 if the edit takes it away
  bool allFound = true;            // every wall that is gone was a site of the map
  Box box;                         // of the cells inside and at the border, and of the changed boxes
  bool empty() const { return inside.empty(); }
};

// Which arcs a new wall may change.
enum class ZoneReach : uint8_t {
  kWalked,    // those that some straight walks from it come to
  kAnyLayer,  // all above and below it too: never too few
};

// An arc lies inside if one of its sites goes away, or if a new wall comes at least as near to one of its points as the
// clearance there. A superset is right; what is tested is the hull of the disks in both ends, which contains the disks
// of all points of the arc. O(zone), and a look at every 64th part of the arcs and sites.
AxisZone collectAxisZone(const LiveAxis& axis, const Environment& after, const ChangedWalls& walls,
                         const ChangedArea& changed, ZoneReach reach = ZoneReach::kWalked);

// The edge that an arc belongs to.
uint32_t edgeOfArc(const CorridorMap& map, uint32_t arc);

// Whether a wall comes within `slack` of the hull of two disks. Exported for tests.
bool reachesHull(Vec2 p, double r, Vec2 q, double s, Vec2 a, Vec2 b, double slack);

}  // namespace wend::ecm
