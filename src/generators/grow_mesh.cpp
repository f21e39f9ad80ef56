#include "generators/grow_mesh.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "generators/layer_triangles.h"
#include "geometry/growth/growth_space.h"
#include "geometry/growth/seeds.h"

namespace wend {
namespace {

constexpr const char* kStage = "grow";
constexpr double kUsualPitch = 2;  // metres

}  // namespace

Result<NavMesh> growMesh(const Environment& environment, const GrowMeshSettings& settings, const GrowCells& grow,
                         const Context& context) {
  // Only to learn what is wrong with the polygons, and where: growth trusts them.
  if (const Status status = checkLayers(environment, context); !status.ok()) return status.error();
  const auto spaces = grownSpaces(environment, settings.terrain, context);
  if (!spaces.ok()) return spaces.error();
  context.report(kStage, 0);
  std::vector<GrownCells> grown(spaces->size());
  parallelFor(grown.size(), context, [&](size_t i) {
    if (!(*spaces)[i].free.empty()) grown[i] = grow((*spaces)[i], i);
  });
  if (context.cancelled()) return Error{ErrorCode::kCancelled, "Growth was cancelled by the caller."};
  context.report(kStage, 1);
  MeshBuilder builder(environment, kGrownCornerTolerance);
  for (size_t i = 0; i < grown.size(); ++i) addGrownCells(builder, (*spaces)[i], grown[i].cells, grown[i].walls);
  return builder.build(settings.generator, settings.settingsHash, settings.traits, context);
}

GrownCells cellsOf(const growth::GrowthSpace& space, bool merge) {
  GrownCells out;
  for (const growth::Region& region : space.regions()) out.cells.push_back(outlineOf(region, space.walls()));
  if (merge) growth::mergeConvex(out.cells);
  out.walls = space.walls();
  return out;
}

Result<int64_t> seedPitch(const Environment& environment, double metres) {
  if (!(metres == 0 || (metres >= 0.01 && metres <= 1e5))) {
    return Error{ErrorCode::kInvalidSettings, "The pitch of seeds must be 0.01 to 100000 m, or 0 to be chosen."};
  }
  const auto units = [&](double length) {
    return std::max<int64_t>(1, std::llround(length / environment.lattice.unit));
  };
  const Box box = boundingBox(environment);
  int64_t pitch = units(metres == 0 ? kUsualPitch : metres);
  if (const Status status = growth::checkSeedCount(box, pitch); !status.ok()) return status.error();
  const auto isMissed = [&](const Layer& layer) {
    return !layer.free.empty() && growth::gridSeeds(layer.free, pitch).empty();
  };
  while (metres == 0 && std::any_of(environment.layers.begin(), environment.layers.end(), isMissed)) {
    if (pitch == 1 || !growth::checkSeedCount(box, pitch / 2).ok()) break;
    pitch /= 2;
  }
  return pitch;
}

GeneratorOption seedPitchOption() {
  return {"pitch",
          "Distance of the seeds, in metres; 0 is 2 m, halved until a seed lies in every layer. A coarse grid misses "
          "narrow ways.",
          "0",
          {},
          0,
          1e5};
}

Status checkTries(uint32_t tries) {
  if (tries >= 1 && tries <= 1000) return Done{};
  return Error{ErrorCode::kInvalidSettings, "The number of tries of growth must be 1 to 1000."};
}

}  // namespace wend
