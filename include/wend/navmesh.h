#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <wend/context.h>
#include <wend/environment.h>
#include <wend/place.h>

// The navigation mesh: cells and the portals between them, on every layer of an environment.
namespace wend {

struct CorridorMap;  // <wend/corridor_map.h>

using CellId = uint32_t;
using SideId = uint32_t;
using VertexId = uint32_t;
using LayerId = uint32_t;  // index of a layer, not the id a file gives it

// What a generator promises about its cells. checkMesh() checks the promises.
struct MeshTraits {
  bool convex = true;    // every cell is convex (collinear corners allowed)
  bool disjoint = true;  // cells do not overlap inside a layer
  bool exact = true;     // the union of the cells is the free space, and doubled areas add up exactly
  bool operator==(const MeshTraits&) const = default;
};

// A hash that is computed when it is first read: edits are more frequent than questions for it. Copies share it; any
// thread may read it.
class LateHash {
 public:
  LateHash(uint64_t value = 0) : value_(value) {}
  // What `compute` refers to must stay as it is. It is called once at most, and let go then.
  explicit LateHash(std::function<uint64_t()> compute);
  uint64_t value() const;
  operator uint64_t() const { return value(); }

 private:
  struct Pending;
  uint64_t value_ = 0;
  std::shared_ptr<Pending> pending_;  // null: the value is known
};

// The height fields of layers. Copies share them until one of them is changed: versions of a mesh have the same ones.
class LayerHeights {
 public:
  LayerHeights() = default;
  LayerHeights(std::initializer_list<HeightField> fields) { own() = fields; }

  size_t size() const { return fields_ ? fields_->size() : 0; }
  const HeightField* begin() const { return fields_ ? fields_->data() : nullptr; }
  const HeightField* end() const { return begin() + size(); }
  const HeightField& operator[](size_t layer) const { return (*fields_)[layer]; }
  HeightField& operator[](size_t layer) { return own()[layer]; }
  void push_back(HeightField field) { own().push_back(std::move(field)); }
  void resize(size_t layers) { own().resize(layers); }
  bool operator==(const LayerHeights& other) const {
    return fields_ == other.fields_ || std::equal(begin(), end(), other.begin(), other.end());
  }

 private:
  std::vector<HeightField>& own() {
    if (!fields_) {
      fields_ = std::make_shared<std::vector<HeightField>>();
    } else if (fields_.use_count() > 1) {
      fields_ = std::make_shared<std::vector<HeightField>>(*fields_);
    }
    return *fields_;
  }
  std::shared_ptr<std::vector<HeightField>> fields_;
};

// The arrays of a mesh while it is being built. Use MeshBuilder (<wend/mesh_builder.h>) to fill them from loose cells.
struct MeshArrays {
  Lattice lattice;
  std::string generator;      // registry name
  uint64_t settingsHash = 0;  // of the generator's settings
  LateHash environmentHash;
  Topology environment;  // area, components, boundaries, genus of the environment it was made from
  MeshTraits traits;
  std::vector<Vec2> vertices;        // lattice units; exact generators use whole numbers
  std::vector<double> heights;       // metres, one per vertex
  std::vector<uint32_t> cellBegin;   // cells + 1 offsets into the side arrays
  std::vector<LayerId> cellLayer;    // one per cell
  std::vector<VertexId> sideVertex;  // the vertex where the side starts; its end is the start of the next side
  std::vector<SideId> sideTwin;      // the same piece seen from the neighbour, or kNone for a wall
  std::vector<CellId> sideCell;      // the cell a side belongs to
  std::vector<int32_t> layerIds;     // the id a file gave each layer
  std::vector<std::string> layerNames;
  LayerHeights layerHeights;
};

// Immutable, cheap to copy (copies share the arrays), safe to read from any number of threads. The arrays lie either
// in memory or in a mapped .wend file.
//
// Invariants, checked by checkMesh():
// - a cell is a counter-clockwise loop of sides in one layer; side s starts at sideVertex[s] and ends where the next
//   side of its cell starts;
// - a side has exactly one twin or none: twins run in opposite directions over the same two vertices, and
//   sideTwin[sideTwin[s]] == s. A pair of twins is a portal; a side without twin is a wall;
// - the cells around a vertex form one fan, joined side by side. Where free space touches itself in a point, or layers
//   lie above each other, there is one vertex per fan. So the mesh is a surface with boundary, and
//   vertices - edges + cells == Euler's characteristic;
// - twins may lie in different layers: that is a portal across a connection.
class NavMesh {
 public:
  NavMesh() = default;
  explicit NavMesh(MeshArrays arrays);
  // Views into memory that `owner` keeps alive (a mapped file).
  struct Views {
    std::span<const Vec2> vertices;
    std::span<const double> heights;
    std::span<const uint32_t> cellBegin;
    std::span<const LayerId> cellLayer;
    std::span<const VertexId> sideVertex;
    std::span<const SideId> sideTwin;
    std::span<const CellId> sideCell;
  };
  NavMesh(MeshArrays small, Views views, std::shared_ptr<const void> owner);

  uint32_t cellCount() const { return static_cast<uint32_t>(views_.cellLayer.size()); }
  uint32_t sideCount() const { return static_cast<uint32_t>(views_.sideVertex.size()); }
  uint32_t vertexCount() const { return static_cast<uint32_t>(views_.vertices.size()); }
  uint32_t layerCount() const { return static_cast<uint32_t>(info_->layerIds.size()); }
  uint32_t portalCount() const;  // O(sides)
  bool empty() const { return cellCount() == 0; }

  SideId firstSide(CellId cell) const { return views_.cellBegin[cell]; }
  SideId endSide(CellId cell) const { return views_.cellBegin[cell + 1]; }
  uint32_t sideCount(CellId cell) const { return endSide(cell) - firstSide(cell); }
  SideId nextSide(SideId side) const {
    const CellId cell = views_.sideCell[side];
    return side + 1 == endSide(cell) ? firstSide(cell) : side + 1;
  }
  SideId previousSide(SideId side) const {
    const CellId cell = views_.sideCell[side];
    return side == firstSide(cell) ? endSide(cell) - 1 : side - 1;
  }
  VertexId startVertex(SideId side) const { return views_.sideVertex[side]; }
  VertexId endVertex(SideId side) const { return views_.sideVertex[nextSide(side)]; }
  SideId twin(SideId side) const { return views_.sideTwin[side]; }
  bool isWall(SideId side) const { return views_.sideTwin[side] == kNone; }
  CellId cellOf(SideId side) const { return views_.sideCell[side]; }
  // The cell across a side, or kNone.
  CellId neighbour(SideId side) const { return isWall(side) ? kNone : views_.sideCell[views_.sideTwin[side]]; }
  LayerId layerOf(CellId cell) const { return views_.cellLayer[cell]; }

  Vec2 vertex(VertexId v) const { return views_.vertices[v]; }  // lattice units
  Vec3 position(VertexId v) const {                             // metres
    const Vec2 p = info_->lattice.toMetres(views_.vertices[v]);
    return {p.x, p.y, views_.heights[v]};
  }
  const Views& views() const { return views_; }
  // What keeps the views alive; null if the mesh does itself.
  const std::shared_ptr<const void>& owner() const { return owner_; }
  const MeshArrays& info() const { return *info_; }  // names, traits, layers; its big arrays may be empty
  const Lattice& lattice() const { return info_->lattice; }

  // The medial axis that the cells were made from, or null. Its cellArc names the arc of each cell.
  const std::shared_ptr<const CorridorMap>& corridorMap() const { return corridorMap_; }
  // The same mesh with this map attached.
  NavMesh withCorridorMap(std::shared_ptr<const CorridorMap> map) const;

  // Bytes of the arrays.
  size_t memory() const;

 private:
  std::shared_ptr<const MeshArrays> info_ = std::make_shared<MeshArrays>();
  std::shared_ptr<const void> owner_;
  std::shared_ptr<const CorridorMap> corridorMap_;
  Views views_;
};

// Projected area of one cell, m2.
double cellArea(const NavMesh& mesh, CellId cell);
// Area, components, boundaries and genus of the mesh itself, to be compared with the environment's. For a mesh with
// vertices off the lattice the area is rounded.
Topology topology(const NavMesh& mesh);
// Cells with an angle below 5 degrees between two sides that are not both walls: those that a generator can avoid.
size_t countSlivers(const NavMesh& mesh);
// Hash of the mesh and what is attached to it: equal bytes, equal hash, whether built or loaded.
uint64_t hash(const NavMesh& mesh);

// --- The validator --------------------------------------------------------------------------------------------------

enum class MeshFaultKind : uint8_t {
  kArrays,       // sizes or ids out of range
  kLoop,         // fewer than three sides, repeated vertices, not simple
  kOrientation,  // not counter-clockwise, or no area
  kConvexity,    // a reflex corner in a mesh that promises convex cells
  kTwin,         // twins not mutual, or over different vertices
  kFan,          // the cells around a vertex are not one fan
  kLayer,        // a portal between layers that is not on a connection, or other layers than the environment's
  kOverlap,      // two cells of a layer overlap
  kArea,         // areas do not add up to the environment's
  kTopology,     // components, boundaries or genus differ from the environment's, or Euler's relation fails; or the
                 // mesh was made from another environment
  kObstacle,     // a cell or portal leaves the free space, or a wall lies inside it
  kMedialAxis,   // the medial axis is not that of the environment (checkMedialAxis, <wend/corridor_map.h>)
};
const char* faultName(MeshFaultKind kind);

struct MeshFault {
  MeshFaultKind kind;
  CellId cell = kNone;
  Vec2 place;           // metres
  std::string message;  // one sentence
};

// All faults of a mesh, at most `limit`, in the order of MeshFaultKind. After kArrays nothing else is checked. Faults
// that follow from another fault are left out where that is easy. Safe for any arrays.
//
// All decisions are exact for whole-number vertices; where corners are off the lattice, convexity and the walls' place
// allow for the rounding of MeshBuilder (4e-3 units), and areas for 1e-9 relative.
//
// With the environment, it also compares the outline of each layer with its boundary: each wall lies on the boundary,
// walls cover each boundary edge, connections are open. If cells are counter-clockwise, this proves that they cover the
// free space exactly once. For a mesh that does not promise to be exact, only its portals between layers are compared.
//
// O(n log n) expected, about 2 microseconds per cell.
std::vector<MeshFault> checkMesh(const NavMesh& mesh, const Environment* environment = nullptr, size_t limit = 100);

// --- Point location -------------------------------------------------------------------------------------------------

// Finds the cell under a point in O(1) expected time: per layer a uniform grid over the cells, refined where cells are
// small, and split along sides where they are slivers (mesh/cell_grid.h). About 30 bytes per cell, at most some 200 in
// the worst shapes. Immutable; locate() allocates nothing and may be called from any thread.
//
// Containment is exact: a point on a side belongs to both cells. A coordinate in metres within 1e-6 lattice units of a
// lattice coordinate counts as that coordinate, so lattice points stay exact when they pass through metres. A point
// that is not finite or off the mesh has no cell.
class Locator {
 public:
  Locator() = default;
  explicit Locator(NavMesh mesh);
  // The locator of the mesh that updateMesh() made of this one's. It answers as Locator(mesh) does. If the mesh was
  // changed in place, it takes the time of what changed.
  Locator next(NavMesh mesh) const;

  // The cell whose closed polygon contains the point (metres), or kNone; the smallest id where several touch.
  CellId locate(Vec2 metres, LayerId layer) const;
  // Over all layers: with a height the cell whose layer is nearest to it, within the place's tolerance; without one the
  // cell of the lowest layer there.
  CellId locate(const Place& place) const;
  // All cells of the layer whose closed polygon contains the point (several on a side or vertex), ascending. The first
  // of at most `out.size()` are written; returns how many were found.
  size_t locateAll(Vec2 units, LayerId layer, std::span<CellId> out) const;
  // Height of the layer's surface in metres; NaN for a layer that does not exist.
  double height(Vec2 metres, LayerId layer) const;

  size_t memory() const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace wend
