#include "generators/cdg/cdg.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/hash.h"
#include "generators/cdg/cells.h"
#include "generators/layer_triangles.h"

namespace wend::cdg {
namespace {

constexpr const char* kName = "cdg";
constexpr const char* kStage = "disks";
constexpr double kMostSamplesAcross = 512;  // as the study
constexpr MeshTraits kTraits{.exact = false};

}  // namespace

uint64_t Settings::hash() const {
  Hash hash;
  hash.add(std::string_view(kName));
  hash.add(sample);
  hash.add(least);
  return hash.value();
}

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context) {
  // Only to learn what is wrong with the polygons, and where: the scan trusts them.
  if (const Status status = checkLayers(environment, context); !status.ok()) return status.error();
  for (const Connection& connection : environment.connections) {
    if (std::max(connection.layerA, connection.layerB) >= environment.layers.size()) {
      return Error{ErrorCode::kInvalidGeometry,
                   "A connection names a layer that does not exist; validate() lists what "
                   "is wrong with the environment."};
    }
  }
  context.report(kStage, 0);
  const Box box = boundingBox(environment);
  const double unit = environment.lattice.unit;
  const double extent =
      unit * std::max(static_cast<double>(box.max.x) - box.min.x, static_cast<double>(box.max.y) - box.min.y);
  const double sample = std::max(settings.sample, extent / kMostSamplesAcross);
  if (sample > settings.sample) {
    context.note(
        fmt::format("Samples are {:.3f} m apart: no more than {} fit across the world.", sample, kMostSamplesAcross));
  }
  SquareRaster raster;
  raster.origin = box.min;
  raster.side = std::max<int64_t>(1, std::llround(sample / unit));
  raster.columns = (static_cast<int64_t>(box.max.x) - box.min.x) / raster.side + 1;
  raster.rows = (static_cast<int64_t>(box.max.y) - box.min.y) / raster.side + 1;

  const Result<Voxels> voxels = sampleLayers(environment, raster, context);
  if (!voxels.ok()) return voxels.error();
  context.report(kStage, 0.5);
  const Crossings crossings(environment);
  const std::vector<Disk> disks = chooseDisks(*voxels, crossings, settings.least / unit, context);
  const std::vector<Portal> portals = findPortals(disks, crossings);
  if (context.cancelled()) return Error{ErrorCode::kCancelled, "The disks were cancelled by the caller."};

  MeshBuilder builder(environment);
  addCells(disks, portals, crossings, builder);
  context.report(kStage, 1);
  return builder.build(kName, settings.hash(), kTraits, context);
}

Generator entry() {
  Generator generator;
  generator.info.name = kName;
  generator.info.meaning =
      "Disks around samples of locally largest clearance, cut where they overlap: approximate, never covers corners.";
  generator.info.source =
      "J. Pettre, J.-P. Laumond, D. Thalmann, A navigation graph for real-time crowd animation on multilayered and "
      "uneven terrain, V-CROWDS (2005)";
  generator.info.traits = kTraits;
  generator.info.options = {
      {"sample",
       "Distance of the samples, in metres, at least a 512th of the world; fewer miss narrow ways.",
       "0.2",
       {},
       0.001,
       100},
      {"least", "Smallest radius of a disk, in metres; larger ones leave narrow ways out.", "0.1", {}, 0.001, 100},
  };
  generator.run = [](const Environment& environment, const OptionValues& options, uint64_t, const Context& context) {
    return generate(environment, Settings{options.number("sample"), options.number("least")}, context);
  };
  return generator;
}

}  // namespace wend::cdg
