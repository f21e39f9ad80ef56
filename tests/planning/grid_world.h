#pragma once

#include <string>
#include <vector>

#include "base/random.h"
#include "tests/mesh/grid_mesh.h"
#include "tests/planning/visibility/visibility_oracle.h"

// Worlds of squares, for which the mesh and the walls are known without any generator.
namespace wend {

// Lattice units per square; 1 m each.
inline constexpr int32_t kSquare = 4;

inline NavMesh squareMesh(const Picture& picture) {
  MeshArrays arrays = joinCells(gridCells(picture, 0, kSquare));
  arrays.lattice.unit = 1.0 / kSquare;
  return NavMesh(std::move(arrays));
}

inline std::vector<OracleWall> squareWalls(const Picture& picture) {
  std::vector<OracleWall> walls;
  const auto add = [&](int ax, int ay, int bx, int by) {
    walls.push_back({{ax * kSquare, ay * kSquare}, {bx * kSquare, by * kSquare}});
  };
  const int height = static_cast<int>(picture.size());
  const int width = static_cast<int>(picture.front().size());
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      if (!isFree(picture, x, y)) continue;
      if (!isFree(picture, x, y - 1)) add(x, y, x + 1, y);
      if (!isFree(picture, x + 1, y)) add(x + 1, y, x + 1, y + 1);
      if (!isFree(picture, x, y + 1)) add(x + 1, y + 1, x, y + 1);
      if (!isFree(picture, x - 1, y)) add(x, y + 1, x, y);
    }
  }
  return walls;
}

inline Picture randomPicture(Random& random, int width, int height, double blocked) {
  Picture picture(static_cast<size_t>(height), std::string(static_cast<size_t>(width), '.'));
  for (std::string& row : picture) {
    for (char& c : row) {
      if (random.chance(blocked)) c = '#';
    }
  }
  return picture;
}

}  // namespace wend
