#include "planning/point/funnel.h"

#include <cmath>

#include <gtest/gtest.h>

#include "geometry/vec2.h"
#include "tests/planning/grid_world.h"
#include "tests/planning/point/path_length.h"

namespace wend {
namespace {

// The part of the step from a to b, as fractions, on the closed portal lr (level or upright); low > high if none.
struct Part {
  double low;
  double high;
};
Part partOn(Vec2 a, Vec2 b, Vec2 l, Vec2 r) {
  Part part{0, 1};
  const auto clip = [&](double from, double to, double u, double v) {
    const double low = std::min(u, v) - 1e-9;
    const double high = std::max(u, v) + 1e-9;
    if (from == to) {
      if (from < low || from > high) part = {1, 0};
      return;
    }
    const double t = (low - from) / (to - from);
    const double s = (high - from) / (to - from);
    part.low = std::max(part.low, std::min(s, t));
    part.high = std::min(part.high, std::max(s, t));
  };
  clip(a.x, b.x, l.x, r.x);
  clip(a.y, b.y, l.y, r.y);
  return part;
}

// The obvious version: the shortest way over portal ends, where a straight step must meet all portals in between, in
// order.
double slowLength(const NavMesh& mesh, Vec2 start, Vec2 goal, const std::vector<SideId>& entries) {
  struct Stop {
    Vec2 place;
    size_t first;  // the first portal that is not behind it
  };
  std::vector<Stop> stops{{start, 0}};
  for (size_t i = 0; i < entries.size(); ++i) {
    stops.push_back({mesh.vertex(mesh.startVertex(entries[i])), i});
    stops.push_back({mesh.vertex(mesh.endVertex(entries[i])), i});
  }
  stops.push_back({goal, entries.size()});
  std::vector<double> best(stops.size(), 1e300);
  best[0] = 0;
  for (size_t to = 1; to < stops.size(); ++to) {
    for (size_t from = 0; from < to; ++from) {
      bool clear = true;
      double t = 0;
      for (size_t k = stops[from].first; k < stops[to].first && clear; ++k) {
        const Part part = partOn(stops[from].place, stops[to].place, mesh.vertex(mesh.startVertex(entries[k])),
                                 mesh.vertex(mesh.endVertex(entries[k])));
        t = std::max(t, part.low);
        clear = t <= part.high;
      }
      if (clear) best[to] = std::min(best[to], best[from] + distance(stops[from].place, stops[to].place));
    }
  }
  return best.back();
}

TEST(Funnel, WithoutPortals) {
  FunnelScratch scratch;
  SearchPath path;
  pullString(NavMesh(), {0, 0}, {5, 5}, scratch, path);
  EXPECT_TRUE(path.bends.empty());
}

// Random walks through open and blocked grids: the funnel on any sequence of cells that visits none twice.
TEST(Funnel, ShortestInItsSleeve) {
  FunnelScratch scratch;
  for (uint64_t world = 0; world < 2000; ++world) {
    Random random(21, world);
    const NavMesh mesh = squareMesh(randomPicture(random, 8, 8, 0.2));
    if (mesh.empty()) continue;
    auto cell = static_cast<CellId>(random.below(mesh.cellCount()));
    const CellId first = cell;
    std::vector<uint8_t> visited(mesh.cellCount(), 0);
    visited[cell] = 1;
    SearchPath path;
    for (int step = 0; step < 20; ++step) {
      std::vector<SideId> exits;
      for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
        if (!mesh.isWall(s) && visited[mesh.neighbour(s)] == 0) exits.push_back(s);
      }
      if (exits.empty()) break;
      const SideId exit = exits[random.below(exits.size())];
      path.entries.push_back(mesh.twin(exit));
      cell = mesh.neighbour(exit);
      visited[cell] = 1;
    }
    const auto pick = [&](CellId c) {
      const Vec2 corner = mesh.vertex(mesh.startVertex(mesh.firstSide(c)));
      return Vec2{corner.x + static_cast<double>(random.below(kSquare + 1)),
                  corner.y + static_cast<double>(random.below(kSquare + 1))};
    };
    const Vec2 start = pick(first);
    const Vec2 goal = pick(cell);
    pullString(mesh, start, goal, scratch, path);
    const double length = pathLength(start, goal, path);
    ASSERT_NEAR(length, slowLength(mesh, start, goal, path.entries), 1e-9) << world;
  }
}

TEST(Funnel, LongSleeves) {
  // A straight corridor of 200,000 squares: the chains stay, and each portal is looked at once.
  MeshArrays arrays = openGrid(200000, 1, kSquare);
  const NavMesh mesh{std::move(arrays)};
  SearchPath path;
  for (CellId c = 0; c + 1 < mesh.cellCount(); ++c) {
    for (SideId s = mesh.firstSide(c); s != mesh.endSide(c); ++s) {
      if (mesh.neighbour(s) == c + 1) path.entries.push_back(mesh.twin(s));
    }
  }
  FunnelScratch scratch;
  pullString(mesh, {0, 0}, {200000.0 * kSquare, kSquare}, scratch, path);
  EXPECT_TRUE(path.bends.empty());
}

}  // namespace
}  // namespace wend
