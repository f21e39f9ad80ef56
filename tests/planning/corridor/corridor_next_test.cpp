#include <queue>
#include <string>
#include <vector>

#include <wend/make.h>
#include <wend/navigator.h>
#include <wend/world.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "planning/corridor/bottleneck.h"
#include "planning/corridor/route_cells.h"
#include "tests/environment/edit/random_edits.h"
#include "tests/world/random_edit.h"

// The graph of a medial axis and the bottlenecks on it follow edits, and are what they would be if made anew.
namespace wend {
namespace {

// The widest way from a vertex to all others, by growing the component of the widest edges.
std::vector<double> widestFrom(const CorridorMap& map, uint32_t start) {
  std::vector<double> widest(map.vertices.size(), -1);
  std::priority_queue<std::pair<double, uint32_t>> open;
  open.emplace(HUGE_VAL, start);
  while (!open.empty()) {
    const auto [width, v] = open.top();
    open.pop();
    if (widest[v] >= 0) continue;
    widest[v] = width;
    for (uint32_t i = 0; i < map.vertices[v].degree; ++i) {
      const uint32_t halfEdge = map.out[map.vertices[v].firstOut + i];
      const CorridorMap::Edge& edge = map.edges[halfEdge >> 1];
      open.emplace(std::min(width, edge.minClearance), halfEdge & 1 ? edge.from : edge.to);
    }
  }
  return widest;
}

void expectRightBottleneck(const CorridorMap& map, const CorridorBottleneck& bottleneck, Random& random) {
  for (int n = 0; n < 2; ++n) {
    const auto from = static_cast<uint32_t>(random.below(map.vertices.size()));
    const std::vector<double> widest = widestFrom(map, from);
    for (uint32_t to = 0; to < map.vertices.size(); ++to) {
      ASSERT_EQ(bottleneck.between(map, from, to), widest[to]) << from << " to " << to;
    }
  }
}

struct Tally {
  int followed = 0;
  int joined = 0;
  int apart = 0;
};

void followEdits(const Environment& environment, uint64_t seed, int edits, double size, Tally& tally) {
  const Result<World> baked = bake(environment, {.generator = "ecm", .options = {}, .seed = 1});
  ASSERT_TRUE(baked.ok());
  World world = *baked;
  CorridorGraph graph(*world.medialAxis());
  CorridorBottleneck bottleneck(graph);
  Navigator navigator = makeNavigator(world);
  Random random(seed, 12);
  ASSERT_NO_FATAL_FAILURE(expectRightBottleneck(*world.medialAxis(), bottleneck, random));
  for (int i = 0; i < edits; ++i) {
    const Result<WorldUpdate> update = world.apply(randomEdit(world, environment, size, random));
    if (!update.ok() || update->report.mesh == MeshChange::kNone) continue;
    const NavMesh& mesh = update->world.mesh();
    const CorridorMap& map = *mesh.corridorMap();
    const CorridorGraph anew(map);
    const auto difference = ecm::differenceBetween(world.medialAxis(), mesh.corridorMap());
    if (difference) {
      graph = graph.next(map, *difference);
      ASSERT_EQ(graph.arrays().edgeOf, anew.arrays().edgeOf) << "edit " << i;
      ASSERT_EQ(graph.arrays().along, anew.arrays().along);
      ASSERT_EQ(graph.arrays().leastToStart, anew.arrays().leastToStart);
      ASSERT_EQ(graph.arrays().leastToEnd, anew.arrays().leastToEnd);
      ASSERT_EQ(graph.arrays().slotOf, anew.arrays().slotOf);
      bottleneck = bottleneck.next(*world.medialAxis(), map, *difference);
      ++tally.followed;
    } else {
      graph = anew;
      bottleneck = CorridorBottleneck(anew);
    }
    ASSERT_NO_FATAL_FAILURE(expectRightBottleneck(map, bottleneck, random)) << "edit " << i;

    // The same answers from outside, point by point.
    navigator = makeNavigator(navigator, update->world);
    const Navigator other = makeNavigator(update->world);
    PlanScratch scratch;
    for (int n = 0; n < 6; ++n) {
      PathQuery query;
      const auto from = other.randomPlace({}, random.below(1000), scratch);
      const auto to = other.randomPlace({}, random.below(1000), scratch);
      if (!from || !to) continue;
      query.from = from->place;
      query.to = to->place;
      query.radius = random.real(0, 0.5);
      Route a;
      Route b;
      const PathStatus status = navigator.plan(query, scratch, a);
      ASSERT_EQ(status, other.plan(query, scratch, b));
      ASSERT_EQ(a.cells, b.cells);
      ASSERT_EQ(a.path, b.path);
      (status == PathStatus::kFound ? tally.joined : tally.apart) += 1;
    }
    world = update->world;
  }
}

TEST(CorridorFollowsEdits, GraphAndBottlenecksEqualThoseMadeAnew) {
  const auto military = makeEnvironment({"military", {{"edition", 2}}, 1, {}});
  const auto zelda = makeEnvironment({"zelda", {{"edition", 2}, {"tiles", 2}}, 1, {}});
  ASSERT_TRUE(military.ok() && zelda.ok());
  Tally tally;
  followEdits(*military, 1, 30, 3, tally);
  followEdits(*zelda, 2, 12, 2, tally);
  for (uint64_t seed = 0; seed < 8; ++seed) {
    Random random(seed);
    const Environment hall = randomHall(random, seed % 2 == 1, seed % 3 == 0 ? 0 : 17, 1e-4);
    followEdits(hall, seed, 16, 0.7, tally);
  }
  EXPECT_GT(tally.followed, 60);
  EXPECT_GT(tally.joined, 300);
  EXPECT_GT(tally.apart, 30);
}

}  // namespace
}  // namespace wend
