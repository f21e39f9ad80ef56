#pragma once

#include <queue>
#include <set>
#include <string>
#include <vector>

#include <wend/image/adaptive_grid.h>

#include <gtest/gtest.h>

#include "base/random.h"

// Pictures for tests of adaptive grids, and the laws that every grid obeys.
namespace wend {

// One text per row; '.' is free.
inline NavigableGrid maskOf(const std::vector<std::string>& rows) {
  NavigableGrid grid;
  grid.height = static_cast<uint32_t>(rows.size());
  grid.width = static_cast<uint32_t>(rows[0].size());
  for (const std::string& row : rows) {
    for (const char c : row) grid.free.push_back(c == '.' ? 1 : 0);
  }
  return grid;
}

inline NavigableGrid randomMask(Random& random, uint32_t width, uint32_t height, double share) {
  NavigableGrid grid;
  grid.width = width;
  grid.height = height;
  grid.free.resize(static_cast<size_t>(width) * height);
  for (uint8_t& pixel : grid.free) pixel = random.chance(share) ? 1 : 0;
  return grid;
}

// Pixels that are joined to one of the given pixels side by side: a slow and obvious flood.
inline std::vector<uint8_t> reachable(const NavigableGrid& grid, const std::vector<size_t>& from) {
  std::vector<uint8_t> seen(grid.free.size(), 0);
  std::queue<size_t> open;
  for (const size_t i : from) {
    if (grid.free[i] != 0 && seen[i] == 0) {
      seen[i] = 1;
      open.push(i);
    }
  }
  for (; !open.empty(); open.pop()) {
    const size_t i = open.front();
    const size_t row = i / grid.width;
    const size_t column = i % grid.width;
    const auto visit = [&](size_t j) {
      if (grid.free[j] == 0 || seen[j] != 0) return;
      seen[j] = 1;
      open.push(j);
    };
    if (column > 0) visit(i - 1);
    if (column + 1 < grid.width) visit(i + 1);
    if (row > 0) visit(i - grid.width);
    if (row + 1 < grid.height) visit(i + grid.width);
  }
  return seen;
}

// Every id's pixels are its whole rectangle, ids are 1 to K, and nothing blocked has one.
inline void expectPartition(const AdaptiveGrid& grid, const NavigableGrid& mask) {
  ASSERT_EQ(grid.ids.size(), mask.free.size());
  std::vector<uint64_t> count(grid.clusters.size(), 0);
  for (size_t i = 0; i < grid.ids.size(); ++i) {
    if (grid.ids[i] == 0) continue;
    ASSERT_LE(grid.ids[i], grid.clusters.size());
    ASSERT_NE(mask.free[i], 0);
    const GridCluster& box = grid.clusters[grid.ids[i] - 1];
    const auto row = static_cast<uint32_t>(i / mask.width);
    const auto column = static_cast<uint32_t>(i % mask.width);
    ASSERT_TRUE(row >= box.top && row <= box.bottom && column >= box.left && column <= box.right);
    ++count[grid.ids[i] - 1];
  }
  for (size_t k = 0; k < count.size(); ++k) ASSERT_EQ(count[k], grid.clusters[k].pixels()) << "cluster " << k;
}

inline void expectCovered(const AdaptiveGrid& grid, const std::vector<uint8_t>& wanted) {
  for (size_t i = 0; i < wanted.size(); ++i) ASSERT_EQ(grid.ids[i] != 0, wanted[i] != 0) << "pixel " << i;
}

// Passages found by looking at every pair of pixels: a slow and obvious count.
inline size_t touchingPairs(const AdaptiveGrid& grid) {
  std::set<std::pair<uint32_t, uint32_t>> pairs;
  for (uint32_t row = 0; row < grid.height; ++row) {
    for (uint32_t column = 0; column < grid.width; ++column) {
      const uint32_t here = grid.at(row, column);
      if (here == kNone) continue;
      const auto add = [&](uint32_t other) {
        if (other != kNone && other != here) pairs.insert(std::minmax(here, other));
      };
      if (column + 1 < grid.width) add(grid.at(row, column + 1));
      if (row + 1 < grid.height) add(grid.at(row + 1, column));
    }
  }
  return pairs.size();
}

inline GridSettings randomSettings(Random& random) {
  GridSettings s;
  s.seeds = static_cast<GridSeeds>(random.below(5));
  s.count = static_cast<uint32_t>(1 + random.below(12));
  s.period = static_cast<uint32_t>(1 + random.below(8));
  s.container = static_cast<GridContainer>(random.below(5));
  s.expander =
      s.container == GridContainer::kRounds ? GridExpander::kOneSide : static_cast<GridExpander>(random.below(4));
  s.memory = s.expander == GridExpander::kOneSide && random.chance(0.5);
  if (random.chance(0.3)) s.maxPixels = 1 + random.below(20);
  if (random.chance(0.3)) s.maxSide = static_cast<uint32_t>(1 + random.below(6));
  for (size_t i = 4; i > 1; --i) std::swap(s.order[i - 1], s.order[random.below(i)]);
  s.coverAll = random.chance(0.5);
  s.merge = random.chance(0.3);
  s.seed = random.next();
  return s;
}

}  // namespace wend
