#pragma once

#include "planning/corridor/axis_search.h"
#include "planning/corridor/indicative_route.h"
#include "planning/corridor/replan.h"
#include "planning/corridor/route_cells.h"
#include "planning/ends.h"
#include "planning/replan/axis_replan.h"
#include "planning/scratch_memory.h"
#include "planning/visibility/axis_sight.h"
#include "planning/visibility/axis_visibility_polygon.h"

// The memory that queries on a corridor map keep between calls. It holds no answers.
namespace wend {

struct CorridorMemory final : ScratchMemory {
  QueryStamp stamp;
  End start;
  End goal;
  StampedSet startSeen;
  StampedSet goalSeen;
  CorridorSearchScratch search;
  CorridorPath path;
  ReplanScratch replan;
  AxisReplanScratch afterChange;
  CorridorRouteScratch route;
  CorridorSightScratch sight;
  QueryStamp sightStamp;  // one route makes many sight queries
  VisibilityScratch view;
  std::vector<CellVisit> visits;

  static CorridorMemory& of(PlanScratch& scratch) { return ScratchMemory::of<CorridorMemory>(scratch, kCorridor); }

  // Everything stamped is forgotten.
  void advance() {
    if (!stamp.advance()) return;
    startSeen.wipe();
    goalSeen.wipe();
    search.nodes.wipe();
    replan.inRest.wipe();
  }
  void begin(const NavMesh& mesh) {
    advance();
    startSeen.grow(mesh.cellCount());
    goalSeen.grow(mesh.cellCount());
  }
};

}  // namespace wend
