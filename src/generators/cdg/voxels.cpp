#include "generators/cdg/voxels.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace wend::cdg {
namespace {

// The runs of one layer, found by row and column.
class RowIndex {
 public:
  explicit RowIndex(std::span<const Run> runs) : runs_(runs) {
    if (runs.empty()) return;
    lowest_ = runs.front().row;
    begin_.reserve(static_cast<size_t>(runs.back().row - lowest_) + 2);
    for (uint32_t i = 0; i < runs.size(); ++i) begin_.resize(static_cast<size_t>(runs[i].row - lowest_) + 1, i);
    begin_.push_back(static_cast<uint32_t>(runs.size()));
  }

  std::span<const Run> row(int32_t row) const {
    const int64_t i = static_cast<int64_t>(row) - lowest_;
    if (i < 0 || i + 1 >= static_cast<int64_t>(begin_.size())) return {};
    const auto at = static_cast<size_t>(i);
    return runs_.subspan(begin_[at], begin_[at + 1] - begin_[at]);
  }

  // The sample, or kNone.
  uint32_t find(int32_t row, int32_t column) const {
    const std::span<const Run> runs = this->row(row);
    const auto after =
        std::upper_bound(runs.begin(), runs.end(), column, [](int32_t c, const Run& run) { return c < run.begin; });
    if (after == runs.begin() || (after - 1)->end <= column) return kNone;
    return (after - 1)->first + static_cast<uint32_t>(column - (after - 1)->begin);
  }

  std::span<const Run> all() const { return runs_; }

 private:
  std::span<const Run> runs_;
  int32_t lowest_ = 0;
  std::vector<uint32_t> begin_;  // by row; one more at the end
};

using Sides = std::vector<std::array<uint32_t, 4>>;

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

// Links across one segment of a connection: centres of neighbouring squares on both sides of it.
void joinAcross(Point a, Point b, LayerId left, LayerId right, bool transposed, const SquareRaster& raster,
                const std::vector<RowIndex>& layers, Sides& sides) {
  Point origin = raster.origin;
  if (transposed) {
    std::swap(a.x, a.y);
    std::swap(b.x, b.y);
    std::swap(origin.x, origin.y);
    std::swap(left, right);
  }
  if (a.y == b.y) return;
  // With the segment running upwards its left side has the smaller x.
  if (a.y > b.y) {
    std::swap(a, b);
    std::swap(left, right);
  }
  const auto side = static_cast<double>(raster.side);
  const auto firstRow = static_cast<int32_t>(std::floor((a.y - static_cast<double>(origin.y)) / side - 0.5));
  const auto lastRow = static_cast<int32_t>(std::ceil((b.y - static_cast<double>(origin.y)) / side - 0.5));
  for (int32_t row = firstRow; row <= lastRow; ++row) {
    const double y = origin.y + (row + 0.5) * side;
    if (y < a.y || y >= b.y) continue;
    const double x = a.x + (y - a.y) / (static_cast<double>(b.y) - a.y) * (static_cast<double>(b.x) - a.x);
    const auto column = static_cast<int32_t>(std::floor((x - static_cast<double>(origin.x)) / side - 0.5));
    const auto at = [&](LayerId layer, int32_t c) {
      return transposed ? layers[layer].find(c, row) : layers[layer].find(row, c);
    };
    const uint32_t one = at(left, column);
    const uint32_t two = at(right, column + 1);
    if (one == kNone || two == kNone) continue;
    const size_t way = transposed ? 1 : 0;
    if (sides[one][way] != kNone || sides[two][way + 2] != kNone) continue;
    sides[one][way] = two;
    sides[two][way + 2] = one;
  }
}

std::vector<uint8_t> cornersOf(const Sides& sides) {
  std::vector<uint8_t> corners(sides.size(), 0);
  for (uint32_t i = 0; i < sides.size(); ++i) {
    const uint32_t up = sides[i][1];
    if (up == kNone) continue;
    const auto join = [&](size_t across, uint8_t mine, uint8_t others) {
      const uint32_t beside = sides[i][across];
      if (beside == kNone || sides[up][across] == kNone || sides[up][across] != sides[beside][1]) return;
      corners[i] |= mine;
      corners[sides[up][across]] |= others;
    };
    join(0, 1, 4);
    join(2, 2, 8);
  }
  return corners;
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
  for (const Connection& connection : environment.connections) {
    for (size_t i = 0; i + 1 < connection.line.size(); ++i) {
      for (const bool transposed : {false, true}) {
        joinAcross(connection.line[i], connection.line[i + 1], connection.layerA, connection.layerB, transposed, raster,
                   layers, sides);
      }
    }
  }
  voxels.links.corners = cornersOf(sides);
  voxels.gaps = measureGaps(voxels.links, context);
  return voxels;
}

}  // namespace wend::cdg
