#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <wend/navmesh.h>

#include "geometry/int128.h"

// Meshes whose every number is known beforehand: squares on a grid, written down without MeshBuilder. A picture has one
// character per square, top row first: '.' is a cell, anything else an obstacle.
namespace wend {

using Picture = std::vector<std::string>;

inline bool isFree(const Picture& picture, int x, int y) {
  if (y < 0 || y >= static_cast<int>(picture.size())) return false;
  const std::string& row = picture[picture.size() - 1 - static_cast<size_t>(y)];
  return x >= 0 && x < static_cast<int>(row.size()) && row[static_cast<size_t>(x)] == '.';
}

// Fills vertices (one per fan), twins and sideCell from loose loops: sides of a layer, and sides of different layers
// listed in `across`, are joined where they run in opposite directions between equal points. Quadratic in nothing, but
// made of maps: for small meshes.
struct LooseCell {
  LayerId layer;
  std::vector<Vec2> loop;
};

inline MeshArrays joinCells(const std::vector<LooseCell>& cells,
                            const std::vector<std::pair<LayerId, LayerId>>& across = {}) {
  using Key = std::pair<std::pair<double, double>, std::pair<double, double>>;
  MeshArrays arrays;
  arrays.generator = "test";
  arrays.cellBegin.push_back(0);
  std::vector<Vec2> start;
  std::map<std::pair<LayerId, Key>, SideId> sides;
  for (const LooseCell& cell : cells) {
    for (size_t i = 0; i < cell.loop.size(); ++i) {
      const Vec2 a = cell.loop[i];
      const Vec2 b = cell.loop[(i + 1) % cell.loop.size()];
      sides[{cell.layer, Key{{a.x, a.y}, {b.x, b.y}}}] = static_cast<SideId>(start.size());
      start.push_back(a);
      arrays.sideCell.push_back(static_cast<CellId>(arrays.cellLayer.size()));
    }
    arrays.cellBegin.push_back(static_cast<uint32_t>(start.size()));
    arrays.cellLayer.push_back(cell.layer);
  }
  const auto next = [&](SideId s) {
    const CellId c = arrays.sideCell[s];
    return s + 1 == arrays.cellBegin[c + 1] ? arrays.cellBegin[c] : s + 1;
  };
  arrays.sideTwin.assign(start.size(), kNone);
  const auto join = [&](SideId s, LayerId layer) {
    const Vec2 a = start[s];
    const Vec2 b = start[next(s)];
    const auto found = sides.find({layer, Key{{b.x, b.y}, {a.x, a.y}}});
    if (found == sides.end() || arrays.sideTwin[s] != kNone || arrays.sideTwin[found->second] != kNone) return;
    arrays.sideTwin[s] = found->second;
    arrays.sideTwin[found->second] = s;
  };
  for (SideId s = 0; s < start.size(); ++s) {
    const LayerId own = arrays.cellLayer[arrays.sideCell[s]];
    join(s, own);
    for (const auto& [a, b] : across) {
      if (a == own) join(s, b);
    }
  }
  // One vertex per fan: turn to the first side of the fan, then number all sides of it.
  arrays.sideVertex.assign(start.size(), kNone);
  for (SideId s = 0; s < start.size(); ++s) {
    if (arrays.sideVertex[s] != kNone) continue;
    const auto previous = [&](SideId t) {
      const CellId c = arrays.sideCell[t];
      return t == arrays.cellBegin[c] ? arrays.cellBegin[c + 1] - 1 : t - 1;
    };
    SideId first = s;
    while (arrays.sideTwin[previous(first)] != kNone) {
      first = arrays.sideTwin[previous(first)];
      if (first == s) break;
    }
    const auto v = static_cast<VertexId>(arrays.vertices.size());
    arrays.vertices.push_back(start[s]);
    arrays.heights.push_back(0);
    for (SideId t = first; arrays.sideVertex[t] == kNone;) {
      arrays.sideVertex[t] = v;
      if (arrays.sideTwin[t] == kNone) break;
      t = next(arrays.sideTwin[t]);
    }
  }
  LayerId layers = 1;
  for (const LayerId layer : arrays.cellLayer) layers = std::max(layers, layer + 1);
  for (LayerId i = 0; i < layers; ++i) {
    arrays.layerIds.push_back(static_cast<int32_t>(i));
    arrays.layerNames.push_back("layer " + std::to_string(i));
    arrays.layerHeights.push_back({});
  }
  return arrays;
}

inline std::vector<LooseCell> gridCells(const Picture& picture, LayerId layer = 0, double size = 10000,
                                        Vec2 origin = {}) {
  std::vector<LooseCell> cells;
  for (int y = 0; y < static_cast<int>(picture.size()); ++y) {
    for (int x = 0; x < 4096; ++x) {
      if (!isFree(picture, x, y)) continue;
      const double x0 = origin.x + x * size;
      const double y0 = origin.y + y * size;
      cells.push_back({layer, {{x0, y0}, {x0 + size, y0}, {x0 + size, y0 + size}, {x0, y0 + size}}});
    }
  }
  return cells;
}

// The mesh of a picture: unit squares of 1 m, and as recorded topology that of the mesh itself.
inline MeshArrays gridArrays(const Picture& picture) {
  MeshArrays arrays = joinCells(gridCells(picture));
  arrays.environment = topology(NavMesh(arrays));
  return arrays;
}

inline NavMesh gridMesh(const Picture& picture) {
  return NavMesh(gridArrays(picture));
}

// n x m squares in one layer, built directly: for large meshes.
inline MeshArrays openGrid(uint32_t n, uint32_t m, double size = 10000) {
  MeshArrays arrays;
  arrays.generator = "test";
  for (uint32_t y = 0; y <= m; ++y) {
    for (uint32_t x = 0; x <= n; ++x) arrays.vertices.push_back({x * size, y * size});
  }
  arrays.heights.assign(arrays.vertices.size(), 0);
  arrays.cellBegin.push_back(0);
  for (uint32_t y = 0; y < m; ++y) {
    for (uint32_t x = 0; x < n; ++x) {
      const CellId c = y * n + x;
      const VertexId v = y * (n + 1) + x;
      arrays.sideVertex.insert(arrays.sideVertex.end(), {v, v + 1, v + n + 2, v + n + 1});
      arrays.sideTwin.insert(arrays.sideTwin.end(),
                             {y > 0 ? 4 * (c - n) + 2 : kNone, x + 1 < n ? 4 * (c + 1) + 3 : kNone,
                              y + 1 < m ? 4 * (c + n) : kNone, x > 0 ? 4 * (c - 1) + 1 : kNone});
      arrays.sideCell.insert(arrays.sideCell.end(), 4, c);
      arrays.cellLayer.push_back(0);
      arrays.cellBegin.push_back(4 * (c + 1));
    }
  }
  arrays.layerIds = {0};
  arrays.layerNames = {"ground"};
  arrays.layerHeights.resize(1);
  arrays.environment = {toDoubledArea(static_cast<Int128>(2 * size * size) * n * m), 1, 1, 0};
  return arrays;
}

}  // namespace wend
