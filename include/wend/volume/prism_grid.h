#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <wend/context.h>
#include <wend/lattice.h>
#include <wend/result.h>
#include <wend/scene.h>
#include <wend/volume/volume_mesh.h>

// The adaptive grid in space: free voxels divided into disjoint boxes (prisms) that grow from single voxels in six
// directions. The source names this extension and gives no algorithm; the rules are those of the plane, layer by layer.
namespace wend {

struct VoxelGrid {
  std::array<uint32_t, 3> size{};  // voxels along x, y, z; at most 4096 each and 2^28 in all
  std::vector<uint8_t> free;       // x fastest, then y, then z from below; nonzero where free
  double voxel = 1;                // metres
  Vec3 origin;                     // metres; the lowest corner

  size_t index(uint32_t x, uint32_t y, uint32_t z) const {
    return (static_cast<size_t>(z) * size[1] + y) * size[0] + x;
  }
};

// --- Voxels of a scene ----------------------------------------------------------------------------------------------

struct SceneVoxelSettings {
  double voxel = 0.25;      // side, metres, 0.01 to 100; rounded to whole units of the lattice that the scene gets
  double above = 2.5;       // free space above the scene, metres; 0 to 10000
  double around = 0;        // on its four sides, metres; 0 to 10000
  double below = 0;         // under it, metres; 0 to 10000
  bool solid = true;        // what lies inside a closed body is blocked
  std::vector<Vec3> seeds;  // metres; if there are any, only what is joined to them is free
};

struct SceneVoxelReport {
  size_t triangles = 0;      // used
  size_t closedBodies = 0;   // with an inside
  size_t openTriangles = 0;  // of surfaces without
  uint64_t touched = 0;      // voxels that a triangle meets
  uint64_t inside = 0;       // voxels inside a body
  uint64_t unreached = 0;    // voxels that no seed reaches
  uint32_t components = 0;   // of free voxels joined side by side
};

// A voxel is blocked if a triangle meets it. A voxel owns its lower sides, not its upper ones, so a surface between two
// voxels blocks the upper one, and no way through free voxels crosses a surface. Exact on the scene's lattice
// (GrowthSettings::unit). Errors: those of growVolumes() for scenes, kLimit for too many voxels, kNotOnMesh for a seed
// that is not free. O(triangles + voxels + voxels met).
Result<VoxelGrid> sceneVoxels(const Scene& scene, const SceneVoxelSettings& settings = {}, const Context& context = {},
                              SceneVoxelReport* report = nullptr);

// --- Growth ---------------------------------------------------------------------------------------------------------

struct PrismSettings {
  uint32_t period =
      16;  // seeds at the free ones among the voxels (i, j, k) * period, at least 1; 0: the first free voxel
  bool memory = false;     // begin with the side after the one that grew last, which gives compact prisms
  uint64_t maxVoxels = 0;  // of a prism; 0: no limit
  uint32_t maxSide = 0;    // voxels; 0: no limit
};

// Inclusive.
struct GridPrism {
  std::array<uint32_t, 3> low{};
  std::array<uint32_t, 3> high{};
  uint64_t voxels() const { return (uint64_t{high[0]} - low[0] + 1) * (high[1] - low[1] + 1) * (high[2] - low[2] + 1); }
  bool operator==(const GridPrism&) const = default;
};

// The rectangle that two prisms share.
struct PrismPassage {
  uint32_t from = 0;
  uint32_t to = 0;
  uint32_t axis = 0;              // 0, 1, 2: `to` lies behind the high side of `from` along x, y or z
  std::array<uint32_t, 2> low{};  // lines on the other two axes, in their order; high is exclusive
  std::array<uint32_t, 2> high{};
  bool operator==(const PrismPassage&) const = default;
};

struct PrismGrid {
  std::array<uint32_t, 3> size{};
  double voxel = 1;
  Vec3 origin;
  std::vector<GridPrism> prisms;  // prism i has the id i + 1
  std::vector<uint32_t> ids;      // per voxel; 0 where no prism is

  // The prism at a place, metres, or kNone: one array read.
  uint32_t locate(Vec3 metres) const;
  Vec3 lowOf(uint32_t prism) const;  // corners of a prism, metres
  Vec3 highOf(uint32_t prism) const;
  bool operator==(const PrismGrid&) const = default;
};

// In turn, one side per call: east, north, west, south, up, down. Every free voxel belongs to exactly one prism. A
// layer that is blocked once stays blocked, so growth is linear in voxels.
Result<PrismGrid> growPrisms(const VoxelGrid& grid, const PrismSettings& settings = {}, const Context& context = {});

// All, each once, ordered by `from` and axis.
std::vector<PrismPassage> passagesOf(const PrismGrid& grid);

// The prisms along the shortest path between the centres of prisms, from one place to another, both included; empty if
// nothing leads there or a place is in no prism. Dijkstra over `passages`.
std::vector<uint32_t> pathOf(const PrismGrid& grid, std::span<const PrismPassage> passages, Vec3 from, Vec3 to);

// What a point walks or flies that follows such a path: straight to the nearest place of each passage, then to the end.
// Prisms are convex, so every piece lies in one. Empty if there is no path.
struct PrismRoute {
  std::vector<uint32_t> prisms;
  std::vector<Vec3> points;  // metres, both ends included
  double length = 0;         // metres
};
PrismRoute routeOf(const PrismGrid& grid, std::span<const PrismPassage> passages, Vec3 from, Vec3 to);

// The vector field: from a place in one of the two prisms of a passage to the other one, a unit vector. Straight out if
// the passage lies ahead, else towards its nearest place.
Vec3 prismDirection(const PrismGrid& grid, const PrismPassage& passage, uint32_t from, Vec3 metres);

// The ids of one layer of voxels, row by row from the top (y from above): a slice for pictures.
std::vector<uint32_t> sliceOf(const PrismGrid& grid, uint32_t z);

// The prisms as a volume mesh, for sections, pictures, measures and models. Errors of buildVolumes().
Result<VolumeMesh> prismVolumes(const PrismGrid& grid, const Context& context = {});

// What is wrong with a grid, one sentence each; empty if nothing is: prisms that overlap or leave the grid, ids that do
// not fit the prisms, sizes out of range.
std::vector<std::string> checkPrisms(const PrismGrid& grid, size_t limit = 10);

uint64_t hash(const PrismGrid& grid);

// --- Files ----------------------------------------------------------------------------------------------------------

inline constexpr uint32_t kPrismFileVersion = 1;

std::string serialisePrisms(const PrismGrid& grid);
// kFormat for what is damaged, kUnsupported for another version.
Result<PrismGrid> parsePrisms(std::span<const std::byte> bytes, std::string_view name);
// A file of its own.
Status savePrisms(const PrismGrid& grid, const std::string& path);
// Into a .wend file, behind the world, in place of prisms that are there; the world and its table stay.
Status attachPrisms(const PrismGrid& grid, const std::string& path);
// From either. kEmpty for a world without prisms.
Result<PrismGrid> loadPrisms(const std::string& path);
// Whether bytes begin like a file of prisms.
bool isPrismFile(std::span<const std::byte> bytes);

}  // namespace wend
