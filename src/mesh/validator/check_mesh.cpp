#include <algorithm>
#include <cmath>

#include <wend/navmesh.h>

#include "geometry/int128.h"
#include "mesh/cell_geometry.h"
#include "mesh/validator/check_arrays.h"
#include "mesh/validator/check_steps.h"

namespace wend {

namespace {

// Relative. Areas of cells with corners off the lattice are rounded, and their corners moved by up to kOffLattice.
constexpr double kAreaTolerance = 1e-9;

void checkArea(const NavMesh& mesh, const Topology& found, FaultList& faults) {
  const DoubledArea knownArea = mesh.info().environment.doubledArea;
  const Int128 known = toInt128(knownArea);
  const Int128 excess = toInt128(found.doubledArea) - known;
  const auto vertices = mesh.views().vertices;
  const bool whole = std::all_of(vertices.begin(), vertices.end(), isWhole);
  const double difference = std::abs(static_cast<double>(excess));
  if (whole ? excess == 0 : difference <= kAreaTolerance * std::abs(static_cast<double>(known))) return;
  faults.add(MeshFaultKind::kArea, kNone, {},
             "the cells cover {:.9g} m2, but the environment has {:.9g} m2 (off by {:.3g})",
             mesh.lattice().area(found.doubledArea), mesh.lattice().area(knownArea),
             mesh.lattice().area(toDoubledArea(excess)));
}

void checkTopology(const NavMesh& mesh, const Topology& found, FaultList& faults) {
  const Topology& known = mesh.info().environment;
  const auto compare = [&](const char* what, uint32_t mine, uint32_t theirs) {
    if (mine == theirs) return;
    faults.add(MeshFaultKind::kTopology, kNone, {}, "the mesh has {} {}, but the environment has {}", mine, what,
               theirs);
  };
  if (mesh.info().traits.exact) {
    compare("components", found.components, known.components);
    compare("boundaries", found.boundaries, known.boundaries);
    compare("handles", found.genus, known.genus);
  }
  const auto portals = static_cast<int64_t>(mesh.portalCount());
  const int64_t edges = static_cast<int64_t>(mesh.sideCount()) - portals;
  const int64_t euler = static_cast<int64_t>(mesh.vertexCount()) - edges + mesh.cellCount();
  if (euler != found.euler()) {
    faults.add(MeshFaultKind::kTopology, kNone, {},
               "Euler's relation fails: {} vertices - {} edges + {} cells is {}, not {}", mesh.vertexCount(), edges,
               mesh.cellCount(), euler, found.euler());
  }
}

// Whether the mesh was made from this environment at all.
bool checkOrigin(const NavMesh& mesh, const Environment& environment, FaultList& faults) {
  if (mesh.lattice() != environment.lattice || mesh.layerCount() != environment.layers.size()) {
    faults.add(MeshFaultKind::kLayer, kNone, {},
               "the mesh has {} layers on a lattice of {} m, the environment {} on one of {} m", mesh.layerCount(),
               mesh.lattice().unit, environment.layers.size(), environment.lattice.unit);
    return false;
  }
  if (mesh.info().environmentHash != hash(environment)) {
    faults.add(MeshFaultKind::kTopology, kNone, {},
               "the mesh was made from another environment: it records the hash {:016x}, this one has {:016x}",
               mesh.info().environmentHash.value(), hash(environment));
  }
  if (!(mesh.info().environment == topology(environment))) {
    faults.add(MeshFaultKind::kTopology, kNone, {},
               "the area, components, boundaries or genus that the mesh records are not those of the environment");
  }
  return true;
}

}  // namespace

const char* faultName(MeshFaultKind kind) {
  switch (kind) {
    case MeshFaultKind::kArrays:
      return "arrays";
    case MeshFaultKind::kLoop:
      return "loop";
    case MeshFaultKind::kOrientation:
      return "orientation";
    case MeshFaultKind::kConvexity:
      return "convexity";
    case MeshFaultKind::kTwin:
      return "twin";
    case MeshFaultKind::kFan:
      return "fan";
    case MeshFaultKind::kLayer:
      return "layer";
    case MeshFaultKind::kOverlap:
      return "overlap";
    case MeshFaultKind::kArea:
      return "area";
    case MeshFaultKind::kTopology:
      return "topology";
    case MeshFaultKind::kObstacle:
      return "obstacle";
    case MeshFaultKind::kMedialAxis:
      return "medial-axis";
  }
  return "unknown";
}

std::vector<MeshFault> checkMesh(const NavMesh& mesh, const Environment* environment, size_t limit) {
  std::vector<MeshFault> broken = checkArrays(mesh, limit);
  if (!broken.empty() || limit == 0) return broken;

  FaultList faults(mesh, limit);
  const std::vector<bool> badLayers = checkLoops(mesh, faults);
  const size_t beforeTwins = faults.size();
  const std::vector<bool> joined = checkTwins(mesh, faults);
  const bool twins = faults.size() == beforeTwins;
  checkFans(mesh, joined, faults);
  if (environment != nullptr && checkOrigin(mesh, *environment, faults)) {
    checkOutline(mesh, joined, *environment, faults);
  }
  if (mesh.info().traits.disjoint) checkOverlap(mesh, joined, badLayers, faults);
  const Topology found = topology(mesh);
  if (mesh.info().traits.exact) checkArea(mesh, found, faults);
  if (twins) checkTopology(mesh, found, faults);
  return faults.take();
}

}  // namespace wend
