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

// Ways along a run, and over the sides and corners above and below.
constexpr uint8_t kAlong = 0b00010001;
constexpr uint8_t kAbove = 0b00001110;
constexpr uint8_t kBelow = 0b11100000;

// From one sample to before another.
void open(uint32_t begin, uint32_t end, uint8_t more, std::span<uint8_t> ways) {
  for (uint32_t i = begin; i < end; ++i) ways[i] |= more;
}

void linkRun(const Run& run, SurfaceLinks& links) {
  const uint32_t last = run.first + static_cast<uint32_t>(run.end - run.begin) - 1;
  const std::span sides(links.sides);
  for (uint32_t i = run.first; i < last; ++i) {
    sides[i][0] = i + 1;
    sides[i + 1][2] = i;
  }
  open(run.first + 1, last, kAlong, links.ways);
}

void linkUp(const Run& below, const Run& above, SurfaceLinks& links) {
  const int32_t begin = std::max(below.begin, above.begin);
  const int32_t end = std::min(below.end, above.end);
  if (begin >= end) return;
  const uint32_t one = below.first + static_cast<uint32_t>(begin - below.begin);
  const uint32_t two = above.first + static_cast<uint32_t>(begin - above.begin);
  const auto count = static_cast<uint32_t>(end - begin);
  const std::span lower = std::span(links.sides).subspan(one, count);
  const std::span upper = std::span(links.sides).subspan(two, count);
  for (uint32_t i = 0; i < count; ++i) {
    lower[i][1] = two + i;
    upper[i][3] = one + i;
  }
  open(one + 1, one + count - 1, kAbove, links.ways);
  open(two + 1, two + count - 1, kBelow, links.ways);
}

// What lies at the cut, or beside it, lost its way over a side or a corner.
void cutBelow(uint32_t above, SurfaceLinks& links) {
  const uint32_t below = links.sides[above][3];
  if (below == kNone) return;
  links.sides[below][1] = kNone;
  links.sides[above][3] = kNone;
  for (const uint32_t i : {below, above}) {
    for (const uint32_t beside : {i, links.sides[i][0], links.sides[i][2]}) {
      if (beside != kNone) links.ways[beside] = 0;
    }
  }
}

void linkLayer(const std::vector<Polygon>& free, const SquareRaster& raster, const RowIndex& index,
               SurfaceLinks& links) {
  for (const Run& run : index.all()) linkRun(run, links);
  for (size_t k = 0; k < index.all().size();) {
    const int32_t row = index.all()[k].row;
    const std::span<const Run> below = index.row(row);
    const std::span<const Run> above = index.row(row + 1);
    for (size_t i = 0, j = 0; i < below.size() && j < above.size();) {
      linkUp(below[i], above[j], links);
      below[i].end < above[j].end ? ++i : ++j;
    }
    k += below.size();
  }
  // An even number of walls between two centres: a thin obstacle.
  for (const RowCrossing& wall : scanRows(free, raster, true)) {
    const uint32_t above = index.find(wall.column, wall.row);
    if (above != kNone) cutBelow(above, links);
  }
}

uint8_t waysFrom(uint32_t sample, const Sides& sides) {
  uint32_t ways = 0;
  for (size_t side = 0; side < 4; ++side) {
    const size_t next = (side + 1) % 4;
    const uint32_t one = sides[sample][side];
    const uint32_t two = sides[sample][next];
    if (one == kNone) continue;
    ways |= 1U << (2 * side);
    if (two != kNone && sides[one][next] != kNone && sides[one][next] == sides[two][side]) ways |= 2U << (2 * side);
  }
  return static_cast<uint8_t>(ways);
}

// Samples inside of runs that lie above each other were given all ways: they make up the stretches. The others are at
// borders or connections.
void findWays(SurfaceLinks& links) {
  const auto count = static_cast<uint32_t>(links.ways.size());
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t begin = i;
    while (i < count && links.ways[i] == SurfaceLinks::kAllWays) ++i;
    if (begin < i) links.stretches.push_back({begin, i});
    if (i < count) links.ways[i] = waysFrom(i, links.sides);
  }
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

  SurfaceLinks& links = voxels.links;
  links.sides.assign(samples, {kNone, kNone, kNone, kNone});
  links.ways.assign(samples, 0);
  for (LayerId layer = 0; layer < layers.size() && !context.cancelled(); ++layer) {
    linkLayer(environment.layers[layer].free, raster, layers[layer], links);
  }
  joinLayers(environment, raster, layers, links.sides);
  findWays(links);
  const auto farthest = static_cast<int32_t>(std::max(raster.columns, raster.rows));
  voxels.gaps = measureGaps(voxels.links, farthest, context);
  return voxels;
}

}  // namespace wend::cdg
