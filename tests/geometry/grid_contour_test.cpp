#include "geometry/grid_contour.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/area.h"

namespace wend {
namespace {

struct Mask {
  uint32_t width = 0;
  uint32_t height = 0;
  std::vector<uint8_t> free;
  bool at(int64_t x, int64_t y) const {
    return x >= 0 && y >= 0 && x < width && y < height && free[static_cast<size_t>(y * width + x)] != 0;
  }
};

// The first string is y = 0.
Mask maskOf(const std::vector<std::string>& rows) {
  Mask mask{static_cast<uint32_t>(rows[0].size()), static_cast<uint32_t>(rows.size()), {}};
  for (const std::string& row : rows) {
    for (const char c : row) mask.free.push_back(c == '.' ? 1 : 0);
  }
  return mask;
}

std::vector<Ring> trace(const Mask& mask) {
  return *traceGrid(mask.free, mask.width, mask.height, mask.free.size() * 4);
}

TEST(GridContour, NothingFree) {
  EXPECT_TRUE(trace(maskOf({"@@", "@@"})).empty());
  EXPECT_TRUE(traceGrid({}, 0, 0, 10)->empty());
}

TEST(GridContour, OneSquare) {
  EXPECT_EQ(trace(maskOf({"@@@", "@.@"})), (std::vector<Ring>{{{1, 1}, {2, 1}, {2, 2}, {1, 2}}}));
}

TEST(GridContour, HoleRunsClockwise) {
  const std::vector<Ring> rings = trace(maskOf({"...", ".@.", "..."}));
  ASSERT_EQ(rings.size(), 2U);
  EXPECT_EQ(rings[0], (Ring{{0, 0}, {3, 0}, {3, 3}, {0, 3}}));
  EXPECT_EQ(doubledArea(rings[1]), -2);
}

TEST(GridContour, SquaresThatTouchInACornerAreNotJoined) {
  EXPECT_EQ(trace(maskOf({".@", "@."})).size(), 2U);
  EXPECT_EQ(trace(maskOf({"@.", ".@"})).size(), 2U);
}

TEST(GridContour, BlockedSquaresThatTouchInACornerShareOneWalk) {
  const std::vector<Ring> rings = trace(maskOf({"....", ".@..", "..@.", "...."}));
  ASSERT_EQ(rings.size(), 2U);
  EXPECT_EQ(doubledArea(rings[1]), -4);
  EXPECT_EQ(std::count(rings[1].begin(), rings[1].end(), Point{2, 2}), 2);
}

TEST(GridContour, RefusesMoreVerticesThanAllowed) {
  const Mask mask = maskOf({".@.", "@.@", ".@."});
  EXPECT_TRUE(traceGrid(mask.free, 3, 3, 20).has_value());
  EXPECT_FALSE(traceGrid(mask.free, 3, 3, 19).has_value());
}

// Components of squares joined by sides, by flooding.
size_t components(const Mask& mask) {
  std::vector<bool> seen(mask.free.size());
  size_t count = 0;
  for (size_t start = 0; start < mask.free.size(); ++start) {
    if (mask.free[start] == 0 || seen[start]) continue;
    ++count;
    std::vector<size_t> todo{start};
    seen[start] = true;
    while (!todo.empty()) {
      const size_t i = todo.back();
      todo.pop_back();
      const auto x = static_cast<int64_t>(i % mask.width);
      const auto y = static_cast<int64_t>(i / mask.width);
      for (const auto& [dx, dy] : std::array<std::array<int, 2>, 4>{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}}) {
        if (!mask.at(x + dx, y + dy)) continue;
        const auto next = static_cast<size_t>((y + dy) * mask.width + x + dx);
        if (!seen[next]) todo.push_back(next);
        seen[next] = true;
      }
    }
  }
  return count;
}

// Every unit edge between a free and a blocked square, the free one on the left.
std::set<std::array<int64_t, 4>> unitEdges(const Mask& mask) {
  std::set<std::array<int64_t, 4>> edges;
  for (int64_t y = 0; y < mask.height; ++y) {
    for (int64_t x = 0; x < mask.width; ++x) {
      if (!mask.at(x, y)) continue;
      if (!mask.at(x, y - 1)) edges.insert({x, y, x + 1, y});
      if (!mask.at(x + 1, y)) edges.insert({x + 1, y, x + 1, y + 1});
      if (!mask.at(x, y + 1)) edges.insert({x + 1, y + 1, x, y + 1});
      if (!mask.at(x - 1, y)) edges.insert({x, y + 1, x, y});
    }
  }
  return edges;
}

TEST(GridContour, RandomMasksAgreeWithTheObviousEdges) {
  Random random(1);
  for (int round = 0; round < 2000; ++round) {
    Mask mask{static_cast<uint32_t>(random.between(1, 9)), static_cast<uint32_t>(random.between(1, 9)), {}};
    const double share = random.real(0.2, 0.9);
    for (uint32_t i = 0; i < mask.width * mask.height; ++i) mask.free.push_back(random.chance(share) ? 1 : 0);

    std::set<std::array<int64_t, 4>> walked;
    size_t outer = 0;
    for (const Ring& ring : trace(mask)) {
      if (doubledArea(ring) > 0) ++outer;
      for (size_t i = 0; i < ring.size(); ++i) {
        const Point a = ring[i];
        const Point b = ring[(i + 1) % ring.size()];
        const Point c = ring[(i + 2) % ring.size()];
        ASSERT_NE((a.x == b.x), (b.x == c.x)) << "a corner turns";
        const int dx = (b.x > a.x) - (b.x < a.x);
        const int dy = (b.y > a.y) - (b.y < a.y);
        for (Point p = a; p != b; p = {p.x + dx, p.y + dy}) {
          ASSERT_TRUE(walked.insert({p.x, p.y, p.x + dx, p.y + dy}).second) << "no edge is walked twice";
        }
      }
    }
    ASSERT_EQ(walked, unitEdges(mask));
    ASSERT_EQ(outer, components(mask));
  }
}

}  // namespace
}  // namespace wend
