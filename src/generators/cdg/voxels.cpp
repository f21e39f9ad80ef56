#include "generators/cdg/voxels.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <tuple>

namespace wend::cdg {
namespace {

using Key = std::tuple<LayerId, int32_t, int32_t>;  // layer, row, column

Key keyOf(const Voxel& v) {
  return {v.layer, v.row, v.column};
}

uint32_t find(const std::vector<Voxel>& all, const Key& key) {
  const auto at =
      std::lower_bound(all.begin(), all.end(), key, [](const Voxel& v, const Key& k) { return keyOf(v) < k; });
  return at != all.end() && keyOf(*at) == key ? static_cast<uint32_t>(at - all.begin()) : kNone;
}

// An even number of walls between two centres: a thin obstacle.
bool isBlocked(const std::vector<RowCrossing>& crossings, int32_t row, int32_t column) {
  const auto [first, last] = std::equal_range(crossings.begin(), crossings.end(), RowCrossing{row, column});
  return first != last;
}

void addLayer(const Environment& environment, LayerId layer, Voxels& voxels) {
  const std::vector<RowCrossing> rows = scanRows(environment.layers[layer].free, voxels.raster, false);
  const std::vector<RowCrossing> columns = scanRows(environment.layers[layer].free, voxels.raster, true);
  const size_t first = voxels.all.size();
  for (size_t k = 0; k + 1 < rows.size(); k += 2) {
    for (int32_t column = rows[k].column; column < rows[k + 1].column; ++column) {
      Voxel& added = voxels.all.emplace_back();
      added.layer = layer;
      added.row = rows[k].row;
      added.column = column;
      added.link.fill(kNone);
    }
  }
  for (size_t i = first; i < voxels.all.size(); ++i) {
    Voxel& v = voxels.all[i];
    if (const uint32_t right = find(voxels.all, {layer, v.row, v.column + 1});
        right != kNone && !isBlocked(rows, v.row, v.column + 1)) {
      v.link[0] = right;
      voxels.all[right].link[4] = static_cast<uint32_t>(i);
    }
    if (const uint32_t up = find(voxels.all, {layer, v.row + 1, v.column});
        up != kNone && !isBlocked(columns, v.column, v.row + 1)) {
      v.link[2] = up;
      voxels.all[up].link[6] = static_cast<uint32_t>(i);
    }
  }
}

// Links across one segment of a connection: centres of neighbouring squares on both sides of it.
void joinAcross(Point a, Point b, LayerId left, LayerId right, bool transposed, Voxels& voxels) {
  const SquareRaster& raster = voxels.raster;
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
      return transposed ? find(voxels.all, {layer, c, row}) : find(voxels.all, {layer, row, c});
    };
    const uint32_t one = at(left, column);
    const uint32_t two = at(right, column + 1);
    if (one == kNone || two == kNone) continue;
    const size_t way = transposed ? 2 : 0;
    if (voxels.all[one].link[way] != kNone || voxels.all[two].link[way + 4] != kNone) continue;
    voxels.all[one].link[way] = two;
    voxels.all[two].link[way + 4] = one;
  }
}

void linkDiagonals(std::vector<Voxel>& all) {
  const auto step = [&](uint32_t from, size_t way) { return from == kNone ? kNone : all[from].link[way]; };
  for (uint32_t i = 0; i < all.size(); ++i) {
    for (size_t way = 1; way < 8; way += 2) {
      const uint32_t one = step(step(i, way - 1), (way + 1) % 8);
      const uint32_t two = step(step(i, (way + 1) % 8), way - 1);
      if (one != kNone && one == two) all[i].link[way] = one;
    }
  }
}

// Distance from the middle of a square to the square that lies some columns and rows away, in sides.
double gap(int32_t columns, int32_t rows) {
  return std::hypot(std::max(0.0, std::abs(columns) - 0.5), std::max(0.0, std::abs(rows) - 0.5));
}

// Brushfire: squares that cannot be walked to spread over links, the nearest first.
void measure(Voxels& voxels, const Context& context) {
  struct Front {
    double distance;
    uint32_t voxel;
    int32_t columns;  // to the square that cannot be walked to
    int32_t rows;
    bool operator>(const Front& o) const {
      return std::tie(distance, voxel, columns, rows) > std::tie(o.distance, o.voxel, o.columns, o.rows);
    }
  };
  std::priority_queue<Front, std::vector<Front>, std::greater<>> open;
  std::vector<double> best(voxels.all.size(), HUGE_VAL);
  const auto reach = [&](uint32_t voxel, int32_t columns, int32_t rows) {
    // Around the end of a thin wall the square behind it comes back as the voxel itself.
    if (columns == 0 && rows == 0) return;
    const double distance = gap(columns, rows);
    if (distance >= best[voxel]) return;
    best[voxel] = distance;
    open.push({distance, voxel, columns, rows});
  };
  for (uint32_t i = 0; i < voxels.all.size(); ++i) {
    for (size_t way = 0; way < 8; ++way) {
      if (voxels.all[i].link[way] == kNone) reach(i, kAround[way][0], kAround[way][1]);
    }
  }
  size_t visited = 0;
  while (!open.empty()) {
    if ((++visited & 0xffffU) == 0 && context.cancelled()) return;
    const Front top = open.top();
    open.pop();
    if (top.distance > best[top.voxel]) continue;
    for (size_t way = 0; way < 8; ++way) {
      const uint32_t next = voxels.all[top.voxel].link[way];
      if (next != kNone) reach(next, top.columns - kAround[way][0], top.rows - kAround[way][1]);
    }
  }
  for (uint32_t i = 0; i < voxels.all.size(); ++i) {
    voxels.all[i].clearance = (best[i] - 0.5) * static_cast<double>(voxels.raster.side);
  }
}

}  // namespace

Voxels sampleLayers(const Environment& environment, const SquareRaster& raster, const Context& context) {
  Voxels voxels;
  voxels.raster = raster;
  for (LayerId layer = 0; layer < environment.layers.size() && !context.cancelled(); ++layer) {
    addLayer(environment, layer, voxels);
  }
  for (const Connection& connection : environment.connections) {
    for (size_t i = 0; i + 1 < connection.line.size(); ++i) {
      for (const bool transposed : {false, true}) {
        joinAcross(connection.line[i], connection.line[i + 1], connection.layerA, connection.layerB, transposed,
                   voxels);
      }
    }
  }
  linkDiagonals(voxels.all);
  measure(voxels, context);
  return voxels;
}

}  // namespace wend::cdg
