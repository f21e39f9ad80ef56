#include <wend/make.h>

#include <gtest/gtest.h>

#include "generators/growth_cells.h"
#include "generators/pasfv/pasfv.h"
#include "tests/generators/laws.h"
#include "tests/generators/random_worlds.h"

// Growth on terrain classes: no cell lies on two of them, and together they are the free space.
namespace wend {
namespace {

EnvironmentDraft park() {
  EnvironmentDraft draft;
  LayerDraft& layer = draft.layers.emplace_back();
  layer.walkable = {{{{0, 0}, {100, 13}, {90, 80}, {-7, 71}}}};
  layer.obstacles = {{{{30, 20}, {40, 23}, {36, 34}}}, {{{60, 50}, {71, 47}, {75, 58}, {64, 61}}}};
  layer.regions.push_back({"road", {{{{-20, 37}, {120, 45}, {120, 55}, {-20, 47}}}}});
  layer.regions.push_back({"grass", {{{{20, 10}, {45, 10}, {45, 42}, {20, 42}}}, {{{80, 60}, {87, 61}, {84, 70}}}}});
  return draft;
}

// The labels that cover a place.
std::vector<std::string> labelsAt(const Layer& layer, Point p) {
  std::vector<std::string> labels;
  for (const Region& region : layer.regions) {
    if (locate(region.area, p) == Side::kInside) labels.push_back(region.label);
  }
  std::sort(labels.begin(), labels.end());
  return labels;
}

// Places inside a cell, many units away from its sides.
std::vector<Point> placesIn(const NavMesh& mesh, CellId cell) {
  std::vector<Vec2> corners;
  for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s)
    corners.push_back(mesh.vertex(mesh.startVertex(s)));
  Vec2 centre{};
  for (const Vec2 c : corners) {
    centre.x += c.x / static_cast<double>(corners.size());
    centre.y += c.y / static_cast<double>(corners.size());
  }
  std::vector<Point> places;
  for (const Vec2 c : corners) {
    for (const double t : {0.0, 0.5, 0.9}) {
      const Vec2 p{centre.x + t * (c.x - centre.x), centre.y + t * (c.y - centre.y)};
      bool isDeep = true;
      for (size_t i = 0; i < corners.size(); ++i) {
        const Vec2 a = corners[i];
        const Vec2 b = corners[(i + 1) % corners.size()];
        const double area = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
        isDeep = isDeep && area > 4 * std::hypot(b.x - a.x, b.y - a.y);
      }
      if (isDeep) places.push_back({static_cast<int32_t>(p.x), static_cast<int32_t>(p.y)});
    }
  }
  return places;
}

void expectOneClassPerCell(const NavMesh& mesh, const Environment& environment) {
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
    const Layer& layer = environment.layers[mesh.layerOf(cell)];
    const std::vector<Point> places = placesIn(mesh, cell);
    for (const Point p : places) EXPECT_EQ(labelsAt(layer, p), labelsAt(layer, places[0])) << "cell " << cell;
  }
}

TEST(GrowthOnTerrain, NoCellLiesOnTwoClasses) {
  const auto environment = buildEnvironment(park());
  ASSERT_TRUE(environment.ok()) << environment.error().message;
  const auto mesh = pasfv::generate(*environment, {});
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  expectTruth(*mesh, *environment);
  expectOneClassPerCell(*mesh, *environment);
  pasfv::Settings mixed;
  mixed.terrain = false;
  const auto plain = pasfv::generate(*environment, mixed);
  ASSERT_TRUE(plain.ok());
  EXPECT_LT(plain->cellCount(), mesh->cellCount());
}

TEST(GrowthOnTerrain, ALabelInTwoClassesIsAClassOfItsOwn) {
  const auto environment = buildEnvironment(park());
  ASSERT_TRUE(environment.ok());
  const auto spaces = grownSpaces(*environment, true, {});
  ASSERT_TRUE(spaces.ok());
  std::vector<std::vector<std::string>> classes;
  for (const GrownSpace& space : *spaces) classes.push_back(space.labels);
  const std::vector<std::vector<std::string>> wanted{{}, {"grass"}, {"road"}, {"grass", "road"}};
  EXPECT_EQ(classes.size(), 4U);
  for (const auto& one : wanted) EXPECT_EQ(std::count(classes.begin(), classes.end(), one), 1);
}

TEST(GrowthOnTerrain, RandomBordersOnRandomWorlds) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    auto world = makeEnvironment({"bodies", {{"bodies", 6}, {"turn", 17}}, seed, {}});
    ASSERT_TRUE(world.ok());
    EnvironmentDraft draft = draftOf(*world);
    Random random(seed);
    for (const std::string label : {"a", "b", "c"}) {
      const Vec2 at{random.real(-300, 900), random.real(0, 1200)};
      const auto corner = [&](double angle) {
        const double radius = random.real(100, 400);
        return Vec2{at.x + radius * std::cos(angle), at.y + radius * std::sin(angle)};
      };
      draft.layers[0].regions.push_back({label, {{{corner(0.3), corner(1.9), corner(3.4), corner(5.1)}}}});
    }
    const auto environment = buildEnvironment(draft);
    ASSERT_TRUE(environment.ok()) << environment.error().message;
    const auto mesh = pasfv::generate(*environment, {});
    ASSERT_TRUE(mesh.ok()) << mesh.error().message << " seed " << seed;
    expectTruth(*mesh, *environment);
    expectOneClassPerCell(*mesh, *environment);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(GrowthOnTerrain, RefusesMoreLabelsThanItKnows) {
  EnvironmentDraft draft = park();
  for (int i = 0; i < 31; ++i) {
    draft.layers[0].regions.push_back({"label" + std::to_string(i), {{{{1, 3}, {2, 3}, {2, 4}}}}});
  }
  const auto environment = buildEnvironment(draft);
  ASSERT_TRUE(environment.ok());
  const auto mesh = pasfv::generate(*environment, {});
  ASSERT_FALSE(mesh.ok());
  EXPECT_EQ(mesh.error().code, ErrorCode::kLimit);
}

}  // namespace
}  // namespace wend
