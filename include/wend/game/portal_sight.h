#pragma once

#include <limits>
#include <vector>

#include <wend/navmesh.h>
#include <wend/result.h>

// What is seen and heard through portals (planned work of Hale 2011): portal culling, and perception of what happens in
// other cells. Distances are metres in top view; ways lead from layer to layer across connections.
namespace wend {

struct SightQuery {
  Vec2 place;                                              // metres, in `cell`
  CellId cell = kNone;                                     // kInvalidSettings if the mesh has no such cell
  Vec2 facing{1, 0};                                       // direction of view, not zero
  double angle = 360;                                      // degrees of the field of view, above 0, at most 360
  double range = std::numeric_limits<double>::infinity();  // metres, > 0
};

// A cell of which something can be seen.
struct SeenCell {
  CellId cell = kNone;
  uint32_t portals = 0;    // crossed by the line of sight; 0 for the own cell
  SideId through = kNone;  // the last portal, as a side of the cell before; kNone for the own cell
  // The part of that portal through which it is seen, metres: seen from the place, `right` lies clockwise of `left`.
  Vec2 right;
  Vec2 left;
};

// Portal culling: the cells of which more than a line is in sight, the own one first, each once with the first part of
// a portal that shows it. Walls block sight, cells do not. The angle of view narrows at each portal, so every cell that
// is looked at is seen: O(parts of portals in sight). kUnsupported for a mesh whose cells are not convex or overlap.
// With a range, a cell counts if its portal part begins within it.
Result<std::vector<SeenCell>> seenThroughPortals(const NavMesh& mesh, const SightQuery& query);

struct SoundQuery {
  Vec2 place;  // metres, of the source, in `cell`
  CellId cell = kNone;
  double range = 0;       // metres, > 0: how far it is heard in the open
  double portalLoss = 0;  // metres, >= 0, that each portal takes of the range, for example of doors
};

// A cell in which a sound is heard.
struct HeardCell {
  CellId cell = kNone;
  double distance = 0;  // metres from the source over the middles of portals, losses included
};

// The cells in which a sound is heard, nearest first; equal ones in the order of their numbers. Sound goes through
// portals and not through walls. O(k log k) for k portals within the range.
Result<std::vector<HeardCell>> heardThroughPortals(const NavMesh& mesh, const SoundQuery& query);

}  // namespace wend
