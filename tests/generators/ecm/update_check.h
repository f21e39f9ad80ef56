#pragma once

#include <map>
#include <string>

#include <wend/generate.h>
#include <wend/navmesh.h>

#include <fmt/format.h>

#include "tests/generators/ecm/axis_equality.h"
#include "tests/generators/edit_worlds.h"
#include "tests/generators/layered_worlds.h"
#include "tests/generators/random_edit_world.h"

// Edits of a world, each held against a new construction.
namespace wend::ecm {

struct UpdateTally {
  uint64_t steps = 0;
  uint64_t inPlace = 0;
  uint64_t rebuilt = 0;
  std::string reason;  // of the last one made anew
  std::map<std::string, int> reasons;
};

class UpdateCheck : public UpdateTally {
 public:
  explicit UpdateCheck(const EditWorld& world) : before_(*world.environment()) {
    settings_.generator = "ecm";
    const auto mesh = generate(before_, settings_, serial());
    if (mesh.ok()) mesh_ = *mesh;
  }

  // Updates to the world as it is now. Empty if the result is right, else what is wrong.
  std::string step(const EditWorld& world) {
    const auto after = world.environment();
    if (!after) return "";
    ++steps;
    const auto wanted = generate(*after, settings_, serial());
    if (!wanted.ok()) {
      before_ = *after;
      mesh_ = NavMesh();
      return "";
    }
    if (mesh_.empty()) {
      before_ = *after;
      mesh_ = *wanted;
      return "";
    }
    const auto update = updateMesh(mesh_, before_, *after, changedArea(before_, *after), settings_, serial());
    if (!update.ok()) return update.error().message;
    ++(update->inPlace ? inPlace : rebuilt);
    if (!update->inPlace) reason = update->reason;
    if (!update->inPlace) ++reasons[update->reason];
    std::string fault;
    if (update->inPlace) fault = axisDifference(*update->mesh.corridorMap(), *wanted->corridorMap());
    if (fault.empty()) {
      for (const MeshFault& found : checkMesh(update->mesh, &*after, 1)) fault = found.message;
    }
    if (fault.empty()) fault = sourceFault(*update);
    before_ = *after;
    mesh_ = update->mesh;
    return fault;
  }

  const NavMesh& mesh() const { return mesh_; }

 private:
  static const Context& serial() {
    static Context context;
    context.threads = 1;
    return context;
  }

  // Cells that are said to be the same are.
  std::string sourceFault(const MeshUpdate& update) const {
    if (update.source.size() != update.mesh.cellCount()) return "a cell has no source";
    uint32_t added = 0;
    for (CellId cell = 0; cell < update.mesh.cellCount(); ++cell) {
      const CellId source = update.source[cell];
      added += source == kNone ? 1 : 0;
      if (source == kNone || !update.inPlace) continue;
      double area = cellArea(update.mesh, cell);
      if (std::abs(area - cellArea(mesh_, source)) > 1e-9 * area + 1e-15) {
        return fmt::format("cell {} is not what cell {} was", cell, source);
      }
    }
    if (added != update.cellsAdded) return "the added cells are not counted";
    if (mesh_.cellCount() - update.cellsRemoved + update.cellsAdded != update.mesh.cellCount()) {
      return "the removed cells are not counted";
    }
    return "";
  }

  Environment before_;
  NavMesh mesh_;
  GenerateSettings settings_;
};

// Runs random edits and adds them to the tally.
inline std::string editsOf(EditWorld world, Random& random, double size, int steps, UpdateTally& tally) {
  for (const Layer& layer : world.base.layers) {
    if (!findPolygonFaults(layer.free, 1).empty()) return "";
  }
  if (!world.environment()) return "";
  UpdateCheck check(world);
  for (int i = 0; i < steps; ++i) {
    EditWorld next = world;
    editRandomly(random, next, size, 8);
    const auto after = next.environment();
    // What touches a connection would need the connection to change too.
    if (!after || !validate(*after, 1).empty()) continue;
    world = next;
    const std::string fault = check.step(world);
    if (!fault.empty()) return fmt::format("step {}: {}", i, fault);
  }
  tally.steps += check.steps;
  tally.inPlace += check.inPlace;
  tally.rebuilt += check.rebuilt;
  if (!check.reason.empty()) tally.reason = check.reason;
  for (const auto& [why, count] : check.reasons) tally.reasons[why] += count;
  return "";
}

// A random world of one layer and random edits of it.
inline std::string randomEdits(uint64_t seed, int steps, UpdateTally& tally) {
  Random random(seed, 71);
  double size = 0;
  EditWorld world = randomEditWorld(random, 0.5, size);
  return editsOf(std::move(world), random, size, steps, tally);
}

// Squares cut into layers, or layers above each other.
inline std::string layeredEdits(uint64_t seed, int steps, UpdateTally& tally) {
  Random random(seed, 97);
  EditWorld world;
  double size = 0;
  if (random.chance(0.6)) {
    SquaresSettings settings;
    settings.columns = static_cast<int32_t>(random.between(3, 9));
    settings.rows = static_cast<int32_t>(random.between(3, 9));
    settings.density = random.real(0.6, 1.0);
    settings.pitch = random.chance(0.5) ? 1000 : 20000;
    settings.jitter = random.chance(0.5) ? settings.pitch / 5 : 0;
    settings.layers = static_cast<uint32_t>(random.between(2, std::min(4, settings.columns)));
    world.base = SquaresWorld(random, settings).environment();
    size = 0.7 * settings.pitch;
  } else {
    const auto made = overlappingWorld(seed);
    if (!made) return "";
    world.base = *made;
    const Box box = boundingBox(world.base);
    size = 0.08 * (static_cast<double>(box.max.x) - box.min.x);
  }
  return editsOf(std::move(world), random, size, steps, tally);
}

}  // namespace wend::ecm
