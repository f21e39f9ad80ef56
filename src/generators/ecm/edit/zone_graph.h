#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <wend/corridor_map.h>

#include "generators/ecm/edit/axis_zone.h"
#include "generators/ecm/edit/changed_walls.h"
#include "generators/ecm/edit/live_axis.h"
#include "generators/ecm/edit/zone_axis.h"

// Cuts the new medial axis of a zone out of a larger graph of arcs, wherever that graph comes from.
namespace wend::ecm {

// Arcs around a zone, as half-edges e and e ^ 1 that are twins.
struct ZoneGraph {
  struct Node {
    Vec2 p;  // lattice units
    double clearance = 0;
    LayerId layer = 0;
    bool corner = false;   // on a wall: every arc ends there for itself
    bool blocked = false;  // a bisector leads from here into an obstacle, so walls are missing around it
    uint32_t firstOut = 0;
    uint32_t degree = 0;
  };
  struct Half {
    uint32_t start = kNone;  // node; kNone where the graph goes on without end
    uint32_t left = kNone;   // site of the ZoneSites; kNone if this is no arc
  };
  std::vector<Node> nodes;
  std::vector<Half> halves;
  std::vector<uint32_t> out;  // half-edges that leave each node and are arcs, counter-clockwise

  uint32_t end(uint32_t half) const { return halves[half ^ 1U].start; }
  bool isArc(uint32_t half) const { return halves[half].left != kNone; }
};

// The nearest point of the site left of a half-edge, where that starts or ends.
using FootAt = std::function<ZoneAxis::Foot(uint32_t half, bool atEnd)>;

// The sites of a zone, each once.
class ZoneSites {
 public:
  // The sites of the zone's arcs that the edit leaves, with the numbers that they have.
  ZoneSites(const CorridorMap& map, const AxisZone& zone);

  uint32_t of(const CorridorMap::Site& site);
  // kNone if there is no such site.
  uint32_t find(const CorridorMap::Site& site) const;
  const std::vector<ZoneAxis::Site>& all() const { return sites_; }
  std::vector<ZoneAxis::Site> take() { return std::move(sites_); }

 private:
  using Key = std::tuple<LayerId, Point, Point>;
  static Key keyOf(const CorridorMap::Site& site) { return {site.layer, site.a, site.b}; }

  std::vector<ZoneAxis::Site> sites_;
  std::map<Key, uint32_t> ids_;
};

// Walks over the graph from the borders into the zone, and from the walls that belong to the zone wholly, and writes
// nodes and arcs. Empty, or why that cannot be: a border is not found again, or the walk does not end. O(graph).
std::string cutZone(const LiveAxis& axis, const AxisZone& zone, const ChangedWalls& walls, const ZoneGraph& graph,
                    const FootAt& footAt, ZoneSites& sites, ZoneAxis& out);

}  // namespace wend::ecm
