#include "planning/density/density.h"

#include <atomic>
#include <cmath>
#include <numbers>
#include <queue>
#include <set>
#include <thread>

#include <wend/generate.h>
#include <wend/make.h>
#include <wend/navigator.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "planning/corridor/corridor_navigator.h"
#include "planning/corridor/replan.h"
#include "planning/density/fundamental_diagram.h"
#include "planning/disk/disk_navigator.h"

// Densities, and the paths that people choose by them: against Dijkstra's algorithm on the same costs, and against what
// re-planning must keep.
namespace wend {
namespace {

// Streets between blocks of random width: many ways from everywhere to everywhere.
Environment streets(uint64_t seed, int blocks = 6) {
  Random random(seed, 77);
  EnvironmentDraft draft;
  LayerDraft& layer = draft.layers.emplace_back();
  const double size = 10.0 * blocks;
  layer.walkable.push_back({{{0, 0}, {size, 0}, {size, size}, {0, size}}});
  for (int i = 0; i < blocks; ++i) {
    for (int k = 0; k < blocks; ++k) {
      const double x = 10 * i + random.real(0.8, 3);
      const double y = 10 * k + random.real(0.8, 3);
      const double w = random.real(4, 6.5);
      const double h = random.real(4, 6.5);
      layer.obstacles.push_back({{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}});
    }
  }
  return buildEnvironment(draft).value();
}

struct AxisWorld {
  NavMesh mesh;
  CorridorGraph graph;
  DensityMap density;
  Locator locator;
  QueryStamp stamp;
  CorridorSearchScratch search;
  ReplanScratch replan;

  explicit AxisWorld(const Environment& environment)
      : mesh(generate(environment, {.generator = "ecm"}).value()),
        graph(*mesh.corridorMap()),
        density(mesh),
        locator(mesh) {}

  double unit() const { return mesh.lattice().unit; }
  void crowd(Random& random, double share) {
    density.clear();
    for (uint32_t e = 0; e < density.size(); ++e) {
      if (random.chance(share)) {
        density.add(e, static_cast<int64_t>(random.real(0, 1.2) * density.area(e) * 1e8));
      }
    }
  }
  AxisPoint randomPoint(Random& random) const {
    const auto edge = static_cast<uint32_t>(random.below(graph.map().edges.size()));
    const CorridorMap::Edge& e = graph.map().edges[edge];
    const auto arc = static_cast<uint32_t>(e.first + random.below(e.count - 1));
    const ecm::ArcCurve curve = graph.curve(arc);
    return axisPoint(graph, arc, random.real(curve.begin(), curve.end()));
  }
  EdgeDensityCost costOf(double weight, double view = HUGE_VAL, double hysteresis = 0) const {
    DensityView v;
    v.map = &density;
    v.weight = weight;
    v.view = view;
    v.hysteresis = hysteresis;
    return {{v, unit()}};
  }
  bool find(const AxisPoint& start, const AxisPoint& goal, double radius, const EdgeDensityCost& cost,
            CorridorPath& path, uint64_t& expanded) {
    if (stamp.advance()) search.nodes.wipe();
    return searchCorridor(graph, start, goal, radius, cost, stamp, search, path, expanded);
  }
  Replanned again(const AxisPoint& start, const AxisPoint& goal, double radius, const EdgeDensityCost& cost,
                  const OldPath& old, CorridorPath& path, uint64_t& expanded) {
    if (stamp.advance()) search.nodes.wipe();
    return replanCorridor(graph, start, goal, radius, cost, old, stamp, search, replan, path, expanded);
  }
};

// The vertices of a path are joined, no one is passed twice, and every edge is wide enough.
void expectSound(const AxisWorld& w, const AxisPoint& start, const AxisPoint& goal, double radius,
                 const std::vector<uint32_t>& path) {
  ASSERT_FALSE(path.empty());
  EXPECT_EQ(path.front() >> 1, start.edge);
  EXPECT_EQ(path.back() >> 1, goal.edge);
  std::set<uint32_t> passed;
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    EXPECT_EQ(w.graph.endOf(path[i]), w.graph.endOf(path[i + 1] ^ 1));
    EXPECT_TRUE(passed.insert(w.graph.endOf(path[i])).second);
    if (i > 0) {
      EXPECT_GE(w.graph.map().edges[path[i] >> 1].minClearance, radius);
    }
  }
}

// Dijkstra without estimates, over all vertices, with the same rules for both ends.
double dijkstra(const AxisWorld& w, const AxisPoint& start, const AxisPoint& goal, double radius,
                const EdgeDensityCost& cost) {
  const CorridorMap& map = w.graph.map();
  std::vector<double> best(map.vertices.size(), HUGE_VAL);
  using Item = std::pair<double, uint32_t>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> open;
  const auto reach = [&](uint32_t v, double g) {
    if (g >= best[v]) return;
    best[v] = g;
    open.push({g, v});
  };
  double answer = HUGE_VAL;
  const double startRest = map.edges[start.edge].length - start.along;
  const double goalRest = map.edges[goal.edge].length - goal.along;
  if (start.edge == goal.edge && leastClearanceBetween(w.graph, start, goal) >= radius) {
    answer = cost(2 * start.edge, std::abs(goal.along - start.along), 0);
  }
  if (start.leastToStart >= radius) reach(map.edges[start.edge].from, cost(2 * start.edge, start.along, 0));
  if (start.leastToEnd >= radius) reach(map.edges[start.edge].to, cost(2 * start.edge, startRest, 0));
  while (!open.empty()) {
    const auto [g, v] = open.top();
    open.pop();
    if (g > best[v]) continue;
    if (v == map.edges[goal.edge].from && goal.leastToStart >= radius) {
      answer = std::min(answer, g + cost(2 * goal.edge, goal.along, 0));
    }
    if (v == map.edges[goal.edge].to && goal.leastToEnd >= radius) {
      answer = std::min(answer, g + cost(2 * goal.edge, goalRest, 0));
    }
    for (uint32_t i = 0; i < map.vertices[v].degree; ++i) {
      const uint32_t h = map.out[map.vertices[v].firstOut + i];
      if (map.edges[h >> 1].minClearance < radius) continue;
      reach(w.graph.endOf(h), g + cost(h, map.edges[h >> 1].length, 0));
    }
  }
  return answer;
}

TEST(FundamentalDiagram, FallsFromTheFreeSpeed) {
  for (int i = 0; i < 7; ++i) {
    const auto diagram = static_cast<FundamentalDiagram>(i);
    SCOPED_TRACE(methodName(diagram));
    EXPECT_GT(speed(diagram, 0), 1);
    EXPECT_EQ(slowness(diagram, 0), 1);
    for (double rho = 0; rho < 1; rho += 0.01) {
      EXPECT_LE(speed(diagram, rho + 0.01), speed(diagram, rho));
      EXPECT_GE(speed(diagram, rho), 0);
      EXPECT_GE(slowness(diagram, rho + 0.01), slowness(diagram, rho));
      EXPECT_LE(slowness(diagram, rho), kSlowest);
    }
    EXPECT_EQ(speed(diagram, 7), speed(diagram, 1));
    EXPECT_EQ(speed(diagram, -1), speed(diagram, 0));
  }
}

TEST(FundamentalDiagram, Weidmann) {
  const std::array<std::pair<double, double>, 5> published{{{0.5, 1.30}, {1, 1.06}, {2, 0.61}, {3, 0.33}, {4, 0.16}}};
  for (const auto& [k, v] : published) {
    EXPECT_NEAR(speed(FundamentalDiagram::kWeidmann, k * kPersonArea), v, 0.005);
  }
  EXPECT_EQ(speed(FundamentalDiagram::kWeidmann, 5.4 * kPersonArea), 0);
}

TEST(DensityMap, AreasAddUpAndLayersAreApart) {
  for (const char* kind : {"tower", "city"}) {
    const Environment environment = makeEnvironment({.kind = kind}).value();
    const double free = environment.lattice.area(topology(environment).doubledArea);
    for (const char* generator : {"ecm", "hertel-mehlhorn"}) {
      const NavMesh mesh = generate(environment, {.generator = generator}).value();
      const DensityMap map(mesh);
      double sum = 0;
      for (uint32_t i = 0; i < map.size(); ++i) sum += map.area(i);
      EXPECT_NEAR(sum, free, 1e-6 * free) << kind << ' ' << generator;
    }
  }
}

TEST(DensityMap, SumsAreExactForAnyOrderAndNeverClampedInMemory) {
  const NavMesh mesh = generate(streets(1), {.generator = "ecm"}).value();
  DensityMap map(mesh);
  struct Member {
    uint32_t cell;
    DensityMap::Covered area;
  };
  std::vector<Member> members;
  Random random(4, 2);
  DensityMap::Covered total = 0;
  for (int step = 0; step < 20000; ++step) {
    if (members.empty() || random.chance(0.4)) {
      const Member m{static_cast<uint32_t>(random.below(map.size())), DensityMap::areaOf(random.real(0.05, 2))};
      members.push_back(m);
      map.add(m.cell, m.area);
      total += m.area;
    } else if (random.chance(0.3)) {
      std::swap(members[random.below(members.size())], members.back());
      map.add(members.back().cell, -members.back().area);
      total -= members.back().area;
      members.pop_back();
    } else {
      Member& m = members[random.below(members.size())];
      const auto to = static_cast<uint32_t>(random.below(map.size()));
      map.move(m.cell, to, m.area);
      m.cell = to;
    }
  }
  DensityMap::Covered sum = 0;
  for (uint32_t i = 0; i < map.size(); ++i) {
    sum += map.covered(i);
    EXPECT_LE(map.density(i), 1);
    EXPECT_GE(map.density(i), 0);
  }
  EXPECT_EQ(sum, total);
  for (const Member& m : members) map.add(m.cell, -m.area);
  for (uint32_t i = 0; i < map.size(); ++i) EXPECT_EQ(map.covered(i), 0);

  // From several threads at once.
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&map, t] {
      for (uint32_t i = 0; i < 20000; ++i) map.add((i + static_cast<uint32_t>(t)) % 3, 7 + t);
    });
  }
  for (std::thread& t : threads) t.join();
  sum = 0;
  for (uint32_t i = 0; i < 3; ++i) sum += map.covered(i);
  EXPECT_EQ(sum, 20000 * (7 + 8 + 9 + 10));
}

TEST(DensityMap, OneDiskCoversItsShare) {
  const NavMesh mesh = generate(streets(1), {.generator = "ecm"}).value();
  DensityMap map(mesh);
  uint32_t cell = 0;
  while (map.area(cell) < 5) ++cell;
  map.add(cell, DensityMap::areaOf(0.24));
  EXPECT_NEAR(map.density(cell) * map.area(cell), std::numbers::pi * 0.24 * 0.24, 1e-7);
  EXPECT_EQ(map.densityWithout(cell, DensityMap::areaOf(0.24)), 0);
}

TEST(DensityCost, GrowsWithWeightAndDensityAndIsNeverBelowTheLength) {
  AxisWorld w(streets(2));
  Random random(1, 1);
  w.crowd(random, 1);
  for (uint32_t e = 0; e < w.density.size(); ++e) {
    const double length = w.graph.map().edges[e].length;
    double last = length;
    for (const double weight : {0.0, 0.5, 1.0, 3.0, 20.0, 1e6}) {
      const double c = w.costOf(weight)(2 * e, length, 0);
      EXPECT_GE(c, last);
      EXPECT_TRUE(std::isfinite(c));
      last = c;
      // Half of the edge in view.
      const double half = w.costOf(weight, 0.5 * length * w.unit())(2 * e, length, 0);
      EXPECT_NEAR(half, 0.5 * (length + c), 1e-9 * c);
      EXPECT_EQ(w.costOf(weight, length * w.unit())(2 * e, length, length * (1 + 1e-9)), length);
    }
    EXPECT_EQ(w.costOf(1, 0)(2 * e, length, 0), length);
    const double before = w.costOf(1)(2 * e, length, 0);
    w.density.add(e, 10000000);
    EXPECT_GE(w.costOf(1)(2 * e, length, 0), before);
    EXPECT_EQ(w.costOf(1)(2 * e, 0, 0), 0);
  }
}

TEST(DensitySearch, FindsWhatDijkstraFinds) {
  AxisWorld w(streets(3));
  Random random(5, 5);
  int found = 0;
  for (int i = 0; i < 150; ++i) {
    if (i % 10 == 0) w.crowd(random, 0.4);
    const AxisPoint start = w.randomPoint(random);
    const AxisPoint goal = w.randomPoint(random);
    const double radius = random.real(0, 0.6) / w.unit();
    for (const double weight : {0.0, 1.0, 10.0}) {
      const EdgeDensityCost cost = w.costOf(weight);
      CorridorPath path;
      uint64_t expanded = 0;
      const double truth = dijkstra(w, start, goal, radius, cost);
      const bool reached = w.find(start, goal, radius, cost, path, expanded);
      ASSERT_EQ(reached, truth < HUGE_VAL);
      if (!reached) continue;
      ++found;
      EXPECT_NEAR(path.cost, truth, 1e-9 * truth + 1e-6);
      EXPECT_NEAR(pathCost(w.graph, start, goal, path.halfEdges, cost), path.cost, 1e-9 * truth + 1e-6);
      expectSound(w, start, goal, radius, path.halfEdges);
      if (weight == 0) {
        EXPECT_NEAR(pathLength(w.graph, start, goal, path.halfEdges), path.cost, 1e-9 * truth + 1e-6);
      }
    }
  }
  EXPECT_GT(found, 200);
}

// A walk along a path, re-planned at each vertex while the crowd changes.
struct Walked {
  int stopped = 0;  // searches that took over the old rest
  int cycles = 0;   // cases in which joining without the check would have walked in a circle
  int changed = 0;
};

bool joinsInACircle(AxisWorld& w, const AxisPoint& start, const AxisPoint& goal, double radius,
                    const EdgeDensityCost& cost, const std::vector<uint32_t>& rest) {
  // The plain rule, without looking at the way to the vertex.
  std::map<uint32_t, size_t> inRest;
  for (size_t j = 0; j + 1 < rest.size(); ++j) inRest[w.graph.endOf(rest[j])] = j;
  double view = cost.cost.reach();
  std::map<size_t, double> lengths;
  double length = 0;
  for (size_t j = 0; j + 1 < rest.size(); ++j) {
    length += stepLength(w.graph, start, goal, rest, j);
    lengths[j] = length;
  }
  if (w.stamp.advance()) w.search.nodes.wipe();
  CorridorPath path;
  uint64_t expanded = 0;
  const auto stop = [&](uint32_t v, double l) {
    const auto at = inRest.find(v);
    return at != inRest.end() && l >= view && lengths[at->second] >= view;
  };
  if (!searchCorridor(w.graph, start, goal, radius, cost, w.stamp, w.search, path, expanded, stop)) return false;
  if (path.stop == kNone) return false;
  path.halfEdges.insert(path.halfEdges.end(), rest.begin() + static_cast<ptrdiff_t>(inRest[path.stop]) + 1, rest.end());
  std::set<uint32_t> passed;
  for (size_t i = 0; i + 1 < path.halfEdges.size(); ++i) {
    if (!passed.insert(w.graph.endOf(path.halfEdges[i])).second) return true;
  }
  return false;
}

Walked walkWithReplanning(AxisWorld& w, uint64_t seed, double view, double hysteresis) {
  Random random(seed, 11);
  Walked out;
  w.crowd(random, 0.3);
  const AxisPoint goal = w.randomPoint(random);
  AxisPoint at = w.randomPoint(random);
  const double radius = 0.24 / w.unit();
  const EdgeDensityCost cost = w.costOf(10, view, hysteresis);
  CorridorPath path;
  uint64_t expanded = 0;
  if (!w.find(at, goal, radius, cost, path, expanded)) return out;
  OldPath old;
  std::vector<uint32_t> oldEdges = path.halfEdges;
  double lead = stepLength(w.graph, at, goal, oldEdges, 0);
  for (int step = 0; step < 40 && path.halfEdges.size() > 2; ++step) {
    w.crowd(random, 0.3);
    // To the middle of the next edge.
    const uint32_t next = path.halfEdges[1];
    const CorridorMap::Edge& e = w.graph.map().edges[next >> 1];
    const uint32_t arc = e.first + (e.count - 1) / 2;
    const ecm::ArcCurve curve = w.graph.curve(arc);
    at = axisPoint(w.graph, arc, 0.5 * (curve.begin() + curve.end()));
    old = {oldEdges, lead, view / w.unit()};
    const std::vector<uint32_t> rest(path.halfEdges.begin() + 1, path.halfEdges.end());
    if (joinsInACircle(w, at, goal, radius, cost, rest)) ++out.cycles;
    const Replanned result = w.again(at, goal, radius, cost, old, path, expanded);
    EXPECT_NE(result, Replanned::kNoWay);
    if (result == Replanned::kNoWay) return out;
    if (path.stop != kNone) ++out.stopped;
    expectSound(w, at, goal, radius, path.halfEdges);
    EXPECT_NEAR(pathCost(w.graph, at, goal, path.halfEdges, cost), path.cost, 1e-9 * path.cost + 1e-6);
    if (result == Replanned::kChanged) {
      ++out.changed;
      oldEdges = path.halfEdges;
      lead = stepLength(w.graph, at, goal, oldEdges, 0);
    }
  }
  return out;
}

TEST(DensityReplan, JoinsSoundPathsForEveryViewingDistance) {
  AxisWorld w(streets(3, 9));
  for (const double view : {5.0, 15.0, 30.0, HUGE_VAL}) {
    Walked sum;
    for (uint64_t seed = 0; seed < 60; ++seed) {
      SCOPED_TRACE(testing::Message() << view << ' ' << seed);
      const Walked one = walkWithReplanning(w, seed, view, 0.05);
      sum.stopped += one.stopped;
      sum.changed += one.changed;
      if (HasFailure()) return;
    }
    EXPECT_GT(sum.changed, 20) << view;
    if (view < 20) {
      EXPECT_GT(sum.stopped, 100) << view;
    }
    if (view == HUGE_VAL) {
      EXPECT_EQ(sum.stopped, 0);
    }
  }
}

// The rest of the old path may have been walked on the way to where the search meets it; joined there, the path would
// go in a circle.
TEST(DensityReplan, TheJoinDoesNotWalkInACircle) {
  AxisWorld w(streets(3, 9));
  int cycles = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    cycles += walkWithReplanning(w, seed, 12, 0).cycles;
    if (HasFailure()) return;
  }
  EXPECT_GT(cycles, 0);
}

TEST(DensityReplan, WithoutLimitItFindsWhatAStarFinds) {
  AxisWorld w(streets(4));
  Random random(8, 8);
  for (int i = 0; i < 60; ++i) {
    w.crowd(random, 0.4);
    const AxisPoint start = w.randomPoint(random);
    const AxisPoint goal = w.randomPoint(random);
    const double radius = 0.24 / w.unit();
    CorridorPath path;
    CorridorPath fresh;
    uint64_t expanded = 0;
    const EdgeDensityCost cost = w.costOf(5);
    if (!w.find(start, goal, radius, cost, path, expanded)) continue;
    const std::vector<uint32_t> oldEdges = path.halfEdges;
    w.crowd(random, 0.4);
    const OldPath old{oldEdges, stepLength(w.graph, start, goal, oldEdges, 0), HUGE_VAL};
    ASSERT_TRUE(w.find(start, goal, radius, cost, fresh, expanded));
    ASSERT_NE(w.again(start, goal, radius, cost, old, path, expanded), Replanned::kNoWay);
    EXPECT_NEAR(path.cost, fresh.cost, 1e-9 * fresh.cost + 1e-6);
  }
}

TEST(DensityReplan, WithoutSightItKeepsTheOldPathWithoutSearching) {
  AxisWorld w(streets(4));
  Random random(8, 9);
  for (int i = 0; i < 30; ++i) {
    const AxisPoint start = w.randomPoint(random);
    const AxisPoint goal = w.randomPoint(random);
    const double radius = 0.24 / w.unit();
    CorridorPath path;
    uint64_t expanded = 0;
    if (!w.find(start, goal, radius, w.costOf(0), path, expanded)) continue;
    const std::vector<uint32_t> oldEdges = path.halfEdges;
    w.crowd(random, 0.9);
    expanded = 0;
    const OldPath old{oldEdges, stepLength(w.graph, start, goal, oldEdges, 0), 0};
    EXPECT_EQ(w.again(start, goal, radius, w.costOf(10, 0), old, path, expanded), Replanned::kKept);
    EXPECT_EQ(path.halfEdges, oldEdges);
    EXPECT_EQ(expanded, 0U);
  }
}

// Two ways around a block, the shorter one full.
Navigator twoWays(bool ecm) {
  EnvironmentDraft draft;
  LayerDraft& layer = draft.layers.emplace_back();
  layer.walkable.push_back({{{0, 0}, {60, 0}, {60, 30}, {0, 30}}});
  layer.obstacles.push_back({{{10, 8}, {50, 8}, {50, 26}, {10, 26}}});
  return makeNavigator(bake(buildEnvironment(draft).value(), {.generator = ecm ? "ecm" : "hertel-mehlhorn"}).value());
}

double highest(const Route& route) {
  double y = 0;
  for (const Vec3 p : route.points) y = std::max(y, p.y);
  return y;
}

// A query from one side of the block to the other that counts the crowd on both ways.
struct AroundBlock {
  explicit AroundBlock(bool ecm) : navigator(twoWays(ecm)), map(navigator.mesh()) {
    query.from = {3, 12, 0};
    query.to = {57, 12, 0};
    query.radius = 0.24;
    view.map = &map;
    query.density = &view;
  }
  PathStatus plan() { return navigator.plan(query, scratch, route); }
  PathStatus replan() { return navigator.replan(query, scratch, route, changed); }
  void jamTheShorterWay() {
    for (double x = 12; x < 48; x += 0.5) {
      for (double y = 0.5; y < 8; y += 0.5) {
        map.add(map.cellOf(navigator.locate({x, y, 0})), DensityMap::areaOf(0.24));
      }
    }
  }

  Navigator navigator;
  DensityMap map;
  DensityView view;
  PathQuery query;
  PlanScratch scratch;
  Route route;
  bool changed = false;
};

TEST(DensityRoutes, BothNavigatorsWalkAroundACrowd) {
  for (const bool ecm : {true, false}) {
    SCOPED_TRACE(ecm);
    AroundBlock around(ecm);
    ASSERT_EQ(around.plan(), PathStatus::kFound);
    EXPECT_LT(highest(around.route), 20);  // empty: the shorter way below
    around.jamTheShorterWay();
    ASSERT_EQ(around.replan(), PathStatus::kFound);
    EXPECT_TRUE(around.changed);
    EXPECT_GT(highest(around.route), 26);
    around.view.weight = 0;
    ASSERT_EQ(around.plan(), PathStatus::kFound);
    EXPECT_LT(highest(around.route), 20);
  }
}

TEST(DensityRoutes, ANarrowerAdvantageThanTheHysteresisChangesNothing) {
  AroundBlock around(true);
  ASSERT_EQ(around.plan(), PathStatus::kFound);
  const std::vector<Vec3> points = around.route.points;
  around.jamTheShorterWay();
  around.view.hysteresis = 0.99;
  around.changed = true;
  ASSERT_EQ(around.replan(), PathStatus::kFound);
  EXPECT_FALSE(around.changed);
  EXPECT_EQ(around.route.points.size(), points.size());
}

// Crowds on the floors above and below do not count.
TEST(DensityRoutes, OtherFloorsDoNotCount) {
  const Environment environment = makeEnvironment({.kind = "tower"}).value();
  const NavMesh mesh = generate(environment, {.generator = "ecm"}).value();
  const auto navigator = CorridorNavigator::make(mesh).value();
  DensityMap map(mesh);
  PlanScratch scratch;
  Random random(6, 6);
  int compared = 0;
  for (int i = 0; i < 60; ++i) {
    const auto place = [&] {
      const auto cell = static_cast<CellId>(random.below(mesh.cellCount()));
      return mesh.position(mesh.startVertex(mesh.firstSide(cell)));
    };
    PathQuery query;
    query.from = place();
    query.to = place();
    query.radius = 0.1;
    Route empty;
    if (navigator->plan(query, scratch, empty) != PathStatus::kFound) continue;
    // Everybody is where this route is not.
    std::set<uint32_t> used;
    for (const uint32_t h : empty.path) used.insert(h >> 1);
    map.clear();
    for (uint32_t e = 0; e < map.size(); ++e) {
      if (used.count(e) == 0) map.add(e, static_cast<int64_t>(map.area(e) * 1e8));
    }
    DensityView view;
    view.map = &map;
    view.weight = 10;
    query.density = &view;
    Route crowded;
    ASSERT_EQ(navigator->plan(query, scratch, crowded), PathStatus::kFound);
    EXPECT_EQ(crowded.path, empty.path);
    ++compared;
  }
  EXPECT_GT(compared, 5);
}

}  // namespace
}  // namespace wend
