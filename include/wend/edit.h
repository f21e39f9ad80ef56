#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <wend/generate.h>
#include <wend/lattice.h>

// Edits of a world, as data: obstacles that come, move and go, doors that open and shut, costs that change. What they
// mean: docs/live-worlds.md. World::apply() gives the next version.
namespace wend {

// --- Obstacles ------------------------------------------------------------------------------------------------------

// A slot of the world's obstacles and how often it was used before: the id of an obstacle that is gone is never given
// to another one. The lowest free slot is taken first.
struct ObstacleId {
  uint32_t slot = kNone;
  uint32_t generation = 0;
  auto operator<=>(const ObstacleId&) const = default;
};

// Shapes, in metres, around the point that Placement puts somewhere.

// A simple polygon in either direction, also one that is not convex; 3 to 4096 corners. Further loops are filled by the
// even-odd rule with it: holes, or parts that lie apart.
struct PolygonShape {
  std::vector<Vec2> corners;
  std::vector<std::vector<Vec2>> loops;
  bool operator==(const PolygonShape&) const = default;
};
// A fence or rope: a wall of kSlitWidth.
struct SegmentShape {
  Vec2 from;
  Vec2 to;
  bool operator==(const SegmentShape&) const = default;
};
// A post: kSlitWidth wide, at the place itself.
struct PointShape {
  bool operator==(const PointShape&) const = default;
};
// A box that stands on the place, its centre above it; each length above 0.
struct BoxShape {
  Vec3 size;
  bool operator==(const BoxShape&) const = default;
};
// An upright cylinder that stands on the place, as a prism of 32 sides around it.
struct CylinderShape {
  double radius = 0;  // > 0
  double height = 0;  // > 0
  bool operator==(const CylinderShape&) const = default;
};
// The convex hull of 4 to 64 points that do not lie in one plane.
struct ConvexShape {
  std::vector<Vec3> points;
  bool operator==(const ConvexShape&) const = default;
};
// The first three are drawn on layers. The others are bodies: a body blocks every layer where a part of it is between
// `step` and `headRoom` above the surface (Stature).
using ObstacleShape = std::variant<PolygonShape, SegmentShape, PointShape, BoxShape, CylinderShape, ConvexShape>;

// The lattice units that a fence or post takes up across: the least width that rounding can never close.
inline constexpr int32_t kSlitWidth = 4;

// Where a shape is, and how it is turned about the vertical axis. The turn is a pair of numbers, so that the same turn
// gives the same bits everywhere; cos^2 + sin^2 must be 1 within 1e-9.
struct Placement {
  Vec3 at;  // metres; z counts for bodies only
  double cosine = 1;
  double sine = 0;
  bool operator==(const Placement&) const = default;

  static Placement turned(Vec3 at, double degrees);
};

struct Obstacle {
  std::string name;  // may be empty; else no other obstacle or door has it
  ObstacleShape shape;
  Placement place;
  // Ids of the layers that a drawn shape covers. Empty: the only layer of the world (an error if there are more).
  // Bodies find theirs.
  std::vector<int32_t> layers;
  // A drawn shape also covers each layer that a connection inside it leads to.
  bool spreads = true;
  bool operator==(const Obstacle&) const = default;
};

// What a person needs, to tell which bodies stand in the way: stored in the world.
struct Stature {
  double step = 0.4;      // metres; a body below this is stepped over; 0 to below headRoom
  double headRoom = 2.0;  // metres; a body above this is passed under; 0.01 to 1000
  bool operator==(const Stature&) const = default;
};

// --- Doors ----------------------------------------------------------------------------------------------------------

// A part of the world that is free while the door is open. May lie on a connection, or at the head of a stair.
struct Door {
  std::string name;  // not empty, unique
  // Metres. Two points: a wall of `thickness` that reaches kDoorOverhang beyond both of them, so that no slit stays at
  // its posts. Three or more: that polygon.
  std::vector<Vec2> line;
  double thickness = 0.1;  // metres, 0.001 to 10; of a line
  int32_t layer = 0;       // id
  bool spreads = true;     // as Obstacle::spreads
  bool open = true;
  bool operator==(const Door&) const = default;
};
inline constexpr double kDoorOverhang = 0.05;  // metres

// --- Edits ----------------------------------------------------------------------------------------------------------

struct AddObstacle {
  Obstacle obstacle;
};
struct MoveObstacle {
  ObstacleId id;
  Placement place;
};
struct RemoveObstacle {
  ObstacleId id;
};
struct AddDoor {
  Door door;
};
struct RemoveDoor {
  std::string name;
};
struct SetDoor {
  std::string name;
  bool open = true;
};
// What a metre in regions of this label costs agents of a profile, instead of what the profile says; above 0. The mesh
// stays.
struct SetCost {
  std::string profile;  // empty: all profiles
  std::string label;
  double cost = 1;
};
using Edit = std::variant<AddObstacle, MoveObstacle, RemoveObstacle, AddDoor, RemoveDoor, SetDoor, SetCost>;

// --- What became of them --------------------------------------------------------------------------------------------

enum class EditOutcome : uint8_t {
  kDone,      // free space may have changed
  kNoChange,  // the door already was in this state, the obstacle already at this place
  kHidden,    // other obstacles cover it, or it is a body too low or too high to block: free space is the same
};
const char* outcomeName(EditOutcome outcome);

struct EditReport {
  EditOutcome outcome = EditOutcome::kDone;
  ObstacleId id;                // of the obstacle, if it is about one
  std::vector<int32_t> layers;  // ids of those that it covers now (or did, if it is gone)
};

enum class MeshChange : uint8_t {
  kNone,     // the environment is the same
  kInPlace,  // the generator changed the cells concerned
  kRebuilt,  // the mesh was made anew
};
const char* meshChangeName(MeshChange change);

// A connection that is not what it was in the version before.
struct ConnectionReport {
  uint32_t base = 0;        // its index in the base environment: an id that never changes
  uint32_t pieces = 0;      // that are open now; 0: it is shut, 1 or more: each is a connection of the environment
  double openLength = 0;    // metres
  double lengthBefore = 0;  // metres, in the version before
};

struct UpdateReport {
  uint64_t version = 0;           // of the new world
  ChangedArea changed;            // where free space may differ; empty if nothing changed
  bool opens = false;             // something became free: shorter ways may exist
  std::vector<EditReport> edits;  // one per edit
  std::vector<ConnectionReport> connections;
  MeshChange mesh = MeshChange::kNone;
  std::string meshReason;  // why the mesh was made anew; empty else
  // Per cell of the new mesh: the cell of the mesh before that it is, or kNone if it is new. Empty if the mesh is the
  // same.
  std::vector<CellId> cellSource;
  uint32_t cellsRemoved = 0;
  uint32_t cellsAdded = 0;
  std::vector<std::string> notes;  // what apply() could not do as requested, and why: one sentence each
};

}  // namespace wend
