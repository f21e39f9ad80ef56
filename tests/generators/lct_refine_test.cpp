#include <algorithm>
#include <set>
#include <tuple>

#include <wend/environment.h>

#include <gtest/gtest.h>

#include "generators/layer_triangles.h"
#include "generators/layered_worlds.h"
#include "generators/lct/disturbance.h"
#include "generators/lct/refine.h"
#include "generators/random_worlds.h"
#include "geometry/predicates.h"
#include "geometry/vec2.h"

namespace wend::lct {
namespace {

// Every corner searched in every round.
Refinement slowRefine(TriangleNet& net) {
  Refinement done;
  for (;;) {
    DisturbanceSearch search(net);
    std::vector<std::tuple<double, uint32_t, uint32_t>> candidates;
    done.unrefined = 0;
    for (const Corner corner : disturbingCorners(net)) {
      if (const auto found = search.find(corner)) candidates.emplace_back(found->width, corner.triangle, corner.corner);
      done.unrefined += search.withoutPlace();
    }
    std::sort(candidates.begin(), candidates.end());
    const size_t before = done.splits;
    for (const auto& [width, triangle, corner] : candidates) {
      const auto found = search.find({triangle, corner});
      if (!found || found->width != width) continue;
      net.split(found->wall, found->split);
      ++done.splits;
    }
    if (done.splits == before) return done;
  }
}

size_t expectAsSlow(const Environment& environment) {
  const auto layers = triangulateLayers(environment, {});
  EXPECT_TRUE(layers.ok());
  if (!layers.ok()) return 0;
  TriangleNet fast(*layers, environment.connections);
  TriangleNet slow(*layers, environment.connections);
  const Refinement done = refine(fast, {});
  const Refinement wanted = slowRefine(slow);
  EXPECT_EQ(done.splits, wanted.splits);
  EXPECT_EQ(done.unrefined, wanted.unrefined);
  EXPECT_EQ(fast.triangles().size(), slow.triangles().size());
  for (uint32_t t = 0; t < std::min(fast.triangles().size(), slow.triangles().size()); ++t) {
    EXPECT_EQ(fast.triangle(t).v, slow.triangle(t).v) << t;
    EXPECT_EQ(fast.triangle(t).n, slow.triangle(t).n) << t;
    if (::testing::Test::HasFailure()) break;
  }
  return done.splits;
}

TEST(LctRefine, SearchesAgainOnlyWhatHasChanged) {
  size_t splits = 0;
  for (uint64_t seed = 0; seed < 60 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    splits +=
        expectAsSlow(squaresWorld(seed, {.columns = 8, .rows = 8, .density = 0.7, .pitch = 9000, .jitter = 4000}));
    if (const auto world = overlappingWorld(seed)) splits += expectAsSlow(*world);
  }
  EXPECT_GT(splits, 200U);
}

// What is seen through an edge, with every edge's own four turns; adds the triangles entered.
void slowLook(const TriangleNet& net, Vec2 eye, double reach, NetEdge through, Vec2 right, Vec2 left,
              std::set<uint32_t>& looked) {
  const uint32_t next = net.triangle(through.triangle).n[through.edge];
  if (next == kNone) return;
  const uint32_t back = net.mirror(through.triangle, through.edge);
  looked.insert(next);
  for (const uint32_t edge : {(back + 1) % 3, (back + 2) % 3}) {
    const Vec2 a = net.point(net.triangle(next).v[(edge + 1) % 3]);
    const Vec2 b = net.point(net.triangle(next).v[(edge + 2) % 3]);
    if (orient(eye, a, b) <= 0 || distanceToSegment(eye, a, b) >= reach) continue;
    const Vec2 r = orient(eye, right, a) > 0 ? a : right;
    const Vec2 l = orient(eye, left, b) < 0 ? b : left;
    if (orient(eye, r, l) > 0) slowLook(net, eye, reach, {next, edge}, r, l, looked);
  }
}

TEST(LctRefine, LooksAtAllThatIsSeenInReach) {
  size_t corners = 0;
  size_t more = 0;
  for (uint64_t seed = 0; seed < 40 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const Environment environment = squaresWorld(
        seed, {.columns = 8, .rows = 8, .density = 0.7, .pitch = 9000, .jitter = seed % 2 == 0 ? 4000 : 0});
    const auto layers = triangulateLayers(environment, {});
    ASSERT_TRUE(layers.ok());
    const TriangleNet net(*layers, environment.connections);
    DisturbanceSearch search(net);
    for (const Corner corner : disturbingCorners(net)) {
      const NetTriangle& triangle = net.triangle(corner.triangle);
      const Vec2 eye = net.point(triangle.v[corner.corner]);
      const Vec2 right = net.point(triangle.v[(corner.corner + 1) % 3]);
      const Vec2 left = net.point(triangle.v[(corner.corner + 2) % 3]);
      std::set<uint32_t> wanted{corner.triangle};
      slowLook(net, eye, std::max(distance(eye, right), distance(eye, left)), {corner.triangle, corner.corner}, right,
               left, wanted);
      search.find(corner);
      const std::set<uint32_t> looked(search.looked().begin(), search.looked().end());
      ++corners;
      EXPECT_TRUE(std::includes(looked.begin(), looked.end(), wanted.begin(), wanted.end()));
      // Beyond that only for clearances of corners on the way.
      more += looked.size() > wanted.size() ? 1 : 0;
    }
  }
  EXPECT_GT(corners, 5000U);
  EXPECT_LT(more, corners / 20);
}

TEST(LctRefine, ChangesOfTrianglesAreCounted) {
  const auto layers = triangulateLayers(oneLayer({{{{0, 0}, {1000, 0}, {1000, 100}, {0, 100}}, {}}}), {});
  ASSERT_TRUE(layers.ok());
  TriangleNet net(*layers, {});
  ASSERT_EQ(net.triangles().size(), 2U);
  EXPECT_EQ(net.lastChange(0), 0U);
  uint32_t wall = 0;
  while (net.triangle(0).n[wall] != kNone) ++wall;
  const Vec2 a = net.point(net.triangle(0).v[(wall + 1) % 3]);
  const Vec2 b = net.point(net.triangle(0).v[(wall + 2) % 3]);
  net.split({0, wall}, {(a.x + b.x) / 2, (a.y + b.y) / 2});
  EXPECT_EQ(net.splits(), 1U);
  ASSERT_EQ(net.triangles().size(), 3U);
  EXPECT_EQ(net.lastChange(0), 1U);
  EXPECT_EQ(net.lastChange(2), 1U);
}

}  // namespace
}  // namespace wend::lct
