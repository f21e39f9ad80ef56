#include <cmath>

#include <wend/make.h>
#include <wend/navigation_graph.h>
#include <wend/navigator.h>

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend {
namespace {

World baked(const std::string& kind, const std::string& generator, uint64_t seed = 1) {
  auto environment = makeEnvironment({kind, {}, seed, {}});
  EXPECT_TRUE(environment.ok());
  auto world = bake(*environment, {.generator = generator});
  EXPECT_TRUE(world.ok()) << (world.ok() ? "" : world.error().message);
  return *world;
}

TEST(NavigationGraph, IsStraightWithinOneCell) {
  EnvironmentDraft draft;
  draft.layers.resize(1);
  draft.layers[0].walkable = {{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}}};
  const auto world = bake(*buildEnvironment(draft), {.generator = "pasfv"});
  ASSERT_TRUE(world.ok());
  Route route;
  PathQuery query{.from = {1, 1}, .to = {4, 5}, .method = PathMethod::kGraph};
  PlanScratch scratch;
  ASSERT_EQ(makeNavigator(*world).plan(query, scratch, route), PathStatus::kFound);
  EXPECT_DOUBLE_EQ(route.length, 5);
  query.from = {-1, 0};
  EXPECT_EQ(makeNavigator(*world).plan(query, scratch, route), PathStatus::kStartOffMesh);
  query.from = {NAN, 0};
  EXPECT_EQ(makeNavigator(*world).plan(query, scratch, route), PathStatus::kBadQuery);
  query.from = {1, 1};
  query.radius = 0.3;
  EXPECT_EQ(makeNavigator(*world).plan(query, scratch, route), PathStatus::kUnsupported);
}

TEST(NavigationGraph, IsNeverShorterThanTheShortestPath) {
  for (const std::string kind : {"bodies", "university", "station"}) {
    const World world = baked(kind, "pasfv");
    const Navigator navigator = makeNavigator(world);
    const NavigationGraph graph(world.mesh());
    PlanScratch scratch;
    Random random(7);
    for (int i = 0; i < 40; ++i) {
      PathQuery query;
      for (Place* place : {&query.from, &query.to}) {
        const auto cell = static_cast<CellId>(random.below(world.mesh().cellCount()));
        const Vec2 p = graph.place(cell);
        *place = {p.x, p.y, world.mesh().position(world.mesh().startVertex(world.mesh().firstSide(cell))).z};
      }
      Route shortest;
      Route route;
      Route fewest;
      query.method = PathMethod::kPolyanya;
      const PathStatus status = navigator.plan(query, scratch, shortest);
      query.method = PathMethod::kGraph;
      ASSERT_EQ(navigator.plan(query, scratch, route), status);
      query.method = PathMethod::kBreadth;
      ASSERT_EQ(navigator.plan(query, scratch, fewest), status);
      if (status != PathStatus::kFound) continue;
      EXPECT_GE(route.length, shortest.length - 1e-6);
      EXPECT_LE(route.length, fewest.length + 1e-6);
      EXPECT_LE(fewest.cells.size(), route.cells.size());
      ASSERT_EQ(route.portals.size() + 1, route.cells.size());
      for (size_t k = 0; k < route.portals.size(); ++k) {
        EXPECT_EQ(world.mesh().cellOf(route.portals[k]), route.cells[k]);
        EXPECT_EQ(world.mesh().neighbour(route.portals[k]), route.cells[k + 1]);
      }
    }
  }
}

TEST(NavigationGraph, AvoidsNarrowPortalsAndCostlyCells) {
  const World world = baked("university", "pasfv");
  const NavigationGraph graph(world.mesh());
  const Bottlenecks widest(world.mesh());
  Random random(3);
  for (int i = 0; i < 50; ++i) {
    const auto a = static_cast<CellId>(random.below(world.mesh().cellCount()));
    const auto b = static_cast<CellId>(random.below(world.mesh().cellCount()));
    PathQuery query{.from = {graph.place(a).x, graph.place(a).y}, .to = {graph.place(b).x, graph.place(b).y}};
    Route route;
    GraphCosts costs;
    costs.leastWidth = widest.between(a, b);
    if (a == b || costs.leastWidth == 0) continue;
    ASSERT_EQ(graph.plan(query, route, costs), PathStatus::kFound) << "the widest way is open";
    for (const SideId s : route.portals) EXPECT_GE(graph.width(s), costs.leastWidth);
    costs.leastWidth = std::nextafter(costs.leastWidth, INFINITY);
    EXPECT_EQ(graph.plan(query, route, costs), PathStatus::kUnreachable) << "and no wider one";
    EXPECT_EQ(graph.width(widest.portal(a, b)), widest.between(a, b));
    const GraphFlow flow = flowBetween(graph, a, b);
    EXPECT_LE(flow.greedy, flow.maximum + 1e-6);
    EXPECT_GE(flow.maximum, widest.between(a, b) - 1e-9);
  }
  GraphCosts closed;
  closed.cellCosts.assign(world.mesh().cellCount(), INFINITY);
  Route route;
  const PathQuery query{.from = {graph.place(0).x, graph.place(0).y}, .to = {graph.place(9).x, graph.place(9).y}};
  EXPECT_EQ(graph.plan(query, route, closed), PathStatus::kUnreachable);
}

// D* Lite against a new search after each change.
TEST(DynamicGraphSearch, FindsTheSameLengthAsANewSearch) {
  const World world = baked("university", "pasfv");
  const NavMesh& mesh = world.mesh();
  const NavigationGraph graph(mesh);
  Random random(5);
  const CellId goal = mesh.cellCount() - 1;
  DynamicGraphSearch search(graph, 0, goal);
  std::vector<uint8_t> closed(mesh.sideCount(), 0);
  const auto slow = [&](CellId start) {  // Bellman-Ford
    std::vector<double> way(mesh.cellCount(), INFINITY);
    way[goal] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (SideId s = 0; s < mesh.sideCount(); ++s) {
        if (mesh.isWall(s) || closed[s] != 0) continue;
        const Vec2 a = graph.place(mesh.cellOf(s));
        const Vec2 m = graph.place(graph.nodeOf(s));
        const Vec2 b = graph.place(mesh.neighbour(s));
        const double next =
            way[mesh.neighbour(s)] + std::hypot(a.x - m.x, a.y - m.y) + std::hypot(b.x - m.x, b.y - m.y);
        if (next < way[mesh.cellOf(s)] - 1e-12) {
          way[mesh.cellOf(s)] = next;
          changed = true;
        }
      }
    }
    return way[start];
  };
  CellId start = 0;
  for (int round = 0; round < 60; ++round) {
    for (int k = 0; k < 5; ++k) {
      const auto s = static_cast<SideId>(random.below(mesh.sideCount()));
      if (mesh.isWall(s)) continue;
      const bool open = random.chance(0.4);
      closed[s] = closed[mesh.twin(s)] = open ? 0 : 1;
      search.setOpen(s, open);
    }
    const double wanted = slow(start);
    const std::vector<CellId> path = search.path();
    if (!std::isfinite(wanted)) {
      EXPECT_TRUE(path.empty());
      EXPECT_EQ(search.length(), INFINITY);
    } else {
      EXPECT_NEAR(search.length(), wanted, 1e-6);
      ASSERT_GE(path.size(), 1U);
      EXPECT_EQ(path.front(), start);
      EXPECT_EQ(path.back(), goal);
      start = path[std::min<size_t>(1, path.size() - 1)];
      search.moveStart(start);
    }
  }
  EXPECT_GT(search.expanded(), 0U);
}

TEST(NavigationGraph, CountsSharpTurns) {
  Route route;
  route.points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0.5, 0, 0}};
  EXPECT_EQ(sharpTurns(route), 1U);
}

}  // namespace
}  // namespace wend
