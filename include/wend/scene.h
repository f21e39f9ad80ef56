#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <wend/context.h>
#include <wend/lattice.h>
#include <wend/result.h>

// The noun before the Environment: triangles in space. Any soup: cracked, intersecting, duplicated, degenerate.
namespace wend {

struct Scene {
  struct Triangle {
    std::array<uint32_t, 3> vertices;  // ids; counter-clockwise seen from its front
    uint32_t label = 0;                // id into labels
    bool operator==(const Triangle&) const = default;
  };
  std::vector<Vec3> vertices;  // metres, z up
  std::vector<Triangle> triangles;
  std::vector<std::string> labels;  // names of objects or materials; label 0 is "" when the file names none
  bool operator==(const Scene&) const = default;
};

// --- Reading --------------------------------------------------------------------------------------------------------

enum class SceneFormat : uint8_t {
  kObj,      // Wavefront: polygons are cut into triangles by ear clipping
  kGltf,     // glTF 2 as text, with its buffers inside or beside it
  kGlb,      // glTF 2 in one binary file
  kPly,      // text or binary of either byte order: polygons and strips
  kStl,      // text or binary
  kFbx,      // through Assimp, as are the following
  kCollada,  // .dae
  kIfc,      // IFC-SPF, as far as Assimp builds its geometry
};
const char* formatName(SceneFormat format);

enum class UpAxis : uint8_t {
  kByFormat,  // what the file states (FBX, COLLADA); otherwise y for OBJ and glTF, z for PLY, STL and IFC
  kX,
  kY,
  kZ,
};

enum class LabelSource : uint8_t {
  kAny,       // the material; the object where there is none
  kMaterial,  // the material only
  kObject,    // the object, node or group only
};

struct SceneReadSettings {
  UpAxis up = UpAxis::kByFormat;
  double scale = 1.0;  // metres per unit of the file, 1e-6 to 1e6; on top of what FBX, COLLADA and IFC state themselves
  LabelSource labels = LabelSource::kAny;
  size_t maxBytes = size_t{16} << 30;  // larger files are refused
  size_t maxVertices = 300'000'000;    // more are refused
  size_t maxTriangles = 100'000'000;   // more are refused; a scene of this size takes 3 to 9 GB
  // For the formats that Assimp reads, in a process of its own: what it may use before it is ended.
  double maxSeconds = 300;                    // 1 to 86400
  size_t maxImporterBytes = size_t{2} << 30;  // of address space; at least 64 MiB
};

// Coordinates beyond this many metres are refused: nothing walkable is that large, and products of them lose the
// millimetre.
inline constexpr double kMaxSceneCoordinate = 1e8;

// The format by content, from the head of a file (16 KiB or all of it) and its whole size.
Result<SceneFormat> recogniseScene(std::span<const std::byte> head, uint64_t size);

// Every reader treats the file as hostile: counts, indices, nesting and coordinates are checked, and whatever is wrong
// is one Error that names the line or element. Node transforms and instances are applied. OBJ, PLY, STL and glTF are
// read in blocks by readers of our own, in memory proportional to the scene they give: 28 bytes per triangle of a
// closed surface (24 per vertex, 16 per triangle), plus at most as much again while it grows. The rest goes through
// Assimp in a child process with limits on time and memory, so that its crash is an Error here.
Result<Scene> readScene(const std::string& path, const SceneReadSettings& settings = {}, const Context& context = {});
// The same from memory; `name` stands in messages. A glTF that names other files is refused here.
Result<Scene> parseScene(std::span<const std::byte> bytes, std::string_view name,
                         const SceneReadSettings& settings = {}, const Context& context = {});

// --- Writing --------------------------------------------------------------------------------------------------------

// Format by extension: .glb (coordinates in single precision, as glTF demands: 1 mm at 10 km) or .obj (exact). Labels
// become materials. Written beside the target and renamed, so a failure leaves nothing behind.
Status writeScene(const Scene& scene, const std::string& path);
// The bytes that writeScene would write; kGlb or kObj.
Result<std::string> formatScene(const Scene& scene, SceneFormat format);

// --- Inspection -----------------------------------------------------------------------------------------------------

enum class SceneDefectKind : uint8_t {
  kDegenerate,   // a triangle without area
  kDuplicate,    // a triangle with the corners of another, facing the same way
  kFlippedTwin,  // a triangle with the corners of another, facing the other way
  kOpenEdge,     // an edge of one triangle only
  kNonManifold,  // an edge of more than two
  kMisoriented,  // an edge whose two triangles disagree about the front
};
inline constexpr size_t kSceneDefectKinds = 6;
const char* defectName(SceneDefectKind kind);

struct SceneDefect {
  SceneDefectKind kind;
  Vec3 place;  // metres; middle of the triangle or edge
};

struct SceneReport {
  Vec3 low;  // bounds of what the triangles use, metres
  Vec3 high;
  double area = 0;       // of all triangles, m2
  double floorArea = 0;  // in top view, of triangles that face up within 45 degrees; overlaps count twice
  size_t unusedVertices = 0;
  size_t places = 0;                                // different ones, to the lattice unit
  std::array<size_t, kSceneDefectKinds> defects{};  // by kind
  std::vector<size_t> trianglesByLabel;             // one per label
  std::vector<SceneDefect> examples;                // the first of each kind
  size_t count(SceneDefectKind kind) const { return defects[static_cast<size_t>(kind)]; }
};

// Vertices that fall on the same lattice point count as one, edges leave out degenerate triangles and copies. Defects
// are no error: extraction takes any soup. About 60 bytes per triangle; O(n log n).
// An Error only if a triangle names a vertex or label that is not there, or a coordinate is not finite.
Result<SceneReport> inspectScene(const Scene& scene, const Lattice& lattice = {}, size_t examplesPerKind = 3);

// Hash of everything in it; equal scenes have equal hashes on every machine.
uint64_t hash(const Scene& scene);

// --- Damage ---------------------------------------------------------------------------------------------------------

// Damage as it comes from real modellers and scanners, to test what reads scenes.
enum class DamageKind : uint8_t {
  kJitter,     // every vertex is moved by at most `amount` metres along each axis
  kCrack,      // the same for every corner of every triangle by itself: neighbours come apart
  kDuplicate,  // a fraction `amount` of the triangles is there twice
  kDelete,     // a fraction is missing
  kSplit,      // a fraction is cut in two, but not its neighbours: T-junctions
  kFlip,       // a fraction faces the other way
  kIntersect,  // a fraction gets a copy that is tilted through it, by at most 5 mm
};
const char* damageName(DamageKind kind);

struct SceneDamage {
  DamageKind kind = DamageKind::kJitter;
  double amount = 0;  // metres, at most 1000, or a fraction from 0 to 1
};

// Same scene, damage and seed: same result.
Result<Scene> damageScene(Scene scene, const SceneDamage& damage, uint64_t seed);

}  // namespace wend
