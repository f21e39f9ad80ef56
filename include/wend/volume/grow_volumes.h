#pragma once

#include <string>
#include <utility>
#include <vector>

#include <wend/context.h>
#include <wend/scene.h>
#include <wend/volume/volume_mesh.h>

// Volumes that grow in the free space of a scene until they fill it (Hale 2011: VASFV, Wavefront).
namespace wend {

enum class GrowthMethod : uint8_t {
  kVasfv,      // sides take turns, a step each
  kWavefront,  // sides jump to the next event: the nearest place where an obstacle or another volume may stop them
};

// Floors that are walked in one way: no volume stands on two classes.
struct VolumeClass {
  std::string name;
  std::vector<std::string> labels;  // of the scene
};

struct GrowthSettings {
  GrowthMethod method = GrowthMethod::kVasfv;
  // Metres per lattice unit, 1e-6 to 1. 0: the finest of 0.1 mm, 1 mm, 1 cm, 10 cm and 1 m in which the scene fits into
  // 2^19 units on each side of its middle.
  double unit = 0;
  double above = 2.5;       // free space above the scene, metres; 0 to 10000
  double around = 0;        // on its four sides, metres; 0 to 10000
  double below = 0;         // under it, metres; 0 to 10000
  double seed = 0.5;        // side of the cube that a volume begins with, metres; above 0, at most 1000
  double step = 0.5;        // how far a side moves in its first turn, metres; above 0, at most 1000; doubles each turn
  bool gravity = true;      // seeds fall down, and low pockets are filled first: one volume per tread
  bool follow = true;       // volumes follow slanted faces; without it they stay boxes as far as the scene allows
  bool merge = true;        // volumes whose union is convex become one
  std::vector<Vec3> seeds;  // places to begin with, metres
  std::vector<VolumeClass> classes;  // a label that no class names belongs to class ""
  // More is an Error.
  size_t maxTriangles = 200'000;
  size_t maxPieces = 200'000;  // convex pieces of obstacles, of free space, and volumes
};

struct GrowthReport {
  size_t triangles = 0;         // used
  size_t degenerate = 0;        // without area on the lattice, or given twice: left out
  size_t closedBodies = 0;      // cut into convex pieces
  size_t reorientedBodies = 0;  // closed, but inside out or with triangles that disagreed: turned
  size_t openTriangles = 0;     // of open surfaces: plates one lattice unit thick, behind their front
  size_t obstaclePieces = 0;    // convex
  size_t freePieces = 0;        // convex pieces that growth started from
  size_t seeds = 0;             // volumes before merging
  size_t thinSeeds = 0;         // of these, begun with a piece of free space because no cube fits
  size_t follows = 0;           // faces of obstacles that volumes follow
  size_t vertexContacts = 0;    // follows that began with one corner of the moving face
  size_t edgeContacts = 0;      // with two
  size_t moves = 0;             // of sides
  size_t collisionTests = 0;    // of a moving side with an obstacle or a volume
  std::vector<std::pair<std::string, double>> seconds;  // by stage
};

struct GrownVolumes {
  VolumeMesh mesh;
  GrowthReport report;
};

// Fills the free space of a scene, within its bounds, with convex volumes: exactly, without gaps and overlaps, as
// checkVolumes() confirms. Every face of a volume is axis-aligned or lies in the plane of an obstacle's face. Slanted
// gateways lie only where a volume follows a face past its edge.
//
// Closed bodies are solid; a body is closed if each of its edges has as many triangles in one direction as in the
// other. Open surfaces are plates. Bodies may overlap. Errors: invalid settings; a vertex that is not finite or a
// triangle without vertex; a scene beyond the lattice (kOutsideLattice) or the limits (kLimit); no free space (kEmpty).
Result<GrownVolumes> growVolumes(const Scene& scene, const GrowthSettings& settings = {}, const Context& context = {});

}  // namespace wend
