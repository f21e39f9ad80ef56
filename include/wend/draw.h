#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include <wend/environment.h>
#include <wend/navigator.h>
#include <wend/navmesh.h>
#include <wend/route.h>
#include <wend/scene.h>
#include <wend/volume/volume_mesh.h>

// Pictures of any noun, as SVG.
namespace wend {

enum class LayerArrangement : uint8_t {
  kSideBySide,  // one panel per layer
  kStacked,     // an oblique view, layers above each other
};

struct DrawSettings {
  double width = 1200;  // pixels of the whole picture, 100 to 20000
  LayerArrangement layers = LayerArrangement::kSideBySide;
  bool cells = true;  // fill cells with distinct colours
  bool portals = true;
  bool connections = true;
  bool labels = true;  // title, layer names, scale bar
  bool cellIds = false;
  double clearance = 0;  // metres; above 0: the shrunk portals of a disk of this radius, and where it cannot pass
  // Of meshes with a medial axis; an error for others.
  bool axis = false;         // the medial axis with its vertices and bending points
  bool annotations = false;  // lines from bending points to their nearest obstacles
  bool disks = false;        // the largest free disk around each vertex of the axis
};

// An SVG document.
Result<std::string> drawEnvironment(const Environment& environment, const DrawSettings& settings = {});
// What is drawn on top of a mesh.
struct DrawnView {
  Vec3 eye;  // metres
  LayerId layer = 0;
  VisibilityPolygon polygon;
};
struct MeshOverlay {
  std::span<const Corridor> corridors;  // need a medial axis
  std::span<const DrawnView> views;
  std::span<const Route> routes;
};
// Cells, portals and walls, then the overlay.
Result<std::string> drawMesh(const NavMesh& mesh, const MeshOverlay& overlay, const DrawSettings& settings = {});
// Cells, portals and walls; routes on top.
Result<std::string> drawMesh(const NavMesh& mesh, std::span<const Route> routes = {},
                             const DrawSettings& settings = {});

enum class SceneDrawing : uint8_t {
  kPlan,     // from above
  kOblique,  // from the south-west, above the ground
  kBoth,
};

struct SceneDrawSettings {
  double width = 1200;  // pixels of the whole picture, 100 to 20000
  SceneDrawing view = SceneDrawing::kBoth;
  double ceiling = std::numeric_limits<double>::infinity();  // metres; what lies above it is cut off
  bool labels = true;                                        // title, scale bar, legend
  std::string title;
};

// Floors coloured by height, slopes above 45 degrees in red, everything else in grey, as an image inside an SVG: its
// size does not grow with the scene. An Error for an empty scene.
Result<std::string> drawScene(const Scene& scene, const SceneDrawSettings& settings = {});

// A section through volumes: the plane axis = at.
struct VolumeSection {
  int axis = 1;   // 0: x, 1: y, 2: z
  double at = 0;  // metres
};
struct VolumeDrawSettings {
  double width = 1200;  // pixels of the whole picture, 100 to 20000
  // One panel each; none: from the side (y), from the front (x) and from above (z), through the middle of the bounds,
  // and 1 m above their bottom.
  std::vector<VolumeSection> sections;
  bool labels = true;  // title, panel titles, scale bar
  bool cellIds = false;
  std::string title;
};
// Sections from the side, seen along +y (x to the right, z up), from the front along -x (y to the right), or from
// above. Volumes have distinct colours, gateways are blue lines, slanted ones orange; what is solid is grey. Routes are
// projected onto each panel.
Result<std::string> drawVolumes(const VolumeMesh& mesh, std::span<const VolumeRoute> routes = {},
                                const VolumeDrawSettings& settings = {});

}  // namespace wend
