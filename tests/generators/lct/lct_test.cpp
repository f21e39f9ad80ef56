#include "generators/lct/lct.h"

#include <wend/local_clearance.h>
#include <wend/make.h>
#include <wend/navigator.h>
#include <wend/route.h>

#include <gtest/gtest.h>

#include "planning/disk/disk_navigator.h"
#include "tests/generators/laws.h"
#include "tests/generators/random_worlds.h"

namespace wend {
namespace {

NavMesh bakeLct(const Environment& environment, bool refine = true) {
  auto mesh = lct::generate(environment, {refine});
  EXPECT_TRUE(mesh.ok()) << (mesh.ok() ? "" : mesh.error().message);
  return mesh.ok() ? *mesh : NavMesh();
}

TEST(Lct, ASquareIsTwoTriangles) {
  const Environment environment = oneLayer({{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}, {}}});
  const NavMesh mesh = bakeLct(environment);
  EXPECT_EQ(mesh.cellCount(), 2U);
  expectTruth(mesh, environment);
}

// Every split is one vertex and one triangle more than the Delaunay triangulation has.
void expectCounts(const NavMesh& mesh, const Environment& environment) {
  const NavMesh plain = bake(environment, "delaunay");
  const uint32_t splits = mesh.vertexCount() - plain.vertexCount();
  EXPECT_EQ(mesh.cellCount(), plain.cellCount() + splits);
  EXPECT_EQ(mesh.portalCount(), plain.portalCount() + splits);
  EXPECT_EQ(innerVertices(mesh), 0U);
  EXPECT_EQ(mesh.sideCount(), 3 * mesh.cellCount());
}

TEST(Lct, ObeysTheLaws) {
  for (uint64_t seed = 0; seed < 150; ++seed) {
    Random random(seed);
    const SquaresSettings settings{.columns = static_cast<int32_t>(random.between(1, 14)),
                                   .rows = static_cast<int32_t>(random.between(1, 14)),
                                   .density = random.real(0.3, 1.0),
                                   .pitch = 100,
                                   .jitter = random.chance(0.7) ? 24 : 0};
    const Environment environment = squaresWorld(seed, settings);
    if (vertexCount(environment) == 0) continue;
    const NavMesh mesh = bakeLct(environment);
    expectPortalLaw(mesh, environment);
    expectTruth(mesh, environment);
    expectCounts(mesh, environment);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(Lct, JoinsLayersAtTheirConnections) {
  size_t joined = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const SquaresSettings settings{.columns = static_cast<int32_t>(random.between(2, 12)),
                                   .rows = static_cast<int32_t>(random.between(2, 12)),
                                   .density = random.real(0.5, 1.0),
                                   .pitch = 100,
                                   .jitter = random.chance(0.7) ? 24 : 0,
                                   .layers = static_cast<uint32_t>(random.between(2, 4))};
    const Environment environment = squaresWorld(seed, settings);
    if (vertexCount(environment) == 0) continue;
    joined += environment.connections.size();
    const NavMesh mesh = bakeLct(environment);
    expectPortalLaw(mesh, environment);
    expectTruth(mesh, environment);
    EXPECT_EQ(mesh.sideCount(), 3 * mesh.cellCount());
    if (HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GT(joined, 50U);
}

TEST(Lct, MadeWorldsAndTheShareOfSplits) {
  for (const MakeSettings& settings : {MakeSettings{"military", {}, 1, {}},
                                       {"zelda", {}, 1, {}},
                                       {"city", {}, 1, {}},
                                       {"maze", {{"size", 32}}, 1, {}}}) {
    const auto world = makeEnvironment(settings);
    ASSERT_TRUE(world.ok()) << world.error().message;
    const NavMesh mesh = bakeLct(*world);
    expectTruth(mesh, *world);
    expectCounts(mesh, *world);
    // The study's shares are 0.01 to 0.06.
    const uint32_t plain = bake(*world, "delaunay").cellCount();
    EXPECT_LT(mesh.cellCount(), plain + plain / 4) << settings.kind;
    RecordProperty(settings.kind, static_cast<int>(mesh.cellCount() - plain));
  }
}

// A hall without obstacles at each end, and convex obstacles and needles between them. `cut`: the first hall is a layer
// of its own.
Environment halls(uint64_t seed, bool cut) {
  Random random(seed);
  EnvironmentDraft draft;
  draft.lattice.unit = 1e-3;
  LayerDraft& layer = draft.layers.emplace_back();
  const double left = cut ? -1.5 : -30;
  layer.walkable.push_back({{{left, 0}, {50, 0}, {50, 20}, {left, 20}}});
  const int count = static_cast<int>(random.between(3, 25));
  for (int i = 0; i < count; ++i) {
    const Vec2 centre{random.real(2, 18), random.real(0, 20)};
    const double size = random.real(0.2, 3);
    const double thin = random.chance(0.4) ? random.real(0.02, 0.2) : 1.0;
    const double turn = random.real(0, 6.2831853);
    const int corners = static_cast<int>(random.between(3, 6));
    std::vector<Vec2> loop;
    for (int k = 0; k < corners; ++k) {
      const double angle = 6.2831853 * k / corners;
      const double x = size * std::cos(angle);
      const double y = size * thin * std::sin(angle);
      loop.push_back(
          {centre.x + x * std::cos(turn) - y * std::sin(turn), centre.y + x * std::sin(turn) + y * std::cos(turn)});
    }
    layer.obstacles.push_back({loop});
  }
  if (cut) {
    LayerDraft& hall = draft.layers.emplace_back();
    hall.id = 1;
    hall.walkable.push_back({{{-30, 0}, {left, 0}, {left, 20}, {-30, 20}}});
    draft.connections.push_back({0, 1, {{left, 0}, {left, 20}}});
  }
  auto environment = buildEnvironment(draft);
  EXPECT_TRUE(environment.ok());
  return environment.ok() ? *environment : Environment();
}

// Over crossings, not triangles: a large disk may need a triangle twice.
bool reaches(const NavMesh& mesh, const LocalClearance& clearance, CellId from, CellId to, double radius) {
  if (from == to) return true;
  std::vector<bool> seen(mesh.sideCount(), false);
  std::vector<SideId> todo;  // entered sides
  const auto leave = [&](SideId side) {
    if (mesh.isWall(side) || seen[mesh.twin(side)]) return;
    seen[mesh.twin(side)] = true;
    todo.push_back(mesh.twin(side));
  };
  for (SideId side = mesh.firstSide(from); side < mesh.endSide(from); ++side) leave(side);
  while (!todo.empty()) {
    const SideId entry = todo.back();
    todo.pop_back();
    const CellId cell = mesh.cellOf(entry);
    if (cell == to) return true;
    for (SideId side = mesh.firstSide(cell); side < mesh.endSide(cell); ++side) {
      if (side != entry && !mesh.isWall(side) && clearance.passes(mesh, entry, side, radius)) leave(side);
    }
  }
  return false;
}

struct Answers {
  int refinedYes = 0;
  int refinedNo = 0;
  int plainYes = 0;
};

// The exact planner against one comparison per step, at radii around the critical one.
void compareWithExact(uint64_t seed, bool cut, Answers& falseAnswers, int& pairs) {
  const Environment environment = halls(seed, cut);
  const NavMesh mesh = bakeLct(environment);
  const NavMesh plain = bakeLct(environment, false);
  const auto refined = LocalClearance::of(mesh);
  const auto unrefined = LocalClearance::of(plain);
  ASSERT_TRUE(refined.ok() && unrefined.ok());
  const DiskNavigator navigator(plain);
  const Locator locator(mesh);
  const Locator plainLocator(plain);
  PlanScratch scratch;
  Route route;
  PathQuery query{{-20, 10, 0}, {40, 10, 0}};
  const auto exact = [&](double radius) {
    query.radius = radius;
    return navigator.plan(query, scratch, route) == PathStatus::kFound;
  };
  const Vec2 from{-20, 10};
  const Vec2 to{40, 10};
  const auto local = [&](const NavMesh& m, const LocalClearance& c, const Locator& l, double radius) {
    return reaches(m, c, l.locate(Place(from)), l.locate(Place(to)), radius);
  };
  double low = 0;
  double high = 9;
  if (!exact(1e-3)) return;
  for (int i = 0; i < 40; ++i) (exact((low + high) / 2) ? low : high) = (low + high) / 2;
  ++pairs;
  for (const double radius : {0.5 * low, 0.9 * low, low * (1 - 1e-6), high * (1 + 1e-6), 1.1 * high, 1.5 * high}) {
    if (radius > 9) continue;
    const bool truth = radius <= low;
    const bool answer = local(mesh, *refined, locator, radius);
    falseAnswers.refinedYes += answer && !truth ? 1 : 0;
    falseAnswers.refinedNo += !answer && truth ? 1 : 0;
    const bool plainAnswer = local(plain, *unrefined, plainLocator, radius);
    EXPECT_TRUE(plainAnswer || !truth);
    falseAnswers.plainYes += plainAnswer && !truth ? 1 : 0;
  }
}

TEST(Lct, OneComparisonPerStepEqualsTheExactClearance) {
  Answers wrong;
  int pairs = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) compareWithExact(seed, false, wrong, pairs);
  EXPECT_GE(pairs, 100);
  EXPECT_EQ(wrong.refinedYes, 0);
  EXPECT_EQ(wrong.refinedNo, 0);
  // Otherwise the worlds would not need a refinement, and the test could not fail.
  EXPECT_GE(wrong.plainYes, 5);
  RecordProperty("plain_too_wide", wrong.plainYes);
}

TEST(Lct, AcrossAConnectionOneComparisonNeverRefusesAWay) {
  Answers wrong;
  int pairs = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) compareWithExact(seed, true, wrong, pairs);
  EXPECT_GE(pairs, 60);
  EXPECT_EQ(wrong.refinedNo, 0);
  EXPECT_LE(wrong.refinedYes, pairs / 20);
  RecordProperty("too_wide", wrong.refinedYes);
}

TEST(Lct, ClearanceOfACorridor) {
  // A pillar of 2 in the middle of a corridor of 10 leaves 4 on either side.
  const Environment environment =
      oneLayer({{{{0, 0}, {40, 0}, {40, 10}, {0, 10}}, {{{20, 4}, {20, 6}, {22, 6}, {22, 4}}}}});
  const NavMesh mesh = bakeLct(environment);
  const auto clearance = LocalClearance::of(mesh);
  ASSERT_TRUE(clearance.ok());
  double narrowest = 1;
  for (SideId side = 0; side < mesh.sideCount(); ++side) {
    const SideId next = mesh.nextSide(side);
    if (mesh.isWall(side) || mesh.isWall(next)) continue;
    EXPECT_EQ(clearance->width(mesh, side, next), clearance->width(mesh, next, side));
    narrowest = std::min(narrowest, clearance->width(mesh, side, next));
  }
  EXPECT_NEAR(narrowest, 4 * mesh.lattice().unit, 1e-12);
  EXPECT_FALSE(LocalClearance::of(bake(environment, "hertel-mehlhorn")).ok());
}

}  // namespace
}  // namespace wend
