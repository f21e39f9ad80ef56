#pragma once

#include <map>
#include <string>
#include <tuple>

#include <wend/generate.h>
#include <wend/navmesh.h>

#include <fmt/format.h>

#include "geometry/predicates.h"
#include "tests/generators/edit_worlds.h"
#include "tests/generators/growth_laws.h"
#include "tests/generators/random_edit_world.h"

// Edits of worlds whose mesh is made by any method, each mesh held against its environment.
namespace wend {

struct AnyTally {
  uint64_t inPlace = 0;
  uint64_t rebuilt = 0;
  uint64_t cells = 0;  // summed over all edits
  uint64_t rebuildCells = 0;
  double ratio() const { return static_cast<double>(cells) / static_cast<double>(rebuildCells); }
  std::string reason;
};

// No vertex of the triangle across a portal inside the circumcircle.
inline std::string delaunayFault(const NavMesh& mesh) {
  const auto at = [&](SideId s) {
    const Vec2 p = mesh.vertex(mesh.startVertex(s));
    return Point{static_cast<int32_t>(p.x), static_cast<int32_t>(p.y)};
  };
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    if (mesh.isWall(s) || mesh.layerOf(mesh.cellOf(s)) != mesh.layerOf(mesh.neighbour(s))) continue;
    if (mesh.sideCount(mesh.cellOf(s)) != 3 || mesh.sideCount(mesh.neighbour(s)) != 3)
      return "a cell is not a triangle";
    const Point opposite = at(mesh.previousSide(mesh.twin(s)));
    if (inCircle(at(s), at(mesh.nextSide(s)), at(mesh.previousSide(s)), opposite) > 0) {
      return fmt::format("side {} is not Delaunay", s);
    }
  }
  return "";
}

class AnyCheck {
 public:
  AnyCheck(const EditWorld& world, std::string generator, std::vector<std::pair<std::string, std::string>> options = {})
      : before_(*world.environment()) {
    settings_.generator = std::move(generator);
    settings_.options = std::move(options);
    context_.threads = 1;
    const auto mesh = generate(before_, settings_, context_);
    if (mesh.ok()) mesh_ = *mesh;
  }

  bool empty() const { return mesh_.empty(); }

  // With `against`, also makes the mesh anew, for comparison.
  std::string step(const EditWorld& world, AnyTally& tally, bool against) {
    const auto after = world.environment();
    if (!after || mesh_.empty()) return "";
    const auto update = updateMesh(mesh_, before_, *after, changedArea(before_, *after), settings_, context_);
    if (!update.ok()) return update.error().code == ErrorCode::kEmpty ? "" : update.error().message;
    ++(update->inPlace ? tally.inPlace : tally.rebuilt);
    if (!update->inPlace) tally.reason = update->reason;
    for (const MeshFault& fault : checkMesh(update->mesh, &*after, 1)) return fault.message;
    if (settings_.generator == "delaunay") {
      if (std::string fault = delaunayFault(update->mesh); !fault.empty()) return fault;
    }
    if (settings_.generator == "pasfv" || settings_.generator == "wavefront") {
      if (std::string fault = grownFault(update->mesh); !fault.empty()) return fault;
    }
    if (against) {
      const auto anew = generate(*after, settings_, context_);
      if (!anew.ok()) return anew.error().message;
      tally.cells += update->mesh.cellCount();
      tally.rebuildCells += anew->cellCount();
      // Rectangles may differ; the pixels that they cover may not.
      if (settings_.generator == "adaptive-grid" && std::abs(areaOf(update->mesh) - areaOf(*anew)) > 1e-9) {
        return "other pixels";
      }
      if (settings_.generator == "grid" && shapeOf(update->mesh) != shapeOf(*anew)) return "another grid";
    }
    before_ = *after;
    mesh_ = update->mesh;
    return "";
  }

 private:
  using Shape = std::map<std::tuple<LayerId, double, double>, std::vector<bool>>;
  // Squares by their place, and which of their sides are portals.
  static Shape shapeOf(const NavMesh& mesh) {
    Shape shape;
    for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
      const Vec2 p = mesh.vertex(mesh.startVertex(mesh.firstSide(cell)));
      std::vector<bool>& walls = shape[{mesh.layerOf(cell), p.x, p.y}];
      for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) walls.push_back(mesh.isWall(s));
    }
    return shape;
  }

  static double areaOf(const NavMesh& mesh) {
    double sum = 0;
    for (CellId cell = 0; cell < mesh.cellCount(); ++cell) sum += cellArea(mesh, cell);
    return sum;
  }

  Environment before_;
  NavMesh mesh_;
  GenerateSettings settings_;
  Context context_;
};

inline std::string randomEditsOf(const std::string& generator, uint64_t seed, int steps, AnyTally& tally) {
  Random random(seed, 73);
  double size = 0;
  EditWorld world = randomEditWorld(random, 0.6, size);
  if (!findPolygonFaults(world.base.layers[0].free, 1).empty() || !world.environment()) return "";
  AnyCheck check(world, generator);
  for (int i = 0; i < steps; ++i) {
    editRandomly(random, world, size, 8);
    const std::string fault = check.step(world, tally, true);
    if (!fault.empty()) return fmt::format("step {}: {}", i, fault);
  }
  return "";
}

inline std::string randomRasterEdits(const std::string& generator,
                                     const std::vector<std::pair<std::string, std::string>>& options, uint64_t seed,
                                     int steps, AnyTally& tally) {
  Random random(seed, 79);
  SquaresSettings settings;
  settings.columns = static_cast<int32_t>(random.between(3, 9));
  settings.rows = static_cast<int32_t>(random.between(3, 9));
  settings.density = random.real(0.6, 1.0);
  settings.pitch = 20000;
  settings.jitter = random.chance(0.5) ? settings.pitch / 5 : 0;
  EditWorld world{SquaresWorld(random, settings).environment(), {}};
  if (!world.environment()) return "";
  AnyCheck check(world, generator, options);
  for (int i = 0; i < steps; ++i) {
    editRandomly(random, world, settings.pitch, 8);
    const std::string fault = check.step(world, tally, true);
    if (!fault.empty()) return fmt::format("step {}: {}", i, fault);
  }
  return "";
}

// Many edits of one world with some thirty obstacles; the last thirty are compared with new meshes.
inline std::string manyEdits(const std::string& generator, int steps, AnyTally& tally,
                             const std::vector<std::pair<std::string, std::string>>& options = {}) {
  Random random(5, 83);
  EditWorld world{oneLayer({{{{0, 0}, {400000, 0}, {400000, 300000}, {0, 300000}}, {}}}), {}};
  AnyCheck check(world, generator, options);
  for (int i = 0; i < steps; ++i) {
    editRandomly(random, world, 20000, 30);
    const std::string fault = check.step(world, tally, i >= steps - 30);
    if (!fault.empty()) return fmt::format("step {}: {}", i, fault);
  }
  return "";
}

}  // namespace wend
