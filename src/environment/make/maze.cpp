#include "base/random.h"
#include "environment/make/cell_plan.h"
#include "environment/make/recipe.h"
#include "geometry/int128.h"

// Perfect mazes: the rooms are the unit squares at even positions, and a random spanning tree opens one square between
// neighbouring rooms. Area 2 (D/2)^2 - 1 and one boundary, whatever the tree.
namespace wend::make {

namespace {

bool isPowerOfTwo(int value) {
  return value > 0 && (value & (value - 1)) == 0;
}

// Depth-first search with random turns, without recursion. Its long corridors give the vertex density of the
// published mazes (1.36 per room); a uniform spanning tree gives a quarter more.
std::vector<uint8_t> carve(int rooms, Random& random) {
  const int side = 2 * rooms - 1;
  std::vector<uint8_t> open(static_cast<size_t>(side) * side, 0);
  const auto at = [&](int x, int y) -> uint8_t& { return open[static_cast<size_t>(y) * side + x]; };
  std::vector<std::pair<int, int>> path{{static_cast<int>(random.below(static_cast<uint64_t>(rooms))) * 2,
                                         static_cast<int>(random.below(static_cast<uint64_t>(rooms))) * 2}};
  at(path[0].first, path[0].second) = 1;
  constexpr int kDx[4] = {2, 0, -2, 0};
  constexpr int kDy[4] = {0, 2, 0, -2};
  while (!path.empty()) {
    const auto [x, y] = path.back();
    int choices[4];
    uint64_t count = 0;
    for (int d = 0; d < 4; ++d) {
      const int u = x + kDx[d];
      const int v = y + kDy[d];
      if (u >= 0 && v >= 0 && u < side && v < side && at(u, v) == 0) choices[count++] = d;
    }
    if (count == 0) {
      path.pop_back();
      continue;
    }
    const int d = choices[random.below(count)];
    at(x + kDx[d] / 2, y + kDy[d] / 2) = 1;
    at(x + kDx[d], y + kDy[d]) = 1;
    path.emplace_back(x + kDx[d], y + kDy[d]);
  }
  return open;
}

Result<Environment> maze(const Recipe& recipe) {
  const int size = recipe.whole("size");
  if (!isPowerOfTwo(size)) {
    return Error{ErrorCode::kInvalidSettings, "maze: size must be a power of two (2, 4, 8, ... 1024)"};
  }
  Random random(recipe.seed());
  const int rooms = size / 2;
  const int side = size - 1;
  const std::vector<uint8_t> open = carve(rooms, random);
  std::vector<int32_t> lines;
  for (int i = 0; i <= side; ++i) lines.push_back(i * kMetre);
  Construction world("maze" + std::to_string(size));
  const uint32_t layer = world.addLayer("maze", 0);
  const Int128 squares = 2 * static_cast<Int128>(rooms) * rooms - 1;
  world.addFloors(layer, traceCells(lines, lines, open).polygons, squares * 2 * kMetre * kMetre);
  return std::move(world).finish(1, 1);
}

}  // namespace

std::vector<Entry> mazeWorlds() {
  return {{{"maze",
            "A random perfect maze of 1 m corridors, size - 1 metres wide.",
            "Maze8 to Maze128 of the comparison study: area 2(D/2)^2 - 1 m2 (31, 127, 511, 2,047, 8,191) and one "
            "boundary are exact; n (28, 82, 356, 1,390, 5,574) varies with the random tree.",
            {wholeParameter("size", "Power of two; the side is one metre less.", 32, 2, 1024)}},
           maze}};
}

}  // namespace wend::make
