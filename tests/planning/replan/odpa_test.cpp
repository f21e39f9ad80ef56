#include <gtest/gtest.h>

#include "tests/planning/replan/random_graph.h"

namespace wend {
namespace {

GraphPath planned(ListGraph& graph, uint32_t start, uint32_t goal) {
  GraphSearchScratch scratch;
  GraphPath path;
  ReplanReport report;
  replanPath(graph, {start, goal, ReplanMethod::kAStar}, {}, {}, scratch, path, report);
  return path;
}

struct Replanned {
  bool found = false;
  GraphPath path;
  ReplanReport report;
};

Replanned replanned(GraphEvent& event, const GraphPath& path, size_t walked, ReplanMethod method,
                    OdpaBounds bounds = OdpaBounds::kTight) {
  GraphSearchScratch scratch;
  const OldGraphPath old = oldPathAfter(event, path, walked);
  Replanned out;
  out.found = replanPath(event.after, {old.start, path.goal(), method, event.kind, bounds}, old, event.part, scratch,
                         out.path, out.report);
  return out;
}

// A row of vertices 0 to n - 1, one apart.
ListGraph row(uint32_t count) {
  ListGraph graph;
  for (uint32_t i = 0; i < count; ++i) graph.places.push_back({static_cast<double>(i), 0});
  graph.out.resize(count);
  for (uint32_t i = 0; i + 1 < count; ++i) graph.addEdge(i, i + 1, 1);
  return graph;
}

constexpr ReplanMethod kMethods[] = {ReplanMethod::kOdpa, ReplanMethod::kDpa, ReplanMethod::kLocal,
                                     ReplanMethod::kAStar};

TEST(ReplanPath, NothingChanged) {
  GraphEvent event{row(5), row(5), {}, ChangeKind::kInsertion};
  const GraphPath path = planned(event.before, 0, 4);
  markChange(event);
  for (const ReplanMethod method : kMethods) {
    const Replanned now = replanned(event, path, 1, method);
    ASSERT_TRUE(now.found) << methodName(method);
    EXPECT_DOUBLE_EQ(now.path.cost, 3);
    EXPECT_FALSE(now.report.changed);
    EXPECT_FALSE(now.report.affected);
    EXPECT_TRUE(now.path.optimal);
    EXPECT_EQ(now.report.searched, method == ReplanMethod::kAStar);
  }
}

TEST(ReplanPath, GoalCutOff) {
  GraphEvent event{row(5), row(5), {}, ChangeKind::kInsertion};
  const GraphPath path = planned(event.before, 0, 4);
  for (const uint32_t edge : {0U, 2U, 3U}) {
    event.after = row(5);
    event.after.edges[edge].present = false;
    markChange(event);
    for (const ReplanMethod method : kMethods) {
      const Replanned now = replanned(event, path, 0, method);
      EXPECT_FALSE(now.found) << methodName(method) << edge;
      EXPECT_TRUE(now.path.steps.empty());
      EXPECT_TRUE(now.report.changed);
    }
  }
}

TEST(ReplanPath, StartIsTheGoal) {
  GraphEvent event{row(2), row(2), {}, ChangeKind::kMixed};
  event.after.edges[0].present = false;
  markChange(event);
  const GraphPath path = planned(event.before, 1, 1);
  for (const ReplanMethod method : kMethods) {
    const Replanned now = replanned(event, path, 0, method);
    ASSERT_TRUE(now.found) << methodName(method);
    EXPECT_EQ(now.path.cost, 0);
    EXPECT_TRUE(now.path.steps.empty());
  }
}

// The first, a middle, or the last edge of the path goes; a detour is there.
TEST(ReplanPath, EachEdgeOfThePathGoes) {
  for (uint32_t gone = 0; gone < 4; ++gone) {
    GraphEvent event{row(5), row(5), {}, ChangeKind::kInsertion};
    for (ListGraph* graph : {&event.before, &event.after}) {
      // A second row above the first.
      for (uint32_t i = 0; i < 5; ++i) graph->places.push_back({static_cast<double>(i), 1});
      graph->out.resize(10);
      for (uint32_t i = 0; i < 5; ++i) graph->addEdge(i, 5 + i, 1);
      for (uint32_t i = 5; i < 9; ++i) graph->addEdge(i, i + 1, 1);
    }
    const GraphPath path = planned(event.before, 0, 4);
    ASSERT_DOUBLE_EQ(path.cost, 4);
    event.after.edges[gone].present = false;
    markChange(event);
    for (const ReplanMethod method : kMethods) {
      const Replanned now = replanned(event, path, 0, method);
      ASSERT_TRUE(now.found) << methodName(method) << gone;
      EXPECT_DOUBLE_EQ(now.path.cost, 6);
      EXPECT_TRUE(isPathOf(event.after, now.path, 0, 4));
      EXPECT_TRUE(now.report.affected);
      EXPECT_TRUE(now.report.changed);
    }
  }
}

// An obstacle in a wide room: the axis gets branches on both sides of it, and one of them is shorter than the old way
// through the middle of the room. So an inserted obstacle made a path cheaper.
TEST(ReplanPath, DpaMissesWhatAnInsertionMakesCheaper) {
  GraphEvent event;
  ListGraph& room = event.before;
  room.places = {{0, 0}, {5, 5}, {10, 0}, {3, 0}, {7, 0}};  // doors 0 and 2, the middle 1, two new vertices
  room.out.resize(5);
  room.addEdge(0, 1, distance(room.places[0], room.places[1]));
  room.addEdge(1, 2, distance(room.places[1], room.places[2]));
  event.after = room;
  event.after.addEdge(0, 3, 3);
  event.after.addEdge(3, 4, 4.2);
  event.after.addEdge(4, 2, 3);
  event.kind = ChangeKind::kInsertion;
  markChange(event);
  const GraphPath path = planned(event.before, 0, 2);
  const Replanned best = replanned(event, path, 0, ReplanMethod::kAStar);
  EXPECT_DOUBLE_EQ(best.path.cost, 10.2);
  for (const OdpaBounds bounds : {OdpaBounds::kTight, OdpaBounds::kSource}) {
    const Replanned odpa = replanned(event, path, 0, ReplanMethod::kOdpa, bounds);
    EXPECT_DOUBLE_EQ(odpa.path.cost, 10.2);
    EXPECT_TRUE(odpa.path.optimal);
  }
  const Replanned dpa = replanned(event, path, 0, ReplanMethod::kDpa);
  EXPECT_DOUBLE_EQ(dpa.path.cost, path.cost);
  EXPECT_GT(dpa.path.cost, 14);
  EXPECT_FALSE(dpa.path.optimal);
}

// The opposite: the obstacle goes, its branches vanish, and the path becomes longer than the old one. DPA* takes the
// old cost for an upper bound, prunes everything, and must start again.
TEST(ReplanPath, DpaSurvivesADeletionThatMakesThePathDearer) {
  GraphEvent event;
  ListGraph& room = event.after;
  room.places = {{0, 0}, {5, 5}, {10, 0}, {3, 0}, {7, 0}};
  room.out.resize(5);
  room.addEdge(0, 1, distance(room.places[0], room.places[1]));
  room.addEdge(1, 2, distance(room.places[1], room.places[2]));
  event.before = room;
  room.addEdge(0, 3, 3);
  room.addEdge(3, 4, 4.2);
  room.addEdge(4, 2, 3);
  for (uint32_t e = 2; e < 5; ++e) room.edges[e].present = false;
  event.before.addEdge(0, 3, 3);
  event.before.addEdge(3, 4, 4.2);
  event.before.addEdge(4, 2, 3);
  event.kind = ChangeKind::kDeletion;
  markChange(event);
  const GraphPath path = planned(event.before, 0, 2);
  ASSERT_DOUBLE_EQ(path.cost, 10.2);
  for (const ReplanMethod method : kMethods) {
    const Replanned now = replanned(event, path, 0, method);
    ASSERT_TRUE(now.found) << methodName(method);
    EXPECT_DOUBLE_EQ(now.path.cost, 10 * std::sqrt(2.0));
  }
}

TEST(ReplanPath, AnOldPathThatWasNotTheBestIsSearchedAnew) {
  GraphEvent event{row(3), row(3), {}, ChangeKind::kMixed};
  event.before.addEdge(0, 2, 2.0);
  event.after.addEdge(0, 2, 2.0);
  GraphPath path = planned(event.before, 0, 2);
  path.optimal = false;
  markChange(event);
  const Replanned now = replanned(event, path, 0, ReplanMethod::kOdpa);
  EXPECT_TRUE(now.report.searched);
  EXPECT_TRUE(now.path.optimal);
  EXPECT_DOUBLE_EQ(now.path.cost, 2);
}

// Far from the path nothing is searched, and the proof takes no expansion.
TEST(ReplanPath, AChangeFarAwayCostsNothing) {
  GraphEvent event{row(6), row(6), {}, ChangeKind::kDeletion};
  for (ListGraph* graph : {&event.before, &event.after}) {
    graph->places.push_back({2, 40});
    graph->places.push_back({3, 40});
    graph->out.resize(8);
    graph->addEdge(0, 6, 60);
    graph->addEdge(7, 5, 60);
  }
  const GraphPath path = planned(event.before, 0, 5);
  event.after.addEdge(6, 7, 1);
  markChange(event);
  const Replanned now = replanned(event, path, 0, ReplanMethod::kOdpa);
  EXPECT_FALSE(now.report.searched);
  EXPECT_EQ(now.report.expanded, 0U);
  EXPECT_TRUE(now.path.optimal);
  const Replanned source = replanned(event, path, 0, ReplanMethod::kOdpa, OdpaBounds::kSource);
  EXPECT_DOUBLE_EQ(source.path.cost, 5);
  EXPECT_EQ(source.report.expanded, 5U);  // it walks along the old path
}

// Two edges between the same vertices: the successor is an edge, not a vertex.
TEST(ReplanPath, ParallelEdgesAreToldApart) {
  GraphEvent event{row(3), row(3), {}, ChangeKind::kInsertion};
  for (ListGraph* graph : {&event.before, &event.after}) graph->addEdge(0, 1, 1.5);
  const GraphPath path = planned(event.before, 0, 2);
  event.after.edges[0].present = false;
  markChange(event);
  for (const ReplanMethod method : kMethods) {
    const Replanned now = replanned(event, path, 0, method);
    ASSERT_TRUE(now.found) << methodName(method);
    EXPECT_DOUBLE_EQ(now.path.cost, 2.5);
    EXPECT_TRUE(now.report.affected);
    ASSERT_EQ(now.path.steps.size(), 2U);
    EXPECT_EQ(now.path.steps[0].edge >> 1, 2U);
  }
}

TEST(ReplanPath, RandomGraphsAndEvents) {
  ReplanCounts counts;
  for (uint64_t i = 0; i < 250; ++i) {
    const std::string fault = checkReplanning(1, i, counts);
    ASSERT_EQ(fault, "") << i;
  }
  EXPECT_GT(counts.trials, 3000U);
  EXPECT_GT(counts.affected, 500U);
  EXPECT_GT(counts.kept, 200U);
  EXPECT_GT(counts.noWay, 20U);
  // The tighter bounds save more than those of the source; both save something.
  EXPECT_LT(counts.tight, counts.source);
  EXPECT_LT(counts.source, counts.aStar);
  EXPECT_LT(counts.localAffected, counts.aStarAffected);
  EXPECT_GT(counts.localWorse, 0U);
  EXPECT_GT(counts.dpaWorse, 0U);
}

}  // namespace
}  // namespace wend
