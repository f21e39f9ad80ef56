#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <wend/context.h>
#include <wend/polygon.h>

// The walkable world: layers without self-overlap in top view, joined by connections.
namespace wend {

// The height of a layer over the lattice plane, as the input's own surface.
struct HeightField {
  double base = 0;  // metres; the height wherever no triangle lies
  std::vector<Point> points;
  std::vector<double> z;                           // metres, one per point
  std::vector<std::array<uint32_t, 3>> triangles;  // counter-clockwise in top view
  bool operator==(const HeightField&) const = default;

  // Boundary vertices are rounded to the lattice, and lines some micrometres apart are made one: they may lie outside
  // the surface they bound. Lattice units.
  static constexpr double kReach = 64;

  bool flat() const { return triangles.empty(); }
  // Height in metres at a position in lattice units: linear in the first closed triangle that contains it; where no
  // triangle does, that of the nearest one within kReach; otherwise `base`. O(triangles); SurfaceIndex (mesh/) answers
  // in O(1).
  double at(Vec2 units) const;
};

// A labelled part of a layer, for personal costs ("grass", "road"). What no region covers is "default".
struct Region {
  std::string label;
  std::vector<Polygon> area;
  bool operator==(const Region&) const = default;
};

struct Layer {
  int32_t id = 0;  // the number the file gives it; unique
  std::string name;
  std::vector<Polygon> free;  // disjoint interiors, each valid
  HeightField heights;
  std::vector<Region> regions;
  bool operator==(const Layer&) const = default;
};

// A polyline on the boundary of two different layers through which one walks from one to the other. Every point is a
// boundary vertex of both layers, every segment a boundary edge of both (opposite directions); the interior of each
// segment is passable, and so are the inner points of the polyline (they are inner vertices of the surface). The two
// ends stay obstacles, unless connections leave nothing closed around them: where three or more layers meet, or where a
// line around a whole ring ends at its first point.
struct Connection {
  uint32_t layerA = 0;  // indices into Environment::layers, layerA < layerB
  uint32_t layerB = 0;
  std::vector<Point> line;  // at least two points, in the direction of layerA's boundary walk (A's interior is left)
  bool operator==(const Connection&) const = default;
};

// What is known about a world independently of any mesh. A made world carries the truth it was built from.
struct Topology {
  DoubledArea doubledArea;
  uint32_t components = 0;  // of the surface, through connections
  uint32_t boundaries = 0;  // closed boundary curves of the surface with all connections open
  uint32_t genus = 0;       // summed over components
  bool operator==(const Topology&) const = default;
  // 2 components - 2 genus - boundaries.
  int64_t euler() const {
    return 2 * static_cast<int64_t>(components) - 2 * static_cast<int64_t>(genus) - static_cast<int64_t>(boundaries);
  }
};

struct Environment {
  Lattice lattice;
  std::string name;
  std::vector<Layer> layers;
  std::vector<Connection> connections;
  std::optional<Topology> truth;
  bool operator==(const Environment&) const = default;
};

// --- From a drawing in metres to an Environment ---------------------------------------------------------------------

// Loops filled by the even-odd rule: any orientation, holes as further loops, self-crossings allowed.
using Loops = std::vector<std::vector<Vec2>>;

struct RegionDraft {
  std::string label;
  std::vector<Loops> area;
};

// Free space of a layer = (walkable without obstacles) plus openings; each list is a union, so polygons may overlap.
struct LayerDraft {
  int32_t id = 0;
  std::string name;
  double height = 0;  // metres
  std::vector<Loops> walkable;
  std::vector<Loops> obstacles;
  std::vector<Loops> openings;
  std::vector<RegionDraft> regions;
  std::vector<std::array<Vec3, 3>> surface;  // triangles of the height field; empty = flat at `height`
};

struct ConnectionDraft {
  int32_t layerA = 0;  // layer ids
  int32_t layerB = 0;
  std::vector<Vec2> line;  // metres
};

struct EnvironmentDraft {
  Lattice lattice;
  std::string name;
  std::vector<LayerDraft> layers;
  std::vector<ConnectionDraft> connections;
  std::optional<Topology> truth;
};

// Snaps, cleans (any polygon soup becomes valid polygons), and checks. Guarantees validate() finds nothing but, where
// the draft's truth is wrong, kTruth: truth is copied as given. Layers left without free space stay, with a note.
// Expected O(n log n) for n input vertices plus crossings; layers in parallel.
//
// Connections become boundary edges of both layers, over the same vertices: a vertex of one layer on an edge of the
// other is inserted there, and a boundary that rounding left at most kConnectionSlack off the line as drawn is moved
// onto it, in both layers. Anything farther away is an error. Connections between the same two layers that continue
// each other are merged, with a note: a shared end would be an obstacle that is not in the drawing.
Result<Environment> buildEnvironment(const EnvironmentDraft& draft, const Context& context = {});

// Lattice units. Ends and boundary are each rounded by less than one unit when drawn, and once more where the boundary
// comes from a crossing.
inline constexpr double kConnectionSlack = 2.0;

// The drawing that buildEnvironment turns into this environment again (if it is one that buildEnvironment made).
EnvironmentDraft draftOf(const Environment& environment);

// --- Checks ---------------------------------------------------------------------------------------------------------

enum class ViolationKind : uint8_t {
  kRingTooShort,           // fewer than three points
  kRepeatedPoint,          // two consecutive points are equal
  kOutsideLattice,         // beyond kMaxCoordinate
  kCrossing,               // two boundary segments cross or overlap
  kVertexOnEdge,           // a vertex touches the interior of a segment
  kOrientation,            // outer ring clockwise, or hole counter-clockwise
  kNesting,                // hole outside its polygon, polygons overlap
  kBoundaryWalk,           // a ring turns the wrong way at a vertex it visits twice
  kConnectionLayers,       // same or unknown layers
  kConnectionTooShort,     // fewer than two points, a repeated point, or a closed line of fewer than three
  kConnectionOffBoundary,  // a segment is not a boundary edge of both layers, in opposite directions
  kConnectionFolded,       // both layers lie on the same side of a segment
  kConnectionObstacle,     // an inner point of the line touches an obstacle
  kConnectionShared,       // two connections share a segment
  kConnectionSplit,        // two connections continue each other and should be one
  kWinding,                // connected layers wind around an inner point more than once
  kHeights,                // triangle ids out of range, z not finite, triangle not counter-clockwise
  kHeightJump,             // layers differ in height by more than 1 m along a connection
  kDuplicateLayer,         // two layers with one id
  kUnit,                   // the lattice unit is not within 1e-6 to 1 m
  kTruth,                  // the recorded truth differs from what the polygons say
};
const char* violationName(ViolationKind kind);

struct Violation {
  ViolationKind kind;
  uint32_t layer = kNone;  // index
  Vec2 place;              // metres
  std::string message;     // one sentence
};

// Layers may differ in height by this much along a connection, metres: a step one can climb in a coarse model, and the
// reach within which a mesh is taken to lie on its surface (the mapping distance of the metrics).
inline constexpr double kMaxHeightJump = 1.0;

// Every violation, at most `limit`. O(n log n). Any values are safe to pass. The rules of free space hold for each
// region too.
std::vector<Violation> validate(const Environment& environment, size_t limit = 100);

// Area, components, boundaries and genus from the polygons and connections alone; a connection segment that is no
// boundary edge of both layers counts as closed. O(n log n).
Topology topology(const Environment& environment);

// Boundary vertices of all layers, connection ends included once per layer.
size_t vertexCount(const Environment& environment);

// Of the free space of all layers; empty() if there is none.
Box boundingBox(const Environment& environment);

// Hash of everything in it but the name; equal environments have equal hashes on every machine.
uint64_t hash(const Environment& environment);

// A hash of walls, connections, heights and regions that does not depend on their order: a sum of 128 bits. A world
// keeps it up to date in the time of what an edit changes (World::spaceHash()). Names, obstacles and truth do not
// count.
struct SpaceHash {
  uint64_t low = 0;
  uint64_t high = 0;
  auto operator<=>(const SpaceHash&) const = default;
};
SpaceHash spaceHash(const Environment& environment);

}  // namespace wend
