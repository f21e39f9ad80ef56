#include <wend/environment.h>

#include <gtest/gtest.h>

#include "base/random.h"

// Drawings of a few lattice units, where everything touches, overlaps and is rounded onto everything else: each becomes
// a sound environment or an error.
namespace wend {
namespace {

Vec2 anyPoint(Random& random, const Lattice& lattice, int64_t size) {
  return lattice.toMetres(
      Point{static_cast<int32_t>(random.between(0, size)), static_cast<int32_t>(random.between(0, size))});
}

std::vector<Loops> anyPolygons(Random& random, const Lattice& lattice, int64_t size, size_t most) {
  std::vector<Loops> polygons(random.below(most + 1));
  for (Loops& loops : polygons) {
    loops.resize(1 + random.below(2));
    for (std::vector<Vec2>& loop : loops) {
      loop.resize(random.below(7));
      for (Vec2& p : loop) p = anyPoint(random, lattice, size);
    }
  }
  return polygons;
}

EnvironmentDraft anyDraft(Random& random) {
  EnvironmentDraft draft;
  const int64_t size = random.between(2, 30);
  draft.layers.resize(1 + random.below(3));
  for (size_t i = 0; i < draft.layers.size(); ++i) {
    LayerDraft& layer = draft.layers[i];
    layer.id = static_cast<int32_t>(i);
    layer.walkable = anyPolygons(random, draft.lattice, size, 4);
    layer.obstacles = anyPolygons(random, draft.lattice, size, 3);
    layer.openings = anyPolygons(random, draft.lattice, size, 2);
    layer.regions.push_back({"grass", anyPolygons(random, draft.lattice, size, 2)});
  }
  return draft;
}

// Connections along edges of the built layers, shifted a little or not, almost always to the other layer.
void addConnections(Random& random, const Environment& built, EnvironmentDraft& draft) {
  const auto jitter = [&](Point p) {
    const int64_t most = random.chance(0.7) ? 0 : 1;
    return built.lattice.toMetres(Point{static_cast<int32_t>(p.x + random.between(-most, most)),
                                        static_cast<int32_t>(p.y + random.between(-most, most))});
  };
  for (size_t i = 0; i < built.layers.size(); ++i) {
    for (const Polygon& polygon : built.layers[i].free) {
      const Ring& ring = polygon.outer;
      if (random.chance(0.6)) continue;
      const size_t first = random.below(ring.size());
      ConnectionDraft& connection = draft.connections.emplace_back();
      connection.layerA = static_cast<int32_t>(i);
      connection.layerB = static_cast<int32_t>(random.chance(0.02) ? random.below(3) : 1 - i);
      const size_t segments = 1 + random.below(3);
      for (size_t k = 0; k <= segments; ++k) connection.line.push_back(jitter(ring[(first + k) % ring.size()]));
    }
  }
}

struct Outcome {
  size_t built = 0;
  size_t joined = 0;
};

void check(const EnvironmentDraft& draft, uint64_t seed, Outcome& outcome) {
  const Result<Environment> world = buildEnvironment(draft);
  if (!world.ok()) {
    EXPECT_NE(world.error().code, ErrorCode::kInternal) << "seed " << seed << ": " << world.error().message;
    EXPECT_FALSE(world.error().message.empty());
    return;
  }
  ++outcome.built;
  if (!world->connections.empty()) ++outcome.joined;
  for (const Violation& v : validate(*world)) ADD_FAILURE() << "seed " << seed << ": " << v.message;
  const Result<Environment> again = buildEnvironment(draftOf(*world));
  ASSERT_TRUE(again.ok()) << "seed " << seed << ": " << again.error().message;
  EXPECT_EQ(*again, *world) << "seed " << seed;
}

TEST(HostileTest, TinyDrawings) {
  Outcome outcome;
  for (uint64_t seed = 0; seed < 600; ++seed) {
    Random random(seed);
    check(anyDraft(random), seed, outcome);
  }
  EXPECT_GT(outcome.built, 300U);
}

// The other layer is the complement of the first in a box, so that most connections fit.
TEST(HostileTest, TinyDrawingsWithConnections) {
  Outcome outcome;
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    Random random(seed);
    EnvironmentDraft draft = anyDraft(random);
    draft.layers.resize(1);
    const Result<Environment> first = buildEnvironment(draft);
    if (!first.ok()) continue;
    draft = draftOf(*first);
    LayerDraft& rest = draft.layers.emplace_back();
    rest.id = 1;
    rest.walkable = {{{{-1e-3, -1e-3}, {4e-3, -1e-3}, {4e-3, 4e-3}, {-1e-3, 4e-3}}}};
    rest.obstacles = draft.layers[0].walkable;
    const Result<Environment> both = buildEnvironment(draft);
    ASSERT_TRUE(both.ok());
    addConnections(random, *both, draft);
    check(draft, seed, outcome);
  }
  EXPECT_GT(outcome.joined, 200U);
}

}  // namespace
}  // namespace wend
