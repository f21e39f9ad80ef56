#include "generators/cdg/voxels.h"

#include <map>
#include <queue>
#include <tuple>

#include <wend/environment.h>

#include <gtest/gtest.h>

#include "geometry/vec2.h"
#include "tests/generators/layered_worlds.h"
#include "tests/generators/random_worlds.h"

// Samples, their links and their gaps against slow versions that look at everything.
namespace wend::cdg {
namespace {

struct Sample {
  LayerId layer;
  int32_t column;
  int32_t row;
  auto operator<=>(const Sample&) const = default;
};

constexpr std::array<std::array<int, 2>, 4> kSteps{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};

SquareRaster rasterOf(const Environment& environment, int32_t side) {
  const Box box = boundingBox(environment);
  return {box.min, side, (static_cast<int64_t>(box.max.x) - box.min.x) / side + 1,
          (static_cast<int64_t>(box.max.y) - box.min.y) / side + 1};
}

std::vector<Sample> samplesOf(const Voxels& voxels) {
  std::vector<Sample> samples;
  for (uint32_t r = 0; r < voxels.runs.size(); ++r) {
    const Run& run = voxels.runs[r];
    EXPECT_EQ(run.first, samples.size());
    for (int32_t c = run.begin; c < run.end; ++c) samples.push_back({voxels.layerOf(r), c, run.row});
  }
  return samples;
}

template <typename Visit>
void forEachEdge(const Layer& layer, Visit&& visit) {
  const auto ring = [&](const Ring& r) {
    for (size_t i = 0; i < r.size(); ++i) visit(toVec2(r[i]), toVec2(r[(i + 1) % r.size()]));
  };
  for (const Polygon& polygon : layer.free) {
    ring(polygon.outer);
    for (const Ring& hole : polygon.holes) ring(hole);
  }
}

bool isFree(const Layer& layer, Vec2 p) {
  bool inside = false;
  forEachEdge(layer, [&](Vec2 a, Vec2 b) {
    if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y)) inside = !inside;
  });
  return inside;
}

bool cross(Vec2 a, Vec2 b, Vec2 p, Vec2 q) {
  const auto side = [](Vec2 s, Vec2 t, Vec2 v) { return cross(t - s, v - s) > 0; };
  return side(a, b, p) != side(a, b, q) && side(p, q, a) != side(p, q, b);
}

// All samples, each looked up in all edges and connections.
struct SlowSurface {
  std::map<Sample, std::array<uint32_t, 4>> links;  // sides
  std::vector<Sample> order;

  SlowSurface(const Environment& environment, const Voxels& voxels) {
    const SquareRaster& raster = voxels.raster;
    for (LayerId layer = 0; layer < environment.layers.size(); ++layer) {
      for (int32_t row = 0; row < raster.rows; ++row) {
        for (int32_t column = 0; column < raster.columns; ++column) {
          if (!isFree(environment.layers[layer], voxels.centre(column, row))) continue;
          links[{layer, column, row}].fill(kNone);
          order.push_back({layer, column, row});
        }
      }
    }
    for (const auto& [sample, none] : links) {
      for (size_t side : {0U, 1U}) linkInLayer(environment, voxels, sample, side);
    }
    for (const Connection& connection : environment.connections) {
      for (size_t i = 0; i + 1 < connection.line.size(); ++i) {
        for (const auto& [sample, none] : links) {
          for (size_t side = 0; side < 4; ++side) linkAcross(environment, voxels, connection, i, sample, side);
        }
      }
    }
  }

  uint32_t number(const Sample& sample) const {
    const auto at = std::lower_bound(order.begin(), order.end(), sample, [](const Sample& a, const Sample& b) {
      return std::tie(a.layer, a.row, a.column) < std::tie(b.layer, b.row, b.column);
    });
    return static_cast<uint32_t>(at - order.begin());
  }

  void join(const Sample& a, const Sample& b, size_t side) {
    links[a][side] = number(b);
    links[b][(side + 2) % 4] = number(a);
  }

  void linkInLayer(const Environment& environment, const Voxels& voxels, const Sample& sample, size_t side) {
    const Sample next{sample.layer, sample.column + kSteps[side][0], sample.row + kSteps[side][1]};
    if (!links.contains(next)) return;
    const Vec2 p = voxels.centre(sample.column, sample.row);
    const Vec2 q = voxels.centre(next.column, next.row);
    bool wall = false;
    forEachEdge(environment.layers[sample.layer], [&](Vec2 a, Vec2 b) { wall |= cross(a, b, p, q); });
    if (!wall) join(sample, next, side);
  }

  void linkAcross(const Environment& environment, const Voxels& voxels, const Connection& connection, size_t i,
                  const Sample& sample, size_t side) {
    if (sample.layer != connection.layerA) return;
    const Sample next{connection.layerB, sample.column + kSteps[side][0], sample.row + kSteps[side][1]};
    if (!links.contains(next)) return;
    const Vec2 a = toVec2(connection.line[i]);
    const Vec2 b = toVec2(connection.line[i + 1]);
    const Vec2 p = voxels.centre(sample.column, sample.row);
    const Vec2 q = voxels.centre(next.column, next.row);
    if (wend::cross(b - a, p - a) < 0 || !cross(a, b, p, q)) return;
    // Nothing in the way up to the connection, and none after it.
    const double share = wend::cross(b - a, p - a) / (wend::cross(b - a, p - a) - wend::cross(b - a, q - a));
    const auto isBlocked = [&](LayerId layer, Vec2 from, double length) {
      bool wall = false;
      forEachEdge(environment.layers[layer], [&](Vec2 s, Vec2 t) {
        wall |= cross(s, t, from, between(from, from == p ? q : p, 0.99999 * length));
      });
      return wall;
    };
    if (isBlocked(sample.layer, p, share) || isBlocked(next.layer, q, 1 - share)) return;
    if (links[sample][side] == kNone && links[next][(side + 2) % 4] == kNone) join(sample, next, side);
  }
};

uint32_t acrossCorner(const SurfaceLinks& links, uint32_t i, size_t k) {
  const auto step = [&](uint32_t from, size_t side) { return from == kNone ? kNone : links.sides[from][side]; };
  const uint32_t one = step(step(i, k), (k + 1) % 4);
  return one == step(step(i, (k + 1) % 4), k) ? one : kNone;
}

// The same fire with a queue by distance and sample.
std::vector<int32_t> slowGaps(const SurfaceLinks& links) {
  using Front = std::tuple<int32_t, uint32_t, int32_t, int32_t>;  // gap, sample, columns, rows
  std::priority_queue<Front, std::vector<Front>, std::greater<>> open;
  std::vector<int32_t> best(links.sides.size(), NearestGap::kUnreached);
  const auto reach = [&](uint32_t sample, int32_t columns, int32_t rows) {
    const auto halves = [](int32_t away) { return std::max(0, 2 * std::abs(away) - 1); };
    const int32_t gap = halves(columns) * halves(columns) + halves(rows) * halves(rows);
    if (gap == 0 || gap >= best[sample]) return;
    best[sample] = gap;
    open.emplace(gap, sample, columns, rows);
  };
  const auto around = [&](uint32_t i, auto&& visit) {
    for (size_t k = 0; k < 4; ++k) {
      const auto& [x, y] = kSteps[k];
      visit(links.sides[i][k], x, y);
      visit(acrossCorner(links, i, k), x + kSteps[(k + 1) % 4][0], y + kSteps[(k + 1) % 4][1]);
    }
  };
  for (uint32_t i = 0; i < best.size(); ++i) {
    around(i, [&](uint32_t next, int x, int y) {
      if (next == kNone) reach(i, x, y);
    });
  }
  while (!open.empty()) {
    const auto [gap, sample, columns, rows] = open.top();
    open.pop();
    if (gap > best[sample]) continue;
    around(sample, [&, c = columns, r = rows](uint32_t next, int x, int y) {
      if (next != kNone) reach(next, c - x, r - y);
    });
  }
  return best;
}

void expectAsSlow(const Environment& environment, int32_t side) {
  const Voxels voxels = sampleLayers(environment, rasterOf(environment, side), {}).value();
  const SlowSurface slow(environment, voxels);
  ASSERT_EQ(samplesOf(voxels), slow.order);
  ASSERT_EQ(voxels.count(), slow.order.size());
  for (uint32_t i = 0; i < voxels.count(); ++i) {
    ASSERT_EQ(voxels.links.sides[i], slow.links.at(slow.order[i])) << "sample " << i;
    for (size_t k = 0; k < 4; ++k) {
      const auto across = [&](size_t way) { return voxels.links.has(i, way) ? voxels.links.across(i, way) : kNone; };
      ASSERT_EQ(across(2 * k), voxels.links.sides[i][k]) << "sample " << i;
      ASSERT_EQ(across(2 * k + 1), acrossCorner(voxels.links, i, k)) << "sample " << i;
    }
  }
  const std::vector<int32_t> gaps = slowGaps(voxels.links);
  for (uint32_t i = 0; i < voxels.count(); ++i) ASSERT_EQ(voxels.gaps[i].gap, gaps[i]) << "sample " << i;
}

TEST(CdgVoxels, NothingHasNoSamples) {
  EXPECT_EQ(sampleLayers(Environment(), {{0, 0}, 10, 1, 1}, {}).value().count(), 0U);
  EXPECT_EQ(sampleLayers(oneLayer({}), {{0, 0}, 10, 1, 1}, {}).value().count(), 0U);
}

TEST(CdgVoxels, LinksAndGapsInWorldsAboveEachOther) {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    // A side that puts no centre on a wall.
    if (const auto world = overlappingWorld(seed)) expectAsSlow(*world, 13007);
    if (HasFailure()) return;
  }
}

TEST(CdgVoxels, LinksAndGapsInRandomWorlds) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const Environment environment = squaresWorld(seed, {.columns = 5,
                                                        .rows = 5,
                                                        .density = 0.7,
                                                        .pitch = 1009,
                                                        .jitter = 200,
                                                        .layers = static_cast<uint32_t>(1 + seed % 3)});
    if (vertexCount(environment) > 0) expectAsSlow(environment, 97);
    if (HasFailure()) return;
  }
}

// Walls with no square between two samples: seen from both sides, each keeps the square behind.
TEST(CdgVoxels, AThinWallKeepsBothSidesAway) {
  const Environment environment =
      oneLayer({{{{0, 0}, {1100, 0}, {1100, 1100}, {0, 1100}}, {{{548, 200}, {548, 1000}, {549, 1000}, {549, 200}}}}});
  expectAsSlow(environment, 99);
  const Voxels voxels = sampleLayers(environment, {{0, 0}, 100, 11, 11}, {}).value();
  const std::vector<Sample> samples = samplesOf(voxels);
  EXPECT_EQ(samples.size(), 121U);
  for (uint32_t i = 0; i < voxels.count(); ++i) {
    const bool right = samples[i].column == 5 && samples[i].row >= 2 && samples[i].row <= 9;
    const bool left = samples[i].column == 4 && samples[i].row >= 2 && samples[i].row <= 9;
    if (left) {
      EXPECT_EQ(voxels.links.sides[i][0], kNone);
      EXPECT_EQ(voxels.gaps[i].gap, 1);
    }
    if (right) {
      EXPECT_EQ(voxels.links.sides[i][2], kNone);
      EXPECT_EQ(voxels.gaps[i].gap, 1);
    }
  }
}

// A wall a hair before a connection, with a gap in it: one cannot step over it into the next layer.
TEST(CdgVoxels, AThinWallBeforeAConnectionIsNotSteppedOver) {
  EnvironmentDraft draft;
  for (int32_t id = 0; id < 2; ++id) {
    LayerDraft& layer = draft.layers.emplace_back();
    layer.id = id;
    layer.walkable.push_back({{{5.0 * id, 0}, {5.0 * id + 5, 0}, {5.0 * id + 5, 5}, {5.0 * id, 5}}});
  }
  draft.layers[0].obstacles.push_back({{{4.95, 1}, {4.952, 1}, {4.952, 5}, {4.95, 5}}});
  draft.connections.push_back({0, 1, {{5, 0}, {5, 5}}});
  const auto world = buildEnvironment(draft);
  ASSERT_TRUE(world.ok()) << world.error().message;
  const Voxels voxels = sampleLayers(*world, {{0, 0}, 2000, 50, 25}, {}).value();
  const std::vector<Sample> samples = samplesOf(voxels);
  size_t joined = 0;
  for (uint32_t i = 0; i < voxels.count(); ++i) {
    for (const uint32_t next : voxels.links.sides[i]) {
      if (next == kNone || samples[next].layer == samples[i].layer) continue;
      ++joined;
      EXPECT_LT(samples[i].row, 5);
    }
  }
  EXPECT_EQ(joined, 10U);
  expectAsSlow(*world, 1999);
}

// The fire against all squares that are not walkable, in flat worlds without thin walls.
TEST(CdgVoxels, GapsAreThoseOfTheNearestBlockedSquare) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Environment environment =
        squaresWorld(seed, {.columns = 6, .rows = 5, .density = 0.7, .pitch = 100, .jitter = 0});
    if (vertexCount(environment) == 0) continue;
    const Voxels voxels = sampleLayers(environment, rasterOf(environment, 20), {}).value();
    const int64_t columns = voxels.raster.columns;
    const int64_t rows = voxels.raster.rows;
    std::vector<bool> free(static_cast<size_t>((columns + 2) * (rows + 2)), false);
    const auto at = [&](int64_t c, int64_t r) { return static_cast<size_t>((r + 1) * (columns + 2) + c + 1); };
    const std::vector<Sample> samples = samplesOf(voxels);
    for (const Sample& v : samples) free[at(v.column, v.row)] = true;
    for (uint32_t i = 0; i < samples.size(); ++i) {
      double nearest = HUGE_VAL;
      for (int64_t r = -1; r <= rows; ++r) {
        for (int64_t c = -1; c <= columns; ++c) {
          if (free[at(c, r)]) continue;
          const auto away = [](int64_t k) { return std::max(0.0, std::abs(static_cast<double>(k)) - 0.5); };
          nearest = std::min(nearest, std::hypot(away(c - samples[i].column), away(r - samples[i].row)));
        }
      }
      const double clearance = voxels.clearance(voxels.gaps[i].gap);
      // Spreading along neighbours finds the nearest square, or, rarely, one that is hardly farther.
      EXPECT_GE(clearance, (nearest - 0.5) * 20 - 1e-9);
      EXPECT_LE(clearance, (nearest - 0.5) * 20 + 4) << seed;
    }
  }
}

}  // namespace
}  // namespace wend::cdg
