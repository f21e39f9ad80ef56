#include "generators/lct/refine.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include <wend/environment.h>

#include <gtest/gtest.h>

#include "generators/layer_triangles.h"
#include "generators/lct/disturbance.h"
#include "geometry/predicates.h"
#include "geometry/vec2.h"
#include "tests/generators/layered_worlds.h"
#include "tests/generators/random_worlds.h"

namespace wend::lct {
namespace {

// Every corner searched in every round.
Refinement slowRefine(TriangleNet& net) {
  Refinement done;
  for (;;) {
    DisturbanceSearch search(net);
    std::vector<std::tuple<double, uint32_t, uint32_t>> candidates;
    std::vector<uint32_t> looked;
    done.unrefined = 0;
    for (const Corner corner : disturbingCorners(net)) {
      if (const auto found = search.find(corner, looked))
        candidates.emplace_back(found->width, corner.triangle, corner.corner);
      done.unrefined += search.withoutPlace();
    }
    std::sort(candidates.begin(), candidates.end());
    const size_t before = done.splits;
    for (const auto& [width, triangle, corner] : candidates) {
      const auto found = search.find({triangle, corner}, looked);
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

// All disturbances that a vertex sees, however far away, with every edge's own four turns.
class SlowSearch {
 public:
  explicit SlowSearch(const TriangleNet& net) : net_(net) {}

  std::vector<double> widths(Corner corner) {
    const NetTriangle& triangle = net_.triangle(corner.triangle);
    eye_ = net_.point(triangle.v[corner.corner]);
    found_.clear();
    look({corner.triangle, corner.corner}, net_.point(triangle.v[after(corner.corner)]),
         net_.point(triangle.v[before(corner.corner)]));
    return found_;
  }

 private:
  void look(NetEdge through, Vec2 right, Vec2 left) {
    const uint32_t next = net_.triangle(through.triangle).n[through.edge];
    if (next == kNone) return;
    path_.push_back(through);
    const uint32_t back = net_.mirror(through.triangle, through.edge);
    for (const uint32_t edge : {after(back), before(back)}) {
      const Vec2 a = net_.point(net_.triangle(next).v[after(edge)]);
      const Vec2 b = net_.point(net_.triangle(next).v[before(edge)]);
      if (orient(eye_, a, b) <= 0) continue;
      const Vec2 r = orient(eye_, right, a) > 0 ? a : right;
      const Vec2 l = orient(eye_, left, b) < 0 ? b : left;
      if (orient(eye_, r, l) <= 0) continue;
      if (net_.triangle(next).n[edge] == kNone) {
        consider(a, b, r, l);
      } else {
        look({next, edge}, r, l);
      }
    }
    path_.pop_back();
  }

  void consider(Vec2 a, Vec2 b, Vec2 right, Vec2 left) {
    const Vec2 d = b - a;
    const double along = dot(eye_ - a, d);
    if (along <= 0 || along >= dot(d, d)) return;
    const double width = std::abs(cross(eye_ - a, d)) / length(d);
    const Vec2 foot = a + (along / dot(d, d)) * d;
    if (orient(eye_, right, foot) > 0 && orient(eye_, left, foot) < 0 && disturbs(foot, width)) {
      found_.push_back(width);
    }
  }

  // Whether a triangle on the way lets a wider disk pass than fits between the eye and all vertices up to there.
  bool disturbs(Vec2 foot, double width) const {
    const NetTriangle& first = net_.triangle(path_.front().triangle);
    double right = distance(eye_, net_.point(first.v[after(path_.front().edge)]));
    double left = distance(eye_, net_.point(first.v[before(path_.front().edge)]));
    for (const NetEdge portal : path_) {
      const uint32_t entered = net_.triangle(portal.triangle).n[portal.edge];
      const uint32_t back = net_.mirror(portal.triangle, portal.edge);
      const Vec2 apex = net_.point(net_.triangle(entered).v[back]);
      const bool isLeft = orient(eye_, foot, apex) > 0;
      const uint32_t corner = isLeft ? after(back) : before(back);
      const uint32_t across = isLeft ? before(back) : after(back);
      const bool isOpen = net_.triangle(entered).n[across] != kNone;
      if (isOpen && width < (isLeft ? right : left) && width < cornerClearance(net_, entered, corner)) return true;
      (isLeft ? left : right) = std::min(isLeft ? left : right, distance(eye_, apex));
    }
    return false;
  }

  const TriangleNet& net_;
  Vec2 eye_{};
  std::vector<NetEdge> path_;
  std::vector<double> found_;
};

size_t expectAsSlowlyFound(const TriangleNet& net) {
  DisturbanceSearch search(net);
  SlowSearch slow(net);
  std::vector<uint32_t> looked;
  size_t disturbed = 0;
  for (const Corner corner : disturbingCorners(net)) {
    const auto found = search.find(corner, looked);
    const std::vector<double> widths = slow.widths(corner);
    const auto isNarrower = [&](double width) { return !found || width < found->width; };
    EXPECT_LE(std::count_if(widths.begin(), widths.end(), isNarrower), search.withoutPlace());
    EXPECT_LE(search.withoutPlace(), widths.size());
    EXPECT_TRUE(!found || std::find(widths.begin(), widths.end(), found->width) != widths.end());
    disturbed += widths.empty() ? 0 : 1;
  }
  return disturbed;
}

TEST(LctRefine, FindsTheNarrowestOfAllThatIsSeen) {
  size_t disturbed = 0;
  for (uint64_t seed = 0; seed < 200 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Environment environment =
        seed % 3 != 0 ? oneLayer({{simplePolygon(random, 80, seed % 3 == 1 ? 60 : 100000), {}}})
                      : squaresWorld(seed, {.columns = 8, .rows = 8, .density = 0.7, .pitch = 9000, .jitter = 4000});
    const auto layers = triangulateLayers(environment, {});
    ASSERT_TRUE(layers.ok());
    TriangleNet net(*layers, environment.connections);
    disturbed += expectAsSlowlyFound(net);
    // And among points that split walls.
    DisturbanceSearch search(net);
    std::vector<uint32_t> looked;
    for (const Corner corner : disturbingCorners(net)) {
      if (const auto found = search.find(corner, looked)) net.split(found->wall, found->split);
    }
    disturbed += expectAsSlowlyFound(net);
  }
  EXPECT_GT(disturbed, 400U);
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
