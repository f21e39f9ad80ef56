#include <algorithm>
#include <set>
#include <string>

#include <wend/wend.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/xml.h"
#include "draw/page.h"
#include "draw/palette.h"
#include "planning/point/point_planner.h"

namespace wend {
namespace {

size_t count(const std::string& text, std::string_view part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

Environment made(const char* kind) {
  Result<Environment> world = makeEnvironment({.kind = kind});
  EXPECT_TRUE(world.ok()) << world.error().message;
  return std::move(world).value();
}

TEST(Draw, NothingToDrawIsAnError) {
  EXPECT_EQ(drawEnvironment(Environment{}).error().code, ErrorCode::kEmpty);
  EXPECT_EQ(drawMesh(NavMesh{}).error().code, ErrorCode::kEmpty);
}

TEST(Draw, WidthOutOfRangeIsAnError) {
  DrawSettings settings;
  settings.width = 5;
  EXPECT_EQ(drawEnvironment(made("military"), settings).error().code, ErrorCode::kInvalidSettings);
}

TEST(Draw, TextIsEscaped) {
  EXPECT_EQ(escapeXml("a<b>&\"\n"), "a&lt;b&gt;&amp;&quot; ");
  Environment world = made("military");
  world.name = "<script>";
  const auto svg = drawEnvironment(world);
  ASSERT_TRUE(svg.ok());
  EXPECT_EQ(svg->find("<script>"), std::string::npos);
}

TEST(Draw, OnePanelTitlePerLayerAndAScaleBar) {
  const Environment world = made("station");
  const auto svg = drawEnvironment(world);
  ASSERT_TRUE(svg.ok());
  EXPECT_EQ(count(*svg, "<text"), world.layers.size() + 2);  // page title and scale bar
  EXPECT_TRUE(svg->find(" m</text>") != std::string::npos);
}

// Whatever is drawn stays on the page.
TEST(Draw, EveryPixelLiesOnThePage) {
  for (const LayerArrangement layers : {LayerArrangement::kSideBySide, LayerArrangement::kStacked}) {
    for (const char* kind : {"city", "station", "tower", "big-city"}) {
      DrawSettings settings;
      settings.layers = layers;
      const auto svg = drawEnvironment(made(kind), settings);
      ASSERT_TRUE(svg.ok());
      double width = 0;
      double height = 0;
      ASSERT_EQ(std::sscanf(svg->c_str() + svg->find("<svg"),
                            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%lf\" height=\"%lf\"", &width, &height),
                2);
      for (size_t at = svg->find(" d=\"M"); at != std::string::npos; at = svg->find(" d=\"M", at + 1)) {
        const char* p = svg->c_str() + at + 4;
        while (*p == 'M' || *p == 'L' || *p == 'Z') {
          if (*p == 'Z') {
            ++p;
            continue;
          }
          char* end = nullptr;
          const double x = std::strtod(p + 1, &end);
          const double y = std::strtod(end, &end);
          p = end;
          ASSERT_GE(x, 0) << kind;
          ASSERT_LE(x, width) << kind;
          ASSERT_GE(y, 0) << kind;
          ASSERT_LE(y, height) << kind;
        }
      }
    }
  }
}

// The corners of all paths with this stroke.
size_t cornersOf(const std::string& svg, std::string_view stroke) {
  size_t corners = 0;
  for (size_t at = svg.find("<path"); at != std::string::npos; at = svg.find("<path", at + 1)) {
    const std::string path = svg.substr(at, svg.find('>', at) - at);
    if (path.find(fmt::format("stroke=\"{}\"", stroke)) == std::string::npos) continue;
    corners += static_cast<size_t>(std::count(path.begin(), path.end(), 'L'));
  }
  return corners;
}

// A square of 10 x 10 m with a valley across it that no corner tells of.
TEST(Draw, LinesFollowHillsInTheObliqueView) {
  EnvironmentDraft draft;
  draft.layers.resize(1);
  draft.layers[0].walkable = {{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}}};
  auto world = buildEnvironment(draft);
  ASSERT_TRUE(world.ok()) << world.error().message;
  HeightField& field = world->layers[0].heights;
  for (const double x : {0.0, 5.0, 10.0}) {
    for (const double y : {0.0, 10.0}) {
      field.points.push_back(*world->lattice.snap({x, y}));
      field.z.push_back(x == 5 ? -3 : 0);
    }
  }
  field.triangles = {{0, 2, 1}, {1, 2, 3}, {2, 4, 3}, {3, 4, 5}};
  const auto mesh = generate(*world, {.generator = "hertel-mehlhorn"});
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  const PointPlanner planner(*mesh);
  PlanScratch scratch;
  Route route;
  ASSERT_EQ(planner.plan({.from = {1, 5}, .to = {9, 5}}, scratch, route), PathStatus::kFound);
  for (const LayerArrangement layers : {LayerArrangement::kSideBySide, LayerArrangement::kStacked}) {
    DrawSettings settings;
    settings.layers = layers;
    const bool bent = layers == LayerArrangement::kStacked;
    const auto outline = drawEnvironment(*world, settings);
    ASSERT_TRUE(outline.ok());
    const size_t corners = cornersOf(*outline, kWallColour);
    EXPECT_TRUE(bent ? corners >= 5 && corners <= 9 : corners == 3) << corners;
    const auto cells = drawMesh(*mesh, {&route, 1}, settings);
    ASSERT_TRUE(cells.ok());
    const size_t walls = cornersOf(*cells, kWallColour);
    EXPECT_TRUE(bent ? walls >= 6 && walls <= 10 : walls == 4) << walls;
    const size_t way = cornersOf(*cells, kRouteColour);
    EXPECT_TRUE(bent ? way >= 2 && way <= 4 : way == 1) << way;
  }
}

TEST(Draw, NeighboursHaveDifferentColours) {
  for (const char* kind : {"city", "zelda", "station"}) {
    const auto mesh = generate(made(kind), {.generator = "hertel-mehlhorn"});
    ASSERT_TRUE(mesh.ok()) << mesh.error().message;
    const std::vector<uint8_t> colour = colourCells(*mesh);
    size_t same = 0;
    for (SideId side = 0; side < mesh->sideCount(); ++side) {
      if (!mesh->isWall(side) && colour[mesh->cellOf(side)] == colour[mesh->neighbour(side)]) ++same;
    }
    EXPECT_LE(same, mesh->sideCount() / 500) << kind;
    EXPECT_GE(std::set<uint8_t>(colour.begin(), colour.end()).size(), 6U);
  }
}

TEST(Draw, ARouteAcrossStoreysIsDrawnInEachPanelItPasses) {
  const Environment world = made("two-floor-ramp");
  const auto mesh = generate(world, {.generator = "hertel-mehlhorn"});
  ASSERT_TRUE(mesh.ok());
  // From a cell of the lowest layer to one of the highest.
  const auto middle = [&](CellId cell) {
    Vec3 sum;
    for (SideId s = mesh->firstSide(cell); s < mesh->endSide(cell); ++s) {
      const Vec3 p = mesh->position(mesh->startVertex(s));
      sum = {sum.x + p.x, sum.y + p.y, sum.z + p.z};
    }
    const double n = mesh->sideCount(cell);
    return Vec3{sum.x / n, sum.y / n, sum.z / n};
  };
  CellId low = 0;
  CellId high = 0;
  for (CellId cell = 0; cell < mesh->cellCount(); ++cell) {
    if (middle(cell).z < middle(low).z) low = cell;
    if (middle(cell).z > middle(high).z) high = cell;
  }
  const PointPlanner planner(*mesh);
  PlanScratch scratch;
  Route route;
  ASSERT_EQ(planner.plan({.from = middle(low), .to = middle(high)}, scratch, route), PathStatus::kFound);
  std::set<LayerId> layers;
  for (const CellId cell : route.cells) layers.insert(mesh->layerOf(cell));
  ASSERT_GE(layers.size(), 2U);
  const auto svg = drawMesh(*mesh, {&route, 1});
  ASSERT_TRUE(svg.ok());
  EXPECT_EQ(count(*svg, kRouteColour) - 1, layers.size());  // one piece per layer, and the goal's dot
}

TEST(Draw, MedialAxis) {
  GenerateSettings generator;
  generator.generator = "ecm";
  const auto mesh = generate(made("military"), generator);
  ASSERT_TRUE(mesh.ok());
  const auto plain = drawMesh(*mesh);
  DrawSettings settings;
  settings.axis = true;
  const auto axis = drawMesh(*mesh, MeshOverlay{}, settings);
  settings.annotations = true;
  settings.disks = true;
  const auto all = drawMesh(*mesh, MeshOverlay{}, settings);
  ASSERT_TRUE(plain.ok() && axis.ok() && all.ok());
  EXPECT_EQ(plain->find(kAxisColour), std::string::npos);
  EXPECT_NE(axis->find(kAxisColour), std::string::npos);
  EXPECT_EQ(axis->find(kAnnotationColour), std::string::npos);
  EXPECT_NE(all->find(kAnnotationColour), std::string::npos);
  EXPECT_EQ(drawMesh(*generate(made("military"), {.generator = "delaunay"}), MeshOverlay{}, settings).error().code,
            ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace wend
