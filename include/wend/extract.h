#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <wend/context.h>
#include <wend/environment.h>
#include <wend/scene.h>

// From triangles in space to an environment: the floors on which an agent can stand, and how they are connected.
namespace wend {

enum class ExtractMethod : uint8_t {
  kExact,  // slope, head room and step on the input's own polygons; its edges are the model's edges
  kVoxel,  // the same at the centres of pixels; for scans and soups too dirty for the exact method (NEOGEN-ML)
};

// For the voxel method only.
struct VoxelSettings {
  // Side of a pixel of the depth maps, metres; at least 2 lattice units, at most 10. Borders of the result are off by
  // about this much, and passages narrower than two pixels may be lost. Rounded to an even number of units.
  double resolution = 0.05;
  // Side of a voxel, metres; 0 or 1 to 64 pixels, rounded to a power of two of them; 0 means 8 pixels. Layers are made
  // of columns of voxels, and so are the lines between them.
  double width = 0;
  // Borders are simplified within this many pixels; 0 to 8. The corners of pixels along a straight border lie up
  // to 1.41 pixels across.
  double simplify = 1.5;
  // One layer only: each place has the topmost surface seen from above, and nothing under it (NEOGEN-2.5D). For terrain
  // and maps with a single floor; a torus is solid.
  bool singleLayer = false;
  double turn = 90;  // with a single layer: the largest angle between normals of neighbouring pixels, degrees; 0 to 180
};

struct ExtractSettings {
  ExtractMethod method = ExtractMethod::kExact;
  // Of the environment; the scene is snapped to it once. A unit of 0 means that the scene chooses the finest of 0.001,
  // 0.01 and 0.1 mm of which it takes a quarter of the reach at most: up to 268 m from the origin, 2.6 km, or farther.
  Lattice lattice{0};
  double height = 2.0;  // head room that a person needs, metres; 0.01 to 1000
  double step = 0.4;    // highest step that a person climbs, metres; 0 to below height
  double slope = 45;    // steepest floor, degrees from level; 0 to 89
  // Added to `slope`, degrees; -5 to 5. Models have many faces of exactly 45 degrees, which rounding makes slightly
  // steeper or flatter. Above 0 all of them are floor, below 0 none is; at 0 rounding decides.
  double slopeSlack = 0.016;
  double gap = 0.02;     // cracks up to this width are closed, metres; 0 to 1
  double minArea = 0.1;  // components smaller than this are dropped, m2; 0 keeps all; at least 0
  // Only what can be reached from these points is kept (minArea is then ignored). Floors that no step leads to are
  // skipped early. Metres; each point must lie on a walkable place, or at most `step` below or `height` above one.
  std::vector<Vec3> seedPoints;
  // Floors inside closed solids are kept: under crates, in walls and furniture taller than `height`. A solid is a set
  // of triangles joined along their sides, facing outwards, and closed above the floor inside it.
  bool insides = false;
  // Detached components are kept: those that no way leads to from the largest one. Seed points decide instead, if
  // given.
  bool detached = true;
  // Vertices of borders within this distance of a straight line are left out, metres; 0 to 1. Borders move by at most
  // this, and the topology stays. For the exact method; VoxelSettings has its own. The default is below 0.5 mm: walls
  // without thickness become 1 mm thick, and their sides must stay apart.
  double simplify = 0.0004;
  // Bodies (triangles joined at their corners) that fit into a cube of this side are first replaced by the boxes around
  // them, metres; 0 to 100, 0 keeps all bodies. Fast for furniture; obstacles grow by less than this.
  double boxes = 0;
  // Triangles count from both sides. For scenes whose windings are wrong; closed solids gain floors inside.
  bool twoSided = false;
  // Low things that cannot be walked on (a chamfer, a stone) block the floor instead of being stepped over.
  bool strict = false;
  bool regions = true;  // the scene's labels become labelled regions
  VoxelSettings voxel;
};

// A place where the method could not decide or had to drop something, and the triangles it blames.
struct ExtractSpot {
  Vec3 place;                       // metres
  std::string reason;               // one sentence
  std::vector<uint32_t> triangles;  // ids into Scene::triangles, at most kMaxBlamed, each once
  static constexpr size_t kMaxBlamed = 16;

  void blame(uint32_t triangle) {
    if (triangles.size() == kMaxBlamed) return;
    if (std::find(triangles.begin(), triangles.end(), triangle) == triangles.end()) triangles.push_back(triangle);
  }
};

struct ExtractReport {
  std::vector<ExtractSpot> spots;  // nothing is wrong elsewhere
  uint32_t degenerate = 0;         // input triangles without area, dropped
  uint32_t duplicate = 0;          // input triangles given twice, dropped
  uint32_t facets = 0;             // plane groups of walkable triangles
  uint32_t cutFacets = 0;          // of these, partly covered, as far as they were looked at
  uint32_t patches = 0;            // free parts of facets, or of columns of voxels
  uint64_t voxels = 0;             // voxel method: where floor may be
  uint64_t pixels = 0;             // voxel method: where floor is
  uint32_t components = 0;         // kept
  // Some faces are dropped before their free space is known, because even all of them together are too small. Those
  // that may be connected count as one component, with their whole area. Faces out of reach of all seed points do not
  // count.
  uint32_t droppedComponents = 0;
  double droppedArea = 0;    // m2, at most, of dropped components
  uint32_t insides = 0;      // floors left out because they lie inside solids, of those not dropped already
  double insideArea = 0;     // m2 of these
  uint32_t detached = 0;     // components that no way leads to from a seed point, or from the largest component
  double detachedArea = 0;   // m2 of these; they are part of the environment unless settings leave them out
  uint32_t boxedBodies = 0;  // bodies that became boxes
  std::vector<std::pair<std::string, double>> seconds;  // by stage
};

struct Extraction {
  Environment environment;
  ExtractReport report;
};

// The walkable floors of a scene as a valid environment (validate()): layers without self-overlap in top view,
// connections between them, and the scene's own surface as heights.
//
// A place is walkable if it lies on an upward triangle no steeper than `slope` and nothing else lies within `height`
// above it. An agent may pass between two places that touch if their heights differ by at most `step` and no wall
// stands between them. A wall without thickness becomes an obstacle of 1 mm behind its face, or of one pixel.
//
// Errors: invalid settings; a vertex that is not finite or beyond the lattice; nothing walkable (kEmpty); a seed point
// over nothing walkable (kNotOnMesh); a resolution that would need more than 100 million pixels, or surfaces that cross
// each other so often that the exact method would take minutes and gigabytes (kLimit). The report tells what else is
// wrong with the scene. Expected O(n + k log k) for n triangles and k pairs of triangles above each
// other; O(n + pixels) for voxels. The result does not depend on threads.
Result<Extraction> extract(const Scene& scene, const ExtractSettings& settings, const Context& context = {});

}  // namespace wend
