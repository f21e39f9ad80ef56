#include "generators/cdg/voxels.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "generators/cdg/joins.h"

namespace wend::cdg {
namespace {

constexpr uint64_t kMostSamples = uint64_t{1} << 30;

// Returns the number of samples so far.
uint64_t addLayer(const std::vector<Polygon>& free, uint64_t samples, Voxels& voxels) {
  const std::vector<RowCrossing> rows = scanRows(free, voxels.raster, false);
  for (size_t k = 0; k + 1 < rows.size(); k += 2) {
    if (rows[k].column >= rows[k + 1].column) continue;
    voxels.runs.push_back({rows[k].row, rows[k].column, rows[k + 1].column, static_cast<uint32_t>(samples)});
    samples += static_cast<uint64_t>(rows[k + 1].column - rows[k].column);
  }
  voxels.layerBegin.push_back(static_cast<uint32_t>(voxels.runs.size()));
  return samples;
}

void linkUp(const Run& below, const Run& above, Sides& sides) {
  const int32_t begin = std::max(below.begin, above.begin);
  const int32_t end = std::min(below.end, above.end);
  uint32_t one = below.first + static_cast<uint32_t>(begin - below.begin);
  uint32_t two = above.first + static_cast<uint32_t>(begin - above.begin);
  for (int32_t column = begin; column < end; ++column, ++one, ++two) {
    sides[one][1] = two;
    sides[two][3] = one;
  }
}

void linkLayer(const std::vector<Polygon>& free, const SquareRaster& raster, const RowIndex& index, Sides& sides) {
  for (const Run& run : index.all()) {
    const uint32_t last = run.first + static_cast<uint32_t>(run.end - run.begin) - 1;
    for (uint32_t i = run.first; i < last; ++i) {
      sides[i][0] = i + 1;
      sides[i + 1][2] = i;
    }
  }
  for (size_t k = 0; k < index.all().size();) {
    const int32_t row = index.all()[k].row;
    const std::span<const Run> below = index.row(row);
    const std::span<const Run> above = index.row(row + 1);
    for (size_t i = 0, j = 0; i < below.size() && j < above.size();) {
      linkUp(below[i], above[j], sides);
      below[i].end < above[j].end ? ++i : ++j;
    }
    k += below.size();
  }
  // An even number of walls between two centres: a thin obstacle.
  for (const RowCrossing& wall : scanRows(free, raster, true)) {
    const uint32_t above = index.find(wall.column, wall.row);
    if (above == kNone || sides[above][3] == kNone) continue;
    sides[sides[above][3]][1] = kNone;
    sides[above][3] = kNone;
  }
}

std::vector<uint8_t> waysOf(const Sides& sides) {
  std::vector<uint8_t> ways(sides.size(), 0);
  const auto open = [&](uint32_t from, unsigned way, uint32_t to) {
    ways[from] |= static_cast<uint8_t>(1U << way);
    ways[to] |= static_cast<uint8_t>(1U << (way + 4));
  };
  for (uint32_t i = 0; i < sides.size(); ++i) {
    const uint32_t right = sides[i][0];
    const uint32_t up = sides[i][1];
    if (right != kNone) open(i, 0, right);
    if (up != kNone) open(i, 2, up);
    if (right == kNone || up == kNone) continue;
    // Links are mutual: if one comes around a corner from one of its four samples, then from all.
    const uint32_t across = sides[up][0];
    if (across == kNone || across != sides[right][1]) continue;
    open(i, 1, across);
    open(right, 3, up);
  }
  return ways;
}

}  // namespace

Result<Voxels> sampleLayers(const Environment& environment, const SquareRaster& raster, const Context& context) {
  Voxels voxels;
  voxels.raster = raster;
  voxels.layerBegin.push_back(0);
  uint64_t samples = 0;
  for (const Layer& layer : environment.layers) {
    samples = addLayer(layer.free, samples, voxels);
    if (context.cancelled()) return Error{ErrorCode::kCancelled, "The samples were cancelled by the caller."};
    if (samples > kMostSamples) {
      return Error{ErrorCode::kLimit, fmt::format("The layers hold more than {} samples; choose a larger distance of "
                                                  "samples, or split the world.",
                                                  kMostSamples)};
    }
  }
  std::vector<RowIndex> layers;
  layers.reserve(environment.layers.size());
  for (LayerId layer = 0; layer < environment.layers.size(); ++layer) layers.emplace_back(voxels.runsOf(layer));

  Sides& sides = voxels.links.sides;
  sides.assign(samples, {kNone, kNone, kNone, kNone});
  for (LayerId layer = 0; layer < layers.size() && !context.cancelled(); ++layer) {
    linkLayer(environment.layers[layer].free, raster, layers[layer], sides);
  }
  joinLayers(environment, raster, layers, sides);
  voxels.links.ways = waysOf(sides);
  const auto farthest = static_cast<int32_t>(std::max(raster.columns, raster.rows));
  voxels.gaps = measureGaps(voxels.links, farthest, context);
  return voxels;
}

}  // namespace wend::cdg
