#pragma once

#include <cstdint>
#include <vector>

#include <wend/corridor_map.h>
#include <wend/environment.h>
#include <wend/result.h>

#include "generators/ecm/edit/axis_zone.h"
#include "generators/ecm/edit/changed_walls.h"

// The new medial axis inside a zone.
namespace wend::ecm {

// A graph of arcs. Its nodes are the outer ends of the border arcs, by the index of the border, and after them the new
// vertices. A new arc that joins borders replaces them.
struct ZoneAxis {
  struct Node {
    Vec2 p;  // lattice units
    double clearance = 0;
    LayerId layer = 0;
    std::vector<uint32_t> out;  // half-arcs that leave, counter-clockwise: 2 * arc, or 2 * arc + 1 reversed
  };
  struct Foot {
    Vec2 p;
    LayerId layer = 0;
  };
  struct Arc {
    uint32_t from = kNone;  // node
    uint32_t to = kNone;
    uint32_t left = kNone;  // site
    uint32_t right = kNone;
    // Nearest obstacle points; those in a border's end are the old ones.
    Foot leftAtFrom, rightAtFrom, leftAtTo, rightAtTo;
  };
  struct Site {
    CorridorMap::Site site;
    uint32_t known = kNone;  // site of the old map
  };
  std::vector<Site> sites;
  std::vector<Node> nodes;  // the new ones: node borders.size() + i
  std::vector<Arc> arcs;
};

// Builds the Voronoi diagram of all walls near the zone and walks over it from the borders, and from the walls that
// belong to the zone wholly.
//
// Every point of the zone has its nearest wall in the box of the zone. So this is right wherever the walls of one layer
// are all that counts. Near a connection only the sites of the zone and the new walls are taken, from all layers, and
// every vertex is tested to lie on one surface with its sites. kUnsupported where it does not, or if a border is not
// found again (walls that almost touch).
// O(vertices of the layer) to read the walls, O(m log m) for m walls in the box.
Result<ZoneAxis> buildZoneAxis(const LiveAxis& axis, const Environment& after, const AxisZone& zone,
                               const ChangedWalls& walls, const Walls& wallsNow);

}  // namespace wend::ecm
