#include <cmath>
#include <numbers>

#include <wend/draw.h>
#include <wend/make_scene.h>

#include <gtest/gtest.h>

#include "draw/raster.h"

namespace wend {
namespace {

Scene made(const std::string& kind) {
  MakeSceneSettings settings;
  settings.kind = kind;
  return makeScene(settings)->scene;
}

size_t countIn(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(DrawScene, EmptyScenesAndBadSettingsAreErrors) {
  EXPECT_EQ(drawScene(Scene{}).error().code, ErrorCode::kEmpty);
  SceneDrawSettings settings;
  settings.width = 5;
  EXPECT_EQ(drawScene(made("s01"), settings).error().code, ErrorCode::kInvalidSettings);
  settings = {};
  settings.ceiling = -1;
  EXPECT_EQ(drawScene(made("s01"), settings).error().code, ErrorCode::kEmpty);
  settings.ceiling = NAN;
  EXPECT_EQ(drawScene(made("s01"), settings).error().code, ErrorCode::kInvalidSettings);
  EXPECT_EQ(drawScene({{{0, 0, 0}}, {{{0, 1, 2}, 0}}, {""}}).error().code, ErrorCode::kInvalidGeometry);
}

TEST(DrawScene, ShowsOneViewOrBoth) {
  const Scene scene = made("s32");
  SceneDrawSettings settings;
  settings.width = 300;
  const std::string both = *drawScene(scene, settings);
  EXPECT_EQ(countIn(both, "<image"), 2U);
  EXPECT_EQ(countIn(both, "<path transform"), 0U);
  EXPECT_EQ(both, *drawScene(scene, settings));
  settings.view = SceneDrawing::kPlan;
  settings.ceiling = 0.3;
  const std::string plan = *drawScene(scene, settings);
  EXPECT_EQ(countIn(plan, "<image"), 1U);
  // The four legs of the table are cut: four sides of two triangles each.
  const size_t section = plan.find("<path transform");
  ASSERT_NE(section, std::string::npos);
  EXPECT_EQ(countIn(plan.substr(section, plan.find("/>", section) - section), "M"), 4 * 4 * 2U);
}

TEST(Raster, NearerPixelsWin) {
  Raster raster(4, 4);
  raster.triangle({{{-9, -9, 1}, {20, -9, 1}, {-9, 20, 1}}}, {1, 2, 3});
  const std::string before = raster.png();
  raster.triangle({{{-9, -9, 0}, {20, -9, 0}, {-9, 20, 0}}}, {9, 9, 9});
  EXPECT_EQ(raster.png(), before);
  raster.triangle({{{-9, -9, 2}, {-9, 20, 2}, {20, -9, 2}}}, {9, 9, 9});
  EXPECT_NE(raster.png(), before);
  EXPECT_EQ(raster.halved().width(), 2U);
}

// Fans around the middle of a pixel, whose sides pass through those of many others.
TEST(Raster, LeavesNoPixelBetweenNeighbours) {
  constexpr Colour kColour{1, 2, 3};
  Raster whole(40, 40);
  whole.triangle({{{-90, -90, 0}, {200, -90, 0}, {-90, 200, 0}}}, kColour);
  for (int sides = 3; sides <= 60; ++sides) {
    Raster fan(40, 40);
    const auto corner = [&](int i) {
      const double angle = 2 * std::numbers::pi * i / sides;
      return Vec3{20.5 + 100 * std::cos(angle), 20.5 + 100 * std::sin(angle), 0};
    };
    for (int i = 0; i < sides; ++i) {
      fan.triangle({{{20.5, 20.5, 0}, corner(i), corner(i + 1 == sides ? 0 : i + 1)}}, kColour);
    }
    EXPECT_EQ(fan.png(), whole.png()) << sides;
  }
}

}  // namespace
}  // namespace wend
