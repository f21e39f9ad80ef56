#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <wend/navmesh.h>
#include <wend/place.h>

// The answers of a Navigator to queries other than routes. Lengths are metres in top view.
namespace wend {

// A place on the mesh, and its distance from the place of the query.
struct NearestPlace {
  Vec3 place;
  CellId cell = kNone;
  double moved = 0;
};

// Where a straight move of a point or a disk ends.
struct RayHit {
  bool hit = false;     // a wall stopped it
  Vec3 place;           // of the point, or of the centre of the disk
  CellId cell = kNone;  // around the place
  double distance = 0;  // moved
  Vec2 contact;         // the point of the wall; only with a hit, as the rest
  Vec2 normal;          // of length 1, away from the wall
  SideId wall = kNone;
};

// The nearest wall.
struct WallDistance {
  Vec3 point;
  Vec2 direction;  // of length 1, to the wall; at the wall, into it
  double distance = 0;
  SideId wall = kNone;
};

// The end of a move along walls.
struct Slide {
  Vec3 place;
  CellId cell = kNone;
  double length = 0;  // of the path to it
};

// Which places a random one is drawn from, uniformly by area.
struct RandomPlaceQuery {
  std::optional<Place> centre;  // only in the circle around it
  double range = 0;             // radius of that circle, > 0
  std::optional<Place> from;    // only places that can be reached from here
  double radius = 0;            // of the disk, >= 0
  double snap = 0;              // metres; how far `from` may be moved, as by PathQuery::snap
};

// A cell within a walking distance.
struct ReachedCell {
  CellId cell = kNone;
  double distance = 0;  // of its nearest point, along the shortest path
};

// Why there is no route.
enum class NoRouteReason : uint8_t {
  kNone,          // there is a route
  kBadQuery,      // NaN, infinity, or a negative radius
  kUnsupported,   // the mesh cannot answer this query
  kOffMesh,       // an end is off the mesh; `place` is the nearest place on it
  kTooNearWall,   // an end is nearer than the radius to a wall; `place` is the point of the wall
  kNotConnected,  // the ends lie in different components: not even a point has a path
  kTooNarrow,     // the widest way is narrower than the disk; `place` is its narrowest passage
};
const char* reasonName(NoRouteReason reason);

struct NoRoute {
  NoRouteReason reason = NoRouteReason::kNone;
  bool atStart = false;       // kOffMesh, kTooNearWall: the start, else the goal
  std::optional<Vec3> place;  // as above, where there is one
  double distance = 0;        // kOffMesh: from the end to the place; kTooNearWall: from the end to the wall
  double width = 0;           // kTooNarrow: of the passage
};

}  // namespace wend
