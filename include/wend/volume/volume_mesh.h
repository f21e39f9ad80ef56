#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <wend/context.h>
#include <wend/extract.h>
#include <wend/lattice.h>
#include <wend/navmesh.h>
#include <wend/result.h>
#include <wend/scene.h>
#include <wend/volume/half_space.h>

// The volume mesh: convex polyhedra that fill the free space of a scene, and the gateways between them.
namespace wend {

using VolumeId = uint32_t;   // a cell of a volume mesh
using FaceId = uint32_t;     // a face of a cell
using GatewayId = uint32_t;  // what two cells share

// The map between metres and the lattice of volumes: metres = origin + units * unit.
struct VolumeLattice {
  double unit = 1e-3;  // metres per unit, 1e-6 to 1; coordinates reach 2^19 units from the origin
  Vec3 origin;         // metres
  bool operator==(const VolumeLattice&) const = default;

  Vec3 toMetres(Vec3 units) const {
    return {origin.x + units.x * unit, origin.y + units.y * unit, origin.z + units.z * unit};
  }
  Vec3 toUnits(Vec3 metres) const {
    return {(metres.x - origin.x) / unit, (metres.y - origin.y) / unit, (metres.z - origin.z) / unit};
  }
};

// What a generator promises about its cells; checkVolumes() holds it to that. Cells are always convex.
struct VolumeTraits {
  bool disjoint = true;  // cells do not overlap
  bool exact = true;     // the volumes of the cells add up to the free volume
  bool operator==(const VolumeTraits&) const = default;
};

// A volume that can be compared exactly: rounded, and modulo two primes in units of 1/6 of a cubic lattice unit.
struct ExactVolume {
  double cubicMetres = 0;
  std::array<uint64_t, 2> residues{};
  bool operator==(const ExactVolume& o) const { return residues == o.residues; }
};

// Cells while a mesh is being built: each is the intersection of half-spaces with the bounds.
struct VolumeDraft {
  struct Cell {
    std::vector<HalfSpace> planes;  // lattice units; superfluous ones are allowed
    uint32_t label = 0;             // index into labels
  };
  VolumeLattice lattice;
  Point3 low;  // bounds of the world, lattice units
  Point3 high;
  std::string generator;
  uint64_t settingsHash = 0;
  VolumeTraits traits;
  std::vector<std::string> labels = {""};  // traversal classes; 0 is none
  std::vector<Cell> cells;
  std::optional<ExactVolume> freeVolume;  // what the cells should fill
};

// The half-spaces of a box.
std::vector<HalfSpace> boxPlanes(Point3 low, Point3 high);

// The part of a face that two cells share. Two cells may touch in more than a point, but share at most one gateway.
struct VolumeGateway {
  VolumeId cellA = kNone;  // the smaller id
  VolumeId cellB = kNone;
  FaceId faceA = kNone;
  FaceId faceB = kNone;
  bool slanted = false;  // not axis-aligned: a cell follows the plane of an obstacle past the obstacle's edge
  double area = 0;       // m2
  Vec3 centre;           // metres
  VolumeId across(VolumeId cell) const { return cell == cellA ? cellB : cellA; }
};

// Immutable, cheap to copy (copies share everything), safe to read from any number of threads.
//
// Invariants: a cell is a bounded convex polyhedron with volume, the intersection of its half-spaces, each of which has
// one face. A gateway is where two faces in one plane, with opposite normals, overlap in an area; what of a face
// belongs to no gateway is wall. The half-spaces are exact; corners are rounded copies of the points where three planes
// meet. The order of faces, corners and gateways depends on the cells only.
class VolumeMesh {
 public:
  VolumeMesh();

  uint32_t cellCount() const;
  uint32_t faceCount() const;
  uint32_t gatewayCount() const;
  bool empty() const { return cellCount() == 0; }

  FaceId firstFace(VolumeId cell) const;
  FaceId endFace(VolumeId cell) const;
  VolumeId cellOf(FaceId face) const;
  const HalfSpace& plane(FaceId face) const;
  // Corners of a face, counter-clockwise seen from outside the cell, metres.
  std::span<const Vec3> corners(FaceId face) const;
  const VolumeGateway& gateway(GatewayId gateway) const;
  // Corners of a gateway, counter-clockwise seen from cellB, metres.
  std::span<const Vec3> gatewayCorners(GatewayId gateway) const;
  std::span<const GatewayId> gatewaysOf(VolumeId cell) const;  // ascending

  uint32_t label(VolumeId cell) const;
  double volume(VolumeId cell) const;  // m3
  Vec3 centre(VolumeId cell) const;    // mean of its corners, metres
  Vec3 low(VolumeId cell) const;       // bounds, metres
  Vec3 high(VolumeId cell) const;

  // Everything but cells.
  const VolumeDraft& info() const;
  const VolumeLattice& lattice() const { return info().lattice; }
  size_t memory() const;  // bytes, about

  struct Data;
  explicit VolumeMesh(std::shared_ptr<const Data> data);
  const Data& data() const { return *data_; }

 private:
  std::shared_ptr<const Data> data_;
};

// More is an Error, in a draft and in a file.
inline constexpr size_t kMaxVolumeCells = 4'000'000;
inline constexpr size_t kMaxVolumePlanes = 40'000'000;

// Makes the polyhedra, and finds all gateways. An Error for bounds beyond kMaxVolumeCoordinate, a plane without normal
// or beyond kMaxPlaneNormal and kMaxPlaneOffset, a cell without volume, or too many. Expected O(n log n), about 30
// microseconds per cell; cells in parallel.
Result<VolumeMesh> buildVolumes(VolumeDraft draft, const Context& context = {});

// Hash of everything in it; equal meshes have equal hashes on every machine.
uint64_t hash(const VolumeMesh& mesh);

// --- The validator --------------------------------------------------------------------------------------------------

enum class VolumeFaultKind : uint8_t {
  kConvexity,  // a corner outside one of the cell's own planes, or a plane without face
  kBounds,     // a cell leaves the bounds
  kOverlap,    // two cells have an interior point in common
  kGateway,    // a gateway is missing, or its two cells disagree about it
  kVolume,     // volumes do not add up to the free volume
};
const char* faultName(VolumeFaultKind kind);

struct VolumeFault {
  VolumeFaultKind kind;
  VolumeId cell = kNone;
  Vec3 place;           // metres
  std::string message;  // one sentence
};

// Everything wrong with a mesh, at most `limit` faults. All decisions are exact, without tolerances. Gateways are
// looked for again from the other cell's side. O(n k) for k cells whose bounds touch those of another one.
std::vector<VolumeFault> checkVolumes(const VolumeMesh& mesh, size_t limit = 100);

// --- Point location -------------------------------------------------------------------------------------------------

// Finds the cell that holds a point, in O(1) expected time. Points are rounded to 2^-20 lattice units, then decided
// exactly; a point on a gateway belongs to both cells. Immutable; any number of threads.
class VolumeLocator {
 public:
  VolumeLocator() = default;
  explicit VolumeLocator(VolumeMesh mesh);
  // The smallest id of the cells that hold the point (metres), or kNone; kNone for what is not finite.
  VolumeId locate(Vec3 metres) const;
  // All of them, ascending.
  std::vector<VolumeId> locateAll(Vec3 metres) const;
  const VolumeMesh& mesh() const { return mesh_; }

 private:
  struct Impl;
  VolumeMesh mesh_;
  std::shared_ptr<const Impl> impl_;
};

// --- Sections and walls ---------------------------------------------------------------------------------------------

struct VolumeSlice {
  VolumeId cell = kNone;
  std::vector<Vec3> corners;  // metres, a convex polygon, in order
};
// The section of every cell with the plane axis = at (axis 0: x, 1: y, 2: z; metres), moved to the middle between two
// lattice coordinates, so that it never lies in a face. In the order of the cells.
std::vector<VolumeSlice> sliceVolumes(const VolumeMesh& mesh, int axis, double at);

// What of a face is wall, as disjoint convex polygons, counter-clockwise seen from outside the cell, metres. Exact but
// for the rounding of the corners.
std::vector<std::vector<Vec3>> wallsOf(const VolumeMesh& mesh, FaceId face);

// Where one can stand: the walls that face up, no steeper than `slope` degrees, of one cell.
struct StandingPlace {
  VolumeId cell = kNone;
  FaceId face = kNone;
  double area = 0;  // m2 in top view
  Vec3 centre;      // of its largest part, on the floor, metres
};
std::vector<StandingPlace> standingPlaces(const VolumeMesh& mesh, double slope = 45);

// --- Paths ----------------------------------------------------------------------------------------------------------

// For what flies, swims or is carried. What walks uses the projection (projectVolumes).
struct VolumeQuery {
  Vec3 from;  // metres
  Vec3 to;
  // Gateways with less area are not passed, m2; at least 0.
  double minArea = 0;
  // Length counts this many times in a volume of each class, at least 1; classes without a number count once.
  std::vector<double> classCosts;
  // Move the points within their gateways until the path is as short as its gateways allow. Without it a path goes
  // through the middles of gateways.
  bool straighten = true;
};

struct VolumeRoute {
  std::vector<VolumeId> cells;
  std::vector<GatewayId> gateways;  // one fewer than cells
  std::vector<Vec3> points;         // start, one per gateway, goal; metres
  double length = 0;                // metres
  double cost = 0;                  // length times class costs
  uint64_t expanded = 0;            // gateways that the search looked at
};

// A* over the middles of gateways, then straightening: the shortest path through the chosen sequence of gateways, to
// within a millionth of its length. Errors: an end in no volume (kNotOnMesh), no way (kNoWay), invalid settings.
// O(g log g) for g gateways.
Result<VolumeRoute> planVolumes(const VolumeLocator& locator, const VolumeQuery& query);

// --- Metrics --------------------------------------------------------------------------------------------------------

// Hale's metrics for volumes, and the two of his central hypothesis: the mean order of the polyhedra, and how many are
// nearly degenerate.
struct VolumeMetrics {
  uint32_t volumes = 0;
  double coverage = 0;    // share of the free volume; 0 if that is not known
  double meanVolume = 0;  // m3
  double volumeDeviation = 0;
  double meanDegree = 0;  // neighbours
  double degreeDeviation = 0;
  uint32_t isolated = 0;      // without neighbour
  double meanOrder = 0;       // faces per volume
  double minAngle = 0;        // mean over volumes of the smallest angle between two faces, degrees, at most 90
  uint32_t degenerate = 0;    // an angle below 10 degrees, less than `leastVolume`, or thinner than its cube root / 10
  uint32_t components = 0;    // of the graph
  uint32_t diameter = 0;      // longest shortest path in gateways, within components
  uint32_t slanted = 0;       // gateways
  double elongation = 0;      // mean of longest / shortest extent - 1; 0 is a cube
  double commonVertices = 0;  // corners of volumes that share a place, mean over places
  uint32_t mostCommon = 0;    // at one place
  double placement = 0;       // mean over volumes of cubes of `leastVolume` that fit, counted on a grid
  uint32_t withoutPlacement = 0;       // volumes that hold none
  double bottleneck = 0;               // m2; smallest gateway on the shortest path between two volumes far apart
  double widestBottleneck = 0;         // m2; on the path between them whose smallest gateway is largest
  std::vector<uint32_t> degreeGroups;  // volumes with 0, 1, 2, ... neighbours
  std::vector<uint32_t> orderGroups;   // volumes with 0, 1, 2, ... faces
};
// Name, value, unit and meaning, as tables print them.
struct VolumeMetric {
  std::string name;
  double value = 0;
  std::string unit;
  std::string meaning;
};
std::vector<VolumeMetric> metricTable(const VolumeMetrics& metrics);
// The placement counts at most a million cubes per volume. O(n (n + g)) for the diameter of n volumes and g gateways;
// above `maxExact` volumes it is that of 64 of them.
VolumeMetrics measureVolumes(const VolumeMesh& mesh, double leastVolume = 1, uint32_t maxExact = 2000);

// --- From volumes to other nouns ------------------------------------------------------------------------------------

// All walls as triangles that face the free space, labelled by class. The bounds of the world are walls, too; without
// `bounds`, those on its sides and top are left out.
Scene wallScene(const VolumeMesh& mesh, bool bounds = false);
// Each cell as a closed body, drawn at `shrink` of its size about its middle so that cells can be told apart, for
// viewers of scenes.
Scene cellScene(const VolumeMesh& mesh, double shrink = 0.96);

// The walkable mesh below the volumes: what extract() finds on the walls. Volumes reach planning for disks and crowds
// through it.
Result<Extraction> projectVolumes(const VolumeMesh& mesh, const ExtractSettings& settings = {},
                                  const Context& context = {});

// --- The .wvol file -------------------------------------------------------------------------------------------------

// A FlatBuffers table, verified before use. It holds the half-spaces; corners and gateways follow from them, so a file
// cannot contradict itself. A truncated, altered or foreign file is an Error, never a crash.
inline constexpr uint32_t kVolumeFileVersion = 1;

Status saveVolumes(const VolumeMesh& mesh, const std::string& path);
Result<VolumeMesh> loadVolumes(const std::string& path, const Context& context = {});
Result<std::string> serialiseVolumes(const VolumeMesh& mesh);
Result<VolumeMesh> parseVolumes(std::span<const std::byte> bytes, std::string_view name, const Context& context = {});
// Whether bytes begin like a .wvol file.
bool isVolumeFile(std::span<const std::byte> bytes);

}  // namespace wend
